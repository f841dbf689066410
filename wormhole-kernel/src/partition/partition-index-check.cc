/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/findings.h"
#include "partition/partition-index.h"

namespace wormhole
{

std::string
PartitionIndex::SelfCheck() const
{
    Findings findings;
    m_tours.SelfCheck(findings);
    for (Slot partition = 0; partition < m_graph.partitions.size(); ++partition)
    {
        CheckPartition(partition, findings);
    }
    return findings.First();
}

void
PartitionIndex::CheckPartition(Slot partition, Findings& findings) const
{
    const auto ports = m_graph.PortSlotsOf(partition);
    const bool indexed = m_graph.partitions[partition].indexed;
    std::size_t vertices = ports.size();
    std::size_t edges = 0;
    for (const Slot port : ports)
    {
        const PartitionGraph::Port& item = m_graph.ports[port];
        findings.Expect(indexed == (item.node != EulerTours::NONE), "node of port", port);
        findings.Expect(indexed || item.uses[PartitionGraph::LOOSE].empty(), "loose at port", port);
        edges += item.uses[PartitionGraph::TIGHT].size();
    }
    for (const Slot flow : m_graph.FlowSlotsOf(partition))
    {
        const PartitionGraph::Flow& item = m_graph.flows[flow];
        findings.Expect((indexed && item.Needed()) == (item.node != EulerTours::NONE),
                        "node of flow",
                        flow);
        vertices += item.Needed() ? 1 : 0;
    }
    if (!indexed || !findings.First().empty())
    {
        return;
    }
    // Connected, with one edge less than vertices: a spanning tree.
    findings.Expect(edges + 1 == vertices, "edges in indexed partition", partition);
    const auto root = m_tours.RootOf(m_graph.ports[ports.front()].node);
    findings.Expect(m_tours.SizeBelow(root) == vertices, "tree of indexed partition", partition);
    for (const Slot port : ports)
    {
        const PartitionGraph::Port& item = m_graph.ports[port];
        findings.Expect(m_tours.RootOf(item.node) == root, "tree of port", port);
        findings.Expect((m_tours.FlagsOf(item.node) != 0) == MayCross(item), "flags of port", port);
    }
    for (const Slot flow : m_graph.FlowSlotsOf(partition))
    {
        if (m_graph.flows[flow].Needed())
        {
            CheckFlow(flow, findings);
        }
    }
}

void
PartitionIndex::CheckFlow(Slot slot, Findings& findings) const
{
    const PartitionGraph::Flow& flow = m_graph.flows[slot];
    findings.Expect((m_tours.FlagsOf(flow.node) != 0) == MayCross(flow), "flags of flow", slot);
    const auto root = m_tours.RootOf(flow.node);
    findings.Expect(m_tours.RootOf(m_graph.ports[flow.ports.front().Value()].node) == root,
                    "tree of flow",
                    slot);
    for (std::uint32_t hop = 0; hop < flow.ports.size(); ++hop)
    {
        const bool isEdge = flow.uses[hop].list == PartitionGraph::TIGHT;
        for (const Node half : {EdgeOf(flow, hop), EdgeOf(flow, hop) + 1})
        {
            findings.Expect((m_tours.RootOf(half) == root) == isEdge, "edge of flow", slot);
        }
    }
}

} // namespace wormhole
