/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic_probe.h"

#include <sstream>

using namespace ns3;

RdmaTopology
harness::Star(uint32_t count)
{
    RdmaTopology topology;
    topology.origin = "star";
    topology.nodes.assign(count, RdmaNodeKind::HOST);
    topology.nodes.push_back(RdmaNodeKind::SWITCH);
    for (uint32_t host = 0; host < count; ++host)
    {
        topology.links.push_back({host, count, DataRate("100Gbps"), MicroSeconds(1)});
    }
    return topology;
}

std::string
harness::Written(const std::vector<RdmaFlowSpec>& flows)
{
    std::ostringstream out;
    WriteRdmaFlows(out, flows);
    return out.str();
}
