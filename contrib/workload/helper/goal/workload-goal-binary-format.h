/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_GOAL_BINARY_FORMAT_H
#define WORKLOAD_GOAL_BINARY_FORMAT_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

// LogGOPSim's binary form of GOAL: little endian, packed. doc/goal.md describes it.

/** \ingroup workload First eight bytes of a file. */
constexpr uint64_t WORKLOAD_GOAL_MAGIC = 4223;

/** \ingroup workload First eight bytes of a file that LogGOPSim --save-mem has used up. */
constexpr uint64_t WORKLOAD_GOAL_MAGIC_CONSUMED = 2342;

/** \ingroup workload Offsets in the file do not count the magic. */
constexpr uint64_t WORKLOAD_GOAL_BASE = 8;

/** \ingroup workload Bytes between the magic and the jump table: ranks, highest cpu and nic. */
constexpr uint64_t WORKLOAD_GOAL_HEAD = 6;

/** \ingroup workload Bytes per rank in the jump table: where it starts and ends. */
constexpr uint64_t WORKLOAD_GOAL_JUMP = 16;

/** \ingroup workload Bytes before a rank's roots: how many operations and roots. */
constexpr uint64_t WORKLOAD_GOAL_RANK_HEAD = 8;

/** \ingroup workload Bytes of an operation. */
constexpr uint64_t WORKLOAD_GOAL_NODE = 39;

/** \ingroup workload \return a little-endian number of sizeof(T) bytes */
template <typename T>
T
LoadWorkloadGoal(const unsigned char* bytes)
{
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i)
    {
        value = static_cast<T>(value | static_cast<T>(bytes[i]) << (8 * i));
    }
    return value;
}

/** \ingroup workload Stores a little-endian number. \return the place after it */
template <typename T>
unsigned char*
StoreWorkloadGoal(unsigned char* bytes, T value)
{
    for (size_t i = 0; i < sizeof(T); ++i)
    {
        bytes[i] = static_cast<unsigned char>(value >> (8 * i));
    }
    return bytes + sizeof(T);
}

} // namespace ns3

#endif // WORKLOAD_GOAL_BINARY_FORMAT_H
