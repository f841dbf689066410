/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "machine-memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

constexpr uint64_t UNKNOWN = UINT64_MAX;

std::string
ReadText(const fs::path& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/** \return the number in a file; UNKNOWN if there is none ("max" is none) */
uint64_t
ReadNumber(const fs::path& path)
{
    std::istringstream text(ReadText(path));
    uint64_t number = 0;
    return text >> number ? number : UNKNOWN;
}

/** \return what the group of a folder, and those above it, leave */
uint64_t
Left(const fs::path& root, fs::path folder, const char* limitName, const char* usedName)
{
    uint64_t least = UNKNOWN;
    while (true)
    {
        const uint64_t limit = ReadNumber(folder / limitName);
        const uint64_t used = ReadNumber(folder / usedName);
        if (limit != UNKNOWN && used != UNKNOWN)
        {
            least = std::min(least, limit - std::min(limit, used));
        }
        if (folder == root || !folder.has_relative_path())
        {
            return least;
        }
        folder = folder.parent_path();
    }
}

uint64_t
MemAvailable()
{
    constexpr uint64_t KIB = 1024;
    std::ifstream in("/proc/meminfo");
    std::string name;
    uint64_t kib = 0;
    std::string unit;
    while (in >> name >> kib && std::getline(in, unit))
    {
        if (name == "MemAvailable:")
        {
            return kib * KIB;
        }
    }
    return UNKNOWN;
}

/** \return what RLIMIT_AS leaves */
uint64_t
AddressSpaceLeft()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) || limit.rlim_cur == RLIM_INFINITY)
    {
        return UNKNOWN;
    }
    const uint64_t pages = ReadNumber("/proc/self/statm");
    const uint64_t used =
        pages == UNKNOWN ? 0 : pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    return limit.rlim_cur - std::min<uint64_t>(limit.rlim_cur, used);
}

} // namespace

uint64_t
CgroupMemory(const std::string& groups, const std::string& root)
{
    uint64_t least = UNKNOWN;
    std::istringstream lines(groups);
    // NUMBER:CONTROLLERS:/PATH
    for (std::string line; std::getline(lines, line);)
    {
        const size_t first = line.find(':');
        const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
        {
            continue;
        }
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(std::min(second + 2, line.size()));
        if (controllers.empty())
        {
            const fs::path top = root;
            least = std::min(least, Left(top, top / path, "memory.max", "memory.current"));
        }
        else if (controllers == "memory")
        {
            const fs::path top = fs::path(root) / "memory";
            least =
                std::min(least,
                         Left(top, top / path, "memory.limit_in_bytes", "memory.usage_in_bytes"));
        }
    }
    return least;
}

uint64_t
AvailableMemory()
{
    return std::min({MemAvailable(),
                     CgroupMemory(ReadText("/proc/self/cgroup"), "/sys/fs/cgroup"),
                     AddressSpaceLeft()});
}

uint64_t
ResidentMemory()
{
    std::ifstream in("/proc/self/statm");
    uint64_t size = 0;
    uint64_t resident = 0;
    in >> size >> resident;
    return in ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

} // namespace wormhole
