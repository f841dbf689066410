/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include <algorithm>

using namespace ns3;

/*
 * TIMELY (SIGCOMM 2015), algorithm 1, with alpha 0.875, beta 0.8, T_low 50 us, T_high 500 us,
 * minimal round-trip time 20 us, increases of 100 and (after five in a row) 500 Mb/s: d = (1 -
 * alpha) d + alpha (rtt - rtt before); gradient = d / 20 us
 */

namespace
{

struct Timely : public RdmaTestControl
{
    Timely()
        : RdmaTestControl("ns3::RdmaTimely")
    {
    }

    /** The acknowledgement that closes a round. */
    void Round(int64_t rttNs)
    {
        RdmaAck ack{};
        ack.rttNs = rttNs;
        m_next += 50000;
        Ack(m_next - 49000, m_next, ack);
    }

    /** An acknowledgement within the round. */
    void Within(int64_t rttNs)
    {
        RdmaAck ack{};
        ack.rttNs = rttNs;
        Ack(m_next - 10000, m_next, ack);
    }

  private:
    uint64_t m_next{0};
};

RDMA_TEST(RdmaTimelySteps, "every branch by hand")
{
    Timely timely;
    const RdmaQueuePair& qp = timely.qp;
    timely.Round(10000);
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 100000000000, "the first one only stores the time");
    // above T_high: 1 - 0.8 (1 - 500 / 600) = 1 - 0.8 / 6; d = 0.875 * 590000 = 516250
    timely.Round(600000);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(), 86666666666, 1, "100e9 * 0.8666...");
    // d = 0.125 * 516250 - 0.875 * 500000 = -372968.75: falling, so increase
    timely.Round(100000);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(), 86766666666, 1, "+ 100 Mb/s");
    timely.Within(999999);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(), 86766666666, 1, "once per round only");
    // d = 0.125 * -372968.75 + 0.875 * 20000 = -29121.09375: still falling on average
    timely.Round(120000);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(), 86866666666, 1, "+ 100 Mb/s");
    // d = 0.125 * -29121.09375 + 0.875 * 8000 = 3359.86328125: 1 - 0.8 * 0.1679931640625
    timely.Round(128000);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(),
                              86866666666 * (1 - 0.8 * 0.1679931640625),
                              2,
                              "gradient");
    // d = 0.125 * 3359.86328125 + 0.875 * 72000 = 63419.98: 1 - 0.8 * 3.171 < 0, so the least rate
    timely.Round(200000);
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 1000000000, "MinRate");
}

RDMA_TEST(RdmaTimelyHyper, "below T_low the rate rises, faster after five increases")
{
    Timely timely;
    const RdmaQueuePair& qp = timely.qp;
    timely.Round(60000);
    timely.Round(200000); // d = 122500: 1 - 0.8 * 6.125 < 0
    RDMA_TEST_REQUIRE(EQ, qp.GetRate(), 1000000000, "MinRate");
    for (uint64_t i = 1; i <= 5; ++i)
    {
        timely.Round(49999);
        NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 1000000000 + i * 100000000, "increase " << i);
    }
    for (uint64_t i = 1; i <= 3; ++i)
    {
        timely.Round(49999);
        NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 1500000000 + i * 500000000, "hyper increase " << i);
    }
    for (int i = 0; i < 200; ++i)
    {
        timely.Round(10000); // (100 - 3) / 0.5 = 194 rounds to the line rate
    }
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 100000000000, "the line rate bounds it");
}

RdmaTestSuite<RdmaTimelySteps, RdmaTimelyHyper> g_rdmaTimelySuite("rdma-timely");

} // namespace
