/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/rdma-power-tcp.h"
#include "ns3/uinteger.h"

using namespace ns3;

/*
 * PowerTCP (NSDI 2022), algorithm 1, with T = 4000 ns, B = 100 Gb/s, B * T = 400000 bit, gamma =
 * 0.9, beta = B * T / 10:
 *   power_i = (bits sent + bits queued - bits queued before) / dt * (bits queued + B * T) / (B^2 T)
 *   P = (1 - dt / T) P + dt / T * power of the link with most
 *   rate = 0.9 * (rate of the round before / P + 10 Gb/s) + 0.1 * rate, at most B
 * Bytes sent are in units of 128 B, queues in units of 80 B.
 */

namespace
{

/** A flow under PowerTCP. */
struct PowerTcp : public RdmaTestControl
{
    explicit PowerTcp(const RdmaTestNetwork::Setup& setup = {})
        : RdmaTestControl("ns3::RdmaPowerTcp", setup)
    {
    }

    double Power() const
    {
        return static_cast<RdmaPowerTcp*>(qp.GetCongestionControl())->GetPower();
    }
};

RDMA_TEST(RdmaPowerTcpSteps, "power and rates by hand")
{
    PowerTcp flow;
    flow.Ack(1000, 50000, {{0, 0, 0}});
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 100e9, "the first one only stores telemetry");

    // 100 * 128 B in 1000 ns are 102.4 Gb/s, and a queue of 250 * 80 B = 160000 bit came: current
    // 262.4 Gb/s, voltage 560000 bit, power 2.624 * 1.4 = 3.6736; P = 0.75 + 0.25 * 3.6736
    flow.Ack(2000, 51000, {{1000, 100, 250}});
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), 1.6684, 1e-12, "P");
    double rate = 0.9 * (100e9 / 1.6684 + 10e9) + 0.1 * 100e9;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), rate, 1, "72.94 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(flow.qp.GetEffectiveWindow(), 36471, "50000 * 72.9437 / 100");

    // Within the round, from the same rate before. The queue has shrunk by 100 * 80 B: current
    // 102.4 - 64 = 38.4 Gb/s, voltage 496000 bit: 0.47616
    flow.Ack(3000, 52000, {{2000, 200, 150}});
    const double power = 0.75 * 1.6684 + 0.25 * 0.384 * 1.24;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), power, 1e-12, "P");
    rate = 0.9 * (100e9 / power + 10e9) + 0.1 * rate;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), rate, 2, "within the round");

    // A queue that empties faster than the link sends has no power; one of no time says nothing.
    flow.Ack(4000, 53000, {{2100, 201, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), power * 0.975, 1e-12, "nothing for 100 of 4000 ns");
    const double before = flow.Rate();
    flow.Ack(5000, 54000, {{2100, 300, 500}});
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), before, "no time has passed");
}

RDMA_TEST(RdmaPowerTcpRounds, "the rate before is that of the round before")
{
    PowerTcp flow;
    flow.Ack(1000, 50000, {{0, 0, 0}});
    // half of a link's rate and no queue, over more than a round trip: P = 0.512
    flow.Ack(51000, 100000, {{5000, 250, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), 0.512, 1e-12, "P");
    NS_TEST_EXPECT_MSG_EQ(flow.Rate(), 100e9, "at most the NIC's");
    // twice a link's power: 100 Gb/s / 2.048
    flow.Ack(101000, 150000, {{9000, 650, 0}});
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), 1.024, 1e-12, "512 Mb in 4 us");
    const double first = 0.9 * (100e9 / 1.024 + 10e9) + 0.1 * 100e9;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), std::min(first, 100e9), 1, "rate");
}

RDMA_TEST(RdmaPowerTcpLinks, "the link with most power counts; few flows add more")
{
    PowerTcp flow([](RdmaHelper& rdma) {
        rdma.SetCongestionControlAttribute("ExpectedFlows", UintegerValue(100));
    });
    flow.Ack(1000, 50000, {{0, 0, 0}, {0, 0, 0}});
    // 0.512, and 1.28 * 1.2 with a queue that stays at 80000 bit from then on
    flow.Ack(2000, 51000, {{1000, 50, 0}, {1000, 100, 125}});
    const double most = (1.024 + 0.8) * 1.2;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(), 0.75 + 0.25 * most, 1e-12, "of the second link");
    const double rate = 0.9 * (100e9 / flow.Power() + 1e9) + 0.1 * 100e9;
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Rate(), rate, 1, "adds 1 Gb/s");
    // a third link on a new way: its record is kept, and says nothing yet
    flow.Ack(3000, 52000, {{2000, 100, 0}, {2000, 200, 125}, {2000, 0, 1000}});
    NS_TEST_EXPECT_MSG_EQ_TOL(flow.Power(),
                              0.75 * (0.75 + 0.25 * most) + 0.25 * 1.024 * 1.2,
                              1e-12,
                              "of the second link again");
}

RdmaTestSuite<RdmaPowerTcpSteps, RdmaPowerTcpRounds, RdmaPowerTcpLinks> g_rdmaPowerTcpSuite(
    "rdma-power-tcp");

} // namespace
