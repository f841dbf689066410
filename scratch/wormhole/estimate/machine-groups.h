/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_MACHINE_GROUPS_H
#define WORMHOLE_CLI_MACHINE_GROUPS_H

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace wormhole
{

/** \return what a file holds; nothing if it cannot be read */
std::string ReadWhole(const std::filesystem::path& path);

/**
 * \param groups text of /proc/self/cgroup
 * \param root where control groups are mounted, such as /sys/fs/cgroup
 * \param controller of version 1, such as memory
 * \param look is called with the folder of each group of the process that limits what \p controller
 * does, of those above it, and whether these are of version 2
 */
void ForEachGroup(const std::string& groups,
                  const std::string& root,
                  const std::string& controller,
                  const std::function<void(const std::filesystem::path&, bool)>& look);

/** \return processors whose time this process may have, from 1: those of the machine, or the quota
 * of its control groups, rounded up */
uint32_t MachineProcessors();

/** \return the quota of the process's groups, processors, rounded up; UINT32_MAX if they set none.
 * \p groups and \p root as above */
uint32_t CgroupProcessors(const std::string& groups, const std::string& root);

} // namespace wormhole

#endif // WORMHOLE_CLI_MACHINE_GROUPS_H
