/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Reading and writing of Chakra traces, and of the ASTRA-sim files that go with them.

#include "harness/errors.h"

#include "ns3/input-error.h"
#include "ns3/workload-astra-layout.h"
#include "ns3/workload-astra-system.h"
#include "ns3/workload-chakra-codec.h"
#include "ns3/workload-chakra-reader.h"
#include "ns3/workload-chakra-writer.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace ns3;

namespace
{

void
ExpectError(const std::function<void()>& work, const std::string& part)
{
    const std::string error = harness::ExpectedInputErrorOf(work);
    EXPECT_NE(error.find(part), std::string::npos) << error;
}

WorkloadChakraRank
Read(const std::string& bytes)
{
    std::istringstream in(bytes);
    return ReadWorkloadChakraRank(in, "a.0.et");
}

/** Length and message. */
std::string
Framed(const std::string& message)
{
    return static_cast<char>(message.size()) + message;
}

const std::string METADATA = Framed("\x0a\x05"
                                    "0.0.4");

/** A node's bytes: field 1 is its id, field 3 its type, field 5 an id that it waits for. */
std::string
NodeBytes(char id, char type, const std::string& dependencies = "", const std::string& more = "")
{
    std::string bytes = {'\x08', id, '\x18', type};
    for (const char dependency : dependencies)
    {
        bytes += {'\x28', dependency};
    }
    return bytes + more;
}

/** An attribute: field 10 of a node, its name field 1. */
std::string
AttributeBytes(const std::string& name, const std::string& value)
{
    const std::string inner = "\x0a" + Framed(name) + value;
    return "\x52" + Framed(inner);
}

class ChakraFiles : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (!HasWorkloadChakra())
        {
            GTEST_SKIP() << "this build has no protobuf (Debian: libprotobuf-dev "
                            "protobuf-compiler)";
        }
        m_folder = std::filesystem::temp_directory_path() /
                   ("workload_chakra_files_" + std::to_string(getpid()));
        std::filesystem::create_directories(m_folder);
    }

    void TearDown() override
    {
        std::filesystem::remove_all(m_folder);
    }

    std::filesystem::path m_folder;
};

WorkloadAstraSystem
AstraSystem(const std::string& text)
{
    std::istringstream in(text);
    return ReadWorkloadAstraSystem(in, "system.json");
}

} // namespace

// As in the specification: every integer type, zigzag and fixed ones too.
TEST_F(ChakraFiles, ReadsAttributesOfAnyWholeType)
{
    using namespace std::string_literals;
    const std::string types[] = {
        "\x38\x05"s,                                 // int32
        "\x48\x05"s,                                 // int64
        "\x58\x05"s,                                 // uint32
        "\x68\x05"s,                                 // uint64
        "\x78\x0a"s,                                 // sint32, zigzag
        "\x88\x01\x0a"s,                             // sint64, zigzag
        "\x9d\x01\x05\x00\x00\x00"s,                 // fixed32
        "\xa9\x01\x05\x00\x00\x00\x00\x00\x00\x00"s, // fixed64
        "\xbd\x01\x05\x00\x00\x00"s,                 // sfixed32
        "\xc9\x01\x05\x00\x00\x00\x00\x00\x00\x00"s, // sfixed64
    };
    for (const std::string& type : types)
    {
        const auto rank =
            Read(METADATA + Framed(NodeBytes(3, 7, "", AttributeBytes("comm_size", type))));
        ASSERT_EQ(rank.nodes.size(), 1U);
        EXPECT_EQ(rank.nodes[0].commSize, 5U);
        EXPECT_EQ(rank.nodes[0].kind, WorkloadChakraKind::COMM_COLL);
        EXPECT_EQ(rank.nodes[0].offset, 8U);
    }
    EXPECT_EQ(Read(METADATA).version, "0.0.4");
    EXPECT_EQ(Read(METADATA).nodes.size(), 0U);
}

TEST_F(ChakraFiles, RefusesWhatIsNoTrace)
{
    using namespace std::string_literals;
    const auto wrong = [](const std::string& bytes, const std::string& part) {
        ExpectError([&] { Read(bytes); }, part);
    };
    wrong("", "a.0.et: byte 0: the file is empty");
    wrong("\x1f\x8b\x08\x00"s, "gunzip");
    wrong(Framed(NodeBytes(1, 4)), "the first message must be the metadata");
    wrong("\xff\xff\xff\xff\x7f"s, "a message of 34359738367 bytes, but the most is 67108864");
    wrong("\xff\xff\xff\xff\xff\x01"s, "a message's length has more than 5 bytes");
    wrong("\x80"s, "the file ends inside a message's length");
    wrong(METADATA.substr(0, 5), "byte 0: the file ends after 4 of the message's 7 bytes");
    wrong(METADATA + Framed(NodeBytes(1, 4)) + "\x09\x08", "byte 13: the file ends after 1 of");
    wrong(METADATA + Framed("\xff\xff"), "node 0 (byte 8): these bytes are no protobuf message");
    wrong(METADATA + Framed(NodeBytes(1, 8)), "node 1 (byte 8): type 8 is none of Chakra's");
    wrong(METADATA + Framed(NodeBytes(5, 4)) + Framed(NodeBytes(5, 4)),
          "node 5 (byte 13): its id is that of the node at byte 8");
    wrong(METADATA + Framed(NodeBytes(5, 4, "\x06")),
          "node 5 (byte 8): it waits for node 6, which the file does not have");
    wrong(METADATA + Framed(NodeBytes(5, 4, "\x05")), "form a cycle: 5 waits for 5;");
    // 9 waits for 7, which waits for 8, which waits for 7; 1 is all right.
    wrong(METADATA + Framed(NodeBytes(1, 4)) + Framed(NodeBytes(7, 4, "\x08")) +
              Framed(NodeBytes(8, 4, "\x01\x07")) + Framed(NodeBytes(9, 4, "\x07")),
          "form a cycle: 7 waits for 8 waits for 7;");
    const auto attribute = [&](const char* name, const std::string& value, const char* part) {
        wrong(METADATA + Framed(NodeBytes(2, 7, "", AttributeBytes(name, value))), part);
    };
    attribute("comm_size",
              "\x19\0\0\0\0\0\0\0\0"s,
              "node 2 (byte 8): attribute comm_size is not a "
              "whole number, not negative: 0");
    attribute("comm_size", "\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, "not negative: -1");
    attribute("pg_name", "\x48\x01", "attribute pg_name is not a string: 1");
    attribute("involved_dim", "\xd8\x01\x01", "attribute involved_dim is not a list of booleans");
    attribute("is_cpu_op", "\xea\x01\x01x", "attribute is_cpu_op is not a boolean");
    // A duration (field 7) of 2^63 us.
    wrong(METADATA + Framed(NodeBytes(2, 4, "", "\x38\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s)),
          "node 2 (byte 8): a duration of 9223372036854775808 us");
}

TEST_F(ChakraFiles, WritesWhatItReads)
{
    WorkloadChakraRank rank;
    rank.version = "0.0.4";
    WorkloadChakraNode node;
    node.id = 300;
    node.name = std::string(300, 'x');
    node.kind = WorkloadChakraKind::COMM_SEND;
    node.dependencies = {1, 2};
    node.durationMicros = 12;
    node.commSize = 0;
    node.commDst = 3;
    node.commTag = UINT64_MAX;
    node.group = "4";
    node.involvedDims = {true, false};
    for (const uint64_t id : {uint64_t{1}, uint64_t{2}})
    {
        WorkloadChakraNode other;
        other.id = id;
        other.cpuOp = id == 2;
        other.numOps = 7;
        other.tensorSize = 8;
        rank.nodes.push_back(other);
    }
    rank.nodes.push_back(node);
    WorkloadChakraTrace trace;
    trace.ranks = {rank, rank};
    const std::string prefix = (m_folder / "trace").string();
    WriteWorkloadChakra(prefix, trace);

    for (const char* name : {"", ".1.et"})
    {
        const WorkloadChakraTrace read = ReadWorkloadChakra(prefix + name);
        EXPECT_EQ(read.origin, prefix);
        ASSERT_EQ(read.ranks.size(), 2U);
        EXPECT_EQ(read.ranks[1].version, "0.0.4");
        ASSERT_EQ(read.ranks[1].nodes.size(), 3U);
        const WorkloadChakraNode& back = read.ranks[1].nodes[2];
        EXPECT_EQ(back.name, node.name);
        EXPECT_EQ(back.kind, node.kind);
        EXPECT_EQ(back.dependencies, node.dependencies);
        EXPECT_EQ(back.durationMicros, 12U);
        EXPECT_EQ(back.commSize, 0U);
        EXPECT_EQ(back.commDst, 3U);
        EXPECT_FALSE(back.commSrc);
        EXPECT_EQ(back.commTag, UINT64_MAX);
        EXPECT_EQ(back.group, "4");
        EXPECT_EQ(back.involvedDims, node.involvedDims);
        EXPECT_TRUE(read.ranks[0].nodes[1].cpuOp);
        EXPECT_EQ(read.ranks[0].nodes[1].numOps, 7U);
    }
    // Every cut is an error, or between two nodes.
    std::ostringstream out;
    WriteWorkloadChakraRank(out, rank);
    const std::string bytes = out.str();
    uint32_t whole = 0;
    for (size_t end = 0; end < bytes.size(); ++end)
    {
        try
        {
            Read(bytes.substr(0, end));
            ++whole;
        }
        catch (const InputError&)
        {
            // a message is cut, or a dependency missing
        }
    }
    EXPECT_EQ(whole, 3U); // after the metadata and after the first two nodes

    std::filesystem::copy_file(prefix + ".1.et", prefix + ".3.et");
    ExpectError([&] { ReadWorkloadChakra(prefix); }, "trace.2.et: there is no such file");
    ExpectError([&] { ReadWorkloadChakra(prefix + "x"); }, "tracex.0.et: there is no such file");
}

TEST(AstraFiles, SystemSettings)
{
    const WorkloadAstraSystem system = AstraSystem(R"({
        "scheduling-policy": "FIFO", "collective-optimization": "localBWAware",
        "endpoint-delay": 7, "active-chunks-per-dimension": 2, "preferred-dataset-splits": 64,
        "local-mem-bw": 1.5, "peak-perf": 900, "roofline-enabled": true, "replay-only": 0,
        "all-reduce-implementation": ["ring", "direct3", "halvingDoubling", "doubleBinaryTree"],
        "all-to-all-implementation": ["oneDirect"], "boost-mode": 0, "model-shared-bus": 0,
        "trace-enabled": false, "local-reduction-delay": 1 })");
    EXPECT_TRUE(system.localBandwidthAware);
    EXPECT_EQ(system.endpointDelayNs, 7);
    EXPECT_EQ(system.activeChunks, 2U);
    EXPECT_EQ(system.splits, 64U);
    EXPECT_EQ(system.localMemGBps, 1.5);
    EXPECT_EQ(system.peakTflops, 900);
    EXPECT_TRUE(system.roofline);
    EXPECT_FALSE(system.replayOnly);
    ASSERT_EQ(system.allReduce.size(), 4U);
    EXPECT_EQ(system.allReduce[1].algorithm, WorkloadAstraAlgorithm::DIRECT);
    EXPECT_EQ(system.allReduce[1].window, 3U);
    EXPECT_EQ(system.allReduce[3].algorithm, WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE);
    ASSERT_EQ(system.allToAll.size(), 1U);
    EXPECT_TRUE(system.allToAll[0].one);
    EXPECT_TRUE(system.allGather.empty());
    EXPECT_EQ(AstraSystem("{}").endpointDelayNs, 10);
}

TEST(AstraFiles, WhatIsNotSupportedIsRefused)
{
    const auto wrong = [](const std::string& text, const std::string& part) {
        ExpectError([&] { AstraSystem(text); }, part);
    };
    wrong("", "system.json:1: empty");
    wrong("{\n\"endpoint-delay\": 1,\n}", "system.json:3: not JSON");
    wrong("[1]", "must hold one JSON object");
    wrong("{\n\"L\": 1,\n\"L\": 1}", "system.json:3: \"L\" is given twice");
    wrong("{\n\n\"endpoint-dely\": 1}", "system.json:3: endpoint-dely is 1");
    wrong(R"({"endpoint-dely": 1})", "endpoint-dely is 1: there is no such setting");
    wrong(R"({"endpoint-delay": -1})", "endpoint-delay is -1: must be a whole number");
    wrong(R"({"endpoint-delay": 1.5})", "must be a whole number");
    wrong(R"({"local-mem-bw": "50"})", "must be a number");
    wrong(R"({"preferred-dataset-splits": 0})", "from 1 to 65536");
    wrong(R"({"scheduling-policy": "lifo"})", "must be LIFO, FIFO or EXPLICIT");
    wrong(R"({"model-shared-bus": 1})", "a shared memory bus is not modelled");
    wrong(R"({"track-local-mem": 1})", "memory in use is not tracked");
    wrong(R"({"L": 5})", "it belongs to model-shared-bus");
    wrong(R"({"all-reduce-implementation-custom": ["x"]})", "given as traces are not supported");
    wrong(R"({"all-reduce-implementation": "ring"})", "must be a list");
    wrong(R"({"all-reduce-implementation": []})", "must be a list");
    wrong(R"({"all-reduce-implementation": ["rung"]})", "must be a list of ring");
    wrong(R"({"all-reduce-implementation": ["direct0"]})", "must be a list of ring");
    wrong(R"({"all-to-all-implementation": ["halvingDoubling"]})", "cannot do that collective");
    wrong(R"({"all-gather-implementation": ["doubleBinaryTree"]})", "cannot do that collective");
    wrong(R"({"roofline-enabled": 1})", "a roofline needs local-mem-bw");
}

TEST(AstraFiles, GroupsAndDimensions)
{
    const auto groups = [](const std::string& text) {
        std::istringstream in(text);
        return ReadWorkloadAstraGroups(in, "groups.json", 4);
    };
    EXPECT_EQ(groups(R"({"1": [3, 0], "22": [1]})"),
              (WorkloadAstraGroups{{"1", {3, 0}}, {"22", {1}}}));
    ExpectError([&] { groups(R"({"0": [1]})"); }, "a whole number above 0");
    ExpectError([&] { groups(R"({"a": [1]})"); }, "a whole number above 0");
    ExpectError([&] { groups(R"({"1": []})"); }, "must be a list of ranks");
    ExpectError([&] { groups(R"({"1": [1, 1]})"); }, "each once");
    ExpectError([&] { groups(R"({"1": [-1]})"); }, "must be a list of ranks");
    ExpectError(
        [&] { groups("{\"1\": [0, 1],\n\"2\": [2, 9]}"); },
        "groups.json:2: 2 is [2,9]: it names rank 9, but only 4 ranks have a trace: 0 to 3");

    const auto dims = [](const std::string& text) {
        std::istringstream in(text);
        return ReadWorkloadAstraDims(in, "logical.json");
    };
    EXPECT_EQ(dims(R"({"logical-dims": ["8", 2]})"), (std::vector<uint32_t>{8, 2}));
    ExpectError([&] { dims(R"({"logical-dims": ["8x"]})"); }, "whole numbers above 0");
    ExpectError([&] { dims(R"({"logical-dims": [0]})"); }, "whole numbers above 0");
    ExpectError([&] { dims(R"({"logical-dim": [8]})"); }, "must be { \"logical-dims\"");

    WorkloadAstraGroups found;
    EXPECT_EQ(AddWorkloadChakraGroups("", 4, found), "");
    EXPECT_EQ(AddWorkloadChakraGroups("[1, 2]", 4, found), "");
    EXPECT_NE(AddWorkloadChakraGroups("pg_name", 4, found), "");
    EXPECT_NE(AddWorkloadChakraGroups(R"(["[{"pg_name": 1}]"])", 4, found), "");
    EXPECT_EQ(AddWorkloadChakraGroups(R"(["[{"pg_name": "5", "ranks": []}]"])", 3, found), "");
    EXPECT_EQ(found, (WorkloadAstraGroups{{"5", {0, 1, 2}}}));
    EXPECT_EQ(AddWorkloadChakraGroups(R"(["[{"pg_name": "6", "ranks": [1, 9]}]"])", 4, found),
              "process group 6: it names rank 9, but only 4 ranks have a trace: 0 to 3");
}
