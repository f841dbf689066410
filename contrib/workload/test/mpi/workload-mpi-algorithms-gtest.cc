/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Algorithms of collectives that only communicators of many members take, or at a few sizes, played
// with few members.

#include "mpi/workload-mpi-play.h"

#include "ns3/workload-mpi-algorithms.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace mpiplay;

namespace
{

constexpr uint32_t MOST_MPI_ALGORITHM_RANKS = 19;

/** Plays an algorithm, whose messages must all be received. */
MpiOutcome
PlayMpiAlgorithm(uint32_t size, const MpiAdder& add)
{
    MpiOutcome outcome = MpiPlay(size, add).Run();
    EXPECT_EQ(outcome.wrong, "") << size << " members";
    return outcome;
}

void
ExpectBroadcastsReachAll(uint32_t size)
{
    for (const uint32_t root : {uint32_t(0), size / 2, size - 1})
    {
        for (const uint64_t bytes : {uint64_t(8), uint64_t(8) * size, uint64_t(80008)})
        {
            const std::vector<MpiAdder> ways{
                [&](WorkloadMpiPart& part) {
                    AddWorkloadMpiScatterAllGather(part, root, bytes, 8, false);
                },
                [&](WorkloadMpiPart& part) {
                    AddWorkloadMpiScatterAllGather(part, root, bytes, 8, true);
                },
                [&](WorkloadMpiPart& part) { AddWorkloadMpiSplitBinary(part, root, bytes, 8, 0); },
                [&](WorkloadMpiPart& part) {
                    AddWorkloadMpiBroadcast(part, WorkloadMpiTree::QUATERNARY, root, bytes, 0);
                }};
            for (const MpiAdder& way : ways)
            {
                const MpiOutcome outcome = PlayMpiAlgorithm(size, way);
                for (uint32_t rank = 0; rank < size; ++rank)
                {
                    EXPECT_EQ(outcome.heard[rank].count(root), 1U);
                    EXPECT_GE(outcome.received[rank], rank == root ? 0 : bytes);
                }
            }
        }
    }
}

void
ExpectReductionsHearAll(uint32_t size)
{
    for (const uint32_t root : {uint32_t(0), uint32_t(1), size - 1})
    {
        const uint64_t bytes = uint64_t(8) * size + 8;
        ExpectHeard(PlayMpiAlgorithm(size,
                                     [&](WorkloadMpiPart& part) {
                                         AddWorkloadMpiRabenseifnerReduce(part, root, bytes, 8);
                                     }),
                    root,
                    size);
        ExpectHeard(PlayMpiAlgorithm(size,
                                     [&](WorkloadMpiPart& part) {
                                         AddWorkloadMpiInOrderReduction(part, root, bytes);
                                     }),
                    root,
                    size);
        const MpiOutcome gathered = PlayMpiAlgorithm(size, [&](WorkloadMpiPart& part) {
            AddWorkloadMpiSynchronousGather(part, root, 100);
        });
        EXPECT_EQ(gathered.received[root], 100U * (size - 1));
    }
}

void
ExpectScatteredSumsHearAll(uint32_t size)
{
    const std::vector<uint64_t> blocks = MpiBlocks(size, 100);
    const std::vector<uint64_t> equal(size, 100);
    const bool power = (size & (size - 1)) == 0;
    const std::vector<MpiAdder> ways{
        [&](WorkloadMpiPart& part) { AddWorkloadMpiButterfly(part, blocks, false); },
        [&](WorkloadMpiPart& part) { AddWorkloadMpiButterfly(part, equal, power); },
        [&](WorkloadMpiPart& part) { AddWorkloadMpiDoublingReduceScatter(part, equal); },
        [&](WorkloadMpiPart& part) { AddWorkloadMpiDoublingBarrier(part); }};
    for (const MpiAdder& way : ways)
    {
        const MpiOutcome outcome = PlayMpiAlgorithm(size, way);
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            ExpectHeard(outcome, rank, size);
        }
    }
}

} // namespace

TEST(MpiAlgorithms, HaveTheirMessagesReceived)
{
    for (uint32_t size = 2; size <= MOST_MPI_ALGORITHM_RANKS; ++size)
    {
        ExpectBroadcastsReachAll(size);
        ExpectReductionsHearAll(size);
        ExpectScatteredSumsHearAll(size);
    }
}
