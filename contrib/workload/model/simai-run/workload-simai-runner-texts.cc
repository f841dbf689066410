/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a runner says of itself, for people.

#include "workload-simai-runner-rank.h"

namespace ns3
{

std::string
WorkloadSimAiRunner::GetDisturbed() const
{
    return m_disturbed.ns == 0 ? ""
                               : "each computation and each change of state of rank " +
                                     std::to_string(m_disturbed.which) + " takes " +
                                     std::to_string(m_disturbed.ns) + " ns longer";
}

std::string
WorkloadSimAiRunner::DescribeLayer(uint32_t layer) const
{
    return m_file.origin + ":" + std::to_string(m_file.layers[layer].line) + ": layer " +
           m_file.layers[layer].name;
}

std::string
WorkloadSimAiRunner::DescribeTransfer(uint64_t id) const
{
    const WorkloadSimAiOperation& what =
        m_program.operations[m_collectives.Get(Timer::High(id)).operation];
    return DescribeLayer(what.layer) + ", " + WorkloadSimAiKindName(what.kind) + " of " +
           std::to_string(what.bytes) + " bytes,";
}

std::string
WorkloadSimAiRunner::DescribeTimer(uint64_t timer) const
{
    const uint32_t high = Timer::High(timer);
    switch (Timer::KindOf(timer))
    {
    case Timer::RANK: {
        const Rank& rank = m_ranks[static_cast<uint32_t>(timer)];
        return DescribeLayer(m_program.steps[rank.step].layer) + ", a computation,";
    }
    case Timer::PROCESS:
        return DescribeLayer(m_program.operations[high].layer) + ", its process time,";
    case Timer::MEMORY:
        return m_file.origin + ": a collective that goes as one did before,";
    case Timer::READY:
    case Timer::FLOW:
        break;
    }
    return DescribeTransfer(timer);
}

std::vector<std::string>
WorkloadSimAiRunner::ExplainStall(size_t max) const
{
    std::vector<std::string> lines;
    if (!m_failure.empty() && max > 0)
    {
        lines.push_back(m_failure);
    }
    for (uint32_t rank = 0; rank < m_ranks.size() && lines.size() < max; ++rank)
    {
        if (!m_ranks[rank].ended || m_ranks[rank].outstanding > 0)
        {
            lines.push_back(ExplainRank(rank));
        }
    }
    return lines;
}

std::string
WorkloadSimAiRunner::ExplainRank(uint32_t rank) const
{
    const Rank& state = m_ranks[rank];
    const std::string who = "rank " + std::to_string(rank);
    if (state.times.empty())
    {
        return who + " computes in layer " + std::to_string(m_program.steps[state.step].layer);
    }
    const uint32_t operation =
        state.awaited != Rank::NOTHING ? state.awaited : state.times.begin()->first;
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    return who + " waits for the " + WorkloadSimAiKindName(what.kind) + " (" +
           WorkloadSimAiGroupName(what.group) + ") of layer " + std::to_string(what.layer) + ", " +
           m_file.layers[what.layer].name + ExplainFlow(rank, operation);
}

std::string
WorkloadSimAiRunner::ExplainFlow(uint32_t rank, uint32_t operation) const
{
    const uint32_t group = m_groups.GetGroup(m_program.operations[operation].group, rank);
    const uint32_t slot = m_collectives.Find(operation, group);
    if (slot == WorkloadSimAiCollectives::NONE)
    {
        return ", which has not begun";
    }
    const WorkloadSimAiInstance& instance = m_collectives.Get(slot).instance;
    for (uint32_t flow = 0; flow < instance.GetSet().flows.size(); ++flow)
    {
        if (instance.IsUnderWay(flow))
        {
            const WorkloadTransfer transfer = m_collectives.TransferOf(slot, flow);
            return ", which waits for the flow from " + std::to_string(transfer.src) + " to " +
                   std::to_string(transfer.dst) + ": " +
                   m_transport.Explain(Timer::FlowId(slot, flow));
        }
    }
    return ", for which others have not begun";
}

} // namespace ns3
