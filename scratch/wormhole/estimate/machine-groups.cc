/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "machine-groups.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace wormhole
{

namespace
{

bool
Names(const std::string& controllers, const std::string& controller)
{
    return ("," + controllers + ",").find("," + controller + ",") != std::string::npos;
}

} // namespace

std::string
ReadWhole(const fs::path& path)
{
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void
ForEachGroup(const std::string& groups,
             const std::string& root,
             const std::string& controller,
             const std::function<void(const fs::path&, bool)>& look)
{
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
        const bool isSecond = controllers.empty();
        if (!isSecond && !Names(controllers, controller))
        {
            continue;
        }
        const fs::path top = isSecond ? fs::path(root) : fs::path(root) / controller;
        fs::path folder = top / line.substr(std::min(second + 2, line.size()));
        look(folder, isSecond);
        while (folder != top && folder.has_relative_path())
        {
            folder = folder.parent_path();
            look(folder, isSecond);
        }
    }
}

uint32_t
CgroupProcessors(const std::string& groups, const std::string& root)
{
    uint32_t least = UINT32_MAX;
    ForEachGroup(groups, root, "cpu", [&least](const fs::path& folder, bool isSecond) {
        // of time, in microseconds: "max" or -1 for no quota
        std::istringstream text(isSecond ? ReadWhole(folder / "cpu.max")
                                         : ReadWhole(folder / "cpu.cfs_quota_us") + " " +
                                               ReadWhole(folder / "cpu.cfs_period_us"));
        double quota = 0;
        double period = 0;
        if (text >> quota >> period && quota > 0 && period > 0 && quota / period < UINT32_MAX)
        {
            least = std::min(least, static_cast<uint32_t>(std::ceil(quota / period)));
        }
    });
    return least;
}

uint32_t
MachineProcessors()
{
    return std::min(std::max(std::thread::hardware_concurrency(), 1U),
                    CgroupProcessors(ReadWhole("/proc/self/cgroup"), "/sys/fs/cgroup"));
}

} // namespace wormhole
