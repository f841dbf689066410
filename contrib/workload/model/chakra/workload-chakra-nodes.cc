/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// How WorkloadChakraRunner carries out nodes, from what makes one ready to its end.

#include "workload-chakra-check.h"
#include "workload-chakra-runner.h"

#include "ns3/input-number.h"
#include "ns3/log.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkloadChakraRunner");

namespace
{

/** Indices of GetCategories. */
enum Category : uint32_t
{
    COMPUTATION,
    CPU_OPERATION,
    ALL_REDUCE,
    ALL_GATHER,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    BROADCAST,
    SENDING,
    RECEIVING,
    MEMORY
};

Category
CategoryOf(const WorkloadChakraNode& node)
{
    switch (node.kind)
    {
    case WorkloadChakraKind::COMM_SEND:
        return SENDING;
    case WorkloadChakraKind::COMM_RECV:
        return RECEIVING;
    case WorkloadChakraKind::MEM_LOAD:
    case WorkloadChakraKind::MEM_STORE:
        return MEMORY;
    case WorkloadChakraKind::COMM_COLL:
        break;
    default:
        return node.cpuOp ? CPU_OPERATION : COMPUTATION;
    }
    switch (static_cast<WorkloadChakraCollective>(node.commType.value_or(0)))
    {
    case WorkloadChakraCollective::ALL_GATHER:
        return ALL_GATHER;
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return REDUCE_SCATTER;
    case WorkloadChakraCollective::ALL_TO_ALL:
        return ALL_TO_ALL;
    case WorkloadChakraCollective::BROADCAST:
        return BROADCAST;
    default:
        return ALL_REDUCE;
    }
}

} // namespace

const std::vector<std::string>&
WorkloadChakraRunner::GetCategories()
{
    static const std::vector<std::string> NAMES = {"computation",
                                                   "CPU operation",
                                                   "all-reduce",
                                                   "all-gather",
                                                   "reduce-scatter",
                                                   "all-to-all",
                                                   "broadcast",
                                                   "send",
                                                   "receive",
                                                   "remote memory"};
    return NAMES;
}

WorkloadChakraRunner::Resource
WorkloadChakraRunner::ResourceOf(const WorkloadChakraNode& node)
{
    if (node.cpuOp)
    {
        return CPU;
    }
    if (node.kind == WorkloadChakraKind::COMP)
    {
        return COMPUTE;
    }
    // What is neither computation nor receive takes the place of a communication, as upstream.
    return node.kind == WorkloadChakraKind::COMM_RECV ? RECEIVE : COMMUNICATION;
}

void
WorkloadChakraRunner::Issue(uint32_t r)
{
    Rank& rank = m_ranks[r];
    if (rank.issuing)
    {
        return; // a node that takes no time has ended within the loop below
    }
    rank.issuing = true;
    while (true)
    {
        int lowest = -1;
        for (int resource = 0; resource < RESOURCES; ++resource)
        {
            const bool blocked = rank.ready[resource].empty() || rank.busy[resource];
            if (!blocked &&
                (lowest < 0 || *rank.ready[resource].begin() < *rank.ready[lowest].begin()))
            {
                lowest = resource;
            }
        }
        if (lowest < 0)
        {
            break;
        }
        const uint32_t node = *rank.ready[lowest].begin();
        rank.ready[lowest].erase(rank.ready[lowest].begin());
        rank.busy[lowest] = lowest != RECEIVE;
        Begin(r, node);
    }
    rank.issuing = false;
}

void
WorkloadChakraRunner::Begin(uint32_t r, uint32_t n)
{
    const WorkloadChakraNode& node = Node(r, n);
    State& state = m_ranks[r].states[n];
    state.begun = true;
    state.beganPs = m_post->Now();
    if (m_options.system.replayOnly)
    {
        Replay(r, n);
        return;
    }
    switch (node.kind)
    {
    case WorkloadChakraKind::COMM_SEND:
        BeginSend(r, n);
        break;
    case WorkloadChakraKind::COMM_RECV:
        BeginReceive(r, n);
        break;
    case WorkloadChakraKind::COMM_COLL:
        BeginCollective(r, n);
        break;
    case WorkloadChakraKind::COMP:
        if (!m_options.system.roofline || node.cpuOp)
        {
            Replay(r, n);
        }
        else if (*node.tensorSize == 0)
        {
            End(r, n);
        }
        else
        {
            EndAfter(r, n, RooflineNs(node));
        }
        break;
    default:
        End(r, n);
        break;
    }
}

int64_t
WorkloadChakraRunner::RooflineNs(const WorkloadChakraNode& node) const
{
    if (*node.numOps == 0)
    {
        return 0;
    }
    const auto operations = static_cast<double>(*node.numOps);
    const double intensity = operations / static_cast<double>(*node.tensorSize);
    const double perSecond = std::min(m_options.system.localMemGBps * 1e9 * intensity,
                                      m_options.system.peakTflops * 1e12);
    const double ns = operations / perSecond * 1e9;
    // What does not fit leads to an error when time comes there.
    return ns < 9e18 ? static_cast<int64_t>(ns) : INT64_MAX;
}

void
WorkloadChakraRunner::Replay(uint32_t rank, uint32_t node)
{
    const auto us = static_cast<int64_t>(Node(rank, node).durationMicros);
    EndAfter(rank, node, us == 0 ? 1 : us * WORKLOAD_NS_PER_US);
}

void
WorkloadChakraRunner::EndAfter(uint32_t rank, uint32_t node, int64_t ns)
{
    const bool longer =
        rank == m_disturbed.rank && !m_disturbed.start && IsComputation(Node(rank, node));
    const int64_t delay = longer ? m_disturbed.ns : 0;
    m_post->After({rank, node}, std::min(ns, INT64_MAX - delay) + delay, [this, rank, node] {
        End(rank, node);
    });
}

void
WorkloadChakraRunner::BeginSend(uint32_t r, uint32_t n)
{
    const WorkloadChakraNode& node = Node(r, n);
    m_ranks[r].states[n].message = m_post->Send(
        {r, n},
        r,
        static_cast<uint32_t>(*node.commDst),
        WorkloadChakraMessageBytes(node),
        SENDING,
        [this, r, n] { Deliver(r, n); },
        [this, r, n] { End(r, n); });
}

void
WorkloadChakraRunner::Deliver(uint32_t rank, uint32_t send)
{
    const WorkloadChakraNode& node = Node(rank, send);
    const auto dst = static_cast<uint32_t>(*node.commDst);
    const WorkloadMatchChannel channel{rank, dst, *node.commTag};
    if (RdmaSum(m_matcher.GetLeft(channel), WorkloadChakraMessageBytes(node)) == UINT64_MAX)
    {
        m_post->Fail("node " + std::to_string(node.id) + " of rank " + std::to_string(rank) +
                     ": what has come from there and is not received adds up to 2^64 bytes; make "
                     "the messages smaller");
        return;
    }
    for (const uint64_t receive : m_matcher.Arrive(channel, WorkloadChakraMessageBytes(node)))
    {
        End(dst, static_cast<uint32_t>(receive));
    }
}

void
WorkloadChakraRunner::BeginReceive(uint32_t r, uint32_t n)
{
    const WorkloadChakraNode& node = Node(r, n);
    const auto src = static_cast<uint32_t>(*node.commSrc);
    if (!m_matcher.Post({src, r, *node.commTag}, WorkloadChakraMessageBytes(node), n).empty())
    {
        End(r, n);
    }
}

void
WorkloadChakraRunner::BeginCollective(uint32_t r, uint32_t n)
{
    const WorkloadChakraNode& node = Node(r, n);
    const auto kind = static_cast<WorkloadChakraCollective>(*node.commType);
    if (kind == WorkloadChakraCollective::BROADCAST)
    {
        Replay(r, n); // as upstream
        return;
    }
    const uint32_t index = m_ranks[r].states[n].communicator;
    const WorkloadChakraCommunicator& communicator = m_communicators[index];
    const bool world = communicator.ranks.empty();
    NS_LOG_INFO("rank " << r << " begins node " << node.id << ": collective " << +*node.commType
                        << " of " << *node.commSize << " bytes among " << communicator.size
                        << " ranks (" << communicator.name << ")");
    m_streams->Begin({r, n, index, kind, *node.commSize, CategoryOf(node)},
                     m_planner.Make(r,
                                    world ? nullptr : &communicator.ranks,
                                    kind,
                                    *node.commSize,
                                    world ? node.involvedDims : std::vector<bool>()));
}

void
WorkloadChakraRunner::End(uint32_t r, uint32_t n)
{
    Rank& rank = m_ranks[r];
    rank.states[n].ended = true;
    const Resource resource = ResourceOf(Node(r, n));
    rank.busy[resource] = false;
    rank.finishPs = m_post->Now();
    if (resource == COMPUTE)
    {
        rank.computedPs += rank.finishPs - rank.states[n].beganPs;
    }
    --rank.left;
    ++m_completed;
    Report(r, n);
    for (uint32_t i = rank.firstWaiter[n]; i < rank.firstWaiter[n + 1]; ++i)
    {
        const uint32_t waiter = rank.waiters[i];
        if (--rank.states[waiter].missing == 0)
        {
            rank.ready[ResourceOf(Node(r, waiter))].insert(waiter);
        }
    }
    Issue(r);
}

void
WorkloadChakraRunner::Report(uint32_t r, uint32_t n) const
{
    const WorkloadChakraNode& node = Node(r, n);
    if (m_observer == nullptr || node.kind == WorkloadChakraKind::INVALID ||
        node.kind == WorkloadChakraKind::METADATA)
    {
        return;
    }
    WorkloadSpan span;
    span.process = r;
    span.category = CategoryOf(node);
    span.cpu = ResourceOf(node);
    span.communication = node.kind >= WorkloadChakraKind::COMM_SEND;
    span.beginPs = m_ranks[r].states[n].beganPs;
    span.endPs = m_post->Now();
    span.size = span.communication
                    ? node.commSize.value_or(0)
                    : static_cast<uint64_t>(span.endPs - span.beginPs) / WORKLOAD_PS_PER_NS;
    m_observer->Done(span);
}

std::string
WorkloadChakraRunner::ExplainNode(uint32_t r, uint32_t n) const
{
    const WorkloadChakraNode& node = Node(r, n);
    const State& state = m_ranks[r].states[n];
    const std::string text = "rank " + std::to_string(r) + ", node " + std::to_string(node.id) +
                             " (" + ShownText(node.name) + "): ";
    const std::string what = std::to_string(node.commSize.value_or(0)) + " bytes ";
    const std::string tag = ", tag " + std::to_string(node.commTag.value_or(0)) + ": ";
    switch (node.kind)
    {
    case WorkloadChakraKind::COMM_SEND:
        return text + "sends " + what + "to rank " + std::to_string(*node.commDst) + tag +
               m_post->Explain(state.message);
    case WorkloadChakraKind::COMM_RECV: {
        const auto src = static_cast<uint32_t>(*node.commSrc);
        const uint64_t come = m_matcher.GetLeft({src, r, *node.commTag});
        return text + "receives " + what + "from rank " + std::to_string(src) + tag +
               std::to_string(come) + " bytes have come that no receive before it takes";
    }
    case WorkloadChakraKind::COMM_COLL:
        return text + m_streams->Explain(r, n);
    default:
        return text + "is under way";
    }
}

std::vector<std::string>
WorkloadChakraRunner::ExplainStall(size_t max) const
{
    std::vector<std::string> lines;
    if (!m_post->GetLoss().empty() && max > 0)
    {
        lines.push_back(m_post->GetLoss());
    }
    for (uint32_t r = 0; r < m_ranks.size(); ++r)
    {
        const Rank& rank = m_ranks[r];
        for (uint32_t n = 0; n < rank.states.size() && rank.left > 0; ++n)
        {
            if (lines.size() == max)
            {
                return lines;
            }
            if (rank.states[n].begun && !rank.states[n].ended)
            {
                lines.push_back(ExplainNode(r, n));
            }
        }
    }
    return lines;
}

} // namespace ns3
