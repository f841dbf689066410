/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Message level with parameters by size: their file, and what they do.

#include "harness/loggops_execution.h"

#include "ns3/input-error.h"
#include "ns3/workload-loggops-rows.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;
using namespace loggops;

namespace
{

const std::string HEAD = "bytes,L,o,g,G,eager,self\n";

/** Short messages: L 100, o 10, g 5, no time per byte; from 1000 bytes on: L 5000, o 20, g 7, 2 ns
 * a byte, and their sends wait. To oneself 3 and 4. */
const std::string TWO = HEAD + "1,100,10,5,0,1,3\n1000,5000,20,7,2,0,4\n";

std::vector<WorkloadLogGopsRow>
RowsOf(const std::string& text)
{
    std::istringstream in(text);
    return ReadWorkloadLogGopsRows(in, "m.csv");
}

WorkloadLogGops
Two()
{
    WorkloadLogGops parameters;
    parameters.rows = RowsOf(TWO);
    return parameters;
}

std::string
FaultOf(const std::string& text)
{
    try
    {
        RowsOf(text);
        return {};
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(WorkloadLogGopsRows, MessagesCostWhatTheirSizeSays)
{
    for (const uint64_t bytes : {0, 1, 999, 1000, 5001})
    {
        WorkloadScheduleBuilder builder(2);
        builder.Send(0, 1, bytes, 0);
        builder.Recv(1, 0, bytes, 0);
        const Execution run(builder.Build(), Two());
        const bool isLong = bytes >= 1000;
        const int64_t there =
            isLong ? 20 + 5000 + 2 * (static_cast<int64_t>(bytes) - 1) + 7 + 20 : 10 + 100 + 5 + 10;
        EXPECT_EQ(run.Finish(1), there) << bytes;
        EXPECT_EQ(run.Finish(0), isLong ? there : 10)
            << bytes; // a rendezvous ends with its receive
    }
}

TEST(WorkloadLogGopsRows, ShortMessagesDoNotPassLongOnes)
{
    // the same tag: the first receive is the long one's, whose first byte comes at 20 + 5000; the
    // short one's would come at 20 + 10 + 100
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1001, 7);
    builder.Send(0, 1, 8, 7);
    builder.Recv(1, 0, 1001, 7);
    const uint32_t second = builder.Recv(1, 0, 8, 7);
    builder.Calc(1, 100000);
    builder.Require(1, 2, second);
    const Execution run(builder.Build(), Two());
    EXPECT_TRUE(run.done);
    // both have their first byte at 5020; the interface takes the long one until 5020 + 2000 + 7,
    // then the short one, 5 more; the stream receives for 20, then 10; then it computes
    EXPECT_EQ(run.Finish(1), 5020 + 2007 + 20 + 10 + 100000);
}

TEST(WorkloadLogGopsRows, MessagesToOneselfCostTheirOwn)
{
    for (const uint64_t bytes : {1, 999, 5001})
    {
        WorkloadScheduleBuilder builder(2);
        builder.Send(0, 0, bytes, 0);
        builder.Recv(0, 0, bytes, 0);
        const Execution run(builder.Build(), Two());
        // no L and no g: self, 2 ns for each byte but the first of the long one, and self
        const bool isLong = bytes >= 1000;
        EXPECT_EQ(run.Finish(0), isLong ? 4 + 2 * 5000 + 4 : 3 + 3) << bytes;
    }
}

TEST(WorkloadLogGopsRows, MessagesToOneselfLeaveTheInterfaceAlone)
{
    // the stream sends to rank 1 until 20, and the interface is busy until 7 + 2 x 1000 = 2007, for
    // which the next one waits. The one to oneself is sent from 20 to 24, and there at 24 + 2 x 999
    // = 2022; from 2007 to 2027 the stream sends again, so that it is received until 2031
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 1001, 0);
    builder.Send(0, 1, 1001, 0);
    builder.Send(0, 0, 1000, 1);
    const uint32_t own = builder.Recv(0, 0, 1000, 1);
    builder.Calc(0, 100000);
    builder.Require(0, 4, own);
    builder.Recv(1, 0, 1001, 0);
    builder.Recv(1, 0, 1001, 0);
    const Execution run(builder.Build(), Two());
    EXPECT_EQ(run.Finish(0), 2031 + 100000);
    // first bytes at 20 + 5000 and 2027 + 5000; the interface takes 2007 for each
    EXPECT_EQ(run.Finish(1), 5020 + 2 * 2007 + 20);
    const Execution alone(
        [] {
            WorkloadScheduleBuilder one(1);
            const uint32_t first = one.Recv(0, WORKLOAD_ANY, 8, WORKLOAD_ANY);
            one.Send(0, 0, 8, 1);
            one.Calc(0, 100);
            one.Require(0, 2, first);
            return one.Build();
        }(),
        Two());
    EXPECT_EQ(alone.Finish(0), 3 + 3 + 100); // by wildcards, too
}

TEST(WorkloadLogGopsRows, FilesThatAreWrong)
{
    EXPECT_EQ(RowsOf(TWO).size(), 2U);
    EXPECT_EQ(FaultOf("bytes,L\n"),
              "m.csv:1: the first line bytes,L, but must be bytes,L,o,g,G,eager,self");
    EXPECT_EQ(FaultOf(HEAD), "m.csv:1: has no rows");
    EXPECT_EQ(FaultOf(HEAD + "8,1,1,1,1,1,1\n"),
              "m.csv:2: bytes of the first row 8, but must be a whole number from 0 to 1");
    EXPECT_EQ(FaultOf(HEAD + "1,1,1,1,1,1,1\n1,1,1,1,1,1,1\n")
                  .find("m.csv:3: bytes 1, but must be a whole number from 2 to"),
              0U);
    EXPECT_EQ(FaultOf(HEAD + "1,1,1,1,-1,1,1\n").find("m.csv:2: G -1, but must be a number from 0"),
              0U);
    EXPECT_EQ(FaultOf(HEAD + "1,1,1,1,1,0,1\n2,1,1,1,1,1,1\n"),
              "m.csv:3: eager 1, but must be a whole number from 0 to 0");
    EXPECT_EQ(FaultOf(HEAD + "1,1,1,1,1,0,-1\n").find("m.csv:2: self -1, but must be a whole"), 0U);
}
