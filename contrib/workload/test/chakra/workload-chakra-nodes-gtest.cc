/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What the nodes of a trace do, alone and beside each other; collectives: workload-chakra-gtest.cc.

#include "harness/analytical_transport.h"
#include "harness/chakra_traces.h"
#include "harness/data.h"
#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/workload-chakra-codec.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;
using namespace chakra;

namespace
{

/** Remembers the labels of what it moves. */
class Labels : public harness::AnalyticalTransport
{
  public:
    Labels()
        : AnalyticalTransport(2, 50, 500)
    {
    }

    void Start(const WorkloadTransfer& transfer, uint64_t id) override
    {
        seen.insert(WorkloadChakraRunner::GetCategories().at(transfer.label));
        AnalyticalTransport::Start(transfer, id);
    }

    std::set<std::string> seen;
};

} // namespace

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

TEST(WorkloadChakra, WarnsOfMessagesWithOneEnd)
{
    WorkloadChakraTrace trace = Same(2, {});
    trace.ranks[0].nodes = {Message(0, Kind::COMM_SEND, 1, 100, 7),
                            Message(1, Kind::COMM_SEND, 1, 50, 7),
                            Message(2, Kind::COMM_SEND, 1, 10, 8),
                            Message(3, Kind::COMM_SEND, 0, 77, 9),
                            Message(4, Kind::COMM_RECV, 0, 77, 9)};
    trace.ranks[1].nodes = {Message(0, Kind::COMM_RECV, 0, 150, 7), // of both
                            Message(1, Kind::COMM_RECV, 0, 5, 6)};
    const auto warningsOf = [](const WorkloadChakraTrace& of, const WorkloadChakraOptions& how) {
        harness::AnalyticalTransport transport(2, 50, 500);
        return WorkloadChakraRunner(of, how, transport).GetWarnings();
    };
    const std::vector<std::string> warnings = warningsOf(trace, {});
    ASSERT_EQ(warnings.size(), 3U);
    EXPECT_EQ(warnings[0],
              "test.0.et: node 3 (byte 0): the rank sends to itself, which needs no network");
    EXPECT_EQ(warnings[1],
              "test.1.et: node 1 (byte 0): 5 bytes are received from rank 0, tag 6, but 0 bytes "
              "are sent");
    EXPECT_EQ(warnings[2],
              "test.0.et: node 2 (byte 0): 10 bytes go to rank 1, tag 8, but 0 bytes are received");
    for (uint64_t tag = 100; tag < 120; ++tag)
    {
        trace.ranks[0].nodes.push_back(Message(tag, Kind::COMM_SEND, 1, 1, tag));
    }
    EXPECT_EQ(warningsOf(trace, {}).back(), "test: 13 more warnings of messages");
    WorkloadChakraOptions replayed;
    replayed.system.replayOnly = true;
    EXPECT_TRUE(warningsOf(trace, replayed).empty());
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

TEST(WorkloadChakra, TransfersBearTheNameOfTheirCollective)
{
    const auto labels = [](const WorkloadChakraTrace& trace) {
        Labels transport;
        WorkloadChakraRunner runner(trace, {}, transport);
        EXPECT_TRUE(runner.Run());
        return transport.seen;
    };
    using Names = std::set<std::string>;
    EXPECT_EQ(labels(Same(2, {Coll(0, Collective::ALL_REDUCE, 10)})), Names{"all-reduce"});
    EXPECT_EQ(labels(Same(2, {Coll(0, Collective::ALL_GATHER, 10)})), Names{"all-gather"});
    EXPECT_EQ(labels(Same(2, {Coll(0, Collective::REDUCE_SCATTER, 10)})), Names{"reduce-scatter"});
    EXPECT_EQ(labels(Same(2, {Coll(0, Collective::ALL_TO_ALL, 10)})), Names{"all-to-all"});
    WorkloadChakraTrace message = Same(2, {});
    message.ranks[0].nodes = {Message(0, Kind::COMM_SEND, 1, 10, 0)};
    message.ranks[1].nodes = {Message(0, Kind::COMM_RECV, 0, 10, 0)};
    EXPECT_EQ(labels(message), Names{"send"});
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
    refused(node, "comm_dst is 2, but only 2 ranks have a trace; name one of them, or add");
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
    options.system = One(WorkloadAstraAlgorithm::RING);
    options.system.allReduce.resize(2, options.system.allReduce[0]);
    EXPECT_NE(harness::ExpectedInputErrorOf([&] {
                  Execute(Same(2, {}), options);
              }).find(" has 2 algorithms for 1 logical dimension; name one for each"),
              std::string::npos);
    options.system = {};
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
              }).find("would not be over after 104 days"),
              std::string::npos);
}

TEST(WorkloadChakra, FilesRun)
{
    if (!HasWorkloadChakra())
    {
        GTEST_SKIP() << "this build has no protobuf (Debian: libprotobuf-dev protobuf-compiler)";
    }
    const WorkloadChakraOptions options = With(One(WorkloadAstraAlgorithm::RING));
    const auto expect = [&](const std::filesystem::path& prefix, int64_t ns) {
        SCOPED_TRACE(prefix);
        const WorkloadChakraTrace trace = ReadWorkloadChakra(prefix.string());
        ASSERT_EQ(trace.ranks.size(), 4U);
        EXPECT_EQ(trace.ranks[0].version, "0.0.4");
        ExpectAll(Execute(trace, options), ns);
    };
    // In a ring of 4 each rank reduces 3 parts and passes 3 on; all-to-all takes 1 + 2 + 3 hops.
    const auto allReduce = [](uint64_t part) {
        return E + 3 * (Net(part) + Reduce(part) + E) + 3 * (Net(part) + E);
    };
    const auto allToAll = [](uint64_t part) { return E + 6 * (Net(part) + E); };
    const std::filesystem::path own = harness::Data("formats/chakra");
    expect(own / "all-reduce", allReduce(2 * MIB / 4));
    expect(own / "all-to-all.2.et", 3000 + allToAll(MIB / 4)); // after 3 us of computation
}
