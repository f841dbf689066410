/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_DATA_H
#define HARNESS_DATA_H

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

/** The input files and results that tests read. */
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

} // namespace harness

#endif // HARNESS_DATA_H
