/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Topologies and flows that are filled in C++, with ns-3's DataRate and Time.

#include "harness/apart.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"

#include "ns3/double.h"
#include "ns3/global-value.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-egress-scheduler.h"
#include "ns3/rdma-flow-source.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-router.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <cmath>
#include <functional>
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

/** A control that does what the test says when a flow starts. */
class Acting : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestActing")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma")
                                .AddConstructor<Acting>();
        return tid;
    }

    Acting()
        : m_timer(this, &Acting::Forget)
    {
    }

    Acting(const Acting& like)
        : RdmaCongestionControl(like),
          m_timer(this, &Acting::Forget)
    {
    }

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return CopyObject<Acting>(this);
    }

    void OnStart(RdmaQueuePair& qp) override
    {
        s_act(qp, m_timer);
    }

    void OnAck(RdmaQueuePair&, const RdmaAck&) override
    {
    }

    static inline std::function<void(RdmaQueuePair&, RdmaTimer&)> s_act;

  private:
    void Forget()
    {
    }

    RdmaMemberTimer<Acting> m_timer;
};

NS_OBJECT_ENSURE_REGISTERED(Acting);

/** A control that nobody can make. */
class Abstract : public RdmaCongestionControl
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestAbstract")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma");
        return tid;
    }
};

const TypeId g_abstract = Abstract::GetTypeId();

/** Throws when it is asked. */
class FailingRouter : public RdmaRouter
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestRouter")
                                .SetParent<RdmaRouter>()
                                .SetGroupName("Rdma")
                                .AddConstructor<FailingRouter>();
        return tid;
    }

    Ptr<RdmaRouter> Fork() const override
    {
        return CopyObject<FailingRouter>(this);
    }

    RdmaPort* DoChoose(const RdmaContext&, const Ways&, const RdmaFrame&) override
    {
        throw std::runtime_error("no way fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(FailingRouter);

/** Throws when it is asked. */
class FailingScheduler : public RdmaEgressScheduler
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::RdmaOwnTopologyTestScheduler")
                                .SetParent<RdmaEgressScheduler>()
                                .SetGroupName("Rdma")
                                .AddConstructor<FailingScheduler>();
        return tid;
    }

    Ptr<RdmaEgressScheduler> Fork() const override
    {
        return CopyObject<FailingScheduler>(this);
    }

    uint32_t DoChoose(const RdmaPort&, uint32_t) override
    {
        throw std::runtime_error("no queue fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(FailingScheduler);

RdmaQueuePair&
StartOne(RdmaNetwork& network)
{
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = 1000;
    return network.StartFlow(flow);
}

/** \return what a run with \p rdma ends with */
std::string
FailureOf(const RdmaHelper& rdma, const RdmaTopology& topology)
{
    try
    {
        harness::RunApart([&] {
            StartOne(*rdma.Install(topology));
            Simulator::Run();
            return nlohmann::json();
        });
    }
    catch (const std::runtime_error& error)
    {
        return error.what();
    }
    return "no error";
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

TEST_F(OwnTopology, WhatRoutersAndSchedulersThrowSaysWhere)
{
    RdmaHelper scheduled;
    scheduled.SetScheduler("ns3::RdmaOwnTopologyTestScheduler");
    EXPECT_EQ(FailureOf(scheduled, Pair(DataRate("100Gbps"), MicroSeconds(1))),
              "ns3::RdmaOwnTopologyTestScheduler, scheduler of node 0, interface 1, at 0 ns: no "
              "queue fits");
    RdmaHelper routed;
    routed.SetRouter("ns3::RdmaOwnTopologyTestRouter");
    // leaf 2 may choose among two spines; 84 ns for 1048 bytes
    EXPECT_EQ(FailureOf(routed,
                        GenerateRdmaTopology("leaf-spine:leaves=2,spines=2,hosts-per-leaf=1,"
                                             "rate=100Gbps,delay=1us")),
              "ns3::RdmaOwnTopologyTestRouter, router of node 2, at 1083 ns: no way fits");
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
    EXPECT_EQ(harness::InputErrorOf(
                  [] { RdmaHelper().SetCongestionControl("ns3::RdmaOwnTopologyTestAbstract"); }),
              "ns3::RdmaOwnTopologyTestAbstract: its TypeId has no constructor; add "
              "AddConstructor to it");
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

TEST_F(OwnTopology, AControlsTimerIsNotInThePast)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaOwnTopologyTestActing");
    const Ptr<RdmaNetwork> network = rdma.Install(Pair(DataRate("100Gbps"), MicroSeconds(1)));
    Acting::s_act = [](RdmaQueuePair& qp, RdmaTimer& timer) { qp.ScheduleTimer(timer, -20000); };
    EXPECT_DEATH(StartOne(*network),
                 "ns3::RdmaOwnTopologyTestActing, control of flow 0: a timer in -20000 ns, but it "
                 "must be in 0 or more");
    Acting::s_act = [](RdmaQueuePair& qp, RdmaTimer& timer) { qp.ScheduleTimerPs(timer, -1); };
    EXPECT_DEATH(StartOne(*network), "a timer in -1 ps");
    network->Dispose();
    Simulator::Destroy();
}

TEST_F(OwnTopology, ARateOfZeroIsThatOfTheNic)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl("ns3::RdmaOwnTopologyTestActing");
    const std::function<void(RdmaQueuePair&, RdmaTimer&)> acts[] = {
        [](RdmaQueuePair&, RdmaTimer&) {},
        [](RdmaQueuePair& qp, RdmaTimer&) { qp.SetRate(0); },
        [](RdmaQueuePair& qp, RdmaTimer&) {
            Simulator::Schedule(MicroSeconds(1), [&qp] { qp.SetRateNow(0); });
            Simulator::Schedule(MicroSeconds(2), [&qp] { qp.SetRateNow(qp.GetMaxRate()); });
        }};
    for (const auto& act : acts)
    {
        Acting::s_act = act;
        int64_t end = 0;
        RdmaFlow flow;
        flow.dst = 1;
        flow.bytes = 100'000;
        flow.onEnd = [&end](const RdmaQueuePair& qp) { end = qp.GetEndTime(); };
        rdma.Install(Pair(DataRate("100Gbps"), MicroSeconds(1)))->StartFlow(flow);
        Simulator::Run();
        Simulator::Destroy();
        // 100 frames of 1048 bytes, an acknowledgement of 60, and 1 us each way
        EXPECT_EQ(end, 100 * 83'840 + 4'800 + 2 * 1'000'000);
    }
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
