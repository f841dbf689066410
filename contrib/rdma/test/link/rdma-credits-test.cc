/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/boolean.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <utility>

using namespace ns3;

/*
 * 100 Gb/s and 1000 ns everywhere: 83 ns per data frame of 1048 B. A class stops while it has fewer
 * credits than the largest frame of a network takes, an ordinary packet of 1514 B.
 */

namespace
{

constexpr int64_t CREDIT_FRAME_NS = 83;
constexpr int64_t DELAY_NS = 1000;

/** \return links with credits for \p buffer bytes, returned as soon as \p update are free */
RdmaTestNetwork::Setup
Credits(uint64_t buffer, uint32_t update, double errorRate = 0)
{
    return [=](RdmaHelper& helper) {
        helper.SetNetworkAttribute("FlowControl", StringValue("credits"));
        helper.SetNetworkAttribute("CreditBuffer", UintegerValue(buffer));
        helper.SetNetworkAttribute("CreditUpdate", UintegerValue(update));
        helper.SetDefaultErrorRate(errorRate);
    };
}

/** \return whether each credit of each link, where nothing is under way, is at one of its ends */
bool
KeepsCredits(const RdmaTestNetwork& net)
{
    for (uint32_t node = 0; node < net.network->GetNodeCount(); ++node)
    {
        for (const RdmaPort* port : net.network->GetRdmaNode(node).GetPorts())
        {
            const RdmaCredits& here = *port->GetCredits();
            const RdmaCredits& there = *port->GetPeer().GetCredits();
            for (uint32_t queue = 1; queue < RdmaEgressQueues::COUNT; ++queue)
            {
                if (here.left[queue] + there.untold[queue] != here.buffer ||
                    there.untold[queue] >= there.update)
                {
                    return false;
                }
            }
        }
    }
    return true;
}

/** The most bytes of one class that came in by one port of a switch and had not left. */
class Occupancy
{
  public:
    explicit Occupancy(const RdmaNode& sw)
    {
        for (RdmaPort* port : sw.GetPorts())
        {
            RdmaTestListen(port->enqueueTrace, [this](const RdmaFrame& frame, uint32_t queue) {
                uint64_t& bytes = m_bytes[{frame.ingress, queue}];
                m_place[&frame] = {frame.ingress, queue};
                bytes += queue ? frame.wireBytes : 0;
                most = std::max(most, bytes);
            });
            RdmaTestListen(port->dequeueTrace, [this](const RdmaFrame& frame, uint32_t queue) {
                m_bytes[m_place[&frame]] -= queue ? frame.wireBytes : 0;
            });
        }
    }

    uint64_t most{0};

  private:
    using Place = std::pair<uint16_t, uint32_t>; //!< ingress and class

    std::map<const RdmaFrame*, Place> m_place;
    std::map<Place, uint64_t> m_bytes;
};

RDMA_TEST(RdmaCreditsByHand, "a link with credits for two frames carries two in a loop")
{
    // 3000 B: a frame leaves 1952, another one 904, fewer than 1514. At 83 + 1000 ns the first has
    // arrived and leaves the switch at once. Its credits take the 8 B of a CREDIT frame, 0.64 ns,
    // which HPCC's timing cuts to 0, and 1000 ns. So the loop is 2083 ns, and frames 2k and 2k + 1
    // start at 2083 k and 83 ns later. All links go on at this pace: frame 99, k = 49, has arrived
    // at 2083 * 49 + 83 and 3 times 83 + 1000.
    RdmaTestNetwork net(RdmaTestChain(), Credits(3000, 1));
    RdmaQueuePair& qp = net.Flow(0, 1, 100000);
    NS_TEST_EXPECT_MSG_EQ(net.Port(0).TransmissionTime(RdmaWireFormat::CREDIT), 0, "HPCC's timing");
    NS_TEST_EXPECT_MSG_EQ(net.Port(0).GetCredits()->left[qp.GetFlow().priority], 1952, "one sent");
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    constexpr int64_t LOOP = 2 * DELAY_NS + CREDIT_FRAME_NS;
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered,
                          49 * LOOP + CREDIT_FRAME_NS + 3 * (CREDIT_FRAME_NS + DELAY_NS),
                          "two frames in a loop");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().creditStops, 3 * 99, "by all but the first, on 3 links");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().creditUpdates, 3 * 200, "one for data, one for replies");
    NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
}

RDMA_TEST(RdmaCreditsFull, "with as many as a link needs, a flow is as fast as without")
{
    // in HPCC's timing the loop has 2 * 1000 + 2 * 121 ns, and 8 updates of 0: 18 largest frames;
    // three more, and 4096 B that may not be told of
    RdmaTestNetwork net(RdmaTestChain(), Credits(0, 4096));
    NS_TEST_EXPECT_MSG_EQ(net.Port(0).GetCredits()->buffer, (18 + 3) * 1514 + 4096, "by hand");
    net.Flow(0, 1, 1000000);
    net.Run();
    RDMA_TEST_REQUIRE(EQ, net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.ends[0].delivered,
                          1002 * CREDIT_FRAME_NS + 3 * DELAY_NS,
                          "at line rate");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().creditStops, 0, "never out of them");
    NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
    NS_TEST_EXPECT_MSG_EQ((net.network->WhyEveryPacket() != nullptr), true, "no fast-forward");
}

RDMA_TEST(RdmaCreditsLossless, "no frame finds a full buffer, however small and busy")
{
    for (const uint64_t buffer : {1600, 5000, 20000})
    {
        RdmaTestNetwork net(RdmaTestStar(9), Credits(buffer, 64));
        const Occupancy occupancy(net.network->GetRdmaNode(9));
        for (uint32_t src = 0; src < 8; ++src)
        {
            net.Flow(src, 8, 200000);
            net.Flow(src, (src + 1) % 8, 100000, 0, 4);
        }
        net.Run();
        NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 16, "completed");
        NS_TEST_EXPECT_MSG_EQ(net.Counters().bufferDrops, 0, "lossless");
        NS_TEST_EXPECT_MSG_EQ(net.Counters().pauses, 0, "without PFC");
        NS_TEST_EXPECT_MSG_GT(net.Counters().creditStops, 0, "senders had to stop");
        NS_TEST_EXPECT_MSG_LT(occupancy.most, buffer + 1, "the buffer is enough");
        NS_TEST_EXPECT_MSG_GT(occupancy.most, 1047, "and was used");
        NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
    }
}

RDMA_TEST(RdmaCreditsErrors, "frames that a link loses give their credits back")
{
    RdmaTestNetwork net(RdmaTestChain(), Credits(5000, 64, 1e-2));
    net.Flow(0, 1, 1000000);
    net.Run(2000000000);
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_GT(net.Counters().linkErrors, 0, "some were lost");
    NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
}

RDMA_TEST(RdmaCreditsLinkDown, "a link that fails keeps its credits")
{
    RdmaTestNetwork net(RdmaTestChain(), Credits(5000, 64));
    net.Flow(0, 1, 300000);
    net.Flow(1, 0, 300000);
    for (uint32_t link = 0; link < net.network->GetLinkCount(); ++link)
    {
        net.At(20000 + 30000 * link, [&net, link]() { net.network->SetLinkUp(link, false); });
        net.At(40000 + 30000 * link, [&net, link]() { net.network->SetLinkUp(link, true); });
    }
    net.Run(2000000000);
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 2, "completed");
    NS_TEST_EXPECT_MSG_GT(net.Counters().linkDownDrops + net.Counters().routeDrops, 0, "lost some");
    NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
}

RDMA_TEST(RdmaCreditsAckHighPriority, "acknowledgements without a class take no credits")
{
    RdmaTestNetwork net(RdmaTestChain(), [](RdmaHelper& helper) {
        Credits(3000, 1)(helper);
        helper.SetHostAttribute("AckHighPriority", BooleanValue(true));
        helper.SetSwitchAttribute("AckHighPriority", BooleanValue(true));
    });
    net.Flow(0, 1, 100000);
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 1, "completed");
    NS_TEST_EXPECT_MSG_EQ(net.Counters().creditUpdates, 3 * 100, "for data alone");
    NS_TEST_EXPECT_MSG_EQ(KeepsCredits(net), true, "all come back");
}

RdmaTestSuite<RdmaCreditsByHand,
              RdmaCreditsFull,
              RdmaCreditsLossless,
              RdmaCreditsErrors,
              RdmaCreditsLinkDown,
              RdmaCreditsAckHighPriority>
    g_rdmaCreditsSuite("rdma-credits");

} // namespace
