/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies and flows that are filled in C++, with ns-3's DataRate and Time.

#include "harness/errors.h"
#include "harness/picoseconds.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

using OwnTopology = harness::InPicoseconds;

/** \return hosts 0 and 1 with a link between them */
RdmaTopology
Pair(const DataRate& rate, const Time& delay, Time::Unit unit = Time::NS)
{
    RdmaTopology topology;
    topology.nodes.assign(2, RdmaNodeKind::HOST);
    topology.links = {{0, 1, rate, delay, 0, unit}};
    return topology;
}

RdmaFlowSpec
Flow(uint64_t bytes, const Time& start)
{
    RdmaFlowSpec flow;
    flow.src = 0;
    flow.dst = 1;
    flow.bytes = bytes;
    flow.start = start;
    return flow;
}

/** \return when each flow started, by its bytes */
std::map<uint64_t, Time>
StartsOf(const RdmaTopology& topology, const std::vector<RdmaFlowSpec>& flows, const char* timing)
{
    std::map<uint64_t, Time> starts;
    RdmaHelper rdma;
    rdma.SetNetworkAttribute("Timing", StringValue(timing));
    Ptr<RdmaNetwork> network = rdma.Install(topology);
    RdmaFlowSource source(network, flows);
    source.SetEndCallback([&starts](const RdmaQueuePair& qp) {
        starts[qp.GetFlow().bytes] = TimeStep(static_cast<uint64_t>(qp.GetStartTime()));
    });
    source.Start();
    Simulator::Run();
    network->Dispose();
    Simulator::Destroy();
    return starts;
}

int64_t
DelayPs(const RdmaTopology& topology, RdmaTiming timing)
{
    return topology.links.front().DelaySteps(RdmaClock(timing));
}

RdmaQueuePair&
StartOne(RdmaNetwork& network)
{
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = 1000;
    return network.StartFlow(flow);
}

} // namespace

TEST_F(OwnTopology, StartsAndDelaysAreTheTimesThatWereGiven)
{
    const RdmaTopology pair = Pair(DataRate("400Gbps"), PicoSeconds(1500));
    EXPECT_EQ(DelayPs(pair, RdmaTiming::EXACT), 1500);
    const auto starts =
        StartsOf(pair, {Flow(2, PicoSeconds(1'000'500)), Flow(1, PicoSeconds(7))}, "exact");
    EXPECT_EQ(starts.at(1), PicoSeconds(7)) << "flows may be in any order";
    EXPECT_EQ(starts.at(2), PicoSeconds(1'000'500));
}

TEST_F(OwnTopology, WholeNanosecondRulesCutThemAsTheirFilesAre)
{
    // 0.0003 ms and 0.0001 s are a little less than that as doubles, 300 ns are not
    const DataRate rate("100Gbps");
    EXPECT_EQ(DelayPs(Pair(rate, NanoSeconds(300), Time::MS), RdmaTiming::HPCC_NS), 299'000);
    EXPECT_EQ(DelayPs(Pair(rate, NanoSeconds(300), Time::MS), RdmaTiming::TRUNCATE_NS), 300'000);
    EXPECT_EQ(DelayPs(Pair(rate, NanoSeconds(300)), RdmaTiming::HPCC_NS), 300'000);
    EXPECT_EQ(DelayPs(Pair(rate, PicoSeconds(1500)), RdmaTiming::ROUND_NS), 2'000);
    EXPECT_EQ(DelayPs(Pair(rate, PicoSeconds(1500)), RdmaTiming::TRUNCATE_NS), 1'000);
    const auto starts = StartsOf(Pair(rate, MicroSeconds(1)),
                                 {Flow(1, MicroSeconds(100)), Flow(2, PicoSeconds(100'000'400))},
                                 "hpcc");
    EXPECT_EQ(starts.at(1), NanoSeconds(99'999));
    EXPECT_EQ(starts.at(2), NanoSeconds(100'000));
}

TEST_F(OwnTopology, ALinkThatCannotBeIsNamed)
{
    const DataRate rate("100Gbps");
    const auto errorOf = [](const RdmaTopology& topology) {
        return harness::InputErrorOf([&] { RdmaHelper().Install(topology); });
    };
    const std::string link = "links[0], from node 0 to node 1: ";
    const std::string numbers = link + "it must have a rate above 0, and a delay of 0 or more";
    EXPECT_NE(errorOf(Pair(DataRate(), MicroSeconds(1))).find(numbers), std::string::npos);
    EXPECT_NE(errorOf(Pair(rate, MicroSeconds(-1))).find(numbers), std::string::npos);
    for (const double errorRate : {-0.1, 1.1, std::nan("")})
    {
        RdmaTopology lossy = Pair(rate, MicroSeconds(1));
        lossy.links[0].errorRate = errorRate;
        EXPECT_NE(errorOf(lossy).find(link + "it must have an error rate from 0 to 1"),
                  std::string::npos);
    }
    RdmaTopology missing = Pair(rate, MicroSeconds(1));
    missing.nodes.pop_back();
    EXPECT_NE(errorOf(missing).find(link + "it must have two different ends among the 1 nodes"),
              std::string::npos)
        << errorOf(missing);
}

TEST_F(OwnTopology, ANodeOfMoreLinksThanThereArePortNumbersIsNamed)
{
    RdmaTopology pair = Pair(DataRate("100Gbps"), MicroSeconds(1));
    pair.links.resize(65536, pair.links[0]);
    const std::string error = harness::InputErrorOf([&] { RdmaHelper().Install(pair); });
    EXPECT_NE(error.find("node 0 has 65536 links, but at packet level the most is 65535; "),
              std::string::npos)
        << error;
}

TEST_F(OwnTopology, ANetworkThatHasEndedIsNotUsed)
{
    for (const bool disposed : {false, true})
    {
        const Ptr<RdmaNetwork> network =
            RdmaHelper().Install(Pair(DataRate("100Gbps"), MicroSeconds(1)));
        RdmaFlow flow;
        flow.dst = 1;
        flow.bytes = 100;
        RdmaFlowSource source(network, {Flow(1, MicroSeconds(1))});
        if (disposed)
        {
            network->Dispose();
        }
        Simulator::Destroy();
        const char* ended = "RdmaNetwork: it has ended with Simulator::Destroy, or was disposed of";
        EXPECT_DEATH(network->StartFlow(flow), ended);
        EXPECT_DEATH(network->SetLinkUp(0, false), ended);
        EXPECT_DEATH(source.Start(), ended);
    }
}

TEST_F(OwnTopology, ANetworkThatOnlyItsFlowsHoldGoesWithTheSimulator)
{
    for (const char* implementation : {"ns3::RdmaSimulatorImpl", "ns3::DefaultSimulatorImpl"})
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
        uint32_t ended = 0;
        for (const uint64_t bytes : {uint64_t{1000}, uint64_t{1} << 40}) // one does not end
        {
            const Ptr<RdmaNetwork> network =
                RdmaHelper().Install(Pair(DataRate("100Gbps"), MicroSeconds(1)));
            RdmaFlow flow;
            flow.dst = 1;
            flow.bytes = bytes;
            flow.onEnd = [network, &ended](const RdmaQueuePair&) { ++ended; };
            network->StartFlow(flow);
        }
        Simulator::Stop(MicroSeconds(10));
        Simulator::Run();
        Simulator::Destroy();
        EXPECT_EQ(ended, 1U) << implementation;
    }
}

TEST_F(OwnTopology, WhatCannotBeAbortsWithTheValue)
{
    const auto connect = [](uint64_t rate, int64_t delay, double errorRate) {
        const auto network = CreateObject<RdmaNetwork>();
        network->AddHost(CreateObject<Node>(), CreateObject<RdmaHost>());
        network->AddHost(CreateObject<Node>(), CreateObject<RdmaHost>());
        network->Connect(0, 1, rate, delay, errorRate);
    };
    EXPECT_DEATH(connect(0, 1000, 0), "Connect: a rate of 0 bit/s, but it must be more");
    EXPECT_DEATH(connect(1000, -5, 0), "Connect: a delay of -5 time steps, but it must be 0 or");
    EXPECT_DEATH(connect(1000, 1000, 2), "SetErrorRate: 2 is no probability");
    EXPECT_DEATH(connect(1000, 1000, std::nan("")), "SetErrorRate: nan is no probability");
    EXPECT_DEATH(CreateObject<RdmaNetwork>()->AddHost(CreateObject<Node>(), nullptr),
                 "node 0 is added without its RdmaHost or RdmaSwitch");
    const RdmaTopology pair = Pair(DataRate("100Gbps"), MicroSeconds(1));
    const Ptr<RdmaNetwork> network = RdmaHelper().Install(pair);
    EXPECT_DEATH(network->GetLink(0).first->SetErrorRate(-1), "-1 is no probability");
    EXPECT_DEATH(network->GetNode(99), "GetNode: node 99, but there are 2, from 0");
    EXPECT_DEATH(network->GetRdmaNode(99), "GetRdmaNode: node 99, but there are 2, from 0");
    EXPECT_DEATH(network->GetLink(99), "GetLink: link 99, but there are 1, from 0");
    EXPECT_DEATH(CreateObject<RdmaSwitch>()->SetClassEcnThresholds(9, 1, {}),
                 "class 9 is not in 1 to 7");
    EXPECT_DEATH(RdmaFlowSource(nullptr, {}), "RdmaFlowSource: its network is null");
    RdmaHelper node;
    node.SetHostAttribute("CongestionControl", TypeIdValue(Node::GetTypeId()));
    EXPECT_DEATH(node.Install(pair), "CongestionControl: ns3::Node is no congestion control");
    network->SetLinkUp(0, false);
    EXPECT_DEATH(StartOne(*network).SetRate(1), "flow 0 was set, which has not begun to send");
    const auto device = CreateObject<RdmaNetDevice>();
    EXPECT_DEATH(device->Send(Create<Packet>(1), device->GetBroadcast(), 0x800),
                 "belongs to no RdmaNetwork");
    network->Dispose();
    Simulator::Destroy();
}

TEST_F(OwnTopology, AHelpersMistakesAreNamed)
{
    EXPECT_EQ(harness::InputErrorOf(
                  [] { RdmaHelper().SetCongestionControlAttribute("Gain", DoubleValue(1)); }),
              "RdmaHelper::SetCongestionControlAttribute: Gain is set, but no congestion control "
              "is chosen; call SetCongestionControl first");
    EXPECT_EQ(harness::InputErrorOf([] { RdmaHelper().SetDefaultErrorRate(2); }),
              "RdmaHelper::SetDefaultErrorRate: 2 is no probability; it must be from 0 to 1");
    EXPECT_EQ(harness::InputErrorOf([] { ReadRdmaTopology(""); }),
              "\"\": cannot be read; check the name and the permissions");
    RdmaLinkEvent event;
    event.time = MicroSeconds(3);
    event.b = 1;
    RdmaTopology pair = Pair(DataRate("100Gbps"), MicroSeconds(1));
    pair.origin = "pair";
    pair.links.clear();
    EXPECT_EQ(harness::InputErrorOf([&] {
                  RdmaLinkSchedule::Check({event}, pair);
              }).find("RdmaLinkEvent at +3000ns: pair has no link between node 0 and node 1"),
              0U);
}

TEST_F(OwnTopology, ANetworkThatNobodyHoldsGoesOn)
{
    for (const char* implementation : {"ns3::RdmaSimulatorImpl", "ns3::DefaultSimulatorImpl"})
    {
        GlobalValue::Bind("SimulatorImplementationType", StringValue(implementation));
        uint32_t ended = 0;
        {
            RdmaFlow flow;
            flow.dst = 1;
            flow.bytes = 1000;
            flow.onEnd = [&ended](const RdmaQueuePair&) { ++ended; };
            RdmaHelper().Install(Pair(DataRate("100Gbps"), MicroSeconds(1)))->StartFlow(flow);
        }
        Simulator::Run();
        Simulator::Destroy();
        EXPECT_EQ(ended, 1U) << implementation;
    }
}
