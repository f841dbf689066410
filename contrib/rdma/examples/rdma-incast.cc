/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The least that a scenario needs: a topology, flows, a congestion control, and what to do when a
// flow ends. Sixteen hosts send to another; PFC pauses and ECN marks are counted by trace sources.

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"

#include <iostream>

using namespace ns3;

namespace
{

uint64_t g_pauses = 0;
uint64_t g_marks = 0;

void
CountPauses(uint32_t, bool pause)
{
    g_pauses += pause;
}

void
CountMarks(const RdmaFrame&)
{
    ++g_marks;
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    std::string control = "ns3::RdmaDcqcn";
    CommandLine command(__FILE__);
    command.AddValue("control", "TypeId of the congestion control", control);
    command.Parse(argc, argv);

    const RdmaTopology topology = GenerateRdmaTopology("star:hosts=17,rate=100Gbps,delay=1us");
    RdmaHelper rdma;
    rdma.SetCongestionControl(control);
    Ptr<RdmaNetwork> network = rdma.Install(topology);

    RdmaFlowSource flows(network,
                         GenerateRdmaTraffic("incast:fan-in=16,bytes=1MB", topology, 1),
                         RdmaFlowOptions());
    flows.SetEndCallback([](const RdmaQueuePair& qp) {
        const Time fct = TimeStep(static_cast<uint64_t>(qp.GetEndTime() - qp.GetStartTime()));
        std::cout << "node " << qp.GetFlow().src << " -> node " << qp.GetFlow().dst << ": "
                  << fct.As(Time::US) << "\n";
    });
    flows.Start();

    const std::string devices = "/NodeList/*/DeviceList/*/$ns3::RdmaNetDevice/";
    Config::ConnectWithoutContext(devices + "Pfc", MakeCallback(&CountPauses));
    Config::ConnectWithoutContext(devices + "EcnMark", MakeCallback(&CountMarks));

    Simulator::Stop(MilliSeconds(100));
    Simulator::Run();
    std::cout << g_marks << " marks, " << g_pauses << " pauses\n";
    const bool finished = network->GetUnfinishedFlows().empty();
    Simulator::Destroy();
    return finished ? 0 : 1;
}
