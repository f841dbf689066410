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
                                  1e-9 * nsPerEvent * RdmaThreadTrial::EVENTS,
                                  RdmaThreadTrial::BEGUN,
                                  RdmaThreadTrial::EVENTS);
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
    const uint64_t events = RdmaThreadTrial::EVENTS;
    EXPECT_TRUE(trial.Judge(true, 0.1, RdmaThreadTrial::BEGUN - 1, events));
    EXPECT_TRUE(trial.Judge(true, 0.1, RdmaThreadTrial::BEGUN, events - 1));
    EXPECT_FALSE(trial.Judge(true, 0.1, RdmaThreadTrial::BEGUN, events)); // one thread is tried
    EXPECT_FALSE(trial.Judge(false, 0.1, RdmaThreadTrial::WINDOWS - 1, events));
    EXPECT_TRUE(trial.Judge(false, 0.15, RdmaThreadTrial::WINDOWS, events)); // which takes longer
}

TEST_F(ThreadTrial, JudgesWhatTakesLongAtOnce)
{
    // far more threads than processors: a window takes as long as the system lets each of them wait
    EXPECT_FALSE(trial.Judge(true, RdmaThreadTrial::LONG, 1, 1000));
}

} // namespace ns3
