/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Execution of Chakra traces on a network whose times can be worked out by hand.

#include "harness/analytical_transport.h"
#include "harness/errors.h"

#include "ns3/rdma-input-error.h"
#include "ns3/workload-chakra-codec.h"
#include "ns3/workload-chakra-reader.h"
#include "ns3/workload-chakra-runner.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace ns3;

namespace
{

const std::filesystem::path SHARED = std::filesystem::path(WORMHOLE_SOURCE_DIR) / ".." / "shared";

using Kind = WorkloadChakraKind;
using Collective = WorkloadChakraCollective;

WorkloadChakraNode
MakeNode(uint64_t id, Kind kind, const std::vector<uint64_t>& dependencies = {})
{
    WorkloadChakraNode node;
    node.id = id;
    node.name = "node";
    node.kind = kind;
    node.dependencies = dependencies;
    return node;
}

WorkloadChakraNode
Coll(uint64_t id,
     Collective collective,
     uint64_t bytes,
     const std::vector<uint64_t>& dependencies = {})
{
    WorkloadChakraNode node = MakeNode(id, Kind::COMM_COLL, dependencies);
    node.commType = static_cast<uint64_t>(collective);
    node.commSize = bytes;
    return node;
}

WorkloadChakraNode
Comp(uint64_t id, uint64_t micros, const std::vector<uint64_t>& dependencies = {})
{
    WorkloadChakraNode node = MakeNode(id, Kind::COMP, dependencies);
    node.durationMicros = micros;
    return node;
}

WorkloadChakraNode
Message(uint64_t id,
        Kind kind,
        uint64_t peer,
        uint64_t bytes,
        uint64_t tag,
        const std::vector<uint64_t>& dependencies = {})
{
    WorkloadChakraNode node = MakeNode(id, kind, dependencies);
    (kind == Kind::COMM_SEND ? node.commDst : node.commSrc) = peer;
    node.commSize = bytes;
    node.commTag = tag;
    return node;
}

/** All ranks do the same. */
WorkloadChakraTrace
Same(uint32_t ranks, const std::vector<WorkloadChakraNode>& nodes)
{
    WorkloadChakraTrace trace;
    trace.origin = "test";
    trace.ranks.resize(ranks);
    for (uint32_t r = 0; r < ranks; ++r)
    {
        trace.ranks[r].file = "test." + std::to_string(r) + ".et";
        trace.ranks[r].nodes = nodes;
    }
    return trace;
}

WorkloadAstraSystem
System(const std::string& text)
{
    std::istringstream in(text);
    return ReadWorkloadAstraSystem(in, "system.json");
}

/** Remembers all spans. */
class Spans : public WorkloadObserver
{
  public:
    void Done(const WorkloadSpan& span) override
    {
        all.push_back(span);
    }

    std::vector<WorkloadSpan> all;
};

/** What came of a run. */
struct Outcome
{
    bool done;
    std::vector<int64_t> finishNs;  //!< by rank
    std::vector<int64_t> exposedNs; //!< by rank
    uint64_t bytes;
    uint64_t messages;
    std::vector<WorkloadSpan> spans;
    std::vector<std::string> stall;
};

/** Links of 50 GiB/s and 500 ns, as in ASTRA-sim's tests/rt_template. */
Outcome
Execute(const WorkloadChakraTrace& trace,
        const WorkloadChakraOptions& options,
        uint64_t jitterSeed = 0)
{
    harness::AnalyticalTransport transport(static_cast<uint32_t>(trace.ranks.size()), 50, 500);
    if (jitterSeed != 0)
    {
        transport.SetJitter(jitterSeed, 5000);
    }
    Spans spans;
    WorkloadChakraRunner runner(trace, options, transport, &spans);
    Outcome outcome{};
    outcome.done = runner.Run();
    EXPECT_EQ(outcome.done, runner.GetCompleted() == runner.GetTotal());
    for (uint32_t rank = 0; rank < trace.ranks.size(); ++rank)
    {
        outcome.finishNs.push_back(runner.GetFinish(rank) / 1000);
        outcome.exposedNs.push_back(runner.GetExposed(rank) / 1000);
    }
    outcome.bytes = transport.GetBytes();
    outcome.messages = transport.GetMessages();
    outcome.spans = spans.all;
    outcome.stall = runner.ExplainStall(10);
    return outcome;
}

/** \return nanoseconds that a message takes on these links */
int64_t
Net(uint64_t bytes)
{
    return static_cast<int64_t>(static_cast<double>(bytes) / (50.0 * 1073741824 / 1e9)) + 500;
}

/** \return nanoseconds of a reduction at 50 GB/s: two reads, one write */
int64_t
Reduce(uint64_t bytes)
{
    return 3 * static_cast<int64_t>(bytes / 50);
}

constexpr int64_t E = 10; // endpoint-delay, ns

void
ExpectAll(const Outcome& outcome, int64_t ns)
{
    EXPECT_TRUE(outcome.done);
    for (const int64_t finish : outcome.finishNs)
    {
        EXPECT_EQ(finish, ns);
    }
}

constexpr uint64_t MIB = 1 << 20;

const std::string RT_TEMPLATE = R"({
    "scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1,
    "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring"],
    "all-gather-implementation": ["ring"], "reduce-scatter-implementation": ["ring"],
    "all-to-all-implementation": ["ring"], "collective-optimization": "localBWAware",
    "local-mem-bw": 50, "boost-mode": 0 })";

/** A system with one chunk and the same algorithm for all collectives that it can do. */
WorkloadAstraSystem
One(WorkloadAstraAlgorithm algorithm, uint32_t window = 0)
{
    WorkloadAstraSystem system;
    system.localMemGBps = 50;
    system.allReduce = {{algorithm, false, window}};
    if (algorithm != WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
    {
        system.allGather = system.reduceScatter = system.allReduce;
    }
    if (algorithm == WorkloadAstraAlgorithm::RING || algorithm == WorkloadAstraAlgorithm::DIRECT)
    {
        system.allToAll = system.allReduce;
    }
    return system;
}

WorkloadChakraOptions
With(const WorkloadAstraSystem& system)
{
    WorkloadChakraOptions options;
    options.system = system;
    return options;
}

} // namespace

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
    options.groups = ReadWorkloadAstraGroups(groups, "groups.json");
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

// Of a rank, one computation, one CPU operation and one communication are under way at once.
TEST(WorkloadChakra, ResourcesExcludeAndLowIdsComeFirst)
{
    WorkloadChakraNode cpu = Comp(1, 5);
    cpu.cpuOp = true;
    const auto trace = Same(1, {Comp(9, 3), Comp(4, 2), Comp(6, 1, {1}), cpu});
    WorkloadChakraTrace sorted = trace;
    std::sort(sorted.ranks[0].nodes.begin(),
              sorted.ranks[0].nodes.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    const Outcome outcome = Execute(sorted, {});
    // GPU: 4 from 0 to 2 us, 9 to 5 us; 6 waits for the CPU's 1, to 5 us, and ends at 6 us.
    ASSERT_EQ(outcome.spans.size(), 4U);
    std::vector<std::pair<int64_t, int64_t>> times;
    for (const WorkloadSpan& span : outcome.spans)
    {
        times.emplace_back(span.beginPs / 1000000, span.endPs / 1000000);
    }
    std::sort(times.begin(), times.end());
    EXPECT_EQ(times, (std::vector<std::pair<int64_t, int64_t>>{{0, 2}, {0, 5}, {2, 5}, {5, 6}}));
    EXPECT_EQ(outcome.finishNs[0], 6000);
    EXPECT_EQ(outcome.exposedNs[0], 0); // the GPU was never idle
    // No duration: 1 ns.
    EXPECT_EQ(Execute(Same(1, {Comp(0, 0)}), {}).finishNs[0], 1);
}

TEST(WorkloadChakra, MessagesMatchByTagInOrder)
{
    WorkloadChakraTrace trace = Same(2, {});
    trace.ranks[0].nodes = {Message(0, Kind::COMM_SEND, 1, 5369, 7),
                            Message(1, Kind::COMM_SEND, 1, 10737, 8),
                            Message(2, Kind::COMM_SEND, 0, 77, 9),
                            Message(3, Kind::COMM_RECV, 0, 77, 9)};
    trace.ranks[1].nodes = {Message(0, Kind::COMM_RECV, 0, 10737, 8),
                            Message(1, Kind::COMM_RECV, 0, 5369, 7),
                            Comp(2, 1, {1})};
    // One send after the other: 100 + 500 ns, then 199 + 500 ns.
    EXPECT_EQ(Net(5369), 600);
    EXPECT_EQ(Net(10737), 699);
    const Outcome outcome = Execute(trace, {});
    EXPECT_TRUE(outcome.done);
    EXPECT_EQ(outcome.finishNs, (std::vector<int64_t>{600 + 699, 600 + 1000}));

    // Without the second send its receive never ends.
    trace.ranks[0].nodes.erase(trace.ranks[0].nodes.begin() + 1);
    const Outcome stalled = Execute(trace, {});
    EXPECT_FALSE(stalled.done);
    ASSERT_EQ(stalled.stall.size(), 1U);
    EXPECT_EQ(stalled.stall[0],
              "rank 1, node 0 (node): receives 10737 bytes from rank 0, tag 8: 0 bytes have come "
              "that no receive before it takes");
}

TEST(WorkloadChakra, ComputationAndCommunicationOverlap)
{
    // 30 us computation beside an all-reduce, then 5 us that needs both.
    const auto trace =
        Same(8, {Coll(0, Collective::ALL_REDUCE, MIB), Comp(1, 30), Comp(2, 5, {0, 1})});
    const Outcome outcome = Execute(trace, With(System(RT_TEMPLATE)));
    ExpectAll(outcome, 117780 + 5000);
    EXPECT_EQ(outcome.exposedNs[0], 117780 - 30000);
}

TEST(WorkloadChakra, RooflineAndReplay)
{
    WorkloadChakraNode node = Comp(0, 77);
    node.numOps = 4000000;
    node.tensorSize = 1000000;
    WorkloadChakraOptions options =
        With(System(R"({"roofline-enabled": 1, "peak-perf": 2, "local-mem-bw": 100})"));
    // Memory: 1 MB at 100 GB/s is 10 us; arithmetic: 4 MFLOP at 2 TFLOPS is 2 us.
    EXPECT_EQ(Execute(Same(1, {node}), options).finishNs[0], 10000);
    node.tensorSize = 100000; // 1 us
    EXPECT_EQ(Execute(Same(1, {node}), options).finishNs[0], 2000);
    node.tensorSize = 0;
    EXPECT_EQ(Execute(Same(1, {node}), options).finishNs[0], 0);
    node.cpuOp = true;
    EXPECT_EQ(Execute(Same(1, {node}), options).finishNs[0], 77000);

    WorkloadChakraNode load = MakeNode(1, Kind::MEM_LOAD);
    load.durationMicros = 3;
    WorkloadChakraNode reduce = Coll(2, Collective::ALL_REDUCE, MIB, {1});
    reduce.durationMicros = 4;
    options.system.replayOnly = true;
    const Outcome replayed = Execute(Same(2, {load, reduce}), options);
    ExpectAll(replayed, 7000);
    EXPECT_EQ(replayed.messages, 0U);
}

TEST(WorkloadChakra, CollectivesOfARankTakeTurns)
{
    // So that no policy makes a difference.
    const auto trace =
        Same(4, {Coll(0, Collective::ALL_REDUCE, 4000), Coll(1, Collective::ALL_GATHER, 4000)});
    for (const char* policy : {"LIFO", "FIFO", "EXPLICIT"})
    {
        const Outcome outcome = Execute(
            trace,
            With(System(std::string(R"({"preferred-dataset-splits": 2, "scheduling-policy": ")") +
                        policy + "\"}")));
        ASSERT_EQ(outcome.spans.size(), 8U);
        for (const WorkloadSpan& span : outcome.spans)
        {
            const bool first = WorkloadChakraRunner::GetCategories()[span.category] == "all-reduce";
            EXPECT_EQ(first, span.beginPs == 0) << policy;
        }
    }
}

TEST(WorkloadChakra, SaysWhoDoesNotTakePart)
{
    WorkloadChakraTrace trace = Same(3, {Coll(4, Collective::ALL_REDUCE, 3000)});
    trace.ranks[1].nodes.clear();
    const Outcome outcome = Execute(trace, {});
    EXPECT_FALSE(outcome.done);
    ASSERT_EQ(outcome.stall.size(), 2U);
    EXPECT_EQ(outcome.stall[0],
              "rank 0, node 4 (node): all-reduce, collective 0 of all ranks: waits for rank 1, "
              "which did not begin it");

    trace.ranks[1].nodes = {Coll(4, Collective::ALL_GATHER, 3000)};
    EXPECT_EQ(harness::ExpectedInputErrorOf([&] { Execute(trace, {}); }),
              "test: collective 0 of all ranks is all-reduce of 3000 bytes for rank 0, but "
              "all-gather of 3000 bytes for rank 1: all must take part in the same order");
}

TEST(WorkloadChakra, NodesThatCannotBeCarriedOutAreRefused)
{
    const auto refused = [](const WorkloadChakraNode& node, const std::string& why) {
        const std::string message =
            harness::ExpectedInputErrorOf([&] { Execute(Same(2, {node}), {}); });
        EXPECT_NE(message.find("test.0.et: node 3 (byte 0): "), std::string::npos) << message;
        EXPECT_NE(message.find(why), std::string::npos) << message;
    };
    WorkloadChakraNode node = Coll(3, Collective::ALL_REDUCE, 10);
    node.commSize.reset();
    refused(node, "attribute comm_size is missing");
    node = Coll(3, Collective::ALL_REDUCE, UINT64_MAX);
    refused(node, "but the most is 4611686018427387903");
    node = Coll(3, Collective::ALL_REDUCE, 10);
    node.commType = 3;
    refused(node, "comm_type is 3, but supported are");
    node.commType.reset();
    refused(node, "attribute comm_type is missing");
    node = Coll(3, Collective::ALL_REDUCE, 10);
    node.cpuOp = true;
    refused(node, "is_cpu_op is set");
    node = Message(3, Kind::COMM_SEND, 2, 10, 0);
    refused(node, "comm_dst is 2, but only 2 ranks");
    node = Message(3, Kind::COMM_SEND, 1, 10, 0);
    node.commSrc = 1;
    refused(node, "comm_src is 1, but this is the trace of rank 0");
    node = Message(3, Kind::COMM_RECV, 1, 10, 0);
    node.commTag.reset();
    refused(node, "attribute comm_tag is missing");
    refused(MakeNode(3, Kind::MEM_STORE), "remote memory is not modelled");

    WorkloadChakraOptions options;
    options.dims = {3};
    EXPECT_EQ(harness::ExpectedInputErrorOf([&] { Execute(Same(2, {}), options); }),
              "test: the trace has 2 ranks, but the logical dimensions make 3; give dimensions "
              "whose product is 2");
    options.dims.clear();
    options.nodes = {0, 2};
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  Execute(Same(2, {}), options);
              }).find("rank 1 is on host 2"),
              std::string::npos);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  Execute(Same(3, {}), With(One(WorkloadAstraAlgorithm::HALVING_DOUBLING)));
              }).find("need a power of two, but there are 3 ranks"),
              std::string::npos);
    // 1e12 us are 1e18 ps; ten of them do not fit.
    std::vector<WorkloadChakraNode> eternity;
    for (uint64_t id = 0; id < 10; ++id)
    {
        eternity.push_back(Comp(id, 1000000000000));
    }
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  Execute(Same(1, eternity), {});
              }).find("shorten the durations"),
              std::string::npos);
}

TEST(WorkloadChakra, SharedTracesRun)
{
    if (!HasWorkloadChakra())
    {
        GTEST_SKIP() << "this build has no protobuf (Debian: libprotobuf-dev protobuf-compiler)";
    }
    const std::filesystem::path folder = SHARED / "data" / "chakra";
    if (!std::filesystem::exists(folder))
    {
        GTEST_SKIP() << folder << " is not there";
    }
    const auto read = [&](const std::string& name, const std::string& stem) {
        return ReadWorkloadChakra((folder / name / stem).string());
    };
    const uint64_t part = MIB / 4;
    const WorkloadChakraOptions options = With(One(WorkloadAstraAlgorithm::RING));
    const WorkloadChakraTrace reduce = read("all_reduce_4npus_1MB", "all_reduce");
    ASSERT_EQ(reduce.ranks.size(), 4U);
    EXPECT_EQ(reduce.ranks[0].version, "0.0.4");
    ExpectAll(Execute(reduce, options),
              E + 3 * (Net(part) + Reduce(part) + E) + 3 * (Net(part) + E));
    ExpectAll(Execute(read("all_to_all_4npus_1MB", "all_to_all.2.et"), options),
              E + 6 * (Net(part) + E));
}
