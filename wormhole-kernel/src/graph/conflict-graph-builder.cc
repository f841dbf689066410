/*
 * SPDX-License-Identifier: MIT
 */
#include "graph/mix.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/error.h"

#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace wormhole
{
namespace
{

/** No place, no flow. */
constexpr std::uint32_t NONE = std::numeric_limits<std::uint32_t>::max();

/** Vertices of the graphs that are known again. */
constexpr std::size_t MAX_KNOWN_VERTICES = 16'384;

/** \return a number that is mostly another one for other attributes */
std::uint64_t
HashOf(const FlowAttributes& flow)
{
    return Mix(flow.control ^ flow.extra ^ flow.bytesLeft.value_or(0)) +
           Mix(flow.lineRate + std::uint64_t{static_cast<std::uint32_t>(flow.startRateClass)}) +
           Mix(std::uint64_t{static_cast<std::uint32_t>(flow.inFlightClass)} << 32 |
               static_cast<std::uint32_t>(flow.baseRttClass));
}

std::uint64_t
HashOf(const PortAttributes& port)
{
    return Mix(port.rate + port.extra) +
           Mix(std::uint64_t{static_cast<std::uint32_t>(port.queueClass)} << 32 |
               static_cast<std::uint32_t>(port.backgroundClass)) +
           static_cast<std::uint32_t>(port.delayClass);
}

/** \return the slot of \p port, or the free one where it belongs
 *  \param slots a power of two of places in \p crossed, some of them NONE */
std::uint32_t&
SlotOf(PortId port, std::vector<std::uint32_t>& slots, const std::vector<PortId>& crossed)
{
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = Mix(port.Value()) & mask;
    while (slots[slot] != NONE && crossed[slots[slot]] != port)
    {
        slot = (slot + 1) & mask;
    }
    return slots[slot];
}

} // namespace

ConflictGraph::Builder::Builder(GraphDetail detail)
    : m_detail(detail)
{
}

void
ConflictGraph::Builder::AddFlow(const FlowAttributes& attributes, const std::vector<PortId>& ports)
{
    m_flows.push_back(attributes);
    m_path.insert(m_path.end(), ports.begin(), ports.end());
    m_pathEnds.push_back(m_path.size());
}

void
ConflictGraph::Builder::AddPort(PortId port, const PortAttributes& attributes)
{
    if (m_detail == GraphDetail::Ports)
    {
        m_added.push_back({port, attributes});
    }
}

ConflictGraph
ConflictGraph::Builder::Build()
{
    NumberPorts();
    std::vector<PortAttributes> ports;
    m_edges.clear();
    if (m_detail == GraphDetail::Ports)
    {
        ports = CollectPorts();
        JoinFlowsToPorts();
    }
    else
    {
        JoinFlowsToFlows();
    }
    ConflictGraph graph = Make(std::move(ports));
    m_flows.clear();
    m_pathEnds.clear();
    m_path.clear();
    m_added.clear();
    return graph;
}

const ConflictGraph&
ConflictGraph::Builder::Make(std::vector<PortAttributes> ports)
{
    std::uint64_t hash = m_flows.size();
    for (const FlowAttributes& flow : m_flows)
    {
        hash = Mix(hash ^ HashOf(flow));
    }
    for (const PortAttributes& port : ports)
    {
        hash = Mix(hash ^ HashOf(port));
    }
    for (const FullEdge& edge : m_edges)
    {
        hash = Mix(hash ^ edge.first ^ std::uint64_t{edge.second} << 32) + edge.label;
    }
    const auto known = m_known.find(hash);
    if (known != m_known.end() && known->second.graph.m_flows == m_flows &&
        known->second.graph.m_ports == ports && known->second.edges == m_edges)
    {
        return known->second.graph;
    }
    ConflictGraph graph(m_detail, m_flows, std::move(ports), m_edges);
    m_knownVertices += graph.VertexCount();
    if (m_knownVertices > MAX_KNOWN_VERTICES)
    {
        m_known.clear();
        m_knownVertices = graph.VertexCount();
    }
    Known& added = m_known[hash];
    added = {std::move(graph), m_edges};
    return added.graph;
}

/** Numbers the ports that are crossed. */
void
ConflictGraph::Builder::NumberPorts()
{
    std::size_t size = 16;
    while (size < 2 * m_path.size())
    {
        size *= 2;
    }
    m_slots.assign(size, NONE);
    m_crossed.clear();
    m_lastFlow.clear();
    m_numbers.clear();

    std::size_t place = 0;
    for (std::uint32_t flow = 0; flow < m_flows.size(); ++flow)
    {
        for (; place < m_pathEnds[flow]; ++place)
        {
            std::uint32_t& slot = SlotOf(m_path[place], m_slots, m_crossed);
            if (slot == NONE)
            {
                slot = static_cast<std::uint32_t>(m_crossed.size());
                m_crossed.push_back(m_path[place]);
                m_lastFlow.push_back(NONE);
            }
            m_numbers.push_back(m_lastFlow[slot] == flow ? NONE : slot);
            m_lastFlow[slot] = flow;
        }
    }
}

/** \return the attributes of the ports that are crossed, by their numbers */
std::vector<PortAttributes>
ConflictGraph::Builder::CollectPorts()
{
    std::vector<PortAttributes> ports(m_crossed.size());
    std::vector<std::uint32_t>& timesAdded = m_lastFlow;
    timesAdded.assign(m_crossed.size(), 0);
    for (const AddedPort& added : m_added)
    {
        const std::uint32_t slot = SlotOf(added.port, m_slots, m_crossed);
        if (slot != NONE)
        {
            ports[slot] = added.attributes;
            ++timesAdded[slot];
        }
    }
    for (std::size_t i = 0; i < m_crossed.size(); ++i)
    {
        if (timesAdded[i] != 1)
        {
            throw UsageError("port " + std::to_string(m_crossed[i].Value()) +
                             " is on the path of a flow, but was added " +
                             (timesAdded[i] == 0 ? "never" : "more than once"));
        }
    }
    return ports;
}

void
ConflictGraph::Builder::JoinFlowsToPorts()
{
    const auto flowCount = static_cast<std::uint32_t>(m_flows.size());
    std::size_t place = 0;
    for (std::uint32_t flow = 0; flow < flowCount; ++flow)
    {
        const std::size_t begin = place;
        for (; place < m_pathEnds[flow]; ++place)
        {
            if (m_numbers[place] != NONE)
            {
                const auto hop = static_cast<std::uint32_t>(place - begin);
                m_edges.push_back({flow, flowCount + m_numbers[place], hop});
            }
        }
    }
}

void
ConflictGraph::Builder::JoinFlowsToFlows()
{
    // Room for the flows on each port.
    m_flowsBegin.assign(m_crossed.size() + 1, 0);
    for (const std::uint32_t port : m_numbers)
    {
        if (port != NONE)
        {
            ++m_flowsBegin[port + std::size_t{1}];
        }
    }
    std::partial_sum(m_flowsBegin.begin(), m_flowsBegin.end(), m_flowsBegin.begin());
    m_flowsOn.resize(m_flowsBegin.back());
    m_flowsEnd.assign(m_flowsBegin.begin(), m_flowsBegin.end() - 1);

    // Each flow meets those before it, of which the lists consist so far.
    m_shared.assign(m_flows.size(), 0);
    std::size_t place = 0;
    for (std::uint32_t flow = 0; flow < m_flows.size(); ++flow)
    {
        for (; place < m_pathEnds[flow]; ++place)
        {
            const std::uint32_t port = m_numbers[place];
            if (port == NONE)
            {
                continue;
            }
            for (std::size_t i = m_flowsBegin[port]; i < m_flowsEnd[port]; ++i)
            {
                const std::uint32_t other = m_flowsOn[i];
                if (m_shared[other]++ == 0)
                {
                    m_sharers.push_back(other);
                }
            }
            m_flowsOn[m_flowsEnd[port]++] = flow;
        }
        for (const std::uint32_t other : m_sharers)
        {
            m_edges.push_back({other, flow, std::exchange(m_shared[other], 0)});
        }
        m_sharers.clear();
    }
}

} // namespace wormhole
