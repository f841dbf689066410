/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_DISTURBANCE_H
#define WORKLOAD_DISTURBANCE_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup workload
 * \brief One of several things is moved by next to nothing, to see what a network makes of that.
 *
 * Where paths collide, results of the packet level itself change by several percent then: what
 * differs by less is no error.
 */
struct WorkloadDisturbance
{
    uint64_t which{0}; ///< of the things, from 0
    int64_t ns{0};     ///< how much later it happens; 0: nothing is moved
};

/**
 * \ingroup workload
 *
 * The first \p count numbers move another thing each by 1 ns, in an order that is random but always
 * the same; the next \p count numbers move them by 2 ns, and so on. O(1) on average.
 * \param number of the disturbance, from 1
 * \param count of the things, at least 1
 * \return the disturbance
 */
WorkloadDisturbance DrawWorkloadDisturbance(uint64_t number, uint64_t count);

} // namespace ns3

#endif // WORKLOAD_DISTURBANCE_H
