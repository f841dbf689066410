/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/rdma-class-scheduler.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

/*
 * 100 Gb/s and 1000 ns everywhere: 83 ns per data frame of 1048 B, and 4 ns per acknowledgement.
 * The largest frame of a network is an ordinary packet of 1514 B.
 */

namespace
{

constexpr uint32_t LARGEST = 1514;
constexpr int64_t FRAME_NS = 83;

/** \return a scheduler with these classes */
Ptr<RdmaEgressScheduler>
Scheduler(const std::string& classes)
{
    Ptr<RdmaEgressScheduler> prototype = CreateObject<RdmaClassScheduler>();
    prototype->SetAttribute("Classes", StringValue(classes));
    return prototype->Fork();
}

/** \return a network whose ports have one */
RdmaTestNetwork::Setup
Classes(const std::string& classes)
{
    return [classes](RdmaHelper& helper) {
        helper.SetScheduler("ns3::RdmaClassScheduler");
        helper.SetAttributeOf("ns3::RdmaClassScheduler", "Classes", StringValue(classes));
    };
}

/** \return the classes served by \p scheduler, which always have frames, of these sizes */
std::string
Served(RdmaEgressScheduler& scheduler,
       const RdmaPort& port,
       const std::map<uint32_t, uint32_t>& sizes,
       size_t frames)
{
    uint32_t ready = 0;
    for (const auto& [queue, bytes] : sizes)
    {
        ready |= 1U << queue;
    }
    std::string served;
    while (served.size() < frames)
    {
        const uint32_t queue = scheduler.Choose(port, ready);
        scheduler.OnSent(queue, sizes.at(queue));
        served += static_cast<char>('0' + queue);
    }
    return served;
}

RDMA_TEST(RdmaClassSchedulerTurns, "turns by hand")
{
    const RdmaTestNetwork net(RdmaTestPair());
    NS_TEST_EXPECT_MSG_EQ(net.network->GetContext().largestFrame, LARGEST, "an ordinary packet");
    const auto served =
        [&](const std::string& classes, const std::map<uint32_t, uint32_t>& sizes, size_t frames) {
            return Served(*Scheduler(classes), net.Port(0), sizes, frames);
        };
    // a weight is that many largest frames in a turn
    NS_TEST_EXPECT_MSG_EQ(served("2:3", {{2, LARGEST}, {4, LARGEST}}, 8), "22242224", "3 to 1");
    // half as large, twice as many: as many bytes
    NS_TEST_EXPECT_MSG_EQ(served("", {{2, LARGEST / 2}, {4, LARGEST}}, 9), "224224224", "1 to 1");
    // frames of 1000 B: 1514 allow two, and owe 486; the next turn has 1028: two, and 972 owed; the
    // next has 542, one: 458 owed; and so on. Three turns have 5 frames, of 4542 B
    NS_TEST_EXPECT_MSG_EQ(served("", {{2, 1000}, {4, LARGEST}}, 8), "22422424", "what is owed");
    // the higher of strict ones, which others wait for
    NS_TEST_EXPECT_MSG_EQ(served("2:3,5:strict,6:strict", {{2, 1000}, {5, 1000}, {6, 1000}}, 3),
                          "666",
                          "the highest");
    NS_TEST_EXPECT_MSG_EQ(served("2:3,5:strict", {{2, 1000}, {5, 1000}}, 3), "555", "strict");
}

RDMA_TEST(RdmaClassSchedulerIdle, "a class without frames loses the rest of its turn")
{
    const RdmaTestNetwork net(RdmaTestPair());
    const Ptr<RdmaEgressScheduler> scheduler = Scheduler("2:3");
    const RdmaPort& port = net.Port(0);
    NS_TEST_EXPECT_MSG_EQ(scheduler->Choose(port, 1U << 2 | 1U << 4), 2, "first of its turn");
    scheduler->OnSent(2, LARGEST);
    NS_TEST_EXPECT_MSG_EQ(scheduler->Choose(port, 1U << 4), 4, "2 has none");
    scheduler->OnSent(4, LARGEST);
    // not five frames, two of which are of the turn that it lost
    NS_TEST_EXPECT_MSG_EQ(Served(*scheduler, port, {{2, LARGEST}, {4, LARGEST}}, 4), "2224", "");
}

/** \return when the flows had all their bytes, ns, by id */
std::vector<int64_t>
DeliveriesOf(RdmaTestNetwork& net)
{
    net.Run();
    std::sort(net.ends.begin(), net.ends.end(), [](const auto& a, const auto& b) {
        return a.id < b.id;
    });
    std::vector<int64_t> delivered;
    delivered.reserve(net.ends.size());
    for (const RdmaTestEnd& end : net.ends)
    {
        delivered.push_back(end.delivered);
    }
    return delivered;
}

RDMA_TEST(RdmaClassSchedulerShares, "classes share a link of a switch, and of a NIC, as weights")
{
    // 3 MB with the weight 3 and 1 MB with the weight 1 take a link for 4000 frames, and end
    // together but for a round of 4 largest frames, which is 6 data frames. By turns, 1 MB would be
    // over after 2000. Then the last frame takes 83 + 2000 ns more: one more link.
    for (const bool atNic : {true, false})
    {
        for (const std::string classes : {"2:3", "2:6,4:2"})
        {
            RdmaTestNetwork net(RdmaTestStar(4), Classes(classes));
            net.Flow(0, 2, 3000000, 0, 2);
            net.Flow(atNic ? 0 : 1, atNic ? 3 : 2, 1000000, 0, 4);
            const std::vector<int64_t> delivered = DeliveriesOf(net);
            RDMA_TEST_REQUIRE(EQ, delivered.size(), 2, "completed");
            const int64_t all = 4000 * FRAME_NS + FRAME_NS + 2000;
            for (const int64_t time : delivered)
            {
                NS_TEST_EXPECT_MSG_GT(time, all - 12 * FRAME_NS, classes << ", NIC " << atNic);
                NS_TEST_EXPECT_MSG_LT(time, all + FRAME_NS, classes << ", NIC " << atNic);
            }
            NS_TEST_EXPECT_MSG_EQ(net.Counters().bufferDrops, 0, "nothing is lost");
        }
    }
    RdmaTestNetwork turns(RdmaTestStar(4));
    turns.Flow(0, 2, 3000000, 0, 2);
    turns.Flow(1, 2, 1000000, 0, 4);
    NS_TEST_EXPECT_MSG_EQ_TOL(DeliveriesOf(turns)[1],
                              2000 * FRAME_NS + FRAME_NS + 2000,
                              2 * FRAME_NS,
                              "by turns");
}

RDMA_TEST(RdmaClassSchedulerStrict,
          "a strict class waits for one frame at most, others for all of it")
{
    for (const bool atNic : {true, false})
    {
        RdmaTestNetwork net(RdmaTestStar(4), Classes("5:strict"));
        net.Flow(0, 2, 1000000, 0, 3);
        net.Flow(atNic ? 0 : 1, atNic ? 3 : 2, 1000000, 0, 5);
        const std::vector<int64_t> delivered = DeliveriesOf(net);
        RDMA_TEST_REQUIRE(EQ, delivered.size(), 2, "completed");
        const int64_t alone = 1000 * FRAME_NS + FRAME_NS + 2000;
        NS_TEST_EXPECT_MSG_GT(delivered[1], alone - 1, "NIC " << atNic);
        NS_TEST_EXPECT_MSG_LT(delivered[1], alone + FRAME_NS + 1, "NIC " << atNic);
        NS_TEST_EXPECT_MSG_EQ(delivered[0], alone + 1000 * FRAME_NS, "NIC " << atNic);
    }
}

RDMA_TEST(RdmaClassSchedulerWithin, "flows of one class take turns, whatever another class sends")
{
    // Three flows of class 2 and one of class 4 leave one NIC: class 2 has half of it, and its
    // flows a sixth each. 100 frames of each of the three are over after 600; by turns among all
    // four, after 400.
    RdmaTestNetwork net(RdmaTestStar(5), Classes(""));
    for (uint32_t dst = 1; dst < 4; ++dst)
    {
        net.Flow(0, dst, 100000, 0, 2);
    }
    net.Flow(0, 4, 1000000, 0, 4);
    const std::vector<int64_t> delivered = DeliveriesOf(net);
    RDMA_TEST_REQUIRE(EQ, delivered.size(), 4, "completed");
    for (uint32_t flow = 0; flow < 3; ++flow)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(delivered[flow],
                                  600 * FRAME_NS + FRAME_NS + 2000,
                                  8 * FRAME_NS,
                                  "flow " << flow);
    }
    NS_TEST_EXPECT_MSG_EQ(delivered[3], 1300 * FRAME_NS + FRAME_NS + 2000, "all in all");
}

RDMA_TEST(RdmaClassControl, "a class has a congestion control, and marks, of its own")
{
    RdmaTestNetwork net(RdmaTestStar(3), [](RdmaHelper& helper) {
        helper.SetCongestionControl("ns3::RdmaHpcc");
        helper.SetClassControl(2, "ns3::RdmaDctcp", true);
        helper.SetClassControl(4, "", false);
        helper.SetClassEcnThresholds(2, 100000000000, {2000, 2000, 1});
        helper.SetEcnThresholds(100000000000, {1000000, 1000000, 1});
    });
    const auto control = [](const RdmaQueuePair& qp) {
        const RdmaCongestionControl* own = qp.GetCongestionControl();
        return own ? own->GetInstanceTypeId().GetName() : "";
    };
    NS_TEST_EXPECT_MSG_EQ(control(net.Flow(0, 2, 100000, 100000, 2)), "ns3::RdmaDctcp", "its own");
    NS_TEST_EXPECT_MSG_EQ(control(net.Flow(0, 2, 100000, 100000, 3)),
                          "ns3::RdmaHpcc",
                          "the others'");
    NS_TEST_EXPECT_MSG_EQ(control(net.Flow(1, 2, 100000, 100000, 4)), "", "none");
    std::map<uint32_t, uint32_t> marks;
    RdmaTestListen(net.Port(3, 2).markTrace,
                   [&marks](const RdmaFrame& frame) { ++marks[frame.priority]; });
    net.Run();
    NS_TEST_EXPECT_MSG_EQ(net.ends.size(), 3, "completed");
    NS_TEST_EXPECT_MSG_GT(marks[2], 0, "beyond 2000 B");
    NS_TEST_EXPECT_MSG_EQ(marks.size(), 1, "up to 1 MB there is no mark");
    NS_TEST_EXPECT_MSG_EQ((net.network->WhyEveryPacket() != nullptr), true, "no fast-forward");
}

RdmaTestSuite<RdmaClassSchedulerTurns,
              RdmaClassSchedulerIdle,
              RdmaClassSchedulerShares,
              RdmaClassSchedulerStrict,
              RdmaClassSchedulerWithin,
              RdmaClassControl>
    g_rdmaClassSchedulerSuite("rdma-class-scheduler");

} // namespace
