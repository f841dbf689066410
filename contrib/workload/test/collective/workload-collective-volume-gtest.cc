/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/collectives.h"
#include "harness/sanitized.h"

#include "ns3/workload-collective.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;

constexpr uint32_t MOST_RANKS = harness::IsSanitized() ? 24 : 64;

/** Bytes and messages that a rank sends (or receives). */
struct Volume
{
    uint64_t bytes{0};
    uint64_t messages{0};
};

Volume
VolumeOf(const WorkloadRank& rank, WorkloadKind kind)
{
    Volume volume;
    for (const WorkloadOperation& operation : rank.operations)
    {
        if (operation.kind == kind)
        {
            volume.bytes += operation.size;
            ++volume.messages;
        }
    }
    return volume;
}

Volume
Sent(const WorkloadSchedule& schedule)
{
    Volume all;
    for (const WorkloadRank& rank : schedule.ranks)
    {
        const Volume volume = VolumeOf(rank, WorkloadKind::SEND);
        all.bytes += volume.bytes;
        all.messages += volume.messages;
    }
    return all;
}

/** The most messages that follow each other because of dependencies: the steps. Works off
 * operations in an order that dependencies and messages allow; \p counts says which messages count.
 */
template <typename Counts>
uint32_t
StepsOf(const WorkloadSchedule& schedule, Counts counts)
{
    using Key = std::tuple<uint64_t, uint64_t, uint64_t>; // from, to, tag
    std::map<Key, uint32_t> sent;                         // steps so far
    std::map<Key, std::pair<uint32_t, uint32_t>> posted;
    std::vector<std::vector<uint32_t>> steps;
    std::vector<std::vector<uint32_t>> missing;
    std::vector<std::pair<uint32_t, uint32_t>> ready;
    uint32_t most = 0;
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        steps.emplace_back(schedule.ranks[rank].operations.size(), 0);
        missing.emplace_back();
        for (uint32_t i = 0; i < steps.back().size(); ++i)
        {
            missing.back().push_back(schedule.ranks[rank].operations[i].dependencies);
            if (missing.back().back() == 0)
            {
                ready.emplace_back(rank, i);
            }
        }
    }
    const auto complete = [&](uint32_t rank, uint32_t operation) {
        const WorkloadRank& graph = schedule.ranks[rank];
        most = std::max(most, steps[rank][operation]);
        for (auto w = graph.BeginWaiters(operation); w != graph.EndWaiters(operation); ++w)
        {
            uint32_t& after = steps[rank][w->Operation()];
            after = std::max(after, steps[rank][operation]);
            if (--missing[rank][w->Operation()] == 0)
            {
                ready.emplace_back(rank, w->Operation());
            }
        }
    };
    const auto match = [&](const Key& key) {
        if (sent.count(key) && posted.count(key))
        {
            const auto [rank, operation] = posted[key];
            steps[rank][operation] = std::max(steps[rank][operation], sent[key]);
            complete(rank, operation);
        }
    };
    while (!ready.empty())
    {
        const auto [rank, index] = ready.back();
        ready.pop_back();
        const WorkloadOperation& operation = schedule.ranks[rank].operations[index];
        if (operation.kind == WorkloadKind::RECV)
        {
            const Key key{operation.peer, rank, operation.tag};
            posted[key] = {rank, index};
            match(key);
            continue;
        }
        if (operation.kind == WorkloadKind::SEND)
        {
            const Key key{rank, operation.peer, operation.tag};
            sent[key] = steps[rank][index] + counts(rank, operation.peer);
            match(key);
        }
        complete(rank, index);
    }
    return most;
}

uint32_t
StepsOf(const WorkloadSchedule& schedule)
{
    return StepsOf(schedule, [](uint32_t, uint32_t) { return 1; });
}

uint32_t
CeilLog2(uint32_t n)
{
    uint32_t log = 0;
    while ((uint64_t{1} << log) < n)
    {
        ++log;
    }
    return log;
}

/** \return bytes of part i of n of S: S / n, and one more for the first S modulo n */
uint64_t
PartOf(uint64_t bytes, uint64_t i, uint64_t n)
{
    return bytes / n + (i < bytes % n);
}

/** \return whether to follow the messages of this size, which takes longer than adding them up */
bool
CountsSteps(uint64_t bytes, uint32_t n)
{
    return bytes == 1 || bytes == n - 1 || bytes == n + 1;
}

/** Sizes that divide and that do not, smaller and larger than the number of members. */
std::vector<uint64_t>
Sizes(uint32_t n)
{
    return {1, n - 1, n, n + 1, 7ULL * n + n / 2, 1000003, 64ULL * n, 12345678901};
}

} // namespace

/** A ring all-reduce: each of S/n at a time, all parts but one twice; 2(n-1) steps. */
TEST(WorkloadCollectiveVolume, RingAllReduce)
{
    for (uint32_t n = 2; n <= MOST_RANKS; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule schedule = harness::MakeCollective(
                n,
                harness::Collective(Kind::ALL_REDUCE, Algorithm::RING, bytes));
            for (uint32_t r = 0; r < n; ++r)
            {
                // The reduce-scatter leaves out the own part r, the all-gather the one after it.
                const uint64_t expected =
                    2 * bytes - PartOf(bytes, r, n) - PartOf(bytes, (r + 1) % n, n);
                ASSERT_EQ(VolumeOf(schedule.ranks[r], WorkloadKind::SEND).bytes, expected);
            }
            ASSERT_EQ(Sent(schedule).bytes, 2ULL * (n - 1) * bytes);
            ASSERT_EQ(Sent(schedule).messages, 2ULL * (n - 1) * std::min<uint64_t>(n, bytes));
            if (CountsSteps(bytes, n))
            {
                ASSERT_EQ(StepsOf(schedule), 2 * (n - 1));
            }
        }
    }
}

/** Reduce-scatter and all-gather: all parts but one, once; n-1 steps. */
TEST(WorkloadCollectiveVolume, RingReduceScatterAndAllGather)
{
    for (uint32_t n = 2; n <= MOST_RANKS; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            for (const Kind kind : {Kind::REDUCE_SCATTER, Kind::ALL_GATHER})
            {
                const WorkloadSchedule schedule =
                    harness::MakeCollective(n, harness::Collective(kind, Algorithm::RING, bytes));
                for (uint32_t r = 0; r < n; ++r)
                {
                    const uint32_t left = kind == Kind::REDUCE_SCATTER ? r : (r + 1) % n;
                    ASSERT_EQ(VolumeOf(schedule.ranks[r], WorkloadKind::SEND).bytes,
                              bytes - PartOf(bytes, left, n));
                }
                ASSERT_EQ(Sent(schedule).bytes, (n - 1) * bytes);
                if (CountsSteps(bytes, n))
                {
                    ASSERT_EQ(StepsOf(schedule), n - 1);
                }
            }
        }
    }
}

/** Chains: each but the last sends all; n-1 steps. Trees: likewise; ceil(log2 n) steps. */
TEST(WorkloadCollectiveVolume, BroadcastAndReduce)
{
    for (uint32_t n = 2; n <= MOST_RANKS; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            for (const Kind kind : {Kind::BROADCAST, Kind::REDUCE})
            {
                for (const Algorithm algorithm : {Algorithm::RING, Algorithm::TREE})
                {
                    WorkloadCollective collective = harness::Collective(kind, algorithm, bytes);
                    collective.root = n / 3;
                    const WorkloadSchedule schedule = harness::MakeCollective(n, collective);
                    ASSERT_EQ(Sent(schedule).bytes, (n - 1) * bytes);
                    ASSERT_EQ(Sent(schedule).messages, n - 1);
                    if (CountsSteps(bytes, n))
                    {
                        ASSERT_EQ(StepsOf(schedule),
                                  algorithm == Algorithm::RING ? n - 1 : CeilLog2(n));
                    }
                    const WorkloadRank& root = schedule.ranks[collective.root];
                    ASSERT_EQ(
                        VolumeOf(root,
                                 kind == Kind::REDUCE ? WorkloadKind::SEND : WorkloadKind::RECV)
                            .bytes,
                        0U);
                }
            }
        }
    }
}

/** A tree all-reduce: every edge carries S up and down; 2 ceil(log2 n) steps. Two trees: S/2 each.
 */
TEST(WorkloadCollectiveVolume, TreeAllReduce)
{
    for (uint32_t n = 2; n <= MOST_RANKS; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule one = harness::MakeCollective(
                n,
                harness::Collective(Kind::ALL_REDUCE, Algorithm::TREE, bytes));
            ASSERT_EQ(Sent(one).bytes, 2ULL * (n - 1) * bytes);
            ASSERT_EQ(Sent(one).messages, 2ULL * (n - 1));
            if (CountsSteps(bytes, n))
            {
                ASSERT_EQ(StepsOf(one), 2 * CeilLog2(n));
            }
            const WorkloadSchedule two = harness::MakeCollective(
                n,
                harness::Collective(Kind::ALL_REDUCE, Algorithm::DOUBLE_BINARY_TREE, bytes));
            ASSERT_EQ(Sent(two).bytes, 2ULL * (n - 1) * bytes);
            ASSERT_EQ(Sent(two).messages, 2ULL * (n - 1) * (bytes > 1 ? 2 : 1));
            if (CountsSteps(bytes, n))
            {
                ASSERT_EQ(StepsOf(two), 2 * CeilLog2(n));
            }
            for (uint32_t r = 0; r < n && n % 2 == 0; ++r)
            {
                // Inside one tree (up once, down twice at most) and leaf in the other (up once):
                // never more than twice the vector, rounded.
                ASSERT_LE(VolumeOf(two.ranks[r], WorkloadKind::SEND).bytes, 2 * bytes + 2);
            }
        }
    }
}

/** Everybody sends all but the own part, (n-1)/n S, to n-1 others, in one step. */
TEST(WorkloadCollectiveVolume, AllToAllAndShift)
{
    for (uint32_t n = 2; n <= MOST_RANKS; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule all = harness::MakeCollective(
                n,
                harness::Collective(Kind::ALL_TO_ALL, Algorithm::DIRECT, bytes));
            for (uint32_t r = 0; r < n; ++r)
            {
                ASSERT_EQ(VolumeOf(all.ranks[r], WorkloadKind::SEND).bytes,
                          bytes - PartOf(bytes, r, n));
                ASSERT_EQ(VolumeOf(all.ranks[r], WorkloadKind::RECV).bytes,
                          (n - 1) * PartOf(bytes, r, n));
            }
            if (CountsSteps(bytes, n))
            {
                ASSERT_EQ(StepsOf(all), 1U);
            }
            const WorkloadSchedule shift = harness::MakeCollective(
                n,
                harness::Collective(Kind::SEND_RECV, Algorithm::RING, bytes));
            ASSERT_EQ(Sent(shift).bytes, n * bytes);
            ASSERT_EQ(Sent(shift).messages, n);
            if (CountsSteps(bytes, n))
            {
                ASSERT_EQ(StepsOf(shift), 1U);
            }
        }
    }
}

/** The sums hold whatever the channels, chunks, elements and windows. */
TEST(WorkloadCollectiveVolume, HoldsForChannelsAndChunks)
{
    for (const uint32_t n : {2U, 5U, 8U, 12U})
    {
        for (const uint32_t channels : {1U, 2U, 3U, 8U})
        {
            for (const uint64_t chunk : {uint64_t{0}, uint64_t{1000}, WORKLOAD_NCCL_CHUNKS})
            {
                const auto sent = [&](Kind kind, Algorithm algorithm) {
                    WorkloadCollective collective = harness::Collective(kind, algorithm, 100003);
                    collective.channels = channels;
                    collective.chunkBytes = chunk;
                    collective.elementBytes = 4;
                    collective.ranksPerServer = 4;
                    collective.window = WORKLOAD_NCCL_WINDOW;
                    const WorkloadSchedule schedule = harness::MakeCollective(n, collective);
                    for (const WorkloadRank& rank : schedule.ranks)
                    {
                        for (const WorkloadOperation& operation : rank.operations)
                        {
                            EXPECT_TRUE(chunk != 1000 || operation.size <= 1000);
                        }
                    }
                    return Sent(schedule).bytes;
                };
                const uint64_t once = (n - 1) * 100003ULL;
                EXPECT_EQ(sent(Kind::ALL_REDUCE, Algorithm::RING), 2 * once);
                EXPECT_EQ(sent(Kind::ALL_REDUCE, Algorithm::TREE), 2 * once);
                EXPECT_EQ(sent(Kind::ALL_REDUCE, Algorithm::DOUBLE_BINARY_TREE), 2 * once);
                EXPECT_EQ(sent(Kind::ALL_GATHER, Algorithm::RING), once);
                EXPECT_EQ(sent(Kind::REDUCE_SCATTER, Algorithm::RING), once);
                EXPECT_EQ(sent(Kind::BROADCAST, Algorithm::RING), once);
                EXPECT_EQ(sent(Kind::ALL_TO_ALL, Algorithm::DIRECT), once);
            }
        }
    }
}

/** With servers, only the tree over servers crosses the network: 2 ceil(log2 servers) hops. With
 * NVLink as cost, the volumes of the network leave out what stays inside. */
TEST(WorkloadCollectiveVolume, Servers)
{
    constexpr uint32_t PER_SERVER = 4;
    constexpr uint64_t BYTES = 1000;
    for (uint32_t servers = 2; servers <= 17; ++servers)
    {
        for (const Algorithm algorithm : {Algorithm::TREE, Algorithm::DOUBLE_BINARY_TREE})
        {
            WorkloadCollective collective = harness::Collective(Kind::ALL_REDUCE, algorithm, BYTES);
            collective.ranksPerServer = PER_SERVER;
            const WorkloadSchedule schedule =
                harness::MakeCollective(servers * PER_SERVER, collective);
            const auto crosses = [](uint32_t a, uint32_t b) {
                return a / PER_SERVER != b / PER_SERVER ? 1 : 0;
            };
            EXPECT_EQ(StepsOf(schedule, crosses), 2 * CeilLog2(servers));
            EXPECT_EQ(Sent(schedule).bytes, 2ULL * (servers * PER_SERVER - 1) * BYTES);
            collective.nvlinkOnNetwork = false;
            EXPECT_EQ(Sent(harness::MakeCollective(servers * PER_SERVER, collective)).bytes,
                      2ULL * (servers - 1) * BYTES);
        }
        WorkloadCollective ring = harness::Collective(Kind::ALL_REDUCE, Algorithm::RING, BYTES);
        ring.ranksPerServer = PER_SERVER;
        ring.nvlinkOnNetwork = false;
        // Each of the ring's hops carries 2S less two parts, of 250 / servers bytes here or so;
        // servers of them cross: together at most 2 S servers.
        const WorkloadSchedule schedule = harness::MakeCollective(servers * PER_SERVER, ring);
        uint64_t expected = 0;
        const uint32_t n = servers * PER_SERVER;
        for (uint32_t r = PER_SERVER - 1; r < n; r += PER_SERVER)
        {
            expected += 2 * BYTES - PartOf(BYTES, r, n) - PartOf(BYTES, (r + 1) % n, n);
        }
        EXPECT_EQ(Sent(schedule).bytes, expected);
    }
}

/** 1,024 members: 2,046 steps each, a send and a receive, and the two ends. */
TEST(WorkloadCollectiveVolume, LargeRing)
{
    const WorkloadSchedule schedule =
        harness::MakeCollective(1024,
                                harness::Collective(Kind::ALL_REDUCE, Algorithm::RING, 1 << 30));
    EXPECT_EQ(schedule.CountOperations(), 1024ULL * (2046 * 2 + 2));
    // A send waits for one operation, a receive too, the end for all sends, the last receive and
    // the begin.
    EXPECT_EQ(schedule.CountDependencies(), 1024ULL * (2046 * 2 + 2046 + 2));
}
