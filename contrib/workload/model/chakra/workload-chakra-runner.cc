/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-runner.h"

#include "workload-chakra-check.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/workload-chakra-graph.h"
#include "ns3/workload-disturbance.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** \return options with what was left out */
WorkloadChakraOptions
Complete(WorkloadChakraOptions options, const WorkloadChakraTrace& trace)
{
    const auto ranks = static_cast<uint32_t>(trace.ranks.size());
    if (ranks == 0)
    {
        throw InputError(trace.origin, 0, "the trace has no ranks; name one with at least one");
    }
    if (options.dims.empty())
    {
        options.dims = {ranks};
    }
    if (options.nodes.empty())
    {
        options.nodes.resize(ranks);
        std::iota(options.nodes.begin(), options.nodes.end(), 0);
    }
    return options;
}

/** Checks that the logical topology and the hosts fit the ranks. */
void
CheckRanks(const WorkloadChakraTrace& trace,
           const WorkloadChakraOptions& options,
           uint32_t product,
           uint32_t hosts)
{
    const size_t ranks = trace.ranks.size();
    if (product != ranks)
    {
        throw InputError(trace.origin,
                         0,
                         "the trace has " + std::to_string(ranks) +
                             " ranks, but the logical dimensions make " + std::to_string(product) +
                             "; give dimensions whose product is " + std::to_string(ranks));
    }
    if (options.nodes.size() != ranks)
    {
        throw InputError(trace.origin,
                         0,
                         std::to_string(options.nodes.size()) + " hosts are given for " +
                             std::to_string(ranks) + " ranks; name one per rank");
    }
    for (size_t rank = 0; rank < ranks; ++rank)
    {
        if (options.nodes[rank] >= hosts)
        {
            throw InputError(trace.origin,
                             0,
                             "rank " + std::to_string(rank) + " is on host " +
                                 std::to_string(options.nodes[rank]) + ", but the topology has " +
                                 std::to_string(hosts) + " hosts; take a larger topology");
        }
    }
}

} // namespace

WorkloadChakraRunner::WorkloadChakraRunner(const WorkloadChakraTrace& trace,
                                           const WorkloadChakraOptions& options,
                                           WorkloadTransport& transport,
                                           WorkloadObserver* observer)
    : m_trace(trace),
      m_options(Complete(options, trace)),
      m_transport(transport),
      m_observer(observer),
      m_planner(m_options.system, m_options.dims),
      m_communicators{{"all ranks", {}, static_cast<uint32_t>(trace.ranks.size())}},
      m_ranks(trace.ranks.size())
{
    CheckRanks(trace, m_options, m_planner.GetRankCount(), transport.GetHostCount());
    CheckWorkloadChakra(trace, m_options.system, m_options.dims.size());
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        LinkNodes(rank);
        AddCommunicators(rank, m_options.groups);
    }
    if (m_options.disturbance > 0)
    {
        Disturb();
    }
    m_post =
        std::make_unique<WorkloadPost>(transport,
                                       m_options.nodes,
                                       m_options.receiveAtAcknowledgement,
                                       [this](const WorkloadPost::Owner& owner) {
                                           return m_trace.ranks[owner.rank].file + ": node " +
                                                  std::to_string(Node(owner.rank, owner.item).id) +
                                                  ": ";
                                       });
    m_streams = std::make_unique<WorkloadChakraStreams>(
        *m_post,
        m_options.system,
        static_cast<uint32_t>(m_ranks.size()),
        static_cast<uint32_t>(m_options.dims.size()),
        m_communicators,
        [this](uint32_t rank, uint32_t node) { End(rank, node); });
}

const WorkloadChakraNode&
WorkloadChakraRunner::Node(uint32_t rank, uint32_t node) const
{
    return m_trace.ranks[rank].nodes[node];
}

/** \return whether it is a computation that takes time */
bool
WorkloadChakraRunner::IsComputation(const WorkloadChakraNode& node) const
{
    const bool computed = m_options.system.roofline && !node.cpuOp && !m_options.system.replayOnly;
    return node.kind == WorkloadChakraKind::COMP && !(computed && *node.tensorSize == 0);
}

void
WorkloadChakraRunner::Disturb()
{
    std::vector<uint32_t> ranks[2]; // that do anything, that compute
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const std::vector<WorkloadChakraNode>& nodes = m_trace.ranks[rank].nodes;
        const bool computes = std::any_of(nodes.begin(), nodes.end(), [this](const auto& node) {
            return IsComputation(node);
        });
        if (!nodes.empty())
        {
            ranks[false].push_back(rank);
        }
        if (computes)
        {
            ranks[true].push_back(rank);
        }
    }
    const bool computes = !ranks[true].empty();
    if (ranks[computes].empty())
    {
        throw InputError(m_trace.origin, 0, "no rank does anything that could be disturbed");
    }
    const WorkloadDisturbance drawn =
        DrawWorkloadDisturbance(m_options.disturbance, ranks[computes].size());
    m_disturbed = {ranks[computes][drawn.which], !computes, drawn.ns};
}

std::string
WorkloadChakraRunner::GetDisturbed() const
{
    if (m_disturbed.ns == 0)
    {
        return "";
    }
    const std::string rank = "rank " + std::to_string(m_disturbed.rank);
    const std::string ns = std::to_string(m_disturbed.ns) + " ns ";
    return m_disturbed.start ? rank + " begins " + ns + "later"
                             : "each computation of " + rank + " takes " + ns + "longer";
}

std::vector<std::string>
WorkloadChakraRunner::GetWarnings() const
{
    return WarnOfWorkloadChakra(m_trace, m_options.system);
}

void
WorkloadChakraRunner::LinkNodes(uint32_t r)
{
    const std::vector<WorkloadChakraNode>& nodes = m_trace.ranks[r].nodes;
    Rank& rank = m_ranks[r];
    rank.states.resize(nodes.size());
    rank.firstWaiter.assign(nodes.size() + 1, 0);
    rank.left = nodes.size();
    m_total += nodes.size();
    std::vector<std::pair<uint32_t, uint32_t>> links; // who is waited for, who waits
    for (uint32_t n = 0; n < nodes.size(); ++n)
    {
        if (n > 0 && nodes[n].id <= nodes[n - 1].id)
        {
            FailWorkloadChakra(m_trace.ranks[r],
                               nodes[n],
                               "nodes must be in ascending order of id");
        }
        for (const uint64_t id : nodes[n].dependencies)
        {
            const size_t before = FindWorkloadChakra(m_trace.ranks[r], id);
            if (before == nodes.size())
            {
                FailWorkloadChakra(m_trace.ranks[r],
                                   nodes[n],
                                   "it waits for node " + std::to_string(id) +
                                       ", which the trace does not have");
            }
            links.emplace_back(static_cast<uint32_t>(before), n);
            ++rank.states[n].missing;
        }
    }
    std::sort(links.begin(), links.end());
    for (const auto& [before, after] : links)
    {
        ++rank.firstWaiter[before + 1];
        rank.waiters.push_back(after);
    }
    std::partial_sum(rank.firstWaiter.begin(), rank.firstWaiter.end(), rank.firstWaiter.begin());
    for (uint32_t n = 0; n < nodes.size(); ++n)
    {
        if (rank.states[n].missing == 0)
        {
            rank.ready[ResourceOf(nodes[n])].insert(n);
        }
    }
}

void
WorkloadChakraRunner::AddCommunicators(uint32_t r, const WorkloadAstraGroups& given)
{
    if (m_options.system.replayOnly)
    {
        return;
    }
    const WorkloadChakraRank& rank = m_trace.ranks[r];
    WorkloadAstraGroups groups = given;
    for (const WorkloadChakraNode& node : rank.nodes)
    {
        if (node.kind == WorkloadChakraKind::METADATA)
        {
            const std::string wrong =
                AddWorkloadChakraGroups(node.values, m_communicators[0].size, groups);
            if (!wrong.empty())
            {
                FailWorkloadChakra(rank, node, wrong);
            }
        }
    }
    for (uint32_t n = 0; n < rank.nodes.size(); ++n)
    {
        if (rank.nodes[n].kind == WorkloadChakraKind::COMM_COLL)
        {
            m_ranks[r].states[n].communicator = FindCommunicator(r, rank.nodes[n], groups);
        }
    }
}

uint32_t
WorkloadChakraRunner::FindCommunicator(uint32_t rank,
                                       const WorkloadChakraNode& node,
                                       const WorkloadAstraGroups& groups)
{
    if (node.group.empty() || node.group == "0")
    {
        return 0;
    }
    const std::string name = "communicator " + ShownText(node.group);
    const auto found = groups.find(node.group);
    if (found == groups.end())
    {
        FailWorkloadChakra(m_trace.ranks[rank],
                           node,
                           name + " is not known; give it in the file of communicator groups");
    }
    const std::vector<uint32_t>& members = found->second;
    const auto outside = std::find_if(members.begin(), members.end(), [&](uint32_t member) {
        return member >= m_ranks.size();
    });
    if (outside != members.end())
    {
        FailWorkloadChakra(m_trace.ranks[rank],
                           node,
                           name + " has rank " + std::to_string(*outside) + ", but only " +
                               std::to_string(m_ranks.size()) + " ranks have a trace");
    }
    if (std::find(members.begin(), members.end(), rank) == members.end())
    {
        FailWorkloadChakra(m_trace.ranks[rank],
                           node,
                           name + " does not have rank " + std::to_string(rank) +
                               ", which uses it");
    }
    const auto [known, isNew] =
        m_communicatorOf.try_emplace({name, members},
                                     static_cast<uint32_t>(m_communicators.size()));
    if (isNew)
    {
        m_communicators.push_back({name, members, static_cast<uint32_t>(members.size())});
    }
    return known->second;
}

bool
WorkloadChakraRunner::Run()
{
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const bool later = m_disturbed.start && rank == m_disturbed.rank;
        m_post->After({rank, 0}, later ? m_disturbed.ns : 0, [this, rank] { Issue(rank); });
    }
    m_transport.Run();
    if (!m_post->GetFailure().empty())
    {
        throw InputError(m_trace.origin, 0, m_post->GetFailure());
    }
    return m_completed == m_total;
}

} // namespace ns3
