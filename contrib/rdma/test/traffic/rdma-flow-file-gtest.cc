/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/data.h"
#include "harness/errors.h"
#include "harness/picoseconds.h"
#include "harness/sanitized.h"
#include "harness/traffic_probe.h"

#include "ns3/input-error.h"
#include "ns3/rdma-flow-file.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

using harness::Written;
using FlowFile = harness::InPicoseconds;
using TraceFile = harness::InPicoseconds;

std::vector<RdmaFlowSpec>
Flows(const std::string& text, bool* unsorted = nullptr)
{
    std::istringstream in(text);
    return ReadRdmaFlows(in, "flow.txt", unsorted);
}

std::vector<uint32_t>
Nodes(const std::string& text)
{
    std::istringstream in(text);
    return ReadRdmaTraceNodes(in, "trace.txt");
}

} // namespace

TEST_F(FlowFile, ReadsEveryField)
{
    bool unsorted = true;
    const auto flows = Flows("2\n0 1 3 100 20000000 0\n\n5 4 7 65535 9223372036854775807 2.5e-3\n"
                             "First line: flow #\nsrc dst pg dport size start\n",
                             &unsorted);
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].bytes, 20000000U);
    EXPECT_EQ(flows[0].start, Time(0));
    EXPECT_EQ(flows[1].src, 5U);
    EXPECT_EQ(flows[1].dst, 4U);
    EXPECT_EQ(flows[1].priority, 7);
    EXPECT_EQ(flows[1].dport, 65535);
    EXPECT_EQ(flows[1].bytes, (1ULL << 63) - 1);
    EXPECT_EQ(flows[1].start, MicroSeconds(2500));
    EXPECT_FALSE(unsorted);
}

TEST_F(FlowFile, AcceptsNoFlowsAndEmptyOnes)
{
    EXPECT_TRUE(Flows("0\n").empty());
    EXPECT_EQ(Flows("1\r\n0 0 1 0 0 1\r\n").at(0).bytes, 0U);
}

TEST_F(FlowFile, TellsOfANumberAfterTheLastFlow)
{
    for (const auto& [rest, line] :
         std::vector<std::pair<std::string, uint64_t>>{{"", 0}, {"\nsrc dst\n1 2", 0}, {"1 2", 3}})
    {
        std::istringstream in("1\n0 1 3 100 5 2\n" + rest);
        uint64_t surplus = 99;
        ReadRdmaFlows(in, "flow.txt", nullptr, &surplus);
        EXPECT_EQ(surplus, line) << rest;
    }
}

TEST_F(FlowFile, SortsByStartAndKeepsTheOrderOfEqualOnes)
{
    bool unsorted = false;
    const auto flows =
        Flows("4\n1 9 3 100 5 2\n2 9 3 100 5 1\n3 9 3 100 5 2\n4 9 3 100 5 1\n", &unsorted);
    EXPECT_TRUE(unsorted);
    EXPECT_EQ(flows[0].src, 2U);
    EXPECT_EQ(flows[1].src, 4U);
    EXPECT_EQ(flows[2].src, 1U);
    EXPECT_EQ(flows[3].src, 3U);
}

TEST_F(FlowFile, SaysWhatIsWrongAndWhere)
{
    const std::pair<const char*, const char*> cases[] = {
        {"", "flow.txt:1: the file ends where the number of flows is expected; complete the file"},
        {"-1", "flow.txt:1: number of flows -1, but must be a whole number from 0 to 4294967295"},
        {"4294967295\n0 1 3 100 5 0\n",
         "flow.txt:2: the file ends at flow 2 of 4294967295, where its source host is expected; "
         "complete it, or correct the number of flows in the first line"},
        {"1\n0 1 3 100 5\n",
         "flow.txt:2: the file ends at flow 1 of 1, where its start in seconds is expected; "
         "complete "
         "it, or correct the number of flows in the first line"},
        {"1\n-4 1 3 100 5 0",
         "flow.txt:2: flow 1 of 1: source host -4, but must be a whole number "
         "from 0 to 4294967295"},
        {"1\n0 1.5 3 100 5 0",
         "flow.txt:2: flow 1 of 1: destination host 1.5, but must be a whole "
         "number from 0 to 4294967295"},
        {"2\n0 1 3 100 5 0\n0 1 0 100 5 0",
         "flow.txt:3: flow 2 of 2: priority group 0, but must be a whole number from 1 to 7; "
         "use 3 "
         "unless priorities matter (0 is for control frames)"},
        {"1\n0 1 8 100 5 0",
         "flow.txt:2: flow 1 of 1: priority group 8, but must be a whole number "
         "from 1 to 7; use 3 unless priorities matter (0 is for control frames)"},
        {"1\n0 1 3 65536 5 0",
         "flow.txt:2: flow 1 of 1: destination port 65536, but must be a whole "
         "number from 0 to 65535"},
        {"1\n0 1 3 100 9223372036854775808 0",
         "flow.txt:2: flow 1 of 1: size in bytes 9223372036854775808, but must be a whole "
         "number "
         "from 0 to 9223372036854775807"},
        {"1\n0 1 3 100 5 -1",
         "flow.txt:2: flow 1 of 1: start in seconds -1, but must be a number "
         "from 0 to 9223372"},
        {"1\n0 1 3 100 5 nan",
         "flow.txt:2: flow 1 of 1: start in seconds nan, but must be a number "
         "from 0 to 9223372"},
        {"1\n0 1 3 100 5 1s",
         "flow.txt:2: flow 1 of 1: start in seconds 1s, but must be a number "
         "from 0 to 9223372"},
    };
    for (const auto& [text, message] : cases)
    {
        EXPECT_EQ(harness::InputErrorOf([text = text] { Flows(text); }), message) << text;
    }
    EXPECT_THROW(ReadRdmaFlows("/nonexistent/flow.txt"), InputError);
}

TEST_F(FlowFile, WritesStartsThatReadBackTheSame)
{
    EXPECT_EQ(Written({{0, 2, 3, 100, 20000000, Time(0)},
                       {1, 3, 3, 100, 30000000, PicoSeconds(200000400)},
                       {1, 3, 3, 100, 1, PicoSeconds(12000000000007)}}),
              "3\n0 2 3 100 20000000 0.0000000000\n1 3 3 100 30000000 0.0002000004\n"
              "1 3 3 100 1 12.000000000007\n");
    for (const uint64_t ps : {1ULL, 100'000'000'000ULL, 123'456'789'012'345ULL, (1ULL << 63) - 1})
    {
        const Time start = PicoSeconds(ps);
        EXPECT_EQ(Flows(Written({{0, 1, 3, 100, 1, start}})).at(0).start, start) << ps;
    }
}

TEST_F(FlowFile, ReadsStartsToTheNearestStep)
{
    for (const auto& [text, ps] : {std::pair("-0", 0ULL),
                                   std::pair("1e-300", 0ULL),
                                   std::pair("0.0000000000005", 1ULL),
                                   std::pair("0.1", 100'000'000'000ULL),
                                   std::pair("9223372.036854775807", (1ULL << 63) - 1)})
    {
        EXPECT_EQ(Flows("1\n0 1 3 100 5 " + std::string(text)).at(0).start, PicoSeconds(ps))
            << text;
    }
    EXPECT_THROW(Flows("1\n0 1 3 100 5 9223372.036854775808"), InputError);
}

TEST_F(FlowFile, ReadsAMillionFlows)
{
    constexpr uint32_t COUNT = harness::Repetitions(1000000);
    std::string text = std::to_string(COUNT) + "\n";
    for (uint32_t i = 0; i < COUNT; ++i)
    {
        text += std::to_string(i % 4096) + " " + std::to_string((i + 7) % 4096) + " 3 100 " +
                std::to_string(1000 + i) + " 0.0" + std::to_string(1000000 + i) + "\n";
    }
    std::istringstream in(text);
    EXPECT_EQ(ReadRdmaFlows(in, "flow.txt").size(), COUNT);
}

TEST_F(TraceFile, ReadsNodesAsWritten)
{
    EXPECT_EQ(Nodes("3\n0 7 4294967295\n\nFirst line: tracing node #\n"),
              (std::vector<uint32_t>{0, 7, 4294967295}));
    EXPECT_TRUE(Nodes("0").empty());
}

TEST_F(TraceFile, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(harness::InputErrorOf([] { Nodes("2\n0\n"); }),
              "trace.txt:2: the file ends where the id of a node to trace is expected; complete "
              "the file");
    EXPECT_EQ(harness::InputErrorOf([] { Nodes("1\nx"); }),
              "trace.txt:2: id of a node to trace x, but must be a whole number from 0 to "
              "4294967295");
    EXPECT_THROW(ReadRdmaTraceNodes("/nonexistent/trace.txt"), InputError);
}

TEST_F(FlowFile, ReadsFilesWithRemarks)
{
    std::ifstream in(harness::Data("formats/hpcc/flow.txt"));
    uint64_t surplus = 0;
    const auto flows = ReadRdmaFlows(in, "flow.txt", nullptr, &surplus);
    ASSERT_EQ(flows.size(), 4U);
    EXPECT_EQ(surplus, 6U) << "the fifth flow, which is not declared";
    EXPECT_EQ(flows[2].src, 4U);
    EXPECT_EQ(flows[2].dport, 200);
    EXPECT_EQ(flows[2].start, MicroSeconds(2000125));
    EXPECT_EQ(flows[3].priority, 4);
    EXPECT_EQ(flows[3].bytes, 999U);
    EXPECT_EQ(ReadRdmaTraceNodes(harness::Data("formats/hpcc/trace.txt").string()),
              (std::vector<uint32_t>{0, 1, 2, 3, 8}));
    const auto first = ReadRdmaFlows(harness::Data("hpcc/ring64/flow.txt").string()).at(1);
    EXPECT_EQ(first.src, 8U);
    EXPECT_EQ(first.dst, 16U);
    EXPECT_EQ(first.bytes, 20000000U);
}
