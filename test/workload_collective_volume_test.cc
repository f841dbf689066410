/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/workload-collective-layout.h"
#include "ns3/workload-collective-names.h"
#include "ns3/workload-collective-protocol.h"
#include "ns3/workload-collective-servers.h"
#include "ns3/workload-collective-tree-shape.h"
#include "ns3/workload-collective.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

using namespace ns3;

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

std::vector<uint32_t>
FirstRanks(uint32_t count)
{
    std::vector<uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

WorkloadSchedule
Make(uint32_t members, const WorkloadCollective& collective)
{
    WorkloadScheduleBuilder builder(members);
    AddWorkloadCollective(builder, FirstRanks(members), collective);
    return builder.Build();
}

WorkloadCollective
Collective(Kind kind, Algorithm algorithm, uint64_t bytes)
{
    WorkloadCollective collective;
    collective.kind = kind;
    collective.algorithm = algorithm;
    collective.bytes = bytes;
    return collective;
}

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
    for (uint32_t n = 2; n <= 64; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule schedule =
                Make(n, Collective(Kind::ALL_REDUCE, Algorithm::RING, bytes));
            for (uint32_t r = 0; r < n; ++r)
            {
                // The reduce-scatter leaves out the own part r, the all-gather the one after it.
                const uint64_t expected =
                    2 * bytes - PartOf(bytes, r, n) - PartOf(bytes, (r + 1) % n, n);
                ASSERT_EQ(VolumeOf(schedule.ranks[r], WorkloadKind::SEND).bytes, expected);
            }
            ASSERT_EQ(Sent(schedule).bytes, 2 * (n - 1) * bytes);
            ASSERT_EQ(Sent(schedule).messages, 2ULL * (n - 1) * std::min<uint64_t>(n, bytes));
            ASSERT_EQ(StepsOf(schedule), 2 * (n - 1));
        }
    }
}

/** Reduce-scatter and all-gather: all parts but one, once; n-1 steps. */
TEST(WorkloadCollectiveVolume, RingReduceScatterAndAllGather)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            for (const Kind kind : {Kind::REDUCE_SCATTER, Kind::ALL_GATHER})
            {
                const WorkloadSchedule schedule = Make(n, Collective(kind, Algorithm::RING, bytes));
                for (uint32_t r = 0; r < n; ++r)
                {
                    const uint32_t left = kind == Kind::REDUCE_SCATTER ? r : (r + 1) % n;
                    ASSERT_EQ(VolumeOf(schedule.ranks[r], WorkloadKind::SEND).bytes,
                              bytes - PartOf(bytes, left, n));
                }
                ASSERT_EQ(Sent(schedule).bytes, (n - 1) * bytes);
                ASSERT_EQ(StepsOf(schedule), n - 1);
            }
        }
    }
}

/** Chains: each but the last sends all; n-1 steps. Trees: likewise; ceil(log2 n) steps. */
TEST(WorkloadCollectiveVolume, BroadcastAndReduce)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            for (const Kind kind : {Kind::BROADCAST, Kind::REDUCE})
            {
                for (const Algorithm algorithm : {Algorithm::RING, Algorithm::TREE})
                {
                    WorkloadCollective collective = Collective(kind, algorithm, bytes);
                    collective.root = n / 3;
                    const WorkloadSchedule schedule = Make(n, collective);
                    ASSERT_EQ(Sent(schedule).bytes, (n - 1) * bytes);
                    ASSERT_EQ(Sent(schedule).messages, n - 1);
                    ASSERT_EQ(StepsOf(schedule),
                              algorithm == Algorithm::RING ? n - 1 : CeilLog2(n));
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
    for (uint32_t n = 2; n <= 64; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule one =
                Make(n, Collective(Kind::ALL_REDUCE, Algorithm::TREE, bytes));
            ASSERT_EQ(Sent(one).bytes, 2 * (n - 1) * bytes);
            ASSERT_EQ(Sent(one).messages, 2 * (n - 1));
            ASSERT_EQ(StepsOf(one), 2 * CeilLog2(n));
            const WorkloadSchedule two =
                Make(n, Collective(Kind::ALL_REDUCE, Algorithm::DOUBLE_BINARY_TREE, bytes));
            ASSERT_EQ(Sent(two).bytes, 2 * (n - 1) * bytes);
            ASSERT_EQ(Sent(two).messages, 2 * (n - 1) * (bytes > 1 ? 2 : 1));
            ASSERT_EQ(StepsOf(two), 2 * CeilLog2(n));
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
    for (uint32_t n = 2; n <= 64; ++n)
    {
        for (const uint64_t bytes : Sizes(n))
        {
            const WorkloadSchedule all =
                Make(n, Collective(Kind::ALL_TO_ALL, Algorithm::DIRECT, bytes));
            for (uint32_t r = 0; r < n; ++r)
            {
                ASSERT_EQ(VolumeOf(all.ranks[r], WorkloadKind::SEND).bytes,
                          bytes - PartOf(bytes, r, n));
                ASSERT_EQ(VolumeOf(all.ranks[r], WorkloadKind::RECV).bytes,
                          (n - 1) * PartOf(bytes, r, n));
            }
            ASSERT_EQ(StepsOf(all), 1U);
            const WorkloadSchedule shift =
                Make(n, Collective(Kind::SEND_RECV, Algorithm::RING, bytes));
            ASSERT_EQ(Sent(shift).bytes, n * bytes);
            ASSERT_EQ(Sent(shift).messages, n);
            ASSERT_EQ(StepsOf(shift), 1U);
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
                    WorkloadCollective collective = Collective(kind, algorithm, 100003);
                    collective.channels = channels;
                    collective.chunkBytes = chunk;
                    collective.elementBytes = 4;
                    collective.ranksPerServer = 4;
                    collective.window = WORKLOAD_NCCL_WINDOW;
                    const WorkloadSchedule schedule = Make(n, collective);
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
            WorkloadCollective collective = Collective(Kind::ALL_REDUCE, algorithm, BYTES);
            collective.ranksPerServer = PER_SERVER;
            const WorkloadSchedule schedule = Make(servers * PER_SERVER, collective);
            const auto crosses = [](uint32_t a, uint32_t b) {
                return a / PER_SERVER != b / PER_SERVER ? 1 : 0;
            };
            EXPECT_EQ(StepsOf(schedule, crosses), 2 * CeilLog2(servers));
            EXPECT_EQ(Sent(schedule).bytes, 2 * (servers * PER_SERVER - 1) * BYTES);
            collective.nvlinkOnNetwork = false;
            EXPECT_EQ(Sent(Make(servers * PER_SERVER, collective)).bytes,
                      2 * (servers - 1) * BYTES);
        }
        WorkloadCollective ring = Collective(Kind::ALL_REDUCE, Algorithm::RING, BYTES);
        ring.ranksPerServer = PER_SERVER;
        ring.nvlinkOnNetwork = false;
        // Each of the ring's hops carries 2S less two parts, of 250 / servers bytes here or so;
        // servers of them cross: together at most 2 S servers.
        const WorkloadSchedule schedule = Make(servers * PER_SERVER, ring);
        uint64_t expected = 0;
        const uint32_t n = servers * PER_SERVER;
        for (uint32_t r = PER_SERVER - 1; r < n; r += PER_SERVER)
        {
            expected += 2 * BYTES - PartOf(BYTES, r, n) - PartOf(BYTES, (r + 1) % n, n);
        }
        EXPECT_EQ(Sent(schedule).bytes, expected);
    }
}

/** In NCCL's two trees of an even number of nodes, whoever has children in one has none in the
 * other; of an odd number, all but one. */
TEST(WorkloadCollectiveVolume, TreesAreComplementary)
{
    for (uint32_t n = 2; n <= 64; ++n)
    {
        const WorkloadTree first = MakeWorkloadBinaryTree(n);
        const WorkloadTree second = MakeWorkloadSecondTree(n);
        uint32_t both = 0;
        for (uint32_t node = 0; node < n; ++node)
        {
            EXPECT_LE(first.children[node].size(), 2U);
            EXPECT_LE(second.children[node].size(), 2U);
            both += !first.children[node].empty() && !second.children[node].empty();
        }
        EXPECT_LE(both, n % 2) << n;
    }
    // Drawn in NCCL's source for 14 nodes: 0-8, 8-4, 8-12, 4-2, 4-6, 12-10, 12-13, odd leaves.
    const WorkloadTree tree = MakeWorkloadBinaryTree(14);
    EXPECT_EQ(tree.parent,
              (std::vector<uint32_t>{WORKLOAD_NONE, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12}));
    // Mirrored: i hangs below j if 13-i hung below 13-j.
    EXPECT_EQ(MakeWorkloadSecondTree(14).parent[13 - 12], 13U - 8);
}

/** The channels' rings enter each server at another member. */
TEST(WorkloadCollectiveVolume, RingsRotate)
{
    const std::vector<uint32_t> members{0, 1, 2, 3, 8, 9, 10, 11};
    EXPECT_EQ(MakeWorkloadRing(members, 4, 1).order,
              (std::vector<uint32_t>{1, 2, 3, 0, 5, 6, 7, 4}));
    EXPECT_EQ(MakeWorkloadRing(members, 1, 1).order, FirstRanks(8));
    EXPECT_EQ(MakeWorkloadRings(members, 4, 16, true).size(), 4U);
    EXPECT_EQ(MakeWorkloadRings(members, 4, 16, false).size(), 1U);
    EXPECT_EQ(GroupWorkloadServers({9, 0, 8}, 4),
              (std::vector<std::vector<uint32_t>>{{0, 2}, {1}}));
}

/** LL has 8 bytes of data in 16, LL128 120 in 128. */
TEST(WorkloadCollectiveVolume, WireBytes)
{
    const auto wire = WorkloadWireBytes;
    EXPECT_EQ(wire(Protocol::SIMPLE, 1000), 1000U);
    EXPECT_EQ(wire(Protocol::LL, 1), 16U);
    EXPECT_EQ(wire(Protocol::LL, 8), 16U);
    EXPECT_EQ(wire(Protocol::LL, 9), 32U);
    EXPECT_EQ(wire(Protocol::LL128, 120), 128U);
    EXPECT_EQ(wire(Protocol::LL128, 121), 256U);
    EXPECT_EQ(wire(Protocol::LL, 0), 0U);
}

/** Each byte of each part is in exactly one slice, in order. */
TEST(WorkloadCollectiveVolume, LayoutCoversEveryByteOnce)
{
    uint64_t state = 12345;
    const auto draw = [&](uint64_t below) {
        state = state * 6364136223846793005 + 1442695040888963407;
        return (state >> 33) % below;
    };
    for (uint32_t i = 0; i < 3000; ++i)
    {
        const auto n = static_cast<uint32_t>(1 + draw(9));
        const uint64_t bytes = draw(2000);
        const auto parts = static_cast<WorkloadParts>(draw(3));
        const auto element = static_cast<uint32_t>(1 + draw(5));
        WorkloadChunking chunking;
        chunking.chunk = draw(3) * draw(100) * element;
        chunking.align = chunking.chunk ? draw(2) * (1 + draw(8)) * element : 0;
        chunking.slices = static_cast<uint32_t>(1 + draw(2));
        chunking.leastSlice = draw(40);
        const WorkloadCollectiveLayout layout(bytes,
                                              n,
                                              parts,
                                              static_cast<uint32_t>(1 + draw(5)),
                                              element,
                                              chunking);
        std::vector<uint32_t> covered(bytes, 0);
        for (uint32_t channel = 0; channel < layout.GetChannels(); ++channel)
        {
            for (uint64_t round = 0; round < layout.GetRounds(channel); ++round)
            {
                for (uint32_t part = 0; part < (parts == WorkloadParts::WHOLE ? 1 : n); ++part)
                {
                    const WorkloadRange range = layout.Part(channel, round, part);
                    ASSERT_TRUE(chunking.chunk == 0 || range.Length() <= chunking.chunk);
                    for (uint32_t slice = 0; slice < layout.GetSlices(); ++slice)
                    {
                        const WorkloadRange piece = layout.Slice(range, slice);
                        ASSERT_TRUE(piece.Length() == 0 || piece.begin % element == 0);
                        for (uint64_t byte = piece.begin; byte < piece.end; ++byte)
                        {
                            ++covered[byte];
                        }
                    }
                }
            }
        }
        ASSERT_EQ(covered, std::vector<uint32_t>(bytes, 1)) << i;
    }
}

/** NCCL's sizes: a Simple ring's chunk is 4 steps of 512 KiB, in two slices of 1 MiB. */
TEST(WorkloadCollectiveVolume, NcclChunks)
{
    WorkloadCollective collective = Collective(Kind::ALL_REDUCE, Algorithm::RING, 65 << 20);
    collective.chunkBytes = WORKLOAD_NCCL_CHUNKS;
    const WorkloadSchedule schedule = Make(4, collective);
    // 4 members: 8 rounds of 4 * 2 MiB, and the last MiB in parts of 256 KiB, slices of 128 KiB.
    std::map<uint64_t, uint64_t> sizes;
    for (const WorkloadOperation& operation : schedule.ranks[2].operations)
    {
        sizes[operation.size] += operation.kind == WorkloadKind::SEND;
    }
    sizes.erase(0); // begin and end
    EXPECT_EQ(sizes, (std::map<uint64_t, uint64_t>{{1U << 20, 8U * 6 * 2}, {128U << 10, 6U * 2}}));

    collective.bytes = 100000;
    collective.protocol = Protocol::LL;
    // Steps of 32 KiB payload; 100000 bytes / 4 = 25000, a multiple of 8 * 512 threads' 4096:
    // 28672.
    const WorkloadSchedule ll = Make(4, collective);
    std::vector<uint64_t> payload;
    for (const WorkloadOperation& operation : ll.ranks[0].operations)
    {
        if (operation.kind == WorkloadKind::SEND)
        {
            payload.push_back(operation.size / 2);
        }
    }
    // Parts 3, 2, 1, then 0, 3, 2; part 3 has what is left: 100000 - 3 * 28672.
    EXPECT_EQ(payload, (std::vector<uint64_t>{13984, 28672, 28672, 28672, 13984, 28672}));
}

/** 1,024 members: 2,046 steps each, a send and a receive, and the two ends. */
TEST(WorkloadCollectiveVolume, LargeRing)
{
    const WorkloadSchedule schedule =
        Make(1024, Collective(Kind::ALL_REDUCE, Algorithm::RING, 1 << 30));
    EXPECT_EQ(schedule.CountOperations(), 1024U * (2046 * 2 + 2));
    // A send waits for one operation, a receive too, the end for all sends, the last receive and
    // the begin.
    EXPECT_EQ(schedule.CountDependencies(), 1024U * (2046 * 2 + 2046 + 2));
}
