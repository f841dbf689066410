/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-file.h"

#include "ns3/input-error.h"

#include <filesystem>
#include <iterator>
#include <string>

namespace wormhole
{

namespace fs = std::filesystem;

namespace
{

constexpr int DEEPEST = 64; // nesting of JSON

/** A callback of the parser could tell, which takes time by the square of the length of a list. */
bool
IsTooDeep(const std::string& json)
{
    int depth = 0;
    bool isText = false;
    for (size_t i = 0; i < json.size(); ++i)
    {
        const char c = json[i];
        if (isText)
        {
            i += c == '\\' ? 1 : 0;
            isText = c != '"';
            continue;
        }
        isText = c == '"';
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= c == '}' || c == ']' ? 1 : 0;
        if (depth > DEEPEST)
        {
            return true;
        }
    }
    return false;
}

} // namespace

std::ifstream
OpenResultFile(const std::string& path)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status) && !fs::is_regular_file(status))
    {
        throw ns3::InputError(path + ": this is no file; give a folder that wormhole run "
                                     "--output wrote");
    }
    std::ifstream in(path, std::ios::binary);
    if (!in)
    {
        throw ns3::InputError(path + " cannot be read; check the permissions, and that it is "
                                     "what wormhole run --output wrote");
    }
    return in;
}

nlohmann::ordered_json
ReadResultJson(const std::string& path)
{
    std::ifstream in = OpenResultFile(path);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (IsTooDeep(text))
    {
        throw ns3::InputError(path + ": nested more than " + std::to_string(DEEPEST) +
                              " deep, so wormhole run did not write it; run it again");
    }
    return nlohmann::ordered_json::parse(text, nullptr, false);
}

} // namespace wormhole
