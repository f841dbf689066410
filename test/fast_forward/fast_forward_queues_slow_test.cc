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
