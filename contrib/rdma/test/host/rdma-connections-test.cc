/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What flows get that does not depend on flows of other connections.

#include "rdma-test-case.h"

#include "ns3/rdma-connections.h"

#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

RdmaFlow
FlowOf(uint32_t src, uint32_t dst, uint16_t sourcePort = 0)
{
    RdmaFlow flow;
    flow.src = src;
    flow.dst = dst;
    flow.sourcePort = sourcePort;
    return flow;
}

RDMA_TEST(RdmaConnectionsPlaces, "places are those among a connection's own flows")
{
    RdmaConnections alone;
    RdmaConnections among;
    std::mt19937 random(11);
    std::set<uint64_t> ids;
    for (uint16_t i = 0; i < 300; ++i)
    {
        // others come before each of them: other pairs, the same one backwards, other ports
        for (uint32_t others = random() % 4; others > 0; --others)
        {
            ids.insert(among.Take(FlowOf(2, static_cast<uint32_t>(3 + random() % 5))).drawId);
            among.Take(FlowOf(2, 1));
            among.Take(FlowOf(1, 2, 50001));
        }
        for (const uint16_t port : {0, 50000})
        {
            const auto first = alone.Take(FlowOf(1, 2, port));
            const auto second = among.Take(FlowOf(1, 2, port));
            NS_TEST_EXPECT_MSG_EQ(first.drawId, second.drawId, "flow " << i);
            NS_TEST_EXPECT_MSG_EQ(first.sourcePort, second.sourcePort, "flow " << i);
            NS_TEST_EXPECT_MSG_EQ(first.sourcePort, (port ? port : 10000 + i), "flow " << i);
            NS_TEST_EXPECT_MSG_EQ(ids.insert(first.drawId).second, true, "no other has it");
        }
    }
    NS_TEST_EXPECT_MSG_EQ(alone.GetCount(), 2, "with and without a port");
}

RDMA_TEST(RdmaConnectionsGiveBack, "a place that is given back is the next one's")
{
    RdmaConnections connections;
    for (const uint16_t port : {0, 50000})
    {
        const RdmaFlow flow = FlowOf(1, 2, port);
        const auto taken = connections.Take(flow);
        NS_TEST_EXPECT_MSG_NE(connections.Take(flow).drawId, taken.drawId, "the second one");
        connections.GiveBack(flow);
        connections.GiveBack(flow);
        NS_TEST_EXPECT_MSG_EQ(connections.Take(flow).drawId, taken.drawId, "again the first");
    }
}

RDMA_TEST(RdmaConnectionsRound, "source ports come round, what draws know flows by does not")
{
    RdmaConnections connections;
    const RdmaFlow flow = FlowOf(1, 2);
    const auto first = connections.Take(flow);
    for (uint32_t i = 1; i < 65536; ++i)
    {
        connections.Take(flow);
    }
    const auto later = connections.Take(flow);
    NS_TEST_EXPECT_MSG_EQ(later.sourcePort, first.sourcePort, "65,536 flows later");
    NS_TEST_EXPECT_MSG_NE(later.drawId, first.drawId, "but it loses other frames");
}

const RdmaTestSuite<RdmaConnectionsPlaces, RdmaConnectionsGiveBack, RdmaConnectionsRound>
    g_rdmaConnectionsSuite("rdma-connections");

} // namespace
