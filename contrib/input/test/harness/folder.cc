/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fs = std::filesystem;

namespace harness
{

Folder::Folder()
{
    std::string pattern = (fs::temp_directory_path() / "wormhole-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
    {
        throw std::runtime_error("no temporary folder");
    }
    m_folder = pattern;
}

Folder::~Folder()
{
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

std::string
Folder::PathOf(const std::string& name) const
{
    return (fs::path(m_folder) / name).string();
}

void
Folder::Write(const std::string& name, const std::string& text) const
{
    fs::create_directories(fs::path(PathOf(name)).parent_path());
    std::ofstream(PathOf(name)) << text;
}

std::string
Folder::Read(const std::string& name) const
{
    std::ostringstream text;
    text << std::ifstream(PathOf(name)).rdbuf();
    return text.str();
}

std::vector<std::string>
Folder::Lines(const std::string& name) const
{
    std::vector<std::string> lines;
    std::ifstream in(PathOf(name));
    for (std::string line; std::getline(in, line);)
    {
        lines.push_back(line);
    }
    return lines;
}

nlohmann::json
Folder::ReadJson(const std::string& name) const
{
    return nlohmann::json::parse(Read(name));
}

} // namespace harness
