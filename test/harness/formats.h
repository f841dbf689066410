/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_FORMATS_H
#define HARNESS_FORMATS_H

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

/** Input files in the formats of other simulators: the project's own, and those of others. */
namespace harness
{

/** \return a file or folder below test/data */
inline std::filesystem::path
Data(const std::string& name)
{
    return std::filesystem::path(WORMHOLE_SOURCE_DIR) / "test" / "data" / name;
}

/** \return every file of this name at any depth below \p folder, in order; all files if the name is
 * empty */
inline std::vector<std::filesystem::path>
FilesBelow(const std::filesystem::path& folder, const std::string& name = "")
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    {
        if (entry.is_regular_file() && (name.empty() || entry.path().filename() == name))
        {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

/**
 * \param name of a file or folder of other people's input files
 * \return where it is: they are no part of the project, and where the folder `shared` stands beside
 * it, tests read them besides the project's own; empty if it is not there, which is said on
 * standard output
 */
inline std::filesystem::path
OfOthers(const std::string& name)
{
    const auto path = std::filesystem::path(WORMHOLE_SOURCE_DIR) / ".." / "shared" / "data" / name;
    if (std::filesystem::exists(path))
    {
        return path;
    }
    std::cout << "files of others are not here (" << name << "): only the project's own are read\n";
    return {};
}

} // namespace harness

#endif // HARNESS_FORMATS_H
