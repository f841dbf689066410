/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Long flows are skipped beside short ones that fast-forward cannot afford to watch.

#include "harness/fast_scenario.h"

#include "ns3/wormhole-passed-over.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace harness;

namespace
{

using Ports = ns3::WormholePassedOver::PortIds;

Ports
PortsOf(const std::vector<uint32_t>& numbers)
{
    Ports ports;
    for (const uint32_t number : numbers)
    {
        ports.emplace_back(number);
    }
    return ports;
}

TEST(FastForwardPassedOver, KnowsWhoSharesPortsThroughOthers)
{
    ns3::WormholePassedOver passedOver;
    passedOver.Add(7, nullptr, PortsOf({1, 2}));
    passedOver.Add(3, nullptr, PortsOf({2, 3}));
    passedOver.Add(5, nullptr, PortsOf({3, 4}));
    passedOver.Add(9, nullptr, PortsOf({5}));
    EXPECT_EQ(passedOver.GetPorts(), PortsOf({1, 2, 3, 4, 5}));
    EXPECT_TRUE(passedOver.Take(PortsOf({6})).empty());
    const auto taken = passedOver.Take(PortsOf({6, 4})); // 5, so 3 by port 3, so 7 by port 2
    ASSERT_EQ(taken.size(), 3U);
    EXPECT_EQ(taken.begin()->first, 3U);
    EXPECT_EQ(taken.rbegin()->first, 7U);
    EXPECT_EQ(passedOver.GetPorts(), PortsOf({5}));
    passedOver.Remove(3); // is not there
    passedOver.Remove(9);
    EXPECT_TRUE(passedOver.IsEmpty());
}

constexpr uint32_t SHORT_ONES = 8000;

/** From host 0 to 1, 200 MB in 17.9 ms; all along, messages of 1 to 21 KB among 14 others: one each
 * 2 us, that is 5.3 GB/s of the 175 that their links carry. */
FastScenario
LongBesideShort()
{
    FastScenario scenario;
    scenario.topology = "star:hosts=16";
    scenario.control = "ns3::RdmaHpcc";
    for (uint32_t i = 0; i < SHORT_ONES; ++i)
    {
        const uint32_t src = i % 14;
        const uint32_t dst = (src + 1 + i / 14 % 13) % 14;
        scenario.flows.push_back(
            {src + 2, dst + 2, 1000 + uint64_t{i} * 7919 % 20'000, 2000 * int64_t{i}, -1, 0});
    }
    scenario.flows.push_back({0, 1, 200'000'000, 500'000, -1, 0});
    return scenario;
}

/** \return flows from \p first on whose bytes have not all come, or not at packet level's time by
 * more than \p tolerance of that */
uint32_t
CountWrong(const FastOutcome& packet, const FastOutcome& fast, size_t first, double tolerance)
{
    uint32_t wrong = 0;
    for (size_t i = first; i < packet.flows.size(); ++i)
    {
        const auto then = static_cast<double>(packet.flows[i].deliveredNs);
        const auto now = static_cast<double>(fast.flows[i].deliveredNs);
        const bool isComplete = fast.flows[i].completed == packet.flows[i].completed &&
                                fast.flows[i].received == packet.flows[i].received;
        wrong += isComplete && std::abs(now - then) <= tolerance * then ? 0 : 1;
    }
    return wrong;
}

TEST(FastForwardPassedOver, LongFlowsAreSkippedBesideShortOnes)
{
    const FastScenario scenario = LongBesideShort();
    const FastOutcome packet = RunFastScenario(scenario, {});
    const FastOutcome fast = RunFastScenario(scenario, {{"FreeWork", "1000"}});
    EXPECT_EQ(fast.faults, "");
    EXPECT_GT(fast.suspensions, 0U);
    // 800,000 of some 1.1 million packet-hops are the long flow's, and begin when 3 * 1162 events'
    // worth at 1 % are saved up: 350,000.
    EXPECT_LT(fast.hops, packet.hops - 400'000);
    EXPECT_EQ(CountWrong(packet, fast, SHORT_ONES, 0.001), 0U);
    for (uint32_t i = 0; i < SHORT_ONES; ++i)
    {
        ASSERT_TRUE(packet.flows[i] == fast.flows[i]) << "short flow " << i << " is packet level's";
    }
}

TEST(FastForwardPassedOver, ThoseThatMeetLongFlowsAreSimulatedWithThem)
{
    FastScenario scenario = LongBesideShort();
    for (uint32_t i = 0; i < 40; ++i) // from and to its hosts, and one on the way of these
    {
        const int64_t start = 8'000'000 + 150'000 * int64_t{i};
        scenario.flows.push_back({2 + i % 14, i % 3 == 0 ? 0U : 1U, 20'000, start, -1, 0});
        scenario.flows.push_back({2 + (i + 5) % 14, 2 + i % 14, 200'000, start - 5000, -1, 0});
    }
    scenario.failures.push_back({5, 12'000'000, 12'100'000});
    const FastOutcome packet = RunFastScenario(scenario, {});
    const FastOutcome fast = RunFastScenario(scenario, {{"FreeWork", "1000"}});
    EXPECT_EQ(fast.faults, "");
    EXPECT_LT(fast.hops, packet.hops - 200'000);
    EXPECT_EQ(CountWrong(packet, fast, SHORT_ONES, 0.001), 0U);
    EXPECT_LT(CountWrong(packet, fast, 0, 0.0001), SHORT_ONES / 100);
}

} // namespace
