/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SIMAI_GROUPS_H
#define WORKLOAD_SIMAI_GROUPS_H

#include "workload-simai.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Which ranks form which group, as SimAI's ns-3 back end does it: of the topology's GPUs,
 * without regard to pipeline stages.
 *
 * With T = TP, E = EP and W ranks: tensor groups are T consecutive ranks; the data group of rank r
 * is all ranks that equal r modulo T, D = W/T of them. Tensor groups are numbered, and blocks of E
 * of them give the expert groups (the k-th ranks of a block); every E-th of them gives the DP_EP
 * groups (D/E ranks). A rank is in exactly one group of each kind.
 */
class WorkloadSimAiGroups
{
  public:
    /**
     * \param ranks of the topology, at least 1
     * \param tp tensor parallelism, at least 1
     * \param ep expert parallelism, at least 1
     * \throws InputError if the ranks cannot be divided so
     */
    WorkloadSimAiGroups(uint32_t ranks, uint32_t tp, uint32_t ep);

    /** \return ranks in a group of this kind */
    uint32_t GetSize(WorkloadSimAiGroup kind) const;

    /** \return number of the rank's group of this kind, from 0 */
    uint32_t GetGroup(WorkloadSimAiGroup kind, uint32_t rank) const;

    /** \return the rank's place in its group, from 0: ranks of a group are in increasing order */
    uint32_t GetMember(WorkloadSimAiGroup kind, uint32_t rank) const;

    /** \return ranks of a group, increasing */
    std::vector<uint32_t> GetRanks(WorkloadSimAiGroup kind, uint32_t group) const;

    /** \return ranks in all */
    uint32_t GetCount() const
    {
        return m_ranks;
    }

  private:
    uint32_t m_ranks;
    uint32_t m_tp;
    uint32_t m_ep;
    uint32_t m_dp;
};

/**
 * \ingroup workload
 *
 * SimAI's filter of "involved dimensions": which passes communicate under a policy.
 * \return false if the policy has no communication in that pass
 */
bool WorkloadSimAiInvolves(WorkloadSimAiPolicy policy, WorkloadSimAiPass pass);

} // namespace ns3

#endif // WORKLOAD_SIMAI_GROUPS_H
