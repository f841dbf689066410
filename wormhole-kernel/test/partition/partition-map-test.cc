/*
 * SPDX-License-Identifier: MIT
 */
#include "usage-error.h"
#include "wormhole/error.h"
#include "wormhole/partition-map.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <utility>

namespace wormhole
{

namespace
{

using Ports = std::vector<PortId>;
using Flows = std::vector<FlowId>;
using Ids = std::vector<PartitionId>;

Ports
P(std::initializer_list<std::uint32_t> values)
{
    Ports ports;
    for (const auto value : values)
    {
        ports.emplace_back(value);
    }
    return ports;
}

Flows
F(std::initializer_list<std::uint64_t> values)
{
    Flows flows;
    for (const auto value : values)
    {
        flows.emplace_back(value);
    }
    return flows;
}

TEST(PartitionMap, IsEmptyAtFirst)
{
    const PartitionMap map;
    EXPECT_TRUE(map.Partitions().empty());
    EXPECT_FALSE(map.Contains(FlowId(0)));
    EXPECT_FALSE(map.Contains(PartitionId(0)));
    EXPECT_EQ(map.PartitionOf(PortId(0)), std::nullopt);
    EXPECT_TRUE(map.FlowsOn(PortId(7)).empty());
    EXPECT_EQ(map.SelfCheck(), "");
}

TEST(PartitionMap, IsEmptyOnceCleared)
{
    PartitionMap map;
    const PartitionId first = map.Start(FlowId(1), P({1, 2})).partition;
    map.Start(FlowId(2), P({2, 3}));
    map.Clear();
    EXPECT_TRUE(map.Partitions().empty());
    EXPECT_FALSE(map.Contains(FlowId(1)));
    EXPECT_FALSE(map.PartitionOf(PortId(2)));
    EXPECT_EQ(map.SelfCheck(), "");
    EXPECT_NE(map.Start(FlowId(1), P({1, 2})).partition, first) << "ids are not used again";
    EXPECT_EQ(map.SelfCheck(), "");
}

TEST(PartitionMap, MergesIntoTheLargestAndSplitsAgain)
{
    PartitionMap map;
    const PartitionId small = map.Start(FlowId(1), P({10, 11})).partition;     // size 1 + 2
    const PartitionId large = map.Start(FlowId(2), P({20, 21, 22})).partition; // size 1 + 3
    const PartitionId other = map.Start(FlowId(3), P({30, 31})).partition;

    const PartitionChange start = map.Start(FlowId(4), P({11, 20, 30, 40}));
    EXPECT_FALSE(start.created);
    EXPECT_EQ(start.partition, large);
    EXPECT_EQ(start.merged, (Ids{small, other}));
    EXPECT_EQ(map.FlowsOf(large), F({1, 2, 3, 4}));
    EXPECT_EQ(map.PortsOf(large), P({10, 11, 20, 21, 22, 30, 31, 40}));
    EXPECT_EQ(map.PartitionOf(PortId(40)), large);
    EXPECT_FALSE(map.Contains(small));

    const PartitionChange end = map.End(FlowId(4));
    EXPECT_EQ(end.partition, large);
    EXPECT_FALSE(end.vanished);
    ASSERT_EQ(end.split.size(), 2U);
    EXPECT_EQ(map.FlowsOf(large), F({2}));
    EXPECT_EQ(map.FlowsOf(end.split[0]), F({1}));
    EXPECT_EQ(map.FlowsOf(end.split[1]), F({3}));
    EXPECT_LT(other, end.split[0]); // no id is used again
    EXPECT_LT(end.split[0], end.split[1]);
    EXPECT_EQ(map.PartitionOf(PortId(40)), std::nullopt);

    EXPECT_TRUE(map.End(FlowId(2)).vanished);
    EXPECT_FALSE(map.Contains(large));
    EXPECT_EQ(map.Statistics().ends, 2U);
    EXPECT_EQ(map.Statistics().searches, 1U);
    EXPECT_EQ(map.Statistics().splits, 1U);
}

TEST(PartitionMap, TheLowestOfEqualsKeepsItsIdInAMerge)
{
    PartitionMap map;
    const PartitionId first = map.Start(FlowId(9), P({1, 2})).partition;
    const PartitionId second = map.Start(FlowId(8), P({3, 4})).partition;
    const PartitionChange start = map.Start(FlowId(7), P({4, 1}));
    EXPECT_EQ(start.partition, first);
    EXPECT_EQ(start.merged, Ids{second});
}

TEST(PartitionMap, OfEqualPartsThatWithTheSmallestFlowKeepsTheId)
{
    // Both orders of the path, since the part that is found first depends on it.
    for (const Ports& path : {P({1, 2}), P({2, 1})})
    {
        PartitionMap map;
        const PartitionId whole = map.Start(FlowId(5), path).partition;
        map.Start(FlowId(8), P({1}));
        map.Start(FlowId(7), P({2}));
        const PartitionChange end = map.End(FlowId(5));
        EXPECT_EQ(map.PartitionOf(FlowId(7)), whole);
        EXPECT_EQ(end.split, Ids{map.PartitionOf(FlowId(8))});
    }
}

TEST(PartitionMap, AFlowWithoutPortsIsAPartitionOfItsOwn)
{
    PartitionMap map;
    EXPECT_TRUE(map.Start(FlowId(1), {}).created);
    EXPECT_TRUE(map.Start(FlowId(2), {}).created);
    EXPECT_NE(map.PartitionOf(FlowId(1)), map.PartitionOf(FlowId(2)));
    EXPECT_TRUE(map.PortsOf(FlowId(1)).empty());
    EXPECT_TRUE(map.PortsOf(map.PartitionOf(FlowId(1))).empty());
    EXPECT_TRUE(map.End(FlowId(1)).vanished);
}

TEST(PartitionMap, DuplicatePortsCountOnceInTheOrderOfThePath)
{
    PartitionMap map;
    const PartitionId partition = map.Start(FlowId(1), P({5, 3, 5, 4, 3})).partition;
    EXPECT_EQ(map.PortsOf(FlowId(1)), P({5, 3, 4}));
    EXPECT_EQ(map.PortCount(partition), 3U);
    EXPECT_EQ(map.FlowsOn(PortId(5)), F({1}));
}

TEST(PartitionMap, TheEndOfAFlowThatIsNotNeededVisitsNothing)
{
    PartitionMap map;
    map.Start(FlowId(1), P({1, 2, 3}));
    map.Start(FlowId(2), P({3, 2, 1})); // only used ports, of one partition
    map.Start(FlowId(3), P({3, 4}));
    map.Start(FlowId(4), P({4, 1})); // closes a cycle
    map.End(FlowId(2));
    map.End(FlowId(4));
    map.End(FlowId(3)); // needed for port 4, but nobody else uses that
    EXPECT_EQ(map.Statistics().ends, 3U);
    EXPECT_EQ(map.Statistics().searches, 0U);
    EXPECT_EQ(map.Statistics().visited, 0U);
    EXPECT_EQ(map.Partitions().size(), 1U);
}

TEST(PartitionMap, AFlowThatTakesThePlaceOfANeededOneBecomesNeeded)
{
    PartitionMap map;
    map.Start(FlowId(1), P({1, 2}));
    map.Start(FlowId(2), P({1, 2}));
    map.Start(FlowId(3), P({1, 2}));
    EXPECT_TRUE(map.End(FlowId(1)).split.empty());
    // Both ports and one of the flows between them are looked at.
    EXPECT_EQ(map.Statistics().visited, 3U);
    EXPECT_TRUE(map.End(FlowId(3)).split.empty());
    map.Start(FlowId(4), P({1}));
    map.Start(FlowId(5), P({2}));
    EXPECT_EQ(map.End(FlowId(2)).split.size(), 1U);
    EXPECT_EQ(map.SelfCheck(), "");
}

TEST(PartitionMap, ASearchStopsWithTheSmallerPart)
{
    // A chain of 10,000 flows: flow i is on ports i and i + 1. With the 6th from either end, 5
    // flows and 6 ports come off: 11 members. In one case the first port of the path is theirs, in
    // the other the second one.
    constexpr std::uint64_t LENGTH = 10000;
    const std::pair<std::uint64_t, Flows> cases[] = {
        {5, F({0, 1, 2, 3, 4})},
        {LENGTH - 6, F({LENGTH - 5, LENGTH - 4, LENGTH - 3, LENGTH - 2, LENGTH - 1})}};
    for (const auto& [cut, flowsCutOff] : cases)
    {
        PartitionMap map;
        for (std::uint32_t i = 0; i < LENGTH; ++i)
        {
            map.Start(FlowId(i), P({i, i + 1}));
        }
        const PartitionId whole = map.PartitionOf(FlowId(0));
        const PartitionChange end = map.End(FlowId(cut));
        EXPECT_EQ(end.partition, whole);
        ASSERT_EQ(end.split.size(), 1U);
        EXPECT_EQ(map.FlowsOf(end.split[0]), flowsCutOff);
        EXPECT_EQ(map.FlowCount(whole), LENGTH - 6);
        // The other search takes as many turns, and at most one more, for a flow and a port each.
        EXPECT_LE(map.Statistics().visited, 2U * 11U + 2U);
    }
}

TEST(PartitionMap, ADenseMeshSeldomSearches)
{
    // 400 flows share 20 ports. At most 19 are needed to connect these, so if the ones that end
    // are chosen at random, about 19 / 400 = 4.75 % of the ends may search. With room for chance:
    // 1,000 of 10,000.
    PartitionMap map;
    std::mt19937_64 random(1);
    const auto path = [&random] {
        return P({static_cast<std::uint32_t>(random() % 10),
                  static_cast<std::uint32_t>(10 + random() % 10)});
    };
    Flows flows;
    for (std::uint64_t next = 0; next < 10400; ++next)
    {
        if (next >= 400)
        {
            const std::size_t index = random() % 400;
            EXPECT_TRUE(map.End(flows[index]).split.empty());
            flows[index] = FlowId(next);
        }
        else
        {
            flows.emplace_back(next);
        }
        map.Start(FlowId(next), path());
    }
    EXPECT_EQ(map.Statistics().ends, 10000U);
    EXPECT_GT(map.Statistics().searches, 0U);
    EXPECT_LT(map.Statistics().searches, 1000U);
    EXPECT_EQ(map.SelfCheck(), "");
}

TEST(PartitionMap, ALongCycleIsSearchedUpToTheNextGap)
{
    // Flow i uses ports i and i + 1 of one direction and of the other, of 2 x 2000.
    constexpr std::uint32_t LENGTH = 2000;
    const auto path = [](std::uint64_t index) {
        const auto here = static_cast<std::uint32_t>(index);
        const std::uint32_t next = (here + 1) % LENGTH;
        return P({here, next, LENGTH + next, LENGTH + here});
    };
    PartitionMap map;
    std::mt19937_64 random(1);
    Flows flows;
    std::uint64_t nextFlow = 0;
    for (; nextFlow < LENGTH; ++nextFlow)
    {
        flows.emplace_back(nextFlow);
        map.Start(FlowId(nextFlow), path(nextFlow));
    }
    const auto churn = [&](int rounds) {
        const std::uint64_t before = map.Statistics().visited;
        for (int round = 0; round < rounds; ++round)
        {
            const std::size_t index = random() % LENGTH;
            EXPECT_TRUE(map.End(flows[index]).split.empty());
            flows[index] = FlowId(nextFlow++);
            map.Start(flows[index], path(index));
        }
        return (map.Statistics().visited - before) / static_cast<std::uint64_t>(rounds);
    };
    // Two searches go apart from where a flow ended, until the nearer one comes to the flow that is
    // spare: a quarter of the cycle on average, each. All of it has 2000 + 4000 members.
    const std::uint64_t visited = churn(100);
    EXPECT_GT(visited, 600U);
    EXPECT_LT(visited, 6000U);
    EXPECT_EQ(map.SelfCheck(), "");

    // It goes away in pieces.
    for (std::size_t index = 0; index < LENGTH; index += 2)
    {
        EXPECT_EQ(map.End(flows[index]).split.size(), index == 0 ? 0U : 1U);
    }
    EXPECT_EQ(map.Partitions().size(), LENGTH / 2);
    EXPECT_EQ(map.SelfCheck(), "");
}

TEST(PartitionMap, TakesPathsThatItHandedOut)
{
    PartitionMap map;
    map.Start(FlowId(1), P({1, 2}));
    for (std::uint64_t flow = 2; flow < 100; ++flow) // lets the storage move
    {
        map.Start(FlowId(flow), map.PortsOf(FlowId(1)));
    }
    map.Reroute(FlowId(1), map.PortsOf(FlowId(1)));
    EXPECT_EQ(map.PortsOf(FlowId(1)), P({1, 2}));
    EXPECT_EQ(map.PortsOf(FlowId(99)), P({1, 2}));
    EXPECT_EQ(map.FlowsOn(PortId(1)).size(), 99U);
}

TEST(PartitionMap, ARerouteOfALoneFlowMakesANewPartition)
{
    PartitionMap map;
    const PartitionId before = map.Start(FlowId(1), P({1})).partition;
    const PartitionMap::RerouteChange change = map.Reroute(FlowId(1), P({2}));
    EXPECT_EQ(change.end.partition, before);
    EXPECT_TRUE(change.end.vanished);
    EXPECT_TRUE(change.start.created);
    EXPECT_NE(change.start.partition, before);
    EXPECT_EQ(map.Statistics().ends, 1U);
}

TEST(PartitionMap, RefusesWhatMakesNoSenseAndChangesNothing)
{
    PartitionMap map;
    const PartitionId partition = map.Start(FlowId(1), P({1, 2})).partition;
    const std::string again = "flow 1 is there already: end it first, or reroute it";
    const std::string unknown = "flow 2 is not there: start it first, and do not end it twice";
    const std::string gone =
        "partition 77 is not there (any more): ask for that of one of its flows";
    const PartitionId none(77);
    EXPECT_EQ(test::UsageErrorOf([&] { map.Start(FlowId(1), P({3, 400})); }), again);
    EXPECT_EQ(test::UsageErrorOf([&] { map.End(FlowId(2)); }), unknown);
    EXPECT_EQ(test::UsageErrorOf([&] { map.Reroute(FlowId(2), P({3})); }), unknown);
    EXPECT_EQ(test::UsageErrorOf([&] { map.PartitionOf(FlowId(2)); }), unknown);
    EXPECT_EQ(test::UsageErrorOf([&] { map.PortsOf(FlowId(2)); }), unknown);
    EXPECT_EQ(test::UsageErrorOf([&] { map.FlowsOf(none); }), gone);
    EXPECT_EQ(test::UsageErrorOf([&] { map.PortsOf(none); }), gone);
    EXPECT_EQ(test::UsageErrorOf([&] { map.FlowCount(none); }), gone);
    EXPECT_EQ(test::UsageErrorOf([&] { map.PortCount(none); }), gone);

    EXPECT_EQ(map.Partitions(), Ids{partition});
    EXPECT_EQ(map.PortsOf(FlowId(1)), P({1, 2}));
    EXPECT_EQ(map.PartitionOf(PortId(3)), std::nullopt);
    EXPECT_EQ(map.Statistics().ends, 0U);
    EXPECT_EQ(map.SelfCheck(), "");

    map.End(FlowId(1));
    EXPECT_NE(test::UsageErrorOf([&] { map.End(FlowId(1)); }), "");
    EXPECT_NE(test::UsageErrorOf([&] { map.FlowsOf(partition); }), "");
}

TEST(PartitionMap, CanBeMoved)
{
    PartitionMap map;
    map.Start(FlowId(1), P({1, 2}));
    map.Start(FlowId(2), P({1}));
    map.Start(FlowId(3), P({2}));
    PartitionMap moved = std::move(map);
    map = PartitionMap();
    EXPECT_TRUE(map.Partitions().empty());
    EXPECT_EQ(moved.End(FlowId(1)).split.size(), 1U);
    map = std::move(moved);
    EXPECT_EQ(map.Partitions().size(), 2U);
}

} // namespace
} // namespace wormhole
