/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What passes at a port by its rate alone.

#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/string.h"

using namespace ns3;

namespace
{

constexpr int64_t GIGABIT = 1000000000;

RDMA_TEST(RdmaBackgroundPart, "acknowledgements in the background take their part, and no more")
{
    // 10 MB in frames of 1,048 B at 100 Gb/s, 84 ns each, less a tenth of the link: the others are
    // of 100 B and take 8 ns, every 80 ns. HPCC's timing would make 7 ns and 79 ns of these.
    constexpr uint64_t BYTES = 10000000;
    constexpr double ALONE = 10000 * 84;
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& rdma) {
        rdma.SetNetworkAttribute("Timing", StringValue("exact"));
    });
    RdmaPort& port = net.Port(0);
    port.ChangeBackground(10 * GIGABIT, 100);
    net.Flow(0, 1, BYTES);
    net.Run(10000000);
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "ended");
    const auto loaded = static_cast<double>(net.ends[0].fct);
    NS_TEST_EXPECT_MSG_EQ_TOL(loaded, ALONE / 0.9, ALONE / 0.9 * 0.005, "nine tenths are left");
    // 10 Gb/s are 1.25 B/ns
    const double bytes = 10000 * 1048 + loaded * 1.25;
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(port.GetTxBytes()),
                              bytes,
                              bytes * 0.005,
                              "as telemetry sees it");

    port.ChangeBackground(-static_cast<int64_t>(10 * GIGABIT), 100);
    NS_TEST_EXPECT_MSG_EQ(port.GetBackground(), 0, "none");
    const uint64_t before = port.GetTxBytes();
    net.Flow(0, 1, BYTES);
    net.Run(10000000);
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 2, "ended");
    // the last frame's and its acknowledgement's way besides
    NS_TEST_EXPECT_MSG_EQ(net.ends[1].fct, ALONE + 1000 + 5 + 1000, "as without");
    NS_TEST_EXPECT_MSG_EQ(port.GetTxBytes() - before, 10000 * 1048, "its own bytes");
}

RDMA_TEST(RdmaBackgroundOften, "a load that changes often is what it is on average")
{
    // 5 Gb/s and 15 in turn, for 100 ns each: a frame takes 160 and 53 ns. Other frames pass, too.
    RdmaTestNetwork net(RdmaTestPair(), [](RdmaHelper& rdma) {
        rdma.SetNetworkAttribute("Timing", StringValue("exact"));
    });
    RdmaPort& port = net.Port(0);
    uint64_t data = 0;
    RdmaTestListen(port.txBeginTrace, [&data](const RdmaFrame& frame) { data += frame.wireBytes; });
    net.Flow(0, 1, 100000000);
    port.ChangeBackground(5 * GIGABIT, 100);
    constexpr int64_t STEP = 100;
    constexpr int64_t END = 1000000;
    for (int64_t time = STEP; time < END; time += STEP)
    {
        const int64_t change = time / STEP % 2 ? 10 * GIGABIT : -10 * GIGABIT;
        net.At(time, [&port, change] { port.ChangeBackground(change, 100); });
    }
    net.Run(END);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(port.GetTxBytes() - data),
                              1.25 * END,
                              1.25 * END * 0.002,
                              "10 Gb/s");
}

RdmaTestSuite<RdmaBackgroundPart, RdmaBackgroundOften> g_rdmaBackgroundSuite("rdma-background");

} // namespace
