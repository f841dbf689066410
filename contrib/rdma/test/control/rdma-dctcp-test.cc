/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-control.h"

#include "ns3/rdma-dctcp.h"

using namespace ns3;

/*
 * DCTCP (SIGCOMM 2010), section 3.3: alpha = (1 - g) alpha + g F, with g = 1/16 and F the fraction
 * of frames marked in a round; a mark cuts by alpha / 2, once per round. By rate: a round without a
 * cut adds 615 Mb/s.
 */

namespace
{

struct Dctcp : public RdmaTestControl
{
    Dctcp()
        : RdmaTestControl("ns3::RdmaDctcp")
    {
    }

    void Ack(uint64_t seq, uint64_t sndNxt, bool echo)
    {
        RdmaAck ack{};
        ack.echo = echo;
        RdmaTestControl::Ack(seq, sndNxt, ack);
    }

    double Alpha() const
    {
        return static_cast<RdmaDctcp*>(qp.GetCongestionControl())->GetAlpha();
    }
};

RDMA_TEST(RdmaDctcpRounds, "three rounds by hand")
{
    Dctcp dctcp;
    const RdmaQueuePair& qp = dctcp.qp;
    // The first acknowledgement opens a round of 10000 / 1000 + 1 = 11 frames, up to byte 10000.
    dctcp.Ack(1000, 10000, false);
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 100000000000, "not beyond the line rate");
    NS_TEST_EXPECT_MSG_EQ(dctcp.Alpha(), 1, "as at the start");
    // The first mark cuts by 1 / 2, the other four not, until byte 12000 has been acknowledged.
    for (uint64_t i = 2; i <= 10; ++i)
    {
        dctcp.Ack(i * 1000, 10000 + i * 1000, i <= 6);
        NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 50000000000, "after frame " << i);
    }
    // The round closes: alpha = 15/16 + 1/16 * 5/11 = 0.96590909; the cut is less than a round ago.
    dctcp.Ack(11000, 20000, false);
    NS_TEST_EXPECT_MSG_EQ_TOL(dctcp.Alpha(), 15.0 / 16 + 5.0 / 11 / 16, 1e-12, "alpha");
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 50000000000, "no increase");
    // The next one, of (20000 - 11000) / 1000 + 1 = 10 frames, has no marks.
    for (uint64_t i = 12; i <= 20; ++i)
    {
        dctcp.Ack(i * 1000, 10000 + i * 1000, false);
    }
    dctcp.Ack(21000, 30000, false);
    const double alpha = (15.0 / 16 + 5.0 / 11 / 16) * 15 / 16;
    NS_TEST_EXPECT_MSG_EQ_TOL(dctcp.Alpha(), alpha, 1e-12, "alpha");
    NS_TEST_EXPECT_MSG_EQ(qp.GetRate(), 50615000000, "+ 615 Mb/s");
    // A mark cuts again, by alpha / 2 = 0.4528.
    dctcp.Ack(22000, 31000, true);
    NS_TEST_EXPECT_MSG_EQ_TOL(qp.GetRate(), 50615e6 * (1 - alpha / 2), 1, "cut");
}

RDMA_TEST(RdmaDctcpBounds, "a fraction is at most 1, and the rate at least MinRate")
{
    Dctcp dctcp;
    dctcp.Ack(1000, 2000, true); // a round of 3 frames; marks from before it count in it
    for (int i = 0; i < 5; ++i)
    {
        dctcp.Ack(2000, 3000, true);
    }
    dctcp.Ack(3000, 4000, true);
    NS_TEST_EXPECT_MSG_EQ(dctcp.Alpha(), 1, "7 marks in 3 frames are not 7/3");
    // cuts are at least two frames apart here: sent up to 2 frames ahead
    for (uint64_t i = 5; i < 60; i += 2)
    {
        dctcp.Ack(i * 1000, i * 1000 + 1000, true);
    }
    NS_TEST_EXPECT_MSG_EQ(dctcp.qp.GetRate(), 1000000000, "MinRate");
}

RdmaTestSuite<RdmaDctcpRounds, RdmaDctcpBounds> g_rdmaDctcpSuite("rdma-dctcp");

} // namespace
