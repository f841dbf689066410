/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Runs with fast-forward in which windows and one queue once came apart: what was left out, and
// when, depended on how far ports and flows that nobody looked at had come.

#include "harness/fast_cases.h"

using namespace harness;

namespace
{

class FastForwardQueues : public RunCli
{
  protected:
    /** \return when flows of \p words end, with \p fast too */
    std::string Times(const Words& words, const Words& fast)
    {
        const auto summary = Summary(With(With(words, {"--mode", "fast"}), fast));
        EXPECT_GT(summary["fast"]["events"]["skippedShare"], 0.3);
        return box.Read("out/fct.txt");
    }

    void ExpectTheSame(const Words& words)
    {
        const std::string one = Times(words, {"--fast", "Windows=false"});
        EXPECT_EQ(Times(words, {"--threads", "1"}), one);
        EXPECT_EQ(Times(words, {"--threads", "2", "--fast", "ThreadTrial=false"}), one);
    }
};

} // namespace

TEST_F(FastForwardQueues, LoadsThatChangeWhileOthersCatchUp)
{
    // The load of a flow that catches up changes at a past time. At ports of the present, it
    // changed from when they had last been looked at: a flow ended 225 ns sooner.
    ExpectTheSame({"--topology",
                   "fat-tree:k=4",
                   "--workload",
                   "all-reduce:ranks=16,bytes=300MB,algorithm=ring"});
}

TEST_F(FastForwardQueues, RecoveriesFromLosses)
{
    // A flow was taken to recover up to what it had sent when it was told of a loss, which is when
    // a window is over: samples counted one later.
    ExpectTheSame({"--topology",
                   "rail-optimized:gpus=64,error=0.0001",
                   "--workload",
                   Gpt7b("20"),
                   "--cc",
                   "dctcp"});
}

TEST_F(FastForwardCases, ChunksThatFollowEachOther)
{
    // Two chunks at a time, of which each gets ahead of the other by a frame with every round.
    // Replays of some frames, while the flows were on their way, took that back: the link stood
    // idle for an eighth of the time, and no audit was off.
    for (const char* control : {"dcqcn", "swift"})
    {
        RunBoth({"--topology",
                 "dumbbell:left=1,right=1",
                 "--workload",
                 "broadcast:ranks=2,bytes=100MB,chunk=100KB,window=2,repeat=2",
                 "--cc",
                 control});
        EXPECT_LT(MeanError(), 0.002) << control;
        EXPECT_LT(LastError(), 0.001) << control;
    }
}

TEST_F(FastForwardCases, QueuesThatGrowToTheirMarks)
{
    // Data and acknowledgements come to a port at 102.7 % of its rate. Every 1.7 ms its queue is
    // long enough for marks; looks of 0.4 ms found the rates of before, and it was skipped.
    box.Write("topology.txt",
              "5 1 4\n4\n0 4 400Gbps 1us 0\n1 4 400Gbps 1us 0\n2 4 400Gbps 10us 0\n"
              "3 4 200Gbps 1us 0\n");
    box.Write("flows.txt",
              "3\n1 0 3 100 547619782 0\n1 3 3 100 503695581 0\n3 1 3 100 620924508 0\n");
    RunBoth({"--topology", "topology.txt", "--flows", "flows.txt", "--cc", "dcqcn"});
    EXPECT_LT(MeanError(), 0.01);
}
