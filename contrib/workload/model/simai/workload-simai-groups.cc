/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-groups.h"

#include "ns3/input-error.h"

#include <string>

namespace ns3
{

WorkloadSimAiGroups::WorkloadSimAiGroups(uint32_t ranks, uint32_t tp, uint32_t ep)
    : m_ranks(ranks),
      m_tp(tp),
      m_ep(ep),
      m_dp(0)
{
    if (ranks == 0)
    {
        throw InputError("the topology has no hosts, and a SimAI workload needs one at least");
    }
    if (tp == 0 || ranks % tp != 0)
    {
        throw InputError("tensor parallelism " + std::to_string(tp) + " does not divide the " +
                         std::to_string(ranks) + " hosts of the topology; change one of them");
    }
    m_dp = ranks / tp;
    if (ep == 0 || m_dp % ep != 0)
    {
        throw InputError("expert parallelism " + std::to_string(ep) + " does not divide the " +
                         std::to_string(m_dp) + " data-parallel ranks (" + std::to_string(ranks) +
                         " hosts of the topology / TP " + std::to_string(tp) +
                         "); change one of them");
    }
}

uint32_t
WorkloadSimAiGroups::GetSize(WorkloadSimAiGroup kind) const
{
    switch (kind)
    {
    case WorkloadSimAiGroup::TP:
        return m_tp;
    case WorkloadSimAiGroup::DP:
        return m_dp;
    case WorkloadSimAiGroup::EP:
        return m_ep;
    case WorkloadSimAiGroup::DP_EP:
        return m_dp / m_ep;
    case WorkloadSimAiGroup::ALL:
        break;
    }
    return m_ranks;
}

uint32_t
WorkloadSimAiGroups::GetGroup(WorkloadSimAiGroup kind, uint32_t rank) const
{
    const uint32_t tensorGroup = rank / m_tp;
    const uint32_t k = rank % m_tp;
    switch (kind)
    {
    case WorkloadSimAiGroup::TP:
        return tensorGroup;
    case WorkloadSimAiGroup::DP:
        return k;
    case WorkloadSimAiGroup::EP:
        return tensorGroup / m_ep * m_tp + k;
    case WorkloadSimAiGroup::DP_EP:
        return tensorGroup % m_ep * m_tp + k;
    case WorkloadSimAiGroup::ALL:
        break;
    }
    return 0;
}

uint32_t
WorkloadSimAiGroups::GetMember(WorkloadSimAiGroup kind, uint32_t rank) const
{
    const uint32_t tensorGroup = rank / m_tp;
    switch (kind)
    {
    case WorkloadSimAiGroup::TP:
        return rank % m_tp;
    case WorkloadSimAiGroup::DP:
        return tensorGroup;
    case WorkloadSimAiGroup::EP:
        return tensorGroup % m_ep;
    case WorkloadSimAiGroup::DP_EP:
        return tensorGroup / m_ep;
    case WorkloadSimAiGroup::ALL:
        break;
    }
    return rank;
}

std::vector<uint32_t>
WorkloadSimAiGroups::GetRanks(WorkloadSimAiGroup kind, uint32_t group) const
{
    const uint32_t size = GetSize(kind);
    uint32_t first = 0;
    uint32_t stride = 1;
    switch (kind)
    {
    case WorkloadSimAiGroup::TP:
        first = group * m_tp;
        break;
    case WorkloadSimAiGroup::DP:
        first = group;
        stride = m_tp;
        break;
    case WorkloadSimAiGroup::EP:
        first = group % m_tp + group / m_tp * m_ep * m_tp;
        stride = m_tp;
        break;
    case WorkloadSimAiGroup::DP_EP:
        first = group % m_tp + group / m_tp * m_tp;
        stride = m_ep * m_tp;
        break;
    case WorkloadSimAiGroup::ALL:
        break;
    }
    std::vector<uint32_t> ranks(size);
    for (uint32_t i = 0; i < size; ++i)
    {
        ranks[i] = first + i * stride;
    }
    return ranks;
}

bool
WorkloadSimAiInvolves(WorkloadSimAiPolicy policy, WorkloadSimAiPass pass)
{
    const bool weights = pass == WorkloadSimAiPass::WG;
    switch (policy)
    {
    case WorkloadSimAiPolicy::DATA:
    case WorkloadSimAiPolicy::MICRO:
    case WorkloadSimAiPolicy::HYBRID_DLRM:
    case WorkloadSimAiPolicy::HYBRID_DLRM_ENHANCED:
    case WorkloadSimAiPolicy::HYBRID_MODEL_DATA: // the one dimension is the data's
        return weights;
    case WorkloadSimAiPolicy::MODEL:
    case WorkloadSimAiPolicy::DISTRIBUTED_INFERENCE:
    case WorkloadSimAiPolicy::HYBRID_DATA_MODEL: // the one dimension is the model's
        return !weights;
    case WorkloadSimAiPolicy::HYBRID_TRANSFORMER:
    case WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD:
    case WorkloadSimAiPolicy::HYBRID_CUSTOMIZED:
        break;
    }
    return true;
}

} // namespace ns3
