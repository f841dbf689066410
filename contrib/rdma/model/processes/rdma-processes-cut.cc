/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-cut.h"
#include "rdma-processes.h"

#include "ns3/abort.h"
#include "ns3/input-error.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-rank-state.h"

#include <algorithm>
#include <string>
#include <vector>

// Which processes a network has, and which rank runs them.

namespace ns3
{

namespace
{

/** \return how \p network, whose links are all there, is cut */
RdmaCut
CutOf(const RdmaNetwork& network)
{
    std::vector<bool> hosts;
    for (uint32_t node = 0; node < network.GetNodeCount(); ++node)
    {
        hosts.push_back(!network.GetRdmaNode(node).IsTransit());
    }
    std::vector<RdmaCutLink> links;
    for (uint32_t link = 0; link < network.GetLinkCount(); ++link)
    {
        const auto [a, b] = network.GetLink(link);
        links.push_back({a->GetOwner().GetRdmaId(), b->GetOwner().GetRdmaId(), a->GetDelay()});
    }
    return {hosts, links};
}

} // namespace

/** Says which nodes are one process, and how long a window is. */
void
RdmaProcesses::Cut()
{
    const RdmaCut cut = CutOf(m_network);
    for (uint32_t link = 0; link < m_network.GetLinkCount(); ++link)
    {
        const RdmaPort& port = *m_network.GetLink(link).first;
        const int64_t frame = port.TransmissionTime(m_network.GetContext().largestFrame);
        m_longest = std::max(m_longest, static_cast<uint64_t>(port.GetDelay() + frame));
    }
    m_length = cut.GetLength();
    if (m_length == 0 || m_length >> 32 || m_longest / m_length > LONGEST || cut.GetCount() < 2)
    {
        return;
    }
    m_network.GetContext().window = static_cast<int64_t>(m_length);
    m_processes.resize(cut.GetCount());
    m_farOf.resize(cut.GetCount(), NONE);
    m_processOf = cut.GetProcesses();
    m_near = cut.ListNear();
    if (m_ranks)
    {
        AssignToRanks(cut);
    }
    const std::vector<uint32_t> counts = cut.CountNodes();
    for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
    {
        const uint32_t process = m_processOf[node];
        m_network.GetRdmaNode(node).SetProcess(process, counts[process - 1] == 1);
    }
}

/** Lets each rank run a part of the nodes, near each other, with about as many ports, and each of
 * its threads a part of these. */
void
RdmaProcesses::AssignToRanks(const RdmaCut& cut)
{
    const uint32_t ranks = m_ranks->ranks.GetCount();
    m_ofRank = std::clamp<uint32_t>(m_use.most, 1, std::max(cut.GetCount() / ranks, 1U));
    m_own = m_ranks->ranks.GetRank() * m_ofRank;
    // a rank's pieces are a piece of as many as there are ranks (RdmaSimulatorImpl::ListElsewhere)
    const std::vector<uint32_t> pieces = cut.AssignTo(ranks * m_ofRank);
    for (size_t i = 0; i < pieces.size(); ++i)
    {
        m_processes[i].lane = pieces[i];
    }
    for (uint32_t node = 0; node < m_network.GetNodeCount(); ++node)
    {
        RdmaNode& rdma = m_network.GetRdmaNode(node);
        const bool elsewhere = !IsOwn(pieces[m_processOf[node] - 1]);
        NS_ABORT_MSG_IF(rdma.IsElsewhere() && !elsewhere,
                        "RdmaNetwork::Expect: other links were announced than are there");
        rdma.SetElsewhere(elsewhere);
    }
}

/** \throws InputError if the network has too few processes for all ranks, or they have too many
 * threads */
void
RdmaProcesses::CheckRanks() const
{
    const uint32_t count = m_ranks->ranks.GetCount();
    const std::string ranks = "mpirun: " + std::to_string(count) + " ranks";
    if (m_processes.size() < count)
    {
        throw InputError(ranks + ", but the network has " + std::to_string(m_processes.size()) +
                         " parts that can be run apart (a link's delay must be between them); "
                         "choose a smaller -np");
    }
    if (uint64_t{count} * m_ofRank > RdmaPlaces::MOST_THREADS)
    {
        throw InputError(ranks + " of " + std::to_string(m_ofRank) + " threads each, but at most " +
                         std::to_string(RdmaPlaces::MOST_THREADS) +
                         " threads can share a run; choose a smaller -np, or fewer --threads");
    }
}

} // namespace ns3
