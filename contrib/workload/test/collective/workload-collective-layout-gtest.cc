/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/collectives.h"

#include "ns3/workload-collective-layout.h"
#include "ns3/workload-collective-protocol.h"
#include "ns3/workload-collective-servers.h"
#include "ns3/workload-collective-tree-shape.h"
#include "ns3/workload-collective.h"

#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;
using Protocol = WorkloadProtocol;

} // namespace

/** In NCCL's two trees of an even number of nodes, whoever has children in one has none in the
 * other; of an odd number, all but one. */
TEST(WorkloadCollectiveLayout, TreesAreComplementary)
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
TEST(WorkloadCollectiveLayout, RingsRotate)
{
    const std::vector<uint32_t> members{0, 1, 2, 3, 8, 9, 10, 11};
    EXPECT_EQ(MakeWorkloadRing(members, 4, 1).order,
              (std::vector<uint32_t>{1, 2, 3, 0, 5, 6, 7, 4}));
    EXPECT_EQ(MakeWorkloadRing(members, 1, 1).order, harness::FirstRanks(8));
    EXPECT_EQ(MakeWorkloadRings(members, 4, 16, true).size(), 4U);
    EXPECT_EQ(MakeWorkloadRings(members, 4, 16, false).size(), 1U);
    EXPECT_EQ(GroupWorkloadServers({9, 0, 8}, 4),
              (std::vector<std::vector<uint32_t>>{{0, 2}, {1}}));
}

/** LL has 8 bytes of data in 16, LL128 120 in 128. */
TEST(WorkloadCollectiveLayout, WireBytes)
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
TEST(WorkloadCollectiveLayout, LayoutCoversEveryByteOnce)
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
TEST(WorkloadCollectiveLayout, NcclChunks)
{
    WorkloadCollective collective =
        harness::Collective(Kind::ALL_REDUCE, Algorithm::RING, 65 << 20);
    collective.chunkBytes = WORKLOAD_NCCL_CHUNKS;
    const WorkloadSchedule schedule = harness::MakeCollective(4, collective);
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
    const WorkloadSchedule ll = harness::MakeCollective(4, collective);
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
