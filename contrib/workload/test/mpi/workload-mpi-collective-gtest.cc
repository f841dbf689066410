/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of MPI programs: each member's part, played together.

#include "mpi/workload-mpi-play.h"

#include "ns3/workload-mpi-collective.h"

#include <functional>
#include <gtest/gtest.h>

using namespace ns3;
using namespace mpiplay;

namespace
{

using MpiCall = WorkloadMpiCall;

/** Whose algorithms are played. */
WorkloadMpiLibrary g_library = WorkloadMpiLibrary::OPEN_MPI;

/** For what holds with either library. */
class MpiLibraries : public testing::TestWithParam<WorkloadMpiLibrary>
{
  protected:
    MpiLibraries()
    {
        g_library = GetParam();
    }

    ~MpiLibraries() override
    {
        g_library = WorkloadMpiLibrary::OPEN_MPI;
    }
};

WorkloadMpiRecord
MpiRecordOf(MpiCall call, uint64_t bytes, uint32_t root = 0)
{
    WorkloadMpiRecord record;
    record.kind = WorkloadMpiKind::COLLECTIVE;
    record.call = call;
    record.bytes = bytes;
    record.peer = root;
    return record;
}

MpiOutcome
PlayMpi(uint32_t size, const std::function<WorkloadMpiRecord(uint32_t)>& recordOf)
{
    const auto add = [&](WorkloadMpiPart& part) {
        const WorkloadMpiRecord record = recordOf(part.GetRank());
        EXPECT_EQ(WorkloadMpiCollectiveFault(record, size, part.GetRank()), "");
        AddWorkloadMpiCollective(part, record, g_library);
    };
    return MpiPlay(size, add).Run();
}

MpiOutcome
PlayMpi(uint32_t size, const WorkloadMpiRecord& record)
{
    return PlayMpi(size, [&](uint32_t) { return record; });
}

/** Sizes on both sides of the rules' borders, and with a remainder in each segment. */
const uint64_t MPI_SIZES[] = {1, 8, 199, 500, 1999, 2999, 9999, 20001, 100001, 500003, 9000001};

const uint32_t MPI_RANKS[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16, 61};

/** From so many on, Open MPI scatters what it broadcasts. */
constexpr uint32_t MPI_SCATTER_RANKS = 16;
constexpr uint64_t MPI_SCATTER_BYTES = 1 << 20;

/** Runs \p check for all members and sizes. */
void
ForAllMpi(const std::function<void(uint32_t, uint64_t)>& check)
{
    for (const uint32_t size : MPI_RANKS)
    {
        for (const uint64_t bytes : MPI_SIZES)
        {
            SCOPED_TRACE(std::to_string(size) + " members, " + std::to_string(bytes) + " bytes");
            // pipelines of large communicators have many steps: as many as the small ones
            if (size <= 16 || bytes <= 20001)
            {
                check(size, bytes);
            }
        }
    }
}

} // namespace

TEST_P(MpiLibraries, AllHearOfAll)
{
    ForAllMpi([](uint32_t size, uint64_t bytes) {
        for (const MpiCall call : {MpiCall::Barrier,
                                   MpiCall::Allreduce,
                                   MpiCall::Allgather,
                                   MpiCall::Alltoall,
                                   MpiCall::Reduce_scatter_block,
                                   MpiCall::Iallreduce})
        {
            for (const bool commutative : {true, false})
            {
                WorkloadMpiRecord record = MpiRecordOf(call, bytes);
                record.commutative = commutative;
                const MpiOutcome outcome = PlayMpi(size, record);
                ASSERT_EQ(outcome.wrong, "") << WorkloadMpiCallName(call);
                for (uint32_t rank = 0; rank < size; ++rank)
                {
                    ExpectHeard(outcome, rank, size);
                }
            }
        }
    });
}

TEST_P(MpiLibraries, RootsAreHeardAndHear)
{
    ForAllMpi([](uint32_t size, uint64_t bytes) {
        for (const uint32_t root : {uint32_t(0), size / 2, size - 1})
        {
            for (const MpiCall call : {MpiCall::Bcast, MpiCall::Scatter})
            {
                const MpiOutcome outcome = PlayMpi(size, MpiRecordOf(call, bytes, root));
                ASSERT_EQ(outcome.wrong, "") << WorkloadMpiCallName(call);
                for (uint32_t rank = 0; rank < size; ++rank)
                {
                    EXPECT_EQ(outcome.heard[rank].count(root), 1U);
                }
            }
            for (const MpiCall call : {MpiCall::Reduce, MpiCall::Gather})
            {
                WorkloadMpiRecord record = MpiRecordOf(call, bytes, root);
                ExpectHeard(PlayMpi(size, record), root, size);
                record.commutative = false;
                const MpiOutcome outcome = PlayMpi(size, record);
                ASSERT_EQ(outcome.wrong, "") << WorkloadMpiCallName(call);
                ExpectHeard(outcome, root, size);
            }
        }
    });
}

TEST(MpiCollectives, BroadcastsDeliverTheBytesOnce)
{
    ForAllMpi([](uint32_t size, uint64_t bytes) {
        if (size >= MPI_SCATTER_RANKS && bytes >= MPI_SCATTER_BYTES)
        {
            return; // what members pass on to those below them comes back in the all-gather
        }
        const MpiOutcome outcome = PlayMpi(size, MpiRecordOf(MpiCall::Bcast, bytes, 1));
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            EXPECT_EQ(outcome.received[rank], rank == 1 ? 0 : bytes) << "member " << rank;
        }
    });
}

TEST_P(MpiLibraries, BlocksThatDiffer)
{
    ForAllMpi([](uint32_t size, uint64_t bytes) {
        const std::vector<uint64_t> blocks = MpiBlocks(size, bytes);
        uint64_t total = 0;
        for (const uint64_t block : blocks)
        {
            total += block;
        }
        for (const bool commutative : {true, false})
        {
            WorkloadMpiRecord scatter = MpiRecordOf(MpiCall::Reduce_scatter, 0);
            scatter.receives = blocks;
            scatter.commutative = commutative;
            const MpiOutcome outcome = PlayMpi(size, scatter);
            ASSERT_EQ(outcome.wrong, "");
            ExpectHeard(outcome, 0, size);
        }
        WorkloadMpiRecord gather = MpiRecordOf(MpiCall::Allgatherv, 0);
        gather.receives = blocks;
        const MpiOutcome gathered = PlayMpi(size, gather);
        ASSERT_EQ(gathered.wrong, "");
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            // all blocks but its own, which comes back if they are gathered and broadcast
            EXPECT_GE(gathered.received[rank], total - blocks[rank]);
            EXPECT_LE(gathered.received[rank], total);
        }
        for (const MpiCall call : {MpiCall::Alltoallv, MpiCall::Alltoallw})
        {
            const MpiOutcome outcome = PlayMpi(size, [&](uint32_t rank) {
                WorkloadMpiRecord record = MpiRecordOf(call, 0);
                record.sends.assign(size, blocks[rank]); // each sends its block to all
                record.receives = blocks;
                return record;
            });
            ASSERT_EQ(outcome.wrong, "");
            EXPECT_EQ(outcome.received[0], total - blocks[0]);
        }
    });
}

TEST_P(MpiLibraries, BlocksAtTheRootOnly)
{
    const std::vector<uint64_t> blocks = MpiBlocks(5, 100);
    for (const bool gather : {true, false})
    {
        const MpiOutcome outcome = PlayMpi(5, [&](uint32_t rank) {
            WorkloadMpiRecord record =
                MpiRecordOf(gather ? MpiCall::Gatherv : MpiCall::Scatterv, blocks[rank], 2);
            if (rank == 2)
            {
                (gather ? record.receives : record.sends) = blocks;
            }
            return record;
        });
        ASSERT_EQ(outcome.wrong, "");
        // 100 + 0 + 103 + 104: all but the root's own
        EXPECT_EQ(gather ? outcome.received[2] : outcome.sent[2], 307U);
    }
}

TEST(MpiCollectives, VolumesOfAlgorithms)
{
    // recursive doubling: log2 8 = 3 messages of all bytes
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Allreduce, 8000)).sent[3], 3U * 8000);
    // Rabenseifner: 7/8 of the bytes there, and as many back
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Allreduce, 80000)).sent[3], 14U * 10000);
    // of 6 members 0 and 2 stay for 1 and 3, which give them their half, and half of the sum; the
    // four that are left move 3/4 twice, and 0 and 2 tell 1 and 3
    EXPECT_EQ(PlayMpi(6, MpiRecordOf(MpiCall::Allreduce, 12000)).sent,
              (std::vector<uint64_t>{6000 + 18000 + 12000,
                                     6000 + 6000,
                                     6000 + 18000 + 12000,
                                     6000 + 6000,
                                     18000,
                                     18000}));
    // Bruck's all-to-all of 16: 8 of 16 blocks in each of 4 steps
    EXPECT_EQ(PlayMpi(16, MpiRecordOf(MpiCall::Alltoall, 100)).sent[3], 4U * 8 * 100);
    // recursive halving: 7/8 of 8 blocks of 100
    WorkloadMpiRecord scatter = MpiRecordOf(MpiCall::Reduce_scatter, 0);
    scatter.receives.assign(8, 100);
    EXPECT_EQ(PlayMpi(8, scatter).sent[3], 700U);
    // a scan: each to the next one
    EXPECT_EQ(PlayMpi(4, MpiRecordOf(MpiCall::Scan, 10)).sent,
              (std::vector<uint64_t>{10, 10, 10, 0}));
    // one member has nobody to send to
    EXPECT_EQ(PlayMpi(1, MpiRecordOf(MpiCall::Allreduce, 10)).sent[0], 0U);
}

TEST(MpiCollectives, VolumesBeforeOpenMpi41)
{
    g_library = WorkloadMpiLibrary::OPEN_MPI_4_0;
    // a ring: 2 (n - 1) / n of the bytes; 80000 bytes in 8 blocks of 10000
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Allreduce, 80000)).sent[3], 14U * 10000);
    // a ring in segments of 1 MiB moves as much: 24 MiB in 8 blocks of 3 MiB
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Allreduce, 24 << 20)).sent[3], 14U * (3 << 20));
    // halves down a binary tree: the root sends one to each side, and helps the last of 8
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Bcast, 4096)).sent[0], 3U * 2048);
    // 4.1 sends all to each of two
    g_library = WorkloadMpiLibrary::OPEN_MPI;
    EXPECT_EQ(PlayMpi(8, MpiRecordOf(MpiCall::Bcast, 4096)).sent[0], 2U * 4096);
}

TEST(MpiCollectives, WhatIsEmptyDoesNotMove)
{
    for (const MpiCall call : {MpiCall::Bcast,
                               MpiCall::Reduce,
                               MpiCall::Allreduce,
                               MpiCall::Gather,
                               MpiCall::Scatter,
                               MpiCall::Allgather,
                               MpiCall::Alltoall,
                               MpiCall::Reduce_scatter_block,
                               MpiCall::Scan})
    {
        const MpiOutcome outcome = PlayMpi(4, MpiRecordOf(call, 0));
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            ExpectHeard(outcome, rank, 1); // itself
        }
    }
}

TEST(MpiCollectives, LargeCommunicatorsTakeOtherWays)
{
    const auto barrier = MpiRecordOf(MpiCall::Barrier, 0);
    // up and down a binomial tree: each but the root is told once, and tells once
    const MpiOutcome tree = PlayMpi(300, barrier);
    EXPECT_EQ(tree.wrong, "");
    ExpectHeard(tree, 299, 300);
    // 16 KiB in halves down the sides of a binary tree, and then in pairs
    const MpiOutcome halves = PlayMpi(257, MpiRecordOf(MpiCall::Bcast, 16384));
    EXPECT_EQ(halves.wrong, "");
    EXPECT_EQ(halves.sent[0], 2U * 8192);
    EXPECT_EQ(halves.received[256], 16384U);
}

TEST(MpiCollectives, Faults)
{
    EXPECT_NE(WorkloadMpiCollectiveFault(MpiRecordOf(MpiCall::Send, 1), 4, 0), "");
    EXPECT_NE(WorkloadMpiCollectiveFault(MpiRecordOf(MpiCall::Bcast, 1, 4), 4, 0), "");
    WorkloadMpiRecord record = MpiRecordOf(MpiCall::Allgatherv, 0);
    record.receives.assign(3, 1);
    EXPECT_NE(WorkloadMpiCollectiveFault(record, 4, 0), "");
    record.receives.assign(4, uint64_t(1) << 35); // two of them are the most
    EXPECT_NE(WorkloadMpiCollectiveFault(record, 4, 0), "");
    const uint64_t most = uint64_t(1) << 36;
    EXPECT_EQ(WorkloadMpiCollectiveFault(MpiRecordOf(MpiCall::Bcast, most), 4, 0), "");
    EXPECT_NE(WorkloadMpiCollectiveFault(MpiRecordOf(MpiCall::Bcast, most + 1), 4, 0), "");
    EXPECT_NE(WorkloadMpiCollectiveFault(MpiRecordOf(MpiCall::Reduce_scatter_block, most), 4, 0),
              "");
    record.receives.assign(4, 1);
    EXPECT_EQ(WorkloadMpiCollectiveFault(record, 4, 0), "");
}

INSTANTIATE_TEST_SUITE_P(OfAll,
                         MpiLibraries,
                         testing::Values(WorkloadMpiLibrary::OPEN_MPI,
                                         WorkloadMpiLibrary::OPEN_MPI_4_0,
                                         WorkloadMpiLibrary::MPICH));

TEST(MpichCollectives, VolumesOfAlgorithms)
{
    g_library = WorkloadMpiLibrary::MPICH;
    const auto sent = [](uint32_t size, MpiCall call, uint64_t bytes, uint32_t root = 0) {
        const MpiOutcome outcome = PlayMpi(size, MpiRecordOf(call, bytes, root));
        EXPECT_EQ(outcome.wrong, "");
        return outcome.sent;
    };
    // as many messages and bytes as MPICH 4.0.2 sends (docs/reference/mpi-trace-format.md)
    // fewer elements, of one byte here, than members: recursive doubling, log2 8 = 3 messages of
    // all
    EXPECT_EQ(sent(8, MpiCall::Allreduce, 7)[3], 3U * 7);
    // Rabenseifner: 7/8 of the bytes there, and as many back
    EXPECT_EQ(sent(8, MpiCall::Allreduce, 8000)[3], 2U * 7000);
    // of 6 members 0 and 2 join 1 and 3; the four that are left move 3/4 twice; 1 and 3 tell 0 and
    // 2
    EXPECT_EQ(sent(6, MpiCall::Allreduce, 6000),
              (std::vector<uint64_t>{6000, 9000 + 6000, 6000, 9000 + 6000, 9000, 9000}));
    // in a reduce, 1 and 3 join 0 and 2, and are not told. 0, 2, 4 and 5 move 3/4; then 4 gives its
    // block to root 2, and 0 to 5, who gives both to the root
    EXPECT_EQ(sent(6, MpiCall::Reduce, 6000, 2),
              (std::vector<uint64_t>{4500 + 1500, 6000, 4500, 6000, 4500 + 1500, 4500 + 3000}));
    // a root that has joined gets the block of member 0, and gathers in its place
    const std::vector<uint64_t> joined = sent(6, MpiCall::Reduce, 6000, 3);
    EXPECT_EQ(joined[0], 4500U + 1500);
    EXPECT_EQ(joined[3], 6000U);
    // short ones stay whole: a binomial tree
    EXPECT_EQ(sent(8, MpiCall::Reduce, 2048)[4], 2048U);
    // short ones go down a binomial tree: the root of 8 has 3 children
    EXPECT_EQ(sent(8, MpiCall::Bcast, 12287)[0], 3U * 12287);
    // others are scattered, 4 + 2 + 1 blocks of 2,000 from the root, and gathered by all
    EXPECT_EQ(sent(8, MpiCall::Bcast, 16000)[0], 7U * 2000 + 7 * 2000);
    // Bruck's all-to-all of 9: 4 blocks in each of 3 steps, and one in the last; larger blocks, and
    // those of 8 members, go one by one
    EXPECT_EQ(sent(9, MpiCall::Alltoall, 256)[3], (3U * 4 + 1) * 256);
    EXPECT_EQ(sent(9, MpiCall::Alltoall, 257)[3], 8U * 257);
    EXPECT_EQ(sent(8, MpiCall::Alltoall, 256)[3], 7U * 256);
    // a scan by recursive doubling: two partners of four members
    EXPECT_EQ(sent(4, MpiCall::Scan, 10), std::vector<uint64_t>(4, 20));
    g_library = WorkloadMpiLibrary::OPEN_MPI;
}
