/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What is sent again can be told from what was sent before, by places alone.

#include "rdma-test-case.h"

#include "ns3/rdma-send-rounds.h"

#include <cstdint>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

RDMA_TEST(RdmaSendRoundsPlaces, "rounds go by where they begin, and no two in a row are the same")
{
    std::mt19937 random(3);
    std::set<uint8_t> seen;
    for (uint32_t flow = 0; flow < 2000; ++flow)
    {
        RdmaSendRounds rounds;
        RdmaSendRounds again;
        NS_TEST_EXPECT_MSG_EQ(rounds.Get(), 0, "nothing is sent again so far");
        uint8_t last = 0;
        uint64_t packet = 0;
        for (uint32_t i = 0; i < 30; ++i)
        {
            packet += random() % 3 ? random() % 100000 : 0; // at the same place, too
            const uint8_t round = rounds.Begin(packet);
            NS_TEST_EXPECT_MSG_NE(round, 0, "0 is of what is sent for the first time");
            NS_TEST_EXPECT_MSG_NE(round, last, "what was lost is drawn anew");
            NS_TEST_EXPECT_MSG_EQ(again.Begin(packet), round, "the same places, the same rounds");
            NS_TEST_EXPECT_MSG_EQ(rounds.Get(), round, "it is remembered");
            seen.insert(round);
            last = round;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(seen.size(), 255, "all are used");
}

const RdmaTestSuite<RdmaSendRoundsPlaces> g_rdmaSendRoundsSuite("rdma-send-rounds");

} // namespace
