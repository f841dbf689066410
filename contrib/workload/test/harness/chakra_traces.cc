/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/chakra_traces.h"

#include "harness/analytical_transport.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace chakra
{

WorkloadChakraNode
MakeNode(uint64_t id, Kind kind, const std::vector<uint64_t>& dependencies)
{
    WorkloadChakraNode node;
    node.id = id;
    node.name = "node";
    node.kind = kind;
    node.dependencies = dependencies;
    return node;
}

WorkloadChakraNode
Coll(uint64_t id, Collective collective, uint64_t bytes, const std::vector<uint64_t>& dependencies)
{
    WorkloadChakraNode node = MakeNode(id, Kind::COMM_COLL, dependencies);
    node.commType = static_cast<uint64_t>(collective);
    node.commSize = bytes;
    return node;
}

WorkloadChakraNode
Comp(uint64_t id, uint64_t micros, const std::vector<uint64_t>& dependencies)
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
        const std::vector<uint64_t>& dependencies)
{
    WorkloadChakraNode node = MakeNode(id, kind, dependencies);
    (kind == Kind::COMM_SEND ? node.commDst : node.commSrc) = peer;
    node.commSize = bytes;
    node.commTag = tag;
    return node;
}

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

Outcome
Execute(const WorkloadChakraTrace& trace, const WorkloadChakraOptions& options, uint64_t jitterSeed)
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

int64_t
Net(uint64_t bytes)
{
    return static_cast<int64_t>(static_cast<double>(bytes) / (50.0 * 1073741824 / 1e9)) + 500;
}

int64_t
Reduce(uint64_t bytes)
{
    return 3 * static_cast<int64_t>(bytes / 50);
}

void
ExpectAll(const Outcome& outcome, int64_t ns)
{
    EXPECT_TRUE(outcome.done);
    for (const int64_t finish : outcome.finishNs)
    {
        EXPECT_EQ(finish, ns);
    }
}

const std::string RT_TEMPLATE = R"({
    "scheduling-policy": "LIFO", "endpoint-delay": 10, "active-chunks-per-dimension": 1,
    "preferred-dataset-splits": 4, "all-reduce-implementation": ["ring"],
    "all-gather-implementation": ["ring"], "reduce-scatter-implementation": ["ring"],
    "all-to-all-implementation": ["ring"], "collective-optimization": "localBWAware",
    "local-mem-bw": 50, "boost-mode": 0 })";

WorkloadAstraSystem
One(WorkloadAstraAlgorithm algorithm, uint32_t window)
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

} // namespace chakra
