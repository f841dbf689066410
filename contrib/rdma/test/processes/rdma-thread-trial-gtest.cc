/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/rdma-thread-trial.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** A machine on which an event takes so many nanoseconds by one thread, and by several. */
class ThreadTrial : public testing::Test
{
  protected:
    /** Judges so many times what \c several threads did. \return how often several did it */
    uint32_t Run(uint32_t judgements)
    {
        uint32_t byThreads = 0;
        for (uint32_t i = 0; i < judgements; ++i)
        {
            byThreads += several;
            const double nsPerEvent = several ? ofSeveral : ofOne;
            several = trial.Judge(several,
                                  1e-9 * nsPerEvent * RdmaThreadTrial::BEGUN.events,
                                  RdmaThreadTrial::BEGUN.windows,
                                  RdmaThreadTrial::BEGUN.events);
        }
        return byThreads;
    }

    RdmaThreadTrial trial;
    bool several{true};
    double ofOne{60};
    double ofSeveral{40};
};

} // namespace

TEST_F(ThreadTrial, TriesTheOtherWaySeldomWhereThreadsAreFaster)
{
    // Tried after judgement 1, and then 4, 8, 16 and 32 later; a trial is a judgement, too.
    EXPECT_EQ(Run(1 + 1 + 4 + 1 + 8 + 1 + 16 + 1 + 32), 1 + 4 + 8 + 16 + 32U);
    EXPECT_EQ(Run(1 + 32 + 1 + 32), 64U);
}

TEST_F(ThreadTrial, LeavesThreadsWhereTheyAreSlower)
{
    ofSeveral = 200; // other programs have the processors
    EXPECT_EQ(Run(1 + 1 + 4), 1U);
    EXPECT_EQ(Run(1 + 8 + 1 + 16), 2U);
    ofSeveral = 40; // until they end: the next trial shows it
    Run(32);
    EXPECT_TRUE(several);
    EXPECT_EQ(Run(4), 4U);
}

TEST_F(ThreadTrial, JudgesNothingThatIsTooShort)
{
    const RdmaThreadTrial::Enough begun = RdmaThreadTrial::BEGUN;
    EXPECT_TRUE(trial.Judge(true, 0.1, begun.windows - 1, begun.events));
    EXPECT_TRUE(trial.Judge(true, 0.1, begun.windows, begun.events - 1));
    EXPECT_FALSE(trial.Judge(true, 0.1, begun.windows, begun.events)); // one thread is tried
    const RdmaThreadTrial::Enough tried = RdmaThreadTrial::TRIED;
    EXPECT_FALSE(trial.Judge(false, 0.019, tried.windows - 1, tried.events));
    EXPECT_FALSE(trial.Judge(false, 0.019, tried.windows, tried.events - 1));
    // 1 us an event by several; 0.475 us by one
    EXPECT_FALSE(trial.Judge(false, 0.019, tried.windows, tried.events));
    const RdmaThreadTrial::Enough usual = RdmaThreadTrial::USUAL;
    EXPECT_FALSE(trial.Judge(false, 0.1, usual.windows - 1, usual.events));
    EXPECT_FALSE(trial.Judge(false, 0.1, usual.windows, usual.events)); // as one has been judged
}

TEST_F(ThreadTrial, SaysHowLongToWait)
{
    // Windows of 1,000 events and 10 us: 256 of them are enough at first.
    EXPECT_EQ(trial.CountWindows(0.001, 100, 100000), 256U);
    // Of 100 events: 100,000 events are 1,000 windows.
    EXPECT_EQ(trial.CountWindows(0.001, 100, 10000), 1001U);
    // Of 50 ms: 0.2 s are over in the fifth; in the sixteenth if a window is more than a trial.
    EXPECT_EQ(trial.CountWindows(0.05, 1, 300), 5U);
    EXPECT_EQ(trial.CountWindows(0.05, 1, 500000), RdmaThreadTrial::LARGE);
    EXPECT_FALSE(trial.Judge(true, 0.8, RdmaThreadTrial::LARGE, 8000000));
    // One thread is tried: 20 ms are over in the first, as 40,000 events are in 8 of 5,000.
    EXPECT_EQ(trial.CountWindows(0.05, 1, 500000), 1U);
    EXPECT_EQ(trial.CountWindows(0.001, 10, 50000), 9U);
}

TEST_F(ThreadTrial, JudgesWhatTakesLongAtOnce)
{
    // far more threads than processors: a window takes as long as the system lets each of them wait
    EXPECT_FALSE(trial.Judge(true, RdmaThreadTrial::BEGUN.seconds, 1, 1000));
}

TEST_F(ThreadTrial, TriesNothingInARunOfFewLargeWindows)
{
    // 4,096 hosts that send 100 KB each: 15 windows of 400,000 events, which one thread would have
    // to run one of
    EXPECT_TRUE(trial.Judge(true, 0.7, 15, 6000000));
    EXPECT_FALSE(trial.Judge(true, 0.7, 16, 6400000));
}

} // namespace ns3
