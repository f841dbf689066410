/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The shortest scenario: a topology, flows, a congestion control and fast-forward. Eight hosts send
// 100 MB each over a leaf-spine fabric; prints how long each flow took, and what was left out.
//
//   quickstart [--packet] [--topology=FILE|SPEC] [--traffic=SPEC]

#include "ns3/core-module.h"
#include "ns3/rdma-module.h"
#include "ns3/wormhole-helper.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \return whether all flows have completed */
bool
Run(const std::string& where, const std::string& what, bool packet)
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    WormholeHelper wormhole;
    wormhole.Set("Enabled", BooleanValue(!packet));
    wormhole.Enable(); // before nodes, links and events are made

    const RdmaTopology topology = LoadRdmaTopology(where);
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaHpcc");
    Ptr<RdmaNetwork> network = rdma.Install(topology);

    RdmaFlowSource flows(network, GenerateRdmaTraffic(what, topology, 1)); // 1: the seed
    flows.SetEndCallback([&network](const RdmaQueuePair& qp) {
        std::cout << "node " << qp.GetFlow().src << " to node " << qp.GetFlow().dst << ": "
                  << NanoSeconds(RdmaFctNs(*network, qp)).As(Time::MS) << "\n";
    });
    flows.Start();
    Simulator::Run();

    WormholeHelper::PrintReport(std::cout);
    const bool completed = network->GetUnfinishedFlows().empty();
    Simulator::Destroy();
    return completed;
}

} // namespace

int
main(int argc, char** argv)
{
    std::string where = "leaf-spine:leaves=4,spines=4,hosts-per-leaf=2,rate=100Gbps";
    std::string what = "permutation:bytes=100MB";
    bool packet = false;
    CommandLine command(__FILE__);
    command.AddValue("topology", "topology file or specification", where);
    command.AddValue("traffic", "specification of the flows", what);
    command.AddValue("packet", "simulate every packet, leave out nothing", packet);
    command.Parse(argc, argv);
    try
    {
        return Run(where, what, packet) ? 0 : 1;
    }
    catch (const InputError& error)
    {
        std::cerr << "quickstart: " << error.what() << "\n";
        return 2;
    }
}
