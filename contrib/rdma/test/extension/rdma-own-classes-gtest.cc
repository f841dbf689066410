/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Congestion controls, routers and schedulers of somebody's own: what they may do, and how what is
// wrong with them is told.

#include "harness/apart.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"

#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-egress-scheduler.h"
#include "ns3/rdma-helper.h"
#include "ns3/rdma-router.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

using OwnClasses = harness::InPicoseconds;

/** What ns-3 asks of \p T, a class that derives from \p Base and is called T::NAME. */
template <typename T, typename Base>
class Own : public Base
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId(T::NAME).SetParent<Base>().SetGroupName("Rdma").template AddConstructor<T>();
        return tid;
    }

    Ptr<Base> Fork() const override
    {
        return CopyObject<T>(static_cast<const T*>(this));
    }
};

/** A control that does nothing. */
template <typename T>
class OwnControl : public Own<T, RdmaCongestionControl>
{
  public:
    void OnAck(RdmaQueuePair&, const RdmaAck&) override
    {
    }
};

/** It cannot be copied. */
class Unique : public OwnControl<Unique>
{
  public:
    static constexpr const char* NAME = "ns3::RdmaOwnClassesTestUnique";

    Ptr<RdmaCongestionControl> Fork() const override
    {
        return nullptr;
    }
};

NS_OBJECT_ENSURE_REGISTERED(Unique);

/** It fails at the first acknowledgement. */
class Failing : public OwnControl<Failing>
{
  public:
    static constexpr const char* NAME = "ns3::RdmaOwnClassesTestFailing";

    void OnAck(RdmaQueuePair&, const RdmaAck&) override
    {
        throw std::runtime_error("no rate fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(Failing);

/** It does what the test says when a flow starts. */
class Acting : public OwnControl<Acting>
{
  public:
    static constexpr const char* NAME = "ns3::RdmaOwnClassesTestActing";

    Acting()
        : m_timer(this, &Acting::Forget)
    {
    }

    Acting(const Acting& like)
        : OwnControl(like),
          m_timer(this, &Acting::Forget)
    {
    }

    void OnStart(RdmaQueuePair& qp) override
    {
        s_act(qp, m_timer);
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
        static TypeId tid = TypeId("ns3::RdmaOwnClassesTestAbstract")
                                .SetParent<RdmaCongestionControl>()
                                .SetGroupName("Rdma");
        return tid;
    }
};

const TypeId g_abstract = Abstract::GetTypeId();

/** It throws when it is asked. */
class FailingRouter : public Own<FailingRouter, RdmaRouter>
{
  public:
    static constexpr const char* NAME = "ns3::RdmaOwnClassesTestRouter";

    RdmaPort* DoChoose(const RdmaContext&, const Ways&, const RdmaFrame&) override
    {
        throw std::runtime_error("no way fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(FailingRouter);

/** It throws when it is asked. */
class FailingScheduler : public Own<FailingScheduler, RdmaEgressScheduler>
{
  public:
    static constexpr const char* NAME = "ns3::RdmaOwnClassesTestScheduler";

    uint32_t DoChoose(const RdmaPort&, uint32_t) override
    {
        throw std::runtime_error("no queue fits");
    }
};

NS_OBJECT_ENSURE_REGISTERED(FailingScheduler);

/** \return two hosts with a link of 100 Gb/s and 1 us between them */
RdmaTopology
Pair()
{
    RdmaTopology topology;
    topology.nodes.assign(2, RdmaNodeKind::HOST);
    topology.links = {{0, 1, DataRate("100Gbps"), MicroSeconds(1), 0, Time::NS}};
    return topology;
}

RdmaQueuePair&
StartOne(RdmaNetwork& network, uint64_t bytes = 1000)
{
    RdmaFlow flow;
    flow.dst = 1;
    flow.bytes = bytes;
    return network.StartFlow(flow);
}

/** \return what a flow of \p bytes with \p rdma ends with */
std::string
FailureOf(const RdmaHelper& rdma, const RdmaTopology& topology, uint64_t bytes = 1000)
{
    try
    {
        harness::RunApart([&] {
            StartOne(*rdma.Install(topology), bytes);
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

TEST_F(OwnClasses, AControlThatThereIsNotIsNamed)
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
    EXPECT_EQ(
        errorOf("ns3::RdmaOwnClassesTestAbstract"),
        "ns3::RdmaOwnClassesTestAbstract: its TypeId has no constructor; add AddConstructor to "
        "it");
}

TEST_F(OwnClasses, AControlThatIsNotCopiedIsNamed)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(Unique::NAME);
    EXPECT_EQ(harness::InputErrorOf([&] {
                  rdma.Install(Pair());
              }).find("ns3::RdmaOwnClassesTestUnique: Fork returns null; it must return a copy"),
              0U);
}

TEST_F(OwnClasses, WhatAControlThrowsSaysWhere)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(Failing::NAME);
    // 1 us there, 1 us back, and 12 + 5 ns for frames of 148 and 60 bytes
    EXPECT_EQ(
        FailureOf(rdma, Pair(), 100),
        "ns3::RdmaOwnClassesTestFailing, control of flow 0 from node 0 to node 1, at 2016 ns: "
        "no rate fits");
}

TEST_F(OwnClasses, WhatRoutersAndSchedulersThrowSaysWhere)
{
    RdmaHelper scheduled;
    scheduled.SetScheduler(FailingScheduler::NAME);
    EXPECT_EQ(FailureOf(scheduled, Pair()),
              "ns3::RdmaOwnClassesTestScheduler, scheduler of node 0, interface 1, at 0 ns: no "
              "queue fits");
    RdmaHelper routed;
    routed.SetRouter(FailingRouter::NAME);
    // leaf 2 may choose among two spines; 84 ns for 1048 bytes
    EXPECT_EQ(FailureOf(routed,
                        GenerateRdmaTopology("leaf-spine:leaves=2,spines=2,hosts-per-leaf=1,"
                                             "rate=100Gbps,delay=1us")),
              "ns3::RdmaOwnClassesTestRouter, router of node 2, at 1083 ns: no way fits");
}

TEST_F(OwnClasses, AControlsTimerIsNotInThePast)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(Acting::NAME);
    const Ptr<RdmaNetwork> network = rdma.Install(Pair());
    Acting::s_act = [](RdmaQueuePair& qp, RdmaTimer& timer) { qp.ScheduleTimer(timer, -20000); };
    EXPECT_DEATH(StartOne(*network),
                 "ns3::RdmaOwnClassesTestActing, control of flow 0: a timer in -20000 ns, but it "
                 "must be in 0 or more");
    Acting::s_act = [](RdmaQueuePair& qp, RdmaTimer& timer) { qp.ScheduleTimerPs(timer, -1); };
    EXPECT_DEATH(StartOne(*network), "a timer in -1 ps");
    network->Dispose();
    Simulator::Destroy();
}

TEST_F(OwnClasses, ARateOfZeroIsThatOfTheNic)
{
    RdmaHelper rdma;
    rdma.SetCongestionControl(Acting::NAME);
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
        rdma.Install(Pair())->StartFlow(flow);
        Simulator::Run();
        Simulator::Destroy();
        // 100 frames of 1048 bytes, an acknowledgement of 60, and 1 us each way
        EXPECT_EQ(end, 100 * 83'840 + 4'800 + 2 * 1'000'000);
    }
}
