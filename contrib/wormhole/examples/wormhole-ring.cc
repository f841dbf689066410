/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least that fast-forward needs: two lines before the simulation. 64 GPUs in servers of eight
// send 50 MB each to the same GPU of the next server, twice; the second time nothing is new.

#include "ns3/core-module.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/wormhole-helper.h"

#include <iostream>
#include <nlohmann/json.hpp>

using namespace ns3;

int
main(int argc, char** argv)
{
    bool packet = false;
    CommandLine command(__FILE__);
    command.AddValue("packet", "simulate every packet, leave out nothing", packet);
    command.Parse(argc, argv);

    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    WormholeHelper wormhole;
    wormhole.Set("Enabled", BooleanValue(!packet));
    wormhole.Enable(); // before nodes, links and events are made

    const RdmaTopology topology = GenerateRdmaTopology("rail-optimized:gpus=64");
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(topology);
    auto ring = GenerateRdmaTraffic("ring:stride=8,bytes=50MB", topology, 1);
    for (const auto& flow : GenerateRdmaTraffic("ring:stride=8,bytes=50MB,start=20ms", topology, 1))
    {
        ring.push_back(flow);
    }
    RdmaFlowSource flows(network, ring, RdmaFlowOptions());
    flows.SetEndCallback([](const RdmaQueuePair& qp) {
        const Time fct = TimeStep(static_cast<uint64_t>(qp.GetEndTime() - qp.GetStartTime()));
        std::cout << "node " << qp.GetFlow().src << " -> node " << qp.GetFlow().dst << ": "
                  << fct.As(Time::US) << "\n";
    });
    flows.Start();
    Simulator::Run();

    std::cout << WormholeHelper::GetReport()["events"].dump(1) << "\n"; // null without fast-forward
    const bool finished = network->GetUnfinishedFlows().empty();
    Simulator::Destroy();
    return finished ? 0 : 1;
}
