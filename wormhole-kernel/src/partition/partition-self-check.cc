/*
 * SPDX-License-Identifier: MIT
 */
#include "partition/findings.h"
#include "partition/partition-graph.h"

#include <algorithm>

namespace wormhole
{
namespace
{

using Slot = PartitionGraph::Slot;

void
CheckLists(const PartitionGraph& graph, Findings& findings)
{
    std::size_t flowCount = 0;
    std::size_t portCount = 0;
    for (Slot slot = 0; slot < graph.partitions.size(); ++slot)
    {
        const auto& partition = graph.partitions[slot];
        for (const Slot flow : graph.FlowSlotsOf(slot))
        {
            const auto& member = graph.flows[flow].member;
            findings.Expect(member.partition == slot, "flow with another label", flow);
            findings.Expect(graph.flows[member.next].member.previous == flow, "flow list", flow);
            findings.Expect(graph.FindFlow(graph.flows[flow].id) == flow, "flow table", flow);
            ++flowCount;
        }
        for (const Slot port : graph.PortSlotsOf(slot))
        {
            const auto& member = graph.ports[port].member;
            findings.Expect(member.partition == slot, "port with another label", port);
            findings.Expect(graph.ports[member.next].member.previous == port, "port list", port);
            findings.Expect(!graph.ports[port].Unused(), "port in a partition, but unused", port);
            ++portCount;
        }
        findings.Expect(partition.flows.count == 0 || graph.FindPartition(partition.id) == slot,
                        "partition table",
                        slot);
        findings.Expect(partition.flows.count > 0 || partition.ports.count == 0,
                        "ports without flows",
                        slot);
    }
    const auto isMember = [](const auto& item) {
        return item.member.partition != PartitionGraph::NONE;
    };
    findings.Expect(std::count_if(graph.flows.begin(), graph.flows.end(), isMember) ==
                        static_cast<std::ptrdiff_t>(flowCount),
                    "flows in no list, of those in lists:",
                    flowCount);
    findings.Expect(std::count_if(graph.ports.begin(), graph.ports.end(), isMember) ==
                        static_cast<std::ptrdiff_t>(portCount),
                    "ports in no list, of those in lists:",
                    portCount);
}

void
CheckUses(const PartitionGraph& graph, Findings& findings)
{
    for (Slot slot = 0; slot < graph.ports.size(); ++slot)
    {
        const auto& port = graph.ports[slot];
        for (std::uint32_t list = 0; list < port.uses.size(); ++list)
        {
            const auto& uses = port.uses[list];
            for (std::size_t i = 0; i < uses.size(); ++i)
            {
                const auto& flow = graph.flows[uses[i].flow];
                findings.Expect(flow.Needed() == (list != PartitionGraph::SPARE),
                                "flow in the wrong list of port",
                                slot);
                findings.Expect(flow.uses[uses[i].hop].list == list, "list at port", slot);
                findings.Expect(flow.ports[uses[i].hop] == PortId(slot), "hop at port", slot);
                findings.Expect(flow.uses[uses[i].hop].index == i, "use at port", slot);
                findings.Expect(flow.member.partition == port.member.partition,
                                "flow and port in different partitions, port",
                                slot);
            }
        }
    }
}

/** \return what stands for the set of \p port, in a forest of sets of ports */
Slot
SetOf(std::vector<Slot>& parents, Slot port)
{
    while (parents[port] != port)
    {
        port = parents[port] = parents[parents[port]];
    }
    return port;
}

void
CheckSkeletons(const PartitionGraph& graph, Findings& findings)
{
    std::vector<Slot> parents(graph.ports.size());
    for (Slot port = 0; port < parents.size(); ++port)
    {
        parents[port] = port;
    }
    for (const auto& flow : graph.flows)
    {
        for (std::size_t hop = 1; flow.Needed() && flow.member.partition != PartitionGraph::NONE &&
                                  hop < flow.ports.size();
             ++hop)
        {
            parents[SetOf(parents, flow.ports[hop].Value())] =
                SetOf(parents, flow.ports[0].Value());
        }
    }
    for (Slot slot = 0; slot < graph.partitions.size(); ++slot)
    {
        const auto ports = graph.PortSlotsOf(slot);
        for (const Slot port : ports)
        {
            findings.Expect(SetOf(parents, port) == SetOf(parents, ports.front()),
                            "skeleton apart at port",
                            port);
        }
        findings.Expect(!ports.empty() || graph.partitions[slot].flows.count < 2,
                        "flows without ports in one partition",
                        slot);
    }
}

} // namespace

std::string
PartitionGraph::SelfCheck() const
{
    Findings findings;
    CheckLists(*this, findings);
    CheckUses(*this, findings);
    CheckSkeletons(*this, findings);
    return findings.First();
}

} // namespace wormhole
