/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Execution of the collectives of Chakra traces on a network whose times can be worked out by hand.

#include "harness/chakra_traces.h"
#include "harness/errors.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace chakra;

// ASTRA-sim's tests/rt_template: all-reduce of 1 MiB on a ring of 8 at 50 GiB/s and 500 ns, 4
// chunks one after the other, each message 1 MiB / 4 / 8 = 32 KiB: 32768 / 53.687 = 610 ns. Its log
// says 117,780 cycles for every rank.
TEST(WorkloadChakra, ReproducesAstraSimsRingAllReduce)
{
    EXPECT_EQ(Net(32768), 610 + 500);
    EXPECT_EQ(Reduce(32768), 3 * 655);
    const Outcome outcome =
        Execute(Same(8, {Coll(0, Collective::ALL_REDUCE, MIB)}), With(System(RT_TEMPLATE)));
    ExpectAll(outcome, 4 * (E + 7 * (610 + 500 + 1965 + E) + 7 * (610 + 500 + E)));
    ExpectAll(outcome, 117780);
    // 4 chunks, 8 ranks, 14 steps.
    EXPECT_EQ(outcome.messages, 4 * 8 * 14U);
    EXPECT_EQ(outcome.bytes, 4 * 8 * 14U * 32768);
    EXPECT_EQ(outcome.exposedNs[3], 117780);
}

TEST(WorkloadChakra, RingsTakeTheirSteps)
{
    const WorkloadChakraOptions options = With(One(WorkloadAstraAlgorithm::RING));
    const uint64_t part = MIB / 8;
    ExpectAll(Execute(Same(8, {Coll(0, Collective::REDUCE_SCATTER, MIB)}), options),
              E + 7 * (Net(part) + Reduce(part) + E));
    // An all-gather's size is what each rank has at first.
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_GATHER, MIB)}), options),
              E + 7 * (Net(MIB) + E));
    // Parts of an all-to-all go 1 to 7 hops, one after the other.
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_TO_ALL, MIB)}), options),
              E + 28 * (Net(part) + E));
}

TEST(WorkloadChakra, DirectAlgorithmsSendToAllAtOnce)
{
    const WorkloadChakraOptions options = With(One(WorkloadAstraAlgorithm::DIRECT));
    const uint64_t part = MIB / 8;
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_TO_ALL, MIB)}), options), E + Net(part) + E);
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_REDUCE, MIB)}), options),
              E + Net(part) + E + Reduce(part) + Net(part) + E);
    // With a window of 2, seven messages go in four turns.
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_TO_ALL, MIB)}),
                      With(One(WorkloadAstraAlgorithm::DIRECT, 2))),
              E + 4 * (Net(part) + E));
}

TEST(WorkloadChakra, HalvingAndDoublingHalvesAndDoubles)
{
    const WorkloadChakraOptions options = With(One(WorkloadAstraAlgorithm::HALVING_DOUBLING));
    int64_t halving = 0;
    int64_t doubling = 0;
    for (const uint64_t bytes : {MIB / 2, MIB / 4, MIB / 8})
    {
        halving += Net(bytes) + Reduce(bytes) + E;
        doubling += Net(bytes) + E;
    }
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_REDUCE, MIB)}), options),
              E + halving + doubling);
    ExpectAll(Execute(Same(8, {Coll(0, Collective::REDUCE_SCATTER, MIB)}), options), E + halving);
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_GATHER, MIB / 8)}), options), E + doubling);
}

// Of four ranks, 3 is the root, 1 its child, 0 and 2 the leaves.
TEST(WorkloadChakra, TreesReduceUpAndSendDown)
{
    const Outcome outcome = Execute(Same(4, {Coll(0, Collective::ALL_REDUCE, MIB)}),
                                    With(One(WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)));
    const int64_t atTop = E + Net(MIB) + E + Reduce(MIB);
    const int64_t atRoot = atTop + Net(MIB) + E + Reduce(MIB);
    const int64_t backAtTop = atRoot + Net(MIB) + E;
    const int64_t atLeaves = backAtTop + Net(MIB) + E;
    EXPECT_EQ(outcome.finishNs, (std::vector<int64_t>{atLeaves, backAtTop, atLeaves, atRoot}));
    EXPECT_EQ(outcome.bytes, uint64_t{2} * 3 * MIB);
}

TEST(WorkloadChakra, TreesAreTrees)
{
    for (uint32_t n = 2; n <= 1024; n *= 2)
    {
        for (const bool last : {false, true})
        {
            uint32_t reached = 0;
            std::vector<uint32_t> open = {last ? n - 1 : 0};
            EXPECT_EQ(FindWorkloadChakraTreePlace(open[0], n, last).parent, WORKLOAD_CHAKRA_NOBODY);
            while (!open.empty())
            {
                const uint32_t at = open.back();
                open.pop_back();
                ++reached;
                for (const uint32_t child : FindWorkloadChakraTreePlace(at, n, last).children)
                {
                    if (child != WORKLOAD_CHAKRA_NOBODY)
                    {
                        ASSERT_LT(child, n);
                        ASSERT_EQ(FindWorkloadChakraTreePlace(child, n, last).parent, at);
                        open.push_back(child);
                    }
                }
                ASSERT_LE(reached, n);
            }
            EXPECT_EQ(reached, n);
        }
    }
}

// Ranks hold sets of what went into each of n parts; messages carry parts by the rule of each
// algorithm. Here only who meets whom, and how much.
TEST(WorkloadChakra, StepsMeetAndVolumesAreTheTextbooks)
{
    for (const auto algorithm : {WorkloadAstraAlgorithm::RING,
                                 WorkloadAstraAlgorithm::DIRECT,
                                 WorkloadAstraAlgorithm::HALVING_DOUBLING})
    {
        for (uint32_t n = 2; n <= 64; ++n)
        {
            if (algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING && (n & (n - 1)) != 0)
            {
                continue;
            }
            for (const auto collective :
                 {Collective::ALL_REDUCE, Collective::REDUCE_SCATTER, Collective::ALL_GATHER})
            {
                const bool gather = collective == Collective::ALL_GATHER;
                WorkloadChakraPhase phase;
                phase.collective = collective;
                phase.implementation.algorithm = algorithm;
                phase.members.count = n;
                phase.bytes = gather ? 1000 : uint64_t{1000} * n;
                for (uint32_t position = 0; position < n; ++position)
                {
                    uint64_t volume = 0;
                    for (uint64_t k = 0; k < phase.Steps(); ++k)
                    {
                        phase.position = position;
                        volume += phase.Bytes(k);
                        const uint32_t to = phase.To(k);
                        const uint64_t bytes = phase.Bytes(k);
                        ASSERT_NE(to, position);
                        phase.position = to;
                        ASSERT_EQ(phase.From(k), position);
                        ASSERT_EQ(phase.Bytes(k), bytes);
                    }
                    // (n - 1) / n of the vector, twice for an all-reduce.
                    const uint64_t once = uint64_t{1000} * (n - 1);
                    ASSERT_EQ(volume, collective == Collective::ALL_REDUCE ? 2 * once : once);
                }
            }
        }
    }
}

TEST(WorkloadChakra, EveryAlgorithmEndsWhateverTheTiming)
{
    uint64_t seed = 1;
    for (const auto algorithm : {WorkloadAstraAlgorithm::RING,
                                 WorkloadAstraAlgorithm::DIRECT,
                                 WorkloadAstraAlgorithm::HALVING_DOUBLING,
                                 WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE})
    {
        for (uint32_t n = 1; n <= 17; ++n)
        {
            const bool binary = algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING ||
                                algorithm == WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE;
            if (binary && (n & (n - 1)) != 0)
            {
                continue;
            }
            for (uint32_t active = 1; active <= 3; ++active)
            {
                WorkloadAstraSystem system = One(algorithm, active == 3 ? 2 : 0);
                system.splits = 3;
                system.activeChunks = active;
                const auto trace = Same(n,
                                        {Coll(0, Collective::ALL_REDUCE, 30000),
                                         Coll(1, Collective::ALL_REDUCE, 1000),
                                         Coll(2, Collective::ALL_REDUCE, 0),
                                         Coll(3, Collective::ALL_GATHER, 100)});
                const Outcome outcome = Execute(trace, With(system), seed++);
                ASSERT_TRUE(outcome.done) << n << ": " << outcome.stall.at(0);
            }
        }
    }
}

TEST(WorkloadChakra, ChunksAreWholeAndNotTooSmall)
{
    // 1003 / 4 = 250 bytes: four chunks and one more for the last 3 bytes.
    const WorkloadAstraSystem system = System(R"({"preferred-dataset-splits": 4})");
    const WorkloadChakraPlanner planner(system, {8});
    const auto chunks = [&](Collective collective, uint64_t bytes) {
        const WorkloadChakraPlan plan = planner.Make(0, nullptr, collective, bytes, {});
        return std::pair<uint64_t, uint64_t>(plan.chunks, plan.phases.at(0).bytes);
    };
    using Pair = std::pair<uint64_t, uint64_t>;
    EXPECT_EQ(chunks(Collective::ALL_REDUCE, 1003), Pair(5, 250));
    EXPECT_EQ(chunks(Collective::ALL_REDUCE, 1000), Pair(4, 250));
    // At least a byte per rank.
    EXPECT_EQ(chunks(Collective::ALL_REDUCE, 10), Pair(4, 8));
    EXPECT_EQ(chunks(Collective::ALL_REDUCE, 0), Pair(4, 8));
    EXPECT_EQ(chunks(Collective::ALL_GATHER, 10), Pair(5, 2));
    EXPECT_EQ(chunks(Collective::ALL_GATHER, 3), Pair(3, 1));
    EXPECT_EQ(chunks(Collective::ALL_GATHER, 0).first, 0U);
}

// Rank r of 4 x 2 is at r mod 4 and r / 4: two rings of four, and four rings of two.
TEST(WorkloadChakra, SeveralDimensionsTakeAPhaseEach)
{
    WorkloadChakraOptions options = With(System(R"({"local-mem-bw": 50,
        "all-reduce-implementation": ["ring", "ring"], "all-gather-implementation": ["ring", "ring"],
        "reduce-scatter-implementation": ["ring", "ring"]})"));
    options.dims = {4, 2};
    const auto ring = [](int64_t steps, uint64_t bytes, bool reduce) {
        return steps * (Net(bytes) + (reduce ? Reduce(bytes) : 0) + E);
    };
    const auto reduceAll = Same(8, {Coll(0, Collective::ALL_REDUCE, MIB)});
    // Baseline: an all-reduce of all in each.
    ExpectAll(Execute(reduceAll, options),
              E + ring(3, MIB / 4, true) + ring(3, MIB / 4, false) + E + ring(1, MIB / 2, true) +
                  ring(1, MIB / 2, false));
    // Reduce-scatter 1 MiB, all-reduce 256 KiB, all-gather 256 KiB per rank.
    options.system.localBandwidthAware = true;
    const Outcome aware = Execute(reduceAll, options);
    ExpectAll(aware,
              E + ring(3, MIB / 4, true) + E + ring(1, MIB / 8, true) + ring(1, MIB / 8, false) +
                  E + ring(3, MIB / 4, false));
    // 2 (n - 1) / n of the vector from each of 8 ranks, as on one ring.
    EXPECT_EQ(aware.bytes, uint64_t{8} * 2 * 7 * MIB / 8);
    // Reduce-scatter: 1 MiB among 4, then a quarter among 2; all-gather: the reverse.
    ExpectAll(Execute(Same(8, {Coll(0, Collective::REDUCE_SCATTER, MIB)}), options),
              E + ring(3, MIB / 4, true) + E + ring(1, MIB / 8, true));
    ExpectAll(Execute(Same(8, {Coll(0, Collective::ALL_GATHER, MIB)}), options),
              E + ring(1, MIB, false) + E + ring(3, 2 * MIB, false));
    // One dimension only.
    WorkloadChakraNode second = Coll(0, Collective::REDUCE_SCATTER, MIB);
    second.involvedDims = {false, true, true, true};
    ExpectAll(Execute(Same(8, {second}), options), E + ring(1, MIB / 2, true));
    // oneRing does not care about dimensions.
    options.system.allReduce = {{WorkloadAstraAlgorithm::RING, true, 0}};
    ExpectAll(Execute(reduceAll, options), E + ring(7, MIB / 8, true) + ring(7, MIB / 8, false));
}

TEST(WorkloadChakra, DimensionsDoNotLockUpWhateverTheTiming)
{
    WorkloadAstraSystem system;
    system.localBandwidthAware = true;
    system.splits = 8;
    for (uint64_t seed = 1; seed <= 60; ++seed)
    {
        WorkloadChakraOptions options = With(system);
        options.dims =
            seed % 2 == 0 ? std::vector<uint32_t>{2, 3, 2} : std::vector<uint32_t>{4, 1, 3};
        options.system.activeChunks = 1 + seed % 3;
        const Outcome outcome = Execute(Same(12,
                                             {Coll(0, Collective::ALL_REDUCE, 120000),
                                              Coll(1, Collective::REDUCE_SCATTER, 5000),
                                              Coll(2, Collective::ALL_REDUCE, 77)}),
                                        options,
                                        seed);
        ASSERT_TRUE(outcome.done) << seed << ": " << outcome.stall.at(0);
    }
}

TEST(WorkloadChakra, CommunicatorsAreRingsOfTheirOwn)
{
    // Ranks 0, 2, 4 and 1, 3, 5; the endpoint delay within communicators is 10 ns, whatever is set.
    WorkloadChakraTrace trace = Same(6, {Coll(7, Collective::ALL_REDUCE, 3 * MIB)});
    for (uint32_t rank = 0; rank < 6; ++rank)
    {
        trace.ranks[rank].nodes[0].group = rank % 2 == 0 ? "1" : "2";
    }
    std::istringstream groups(R"({"1": [0, 2, 4], "2": [5, 3, 1]})");
    WorkloadChakraOptions options = With(System(R"({"endpoint-delay": 1000, "local-mem-bw": 50})"));
    options.groups = ReadWorkloadAstraGroups(groups, "groups.json", 6);
    const int64_t expected = E + 2 * (Net(MIB) + Reduce(MIB) + E) + 2 * (Net(MIB) + E);
    ExpectAll(Execute(trace, options), expected);

    // The same from the trace itself.
    options.groups.clear();
    for (WorkloadChakraRank& rank : trace.ranks)
    {
        WorkloadChakraNode metadata = MakeNode(1, Kind::METADATA);
        metadata.values = R"(["[{"pg_name": "1", "ranks": [0, 2, 4]}, {"pg_name": "2", )"
                          R"("ranks": [1, 3, 5]}, {"pg_name": "3", "ranks": []}]"])";
        rank.nodes.insert(rank.nodes.begin(), metadata);
        rank.nodes[1].dependencies = {1};
    }
    ExpectAll(Execute(trace, options), expected);

    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  trace.ranks[3].nodes[1].group = "9";
                  Execute(trace, options);
              }).find("test.3.et: node 7 (byte 0): communicator 9 is not known"),
              std::string::npos);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  trace.ranks[3].nodes[1].group = "1";
                  Execute(trace, options);
              }).find("communicator 1 does not have rank 3"),
              std::string::npos);
}
