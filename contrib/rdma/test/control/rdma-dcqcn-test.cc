/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/nstime.h"
#include "ns3/rdma-dcqcn.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t LINE = 100000000000;

/** A rate and when it was set. */
struct Change
{
    int64_t ns;
    uint64_t rate;
    double alpha;
};

/** Flows from hosts 0 and 1 to host 2 that may not send: only timers and notifications happen. */
class Dcqcn
{
  public:
    explicit Dcqcn(const RdmaTestNetwork::Setup& setup = {})
        : net(RdmaTestStar(3), [&setup](RdmaHelper& helper) {
              helper.SetCongestionControl("ns3::RdmaDcqcn");
              helper.SetHostAttribute("RetransmissionTimeout", TimeValue(Time(0)));
              if (setup)
              {
                  setup(helper);
              }
          })
    {
        for (uint32_t host : {0, 1})
        {
            qps[host] = &net.Flow(host, 2, 1000000000);
            RdmaTestSendPfc(net.Port(3, host), 3, true);
            auto note = [this, host](const RdmaQueuePair& qp, uint64_t) {
                changes[host].push_back({net.Now(), qp.GetRate(), Control(host).GetAlpha()});
            };
            net.network->GetHost(host)->TraceConnectWithoutContext(
                "Rate",
                Callback<void, const RdmaQueuePair&, uint64_t>(
                    std::function<void(const RdmaQueuePair&, uint64_t)>(note)));
        }
    }

    RdmaDcqcn& Control(uint32_t host)
    {
        return static_cast<RdmaDcqcn&>(*qps[host]->GetCongestionControl());
    }

    void NotifyAt(uint32_t host, int64_t ns)
    {
        net.At(ns, [this, host] {
            net.network->Sync();
            Control(host).OnCongestionNotification(*qps[host]);
        });
    }

    RdmaTestNetwork net;
    RdmaQueuePair* qps[2];
    std::vector<Change> changes[2];
};

RDMA_TEST(RdmaDcqcnSteps, "cuts and increases by hand")
{
    // Notified at 1000 ns. Alpha moves at 2000, 3000, 4000 and 5000: (1 - 1/256)^4. The cut comes
    // at 1000 + 4000 + 1. Fast recovery (F = 1) 300 us after it: half-way back to 100 Gb/s; then
    // two active increases, which the line rate bounds, bring the rate half-way again.
    Dcqcn dcqcn;
    dcqcn.NotifyAt(0, 1000);
    dcqcn.net.Run(1000000);
    const double alpha = std::pow(255.0 / 256, 4);
    const double cut = 100e9 * (1 - alpha / 2);
    const auto& changes = dcqcn.changes[0];
    RDMA_TEST_REQUIRE(EQ, changes.size(), 4, "one cut, three increases in 1 ms");
    NS_TEST_EXPECT_MSG_EQ(changes[0].ns, 5001, "cut");
    NS_TEST_EXPECT_MSG_EQ_TOL(changes[0].alpha, alpha, 1e-12, "alpha");
    NS_TEST_EXPECT_MSG_EQ_TOL(changes[0].rate, cut, 1, "100e9 * (1 - alpha / 2)");
    for (int i = 1; i <= 3; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(changes[i].ns, 5001 + i * 300000, "increase " << i);
        NS_TEST_EXPECT_MSG_EQ_TOL(changes[i].rate, 100e9 - (100e9 - cut) / (1 << i), 4, i);
    }
    NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[1].size(), 0, "the other flow was not notified");
}

RDMA_TEST(RdmaDcqcnPeriod, "its period is the increase timer's, while that raises the rate")
{
    Dcqcn dcqcn([](RdmaHelper& helper) {
        helper.SetCongestionControlAttribute("HyperIncrease", DataRateValue(DataRate("100Gbps")));
    });
    const auto period = [&dcqcn] { return dcqcn.Control(0).GetPeriodNs(*dcqcn.qps[0]); };
    dcqcn.NotifyAt(0, 1000);
    dcqcn.net.Run(5000);
    NS_TEST_EXPECT_MSG_EQ(period(), 0, "not cut yet");
    dcqcn.net.Run(5001);
    NS_TEST_EXPECT_MSG_EQ(period(), 300000, "cut");
    // The way to line rate is halved by each tick, 0.8 Gb/s at first: 40 of them leave nothing.
    dcqcn.net.Run(40 * 300000);
    NS_TEST_EXPECT_MSG_EQ(dcqcn.qps[0]->GetRate(), LINE - 1, "back, but for what halving cuts off");
    NS_TEST_EXPECT_MSG_EQ(period(), 0, "nothing more to come");
}

RDMA_TEST(RdmaDcqcnTarget,
          "the target: kept by cuts in a row, raised by active and hyper increases")
{
    for (const bool clamp : {false, true})
    {
        Dcqcn dcqcn([clamp](RdmaHelper& helper) {
            helper.SetCongestionControlAttribute("ClampTarget", BooleanValue(clamp));
            helper.SetCongestionControlAttribute("Gain", DoubleValue(0)); // alpha stays 1
        });
        dcqcn.NotifyAt(0, 1000); // cut to 50 at 5001
        dcqcn.NotifyAt(0, 6000); // cut to 25 at 9001
        dcqcn.net.Run(10000);
        RDMA_TEST_REQUIRE(EQ, dcqcn.changes[0].size(), 2, "two cuts");
        NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[0][1].rate, LINE / 4, "half of a half");
        const uint64_t target = clamp ? LINE / 2 : LINE;
        NS_TEST_EXPECT_MSG_EQ(dcqcn.Control(0).GetTargetRate(), target, "clamp " << clamp);
        // increases: recovery, + 20 Mb/s, + 200 Mb/s, at the line rate at most
        dcqcn.net.Run(900000);
        const uint64_t raised = clamp ? target + 20000000 + 200000000 : LINE;
        NS_TEST_EXPECT_MSG_EQ(dcqcn.Control(0).GetTargetRate(), raised, "clamp " << clamp);
        NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[0].size(), 5, "three increases");
        uint64_t rate = LINE / 4 / 2 + target / 2;
        NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[0][2].rate, rate, "recovery");
        rate = rate / 2 + std::min(target + 20000000, LINE) / 2;
        NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[0][3].rate, rate, "active increase");
        rate = rate / 2 + raised / 2;
        NS_TEST_EXPECT_MSG_EQ(dcqcn.changes[0][4].rate, rate, "hyper increase");
        Simulator::Destroy();
    }
}

constexpr int64_t ALPHA_NS = 1000;
constexpr int64_t DECREASE_NS = 4000;
constexpr int64_t INCREASE_NS = 50000;
constexpr double GAIN = 1.0 / 16;
constexpr uint32_t RECOVERIES = 2;
constexpr uint64_t ACTIVE = 20000000;
constexpr uint64_t HYPER = 200000000;
constexpr uint64_t LEAST = 1000000000;

void
TwinParameters(RdmaHelper& helper)
{
    auto set = [&helper](const char* name, const AttributeValue& value) {
        helper.SetCongestionControlAttribute(name, value);
    };
    set("AlphaInterval", TimeValue(NanoSeconds(ALPHA_NS)));
    set("DecreaseInterval", TimeValue(NanoSeconds(DECREASE_NS)));
    set("IncreaseInterval", TimeValue(NanoSeconds(INCREASE_NS)));
    set("Gain", DoubleValue(GAIN));
    set("FastRecoveryTimes", UintegerValue(RECOVERIES));
    set("ActiveIncrease", DataRateValue(DataRate(ACTIVE)));
    set("HyperIncrease", DataRateValue(DataRate(HYPER)));
    set("MinRate", DataRateValue(DataRate(LEAST)));
}

/** Section 13.1 of the behaviour facts, with every tick of every timer an event. */
struct LiteralDcqcn
{
    uint64_t rate{LINE};
    uint64_t target{LINE};
    double alpha{1};
    uint32_t stage{0};
    bool alphaFlag{false};
    bool decreaseFlag{false};
    int64_t alphaAt{-1};
    int64_t decreaseAt{-1};
    int64_t increaseAt{INT64_MAX};
    std::vector<Change> changes;

    /** All ticks before \p ns. */
    void Advance(int64_t ns)
    {
        while (alphaAt >= 0 && std::min({alphaAt, decreaseAt, increaseAt}) < ns)
        {
            // an increase was scheduled longest before, so it is first
            if (increaseAt <= std::min(alphaAt, decreaseAt))
            {
                Increase();
            }
            else if (alphaAt <= decreaseAt)
            {
                alpha = (1 - GAIN) * alpha + (alphaFlag ? GAIN : 0);
                alphaFlag = false;
                alphaAt += ALPHA_NS;
            }
            else
            {
                Decrease();
            }
        }
    }

    void Notify(int64_t ns)
    {
        Advance(ns);
        alphaFlag = decreaseFlag = true;
        if (alphaAt < 0)
        {
            alphaFlag = false;
            alphaAt = ns + ALPHA_NS;
            decreaseAt = ns + DECREASE_NS + 1;
        }
    }

    void Decrease()
    {
        const int64_t now = decreaseAt;
        decreaseAt += DECREASE_NS;
        if (!decreaseFlag)
        {
            return;
        }
        target = stage != 0 ? rate : target;
        Set(now,
            std::max(LEAST, static_cast<uint64_t>(static_cast<double>(rate) * (1 - alpha / 2))));
        stage = 0;
        decreaseFlag = false;
        increaseAt = now + INCREASE_NS;
    }

    void Increase()
    {
        const int64_t now = increaseAt;
        increaseAt += INCREASE_NS;
        if (stage >= RECOVERIES)
        {
            target = std::min(target + (stage == RECOVERIES ? ACTIVE : HYPER), LINE);
        }
        Set(now, rate / 2 + target / 2);
        ++stage;
    }

    void Set(int64_t now, uint64_t value)
    {
        if (value != rate)
        {
            changes.push_back({now, value, alpha});
        }
        rate = value;
    }
};

/** \return times of notifications, in bursts and after pauses, none at a tick's nanosecond */
std::vector<int64_t>
RandomTimes(uint32_t seed)
{
    std::mt19937 random(seed);
    std::vector<int64_t> times;
    int64_t now = 1000;
    for (int i = 0; i < 1500; ++i)
    {
        times.push_back(now);
        const uint32_t kind = random() % 20;
        now += 1 + random() % (kind == 0 ? 600000 : kind < 5 ? 60000 : 3000);
        while ((now - 1000) % 1000 < 2)
        {
            ++now;
        }
    }
    return times;
}

RDMA_TEST(RdmaDcqcnLazy, "timers that run only when needed do what running ones would")
{
    for (uint32_t seed = 1; seed <= 3; ++seed)
    {
        Dcqcn dcqcn(TwinParameters);
        LiteralDcqcn twin;
        const auto times = RandomTimes(seed);
        for (int64_t time : times)
        {
            dcqcn.NotifyAt(0, time);
            twin.Notify(time);
        }
        dcqcn.net.Run(times.back() + 1000000);
        twin.Advance(times.back() + 1000000);
        const auto& changes = dcqcn.changes[0];
        RDMA_TEST_REQUIRE(EQ, changes.size(), twin.changes.size(), "seed " << seed);
        NS_TEST_EXPECT_MSG_GT(changes.size(), 500, "the rate moved");
        uint32_t cuts = 0;
        for (size_t i = 0; i < changes.size(); ++i)
        {
            RDMA_TEST_REQUIRE(EQ, changes[i].ns, twin.changes[i].ns, "change " << i);
            RDMA_TEST_REQUIRE(EQ, changes[i].rate, twin.changes[i].rate, "change " << i);
            if (i && changes[i].rate < changes[i - 1].rate)
            {
                ++cuts; // alpha is caught up
                RDMA_TEST_REQUIRE(EQ_TOL, changes[i].alpha, twin.changes[i].alpha, 1e-12, i);
            }
        }
        NS_TEST_EXPECT_MSG_GT(cuts, 100, "alpha was compared");
        Simulator::Destroy();
    }
}

RdmaTestSuite<RdmaDcqcnSteps, RdmaDcqcnPeriod, RdmaDcqcnTarget, RdmaDcqcnLazy> g_rdmaDcqcnSuite(
    "rdma-dcqcn");

} // namespace
