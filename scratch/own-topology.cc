/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A network and flows written in C++, with neither file nor specification: two racks of two hosts,
// the second one older, and a flow from each host to each other. Prints how long each flow took.
//
//   own-topology

#include "ns3/core-module.h"
#include "ns3/rdma-module.h"
#include "ns3/wormhole-helper.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \return hosts 0 to 3, the racks' switches 4 and 5, and switch 6 between them */
RdmaTopology
MakeTwoRacks()
{
    RdmaTopology topology;
    topology.nodes.assign(4, RdmaNodeKind::HOST);
    topology.nodes.insert(topology.nodes.end(), 3, RdmaNodeKind::SWITCH);
    for (const uint32_t host : {0, 1})
    {
        topology.links.push_back({host, 4, DataRate("200Gbps"), NanoSeconds(500)});
    }
    for (const uint32_t host : {2, 3})
    {
        topology.links.push_back({host, 5, DataRate("100Gbps"), NanoSeconds(500)});
    }
    for (const uint32_t rack : {4, 5})
    {
        topology.links.push_back({rack, 6, DataRate("400Gbps"), MicroSeconds(2)});
    }
    return topology;
}

/** \return a flow from each of \p hosts hosts to each other, those of one round at once */
std::vector<RdmaFlowSpec>
MakeFlows(uint32_t hosts)
{
    std::vector<RdmaFlowSpec> flows;
    for (uint32_t round = 1; round < hosts; ++round)
    {
        for (uint32_t host = 0; host < hosts; ++host)
        {
            RdmaFlowSpec flow;
            flow.src = host;
            flow.dst = (host + round) % hosts;
            flow.bytes = 10000000;
            flow.start = MilliSeconds(1) * (round - 1);
            flows.push_back(flow);
        }
    }
    return flows;
}

} // namespace

int
main()
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    WormholeHelper().Enable();

    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(MakeTwoRacks());
    RdmaFlowSource flows(network, MakeFlows(4));
    flows.SetEndCallback([&network](const RdmaQueuePair& qp) {
        std::cout << Simulator::Now().As(Time::US) << ": host " << qp.GetFlow().src << " to host "
                  << qp.GetFlow().dst << " took "
                  << NanoSeconds(RdmaFctNs(*network, qp)).As(Time::US) << "\n";
    });
    flows.Start();
    Simulator::Run();

    const bool completed = network->GetUnfinishedFlows().empty();
    Simulator::Destroy();
    return completed ? 0 : 1;
}
