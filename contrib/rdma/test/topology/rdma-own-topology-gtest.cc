/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies and flows that are filled in C++, with ns-3's DataRate and Time.

#include "harness/apart.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"

#include "ns3/global-value.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

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

/** A control that cannot be copied. */
class Unique : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestControl")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<Unique>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return nullptr;
    }

    void OnAck(RdmaQueuePair&, const RdmaAck&) override
    {
    }
};

NS_OBJECT_ENSURE_REGISTERED(Unique);

/** A control that fails at the first acknowledgement. */
class Failing : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestFailing")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<Failing>();
        return tid;
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<Failing>(this);
    }

    void OnAck(RdmaQueuePair&, const RdmaAck&) override
    {
        throw std::runtime_error("no rate fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(Failing);

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

TEST_F(OwnTopology, AControlThatThereIsNotIsNamed)
{
    const auto errorOf = [](const std::string& control) {
        return harness::InputErrorOf([&] { RdmaHelper().SetCongestionControl(control); });
    };
    EXPECT_EQ(errorOf("ns3::RdmaHpc")
                  .find("ns3::RdmaHpc: no such congestion control; did you mean ns3::RdmaHpcc?"),
              0U)
        << errorOf("ns3::RdmaHpc");
    // the base of all controls, and what is none
    EXPECT_NE(errorOf("ns3::RdmaCongestionControl"), "");
    EXPECT_NE(errorOf("ns3::Node"), "");
}

TEST_F(OwnTopology, AControlThatIsNotCopiedIsNamed)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaOwnTopologyTestControl");
    EXPECT_EQ(harness::InputErrorOf([&] {
                  rdma.Install(Pair(DataRate("100Gbps"), MicroSeconds(1)));
              }).find("ns3::RdmaOwnTopologyTestControl: Fork returns null; it must return a copy"),
              0U);
}

TEST_F(OwnTopology, WhatAControlThrowsSaysWhere)
{
    const auto fail = [] {
        RdmaHelper rdma;
        rdma.SetCongestionControl("ns3::RdmaOwnTopologyTestFailing");
        const Ptr<RdmaNetwork> network = rdma.Install(Pair(DataRate("100Gbps"), MicroSeconds(1)));
        RdmaFlow flow;
        flow.dst = 1;
        flow.bytes = 100;
        network->StartFlow(flow);
        Simulator::Run();
        return nlohmann::json();
    };
    try
    {
        harness::RunApart(fail);
        FAIL() << "it must throw";
    }
    catch (const std::runtime_error& error)
    {
        // 1 us there, 1 us back, and 12 + 5 ns for frames of 148 and 60 bytes
        EXPECT_STREQ(error.what(),
                     "ns3::RdmaOwnTopologyTestFailing, control of flow 0 from node 0 to node 1, "
                     "at 2016 ns: no rate fits");
    }
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
