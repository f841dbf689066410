/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Which frames links will lose, foretold.

#include "rdma-test-case.h"
#include "rdma-test-network.h"

#include "ns3/rdma-loss-search.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** Draws one by one, as ports do. */
bool
IsLostSomewhere(const std::vector<RdmaPort*>& route,
                uint64_t flow,
                RdmaFrameKind kind,
                uint8_t round,
                uint64_t packet)
{
    for (const RdmaPort* port : route)
    {
        const double draw = RdmaUniform(port->GetContext().seed,
                                        RdmaDraw::LINK_ERROR,
                                        port->GetPortId(),
                                        flow,
                                        RdmaLossNumber(kind, round, packet));
        if (draw < port->GetErrorRate())
        {
            return true;
        }
    }
    return false;
}

RDMA_TEST(RdmaLossSearchTwin, "searches of all kinds find what drawing one by one finds")
{
    const RdmaTestNetwork net(RdmaTestChain());
    const std::vector<RdmaPort*> all{&net.Port(0), &net.Port(2, 1), &net.Port(3, 0)};
    static constexpr double RATES[] = {0, 0, 1e-3, 1e-2, 0.1, 0.5, 1};
    std::mt19937 random(7);
    uint64_t found = 0;
    uint64_t none = 0;
    for (uint32_t i = 0; i < 3000; ++i)
    {
        const uint64_t flow = random() % 1000;
        const auto kind = random() % 2 ? RdmaFrameKind::ACK : RdmaFrameKind::DATA;
        const std::vector<RdmaPort*> route(all.begin(), all.begin() + random() % 4);
        const auto setRate = [&random](RdmaPort* port) {
            port->SetErrorRate(RATES[random() % std::size(RATES)]);
        };
        std::for_each(all.begin(), all.end(), setRate);
        RdmaLossSearch search(flow, route, kind);
        uint8_t round = 0;
        const auto draw = [&](uint64_t packet) {
            return IsLostSomewhere(route, flow, kind, round, packet);
        };
        uint64_t from = random() % 5000;
        for (uint32_t step = 0; step < 8; ++step)
        {
            // On from there, as a rule; sometimes back, or as a rate is changed.
            from = random() % 10 ? from + random() % 800 : from / 2;
            if (random() % 20 == 0)
            {
                setRate(all[random() % 3]);
            }
            if (random() % 20 == 0)
            {
                round = static_cast<uint8_t>(random());
                search.SetRound(round);
            }
            const uint64_t until = from + random() % 3000;
            uint64_t expected = from;
            while (expected < until && !draw(expected))
            {
                ++expected;
            }
            NS_TEST_EXPECT_MSG_EQ(search.Next(from, until),
                                  expected,
                                  "from " << from << " to " << until << " in case " << i);
            ++(expected < until ? found : none);
            uint64_t count = 0;
            for (uint64_t packet = from; packet < from + 20; ++packet)
            {
                count += draw(packet);
            }
            NS_TEST_EXPECT_MSG_EQ(search.Count(from, from + 20), count, "in case " << i);
        }
    }
    NS_TEST_EXPECT_MSG_GT(found, 3000, "most searches met a loss");
    NS_TEST_EXPECT_MSG_GT(none, 3000, "many met none");
}

RDMA_TEST(RdmaLossSearchBounds, "rates of 0 and 1, and nothing to search")
{
    const RdmaTestNetwork net(RdmaTestPair());
    RdmaPort& port = net.Port(0);
    RdmaLossSearch search(0, {&port}, RdmaFrameKind::DATA);
    NS_TEST_EXPECT_MSG_EQ(search.MayFind(), false, "the link loses nothing");
    NS_TEST_EXPECT_MSG_EQ(search.Next(5, 100000), 100000, "no frame is lost");
    port.SetErrorRate(1);
    NS_TEST_EXPECT_MSG_EQ(search.MayFind(), true, "now it does");
    NS_TEST_EXPECT_MSG_EQ(search.Next(5, 100000), 5, "each frame is lost");
    NS_TEST_EXPECT_MSG_EQ(search.Next(6, 6), 6, "nothing was to be searched");
    NS_TEST_EXPECT_MSG_EQ(search.Count(0, 10), 10, "all");
    NS_TEST_EXPECT_MSG_EQ(RdmaLossSearch().Next(3, 9), 9, "without links");
}

const RdmaTestSuite<RdmaLossSearchTwin, RdmaLossSearchBounds> g_rdmaLossSearchSuite(
    "rdma-loss-search");

} // namespace
