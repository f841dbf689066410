/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_MACHINE_MEMORY_H
#define WORMHOLE_CLI_MACHINE_MEMORY_H

#include <cstdint>
#include <string>

namespace wormhole
{

/** \return memory that this process may still take, bytes: the least of what the machine has
 * (MemAvailable), its control groups and its own limit of address space leave; UINT64_MAX if
 * nothing says */
uint64_t AvailableMemory();

/** \return memory that this process has, bytes; 0 if that is not known */
uint64_t ResidentMemory();

/**
 * \param groups text of /proc/self/cgroup
 * \param root where control groups are mounted, such as /sys/fs/cgroup
 * \return what the groups of the process, of version 1 or 2, leave of their memory, bytes;
 * UINT64_MAX if they set no limit
 */
uint64_t CgroupMemory(const std::string& groups, const std::string& root);

} // namespace wormhole

#endif // WORMHOLE_CLI_MACHINE_MEMORY_H
