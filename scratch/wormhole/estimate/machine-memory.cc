/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "machine-memory.h"

#include "machine-groups.h"

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

/** \return the number in a file; UNKNOWN if there is none ("max" is none) */
uint64_t
ReadNumber(const fs::path& path)
{
    std::istringstream text(ReadWhole(path));
    uint64_t number = 0;
    return text >> number ? number : UNKNOWN;
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
    ForEachGroup(groups, root, "memory", [&least](const fs::path& folder, bool isSecond) {
        const uint64_t limit =
            ReadNumber(folder / (isSecond ? "memory.max" : "memory.limit_in_bytes"));
        const uint64_t used =
            ReadNumber(folder / (isSecond ? "memory.current" : "memory.usage_in_bytes"));
        if (limit != UNKNOWN && used != UNKNOWN)
        {
            least = std::min(least, limit - std::min(limit, used));
        }
    });
    return least;
}

uint64_t
AvailableMemory()
{
    return std::min({MemAvailable(),
                     CgroupMemory(ReadWhole("/proc/self/cgroup"), "/sys/fs/cgroup"),
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
