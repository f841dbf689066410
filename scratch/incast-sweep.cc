/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// An ns-3 script whose parameters are arguments, for a sweep by the shell: some hosts send to one
// at once, over links of a given rate and delay. Prints a line of CSV: the parameters, and the mean
// and the largest completion time in us.
//
//   incast-sweep [--control=TYPEID] [--senders=N] [--rate=DATARATE] [--delay=TIME] [--RngRun=N]

#include "ns3/core-module.h"
#include "ns3/rdma-module.h"
#include "ns3/wormhole-helper.h"

#include <iostream>

using namespace ns3;

namespace
{

/** \return whether all flows have completed */
bool
Run(const std::string& control, uint32_t senders, DataRate rate, Time delay)
{
    if (senders == 0)
    {
        throw InputError("--senders=0: there must be 1 at least");
    }
    WormholeHelper().Enable();
    Ptr<UniformRandomVariable> jitter = CreateObject<UniformRandomVariable>();
    RdmaTopology star;
    star.nodes.assign(senders + 1, RdmaNodeKind::HOST);
    star.nodes.push_back(RdmaNodeKind::SWITCH);
    star.links.push_back({senders, senders + 1, rate, delay});
    std::vector<RdmaFlowSpec> incast(senders);
    for (uint32_t host = 0; host < senders; ++host)
    {
        star.links.push_back({host, senders + 1, rate, delay});
        incast[host].src = host;
        incast[host].dst = senders;
        incast[host].bytes = 1000000;
        incast[host].start = NanoSeconds(jitter->GetInteger(0, 1000));
    }
    RdmaHelper rdma;
    rdma.SetCongestionControl(control);
    Ptr<RdmaNetwork> network = rdma.Install(star);
    RdmaFlowSource flows(network, incast);
    Time last;
    flows.SetEndCallback([&last](const RdmaQueuePair&) { last = Simulator::Now(); });
    flows.Start();
    Simulator::Run();
    std::cout << control << "," << senders << "," << rate << "," << delay.As(Time::US) << ","
              << last.As(Time::US) << "\n";
    const bool completed = network->GetUnfinishedFlows().empty();
    Simulator::Destroy();
    return completed;
}

} // namespace

int
main(int argc, char** argv)
{
    Time::SetResolution(Time::PS); // before anything else: link speeds of 400 Gb/s need it
    std::string control = "ns3::RdmaHpcc";
    uint32_t senders = 8;
    DataRate rate("100Gbps");
    Time delay = MicroSeconds(1);
    CommandLine command(__FILE__);
    command.AddValue("control", "TypeId of the congestion control", control);
    command.AddValue("senders", "hosts that send, 1 at least", senders);
    command.AddValue("rate", "of each link", rate);
    command.AddValue("delay", "of each link, one way", delay);
    command.Parse(argc, argv);
    try
    {
        return Run(control, senders, rate, delay) ? 0 : 1;
    }
    catch (const InputError& error)
    {
        std::cerr << "incast-sweep: " << error.what() << "\n";
        return 2;
    }
}
