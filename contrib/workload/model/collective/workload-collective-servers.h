/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_SERVERS_H
#define WORKLOAD_COLLECTIVE_SERVERS_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \param members ranks
 * \param ranksPerServer rank / this = server
 * \return the members' indices, per server, both in the order of the members
 */
std::vector<std::vector<uint32_t>> GroupWorkloadServers(const std::vector<uint32_t>& members,
                                                        uint32_t ranksPerServer);

/** \ingroup workload A ring of members, by their indices. */
struct WorkloadRing
{
    std::vector<uint32_t> order; ///< members by place
    std::vector<uint32_t> place; ///< of each member
};

/**
 * \ingroup workload
 * \param members ranks, in the order of the ring
 * \param ranksPerServer rank / this = server
 * \param shift each run of members of one server is rotated by this, so that the ring enters the
 * server at another one
 * \return the ring
 */
WorkloadRing MakeWorkloadRing(const std::vector<uint32_t>& members,
                              uint32_t ranksPerServer,
                              uint32_t shift);

/**
 * \ingroup workload
 * \param members ranks, in the order of the ring
 * \param ranksPerServer rank / this = server
 * \param channels of the collective
 * \param rotate whether channel c enters servers at their c-th member
 * \return the rings that there are; channel c takes ring c modulo their number
 */
std::vector<WorkloadRing> MakeWorkloadRings(const std::vector<uint32_t>& members,
                                            uint32_t ranksPerServer,
                                            uint32_t channels,
                                            bool rotate);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_SERVERS_H
