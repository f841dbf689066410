/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-endpoints.h"

namespace ns3
{

RdmaTopology
WorkloadEndpoints::GetVisible() const
{
    RdmaTopology visible = topology;
    visible.nodes.resize(visibleNodes);
    visible.links.resize(visibleLinks);
    return visible;
}

WorkloadEndpoints
MakeWorkloadEndpoints(const RdmaTopology& topology, bool nvSwitches)
{
    WorkloadEndpoints ends;
    ends.topology = topology;
    ends.visibleNodes = static_cast<uint32_t>(topology.nodes.size());
    ends.visibleLinks = static_cast<uint32_t>(topology.links.size());
    for (uint32_t node = 0; node < ends.visibleNodes; ++node)
    {
        if (topology.nodes[node] == RdmaNodeKind::HOST)
        {
            ends.nodes.push_back(node);
        }
    }
    ends.hosts = static_cast<uint32_t>(ends.nodes.size());
    for (uint32_t node = 0; nvSwitches && node < ends.visibleNodes; ++node)
    {
        if (topology.nodes[node] == RdmaNodeKind::NVSWITCH)
        {
            const auto hidden = static_cast<uint32_t>(ends.topology.nodes.size());
            ends.nodes.push_back(hidden);
            ends.topology.nodes.push_back(RdmaNodeKind::HOST);
            ends.topology.links.push_back(
                {node, hidden, DataRate(WorkloadEndpoints::HIDDEN_RATE), Time(0)});
        }
    }
    return ends;
}

} // namespace ns3
