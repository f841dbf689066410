/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_SHAPE_H
#define WORKLOAD_SIMAI_SHAPE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload The shape of a group: members by number on each server, and NVSwitches of the
 * server if it is only one. */
struct WorkloadSimAiShape
{
    std::vector<std::vector<uint32_t>> servers; ///< members, increasing; in the order of servers
    uint32_t switches{0};

    /** \return members in all */
    uint32_t Count() const;

    /** \return channels of its rings: the least number of members on a server */
    uint32_t Channels() const;
};

/** \ingroup workload \return the shape of a group of these ranks, increasing; \p switchesPerServer
 * counts only in a group on one server */
WorkloadSimAiShape MakeWorkloadSimAiShape(const std::vector<uint32_t>& ranks,
                                          uint32_t gpusPerServer,
                                          uint32_t switchesPerServer);

/** \ingroup workload How GPUs and NVSwitches are spread over servers: so many each. */
struct WorkloadSimAiServers
{
    uint32_t gpus{1};
    uint32_t switches{0};

    /** \return the shape of a group of these ranks, increasing */
    WorkloadSimAiShape ShapeOf(const std::vector<uint32_t>& ranks) const
    {
        return MakeWorkloadSimAiShape(ranks, gpus, switches);
    }
};

} // namespace ns3

#endif // WORKLOAD_SIMAI_SHAPE_H
