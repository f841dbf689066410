/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that share links, of whose shares fast-forward was wrong, each case against packet level.

#include "harness/fast_cases.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <string>

using namespace harness;

TEST_F(FastForwardCases, SharesThatAreUnequalForAWhile)
{
    // Two flows under HPCC lock into a pattern with shares of 4.1 and 4.6 Gb/s, and leave it after
    // 40 ms. Taken to last, it was 2 % off.
    RunBoth({"--topology",
             "dumbbell:left=6,right=6,bottleneck-rate=40Gbps,rate=10Gbps,delay=1us",
             "--traffic",
             "incast:fan-in=2,bytes=100MB,jitter=5us"});
    EXPECT_LT(MeanError(), 0.01);
    EXPECT_GT(LeftOut(), 0.8);
}

TEST_F(FastForwardCases, SharesThatAreOnTheirWayForLong)
{
    // By 40 Mb/s in a round trip: what seems steady is 10 % off in the end.
    RunBoth({"--topology", "star:hosts=5", "--traffic", "incast:fan-in=4,receiver=4,bytes=50MB"});
    EXPECT_LT(MeanError(), 0.005);
    EXPECT_LT(LastError(), 0.002);
}

TEST_F(FastForwardCases, SharesThatMoveFromWindowToWindow)
{
    // Of three flows under DCTCP the one with the shorter round trip comes from 36 to 39 Gb/s
    // within 3 ms, by less than theta in a window, and no share that is to be equal tells: it
    // was 3.9 % late.
    RunBoth({"--topology",
             "line:switches=5,hosts-per-switch=2,rate=100Gbps,delay=5us",
             "--traffic",
             "incast:fan-in=3,bytes=40MB,jitter=5us",
             "--cc",
             "dctcp"});
    EXPECT_LT(MeanError(), 0.008);
    EXPECT_GT(LeftOut(), 0.2);
}

TEST_F(FastForwardCases, SharesThatStandStill)
{
    // Under DCTCP flows with several bottlenecks keep unequal shares: all but 2 % was simulated.
    // When all of 64 flows seem steady at once is chance.
    const Means means = RunDisturbed({"--topology",
                                      "leaf-spine:leaves=8,spines=8,hosts-per-leaf=8",
                                      "--traffic",
                                      "permutation:bytes=20MB",
                                      "--cc",
                                      "dctcp"},
                                     8);
    EXPECT_LT(means.error, 0.005);
    EXPECT_LT(means.last, 0.005);
    EXPECT_GT(means.leftOut, 0.1);
}

TEST_F(FastForwardCases, SharesThatComeApart)
{
    // Ten senders that begin at once have equal shares, to 0.1 %, for a millisecond, and end 15 %
    // apart. Taken to stay equal, they were 5.4 % late on average.
    RunBoth({"--topology",
             "star:hosts=11,rate=200Gbps",
             "--traffic",
             "incast:fan-in=10,bytes=20MB",
             "--cc",
             "dctcp"});
    EXPECT_LT(MeanError(), 0.005);
    // Six go in lock step, for good.
    RunBoth({"--topology",
             "star:hosts=7,rate=200Gbps",
             "--traffic",
             "incast:fan-in=6,bytes=20MB",
             "--cc",
             "dctcp"});
    EXPECT_LT(MeanError(), 1e-4);
    EXPECT_GT(LeftOut(), 0.9);
}

TEST_F(FastForwardCases, SharesThatDifferForGood)
{
    // With probabilistic telemetry the neighbour of the receiver gets a tenth more than the others,
    // who cross more switches. Their shares wander: taken to be equal on average, it was 6.7 %
    // late.
    RunBoth({"--topology",
             "torus:size=4x4,rate=25Gbps,delay=200ns",
             "--traffic",
             "incast:fan-in=7,bytes=40MB,jitter=5us",
             "--cc",
             "hpcc-pint"});
    EXPECT_LT(MeanError(), 0.006);
    EXPECT_GT(LeftOut(), 0.4);
}

TEST_F(FastForwardCases, SharesWhoseWayIsKnown)
{
    // Eight flows of 100 MB over one uplink, with other bottlenecks behind it.
    RunBoth({"--topology",
             "leaf-spine:leaves=4,spines=1,hosts-per-leaf=8",
             "--flows",
             WORMHOLE_SOURCE_DIR "/test/bench/several-bottlenecks.flows.txt"});
    EXPECT_LT(MeanError(), 0.01);
    EXPECT_LT(LastError(), 0.001);
    EXPECT_GT(LeftOut(), 0.65); // 0.58 if they had to become equal in packets
}

/** Flows under DCQCN without packets. */
class FastForwardForeseen : public FastForwardCases
{
  protected:
    /** \return the mean of \p figure, which tells of a run of \p words and packet level's, over \p
     * seeds of marks */
    double MeanOf(int seeds, const Words& words, const std::function<double()>& figure)
    {
        double sum = 0;
        for (int seed = 1; seed <= seeds; ++seed)
        {
            RunBoth(With(words, {"--cc", "dcqcn", "--network-seed", std::to_string(seed)}),
                    {"--fast", "Foresee=true"});
            EXPECT_GT(LeftOut(), 0.8);
            sum += figure();
        }
        return sum / seeds;
    }
};

TEST_F(FastForwardForeseen, MarksOfSeveralPorts)
{
    // A mark was passed over while one of an earlier port was on its way, which came later, and
    // marks that waited at a port were lost: 2.9 % off on average.
    const double error = MeanOf(6,
                                {"--topology",
                                 "leaf-spine:leaves=8,spines=2,hosts-per-leaf=4",
                                 "--traffic",
                                 "permutation:bytes=20MB"},
                                [this] { return MeanError(); });
    EXPECT_LT(error, 0.021); // packet levels with other seeds are 3.0 % apart
}

TEST_F(FastForwardForeseen, LongLinks)
{
    // Links took a step, 4 us, however long: queues ran empty less often, and flows were 1.5 %
    // early.
    const double bias = MeanOf(4,
                               {"--topology",
                                "star:hosts=9,delay=20us",
                                "--traffic",
                                "incast:fan-in=8,bytes=40MB,receiver=8"},
                               [this] { return MeanBias(); });
    EXPECT_LT(std::abs(bias), 0.007);
}

TEST_F(FastForwardCases, SharesOfPortsOneBehindTheOther)
{
    // All four share the last two links: 2.3 % off where flows with two were not looked at.
    RunBoth({"--topology",
             "line:switches=3,hosts-per-switch=2,rate=400Gbps,delay=1us",
             "--traffic",
             "incast:fan-in=4,bytes=40MB,jitter=5us"});
    EXPECT_LT(MeanError(), 0.01);
}

TEST_F(FastForwardCases, SharesThatAreNotEqualYet)
{
    // Rates seem to stay what they are, until they do not: 1.6 % off.
    RunBoth({"--topology",
             "dumbbell:left=5,right=5,bottleneck-rate=10Gbps,rate=25Gbps,delay=500ns",
             "--traffic",
             "permutation:bytes=100MB,jitter=100us",
             "--cc",
             "dcqcn"});
    EXPECT_LT(MeanError(), 0.01);
}

TEST_F(FastForwardCases, SharesThatAreNot)
{
    const Words permutation{"--topology",
                            "leaf-spine:leaves=4,spines=4,hosts-per-leaf=4",
                            "--traffic",
                            "permutation:bytes=100MB"};
    // Some flows drift all the same: 1.8 % on average, single ones by 7 %, the last by 0.7 %
    // (strictly: 1.1 and 7 %).
    RunBoth(permutation);
    EXPECT_LT(MeanError(), 0.02);
    EXPECT_LT(LastError(), 0.01);
    EXPECT_GT(LeftOut(), 0.6);
}

TEST_F(FastForwardCases, CrowdsWander)
{
    // Shares of single flows never settle: packet level moves by 4 to 5 % when it is disturbed.
    const Means means =
        RunDisturbed({"--topology", "star:hosts=17", "--traffic", "incast:fan-in=16,bytes=50MB"},
                     4,
                     {"--fast", "Audit=1"});
    EXPECT_LT(means.error, 0.08);
    EXPECT_LT(std::abs(means.bias), 0.02);
    EXPECT_LT(means.last, 0.005);
    EXPECT_LT(m_fast["fast"]["audit"]["largestError"], 0.02) << "of what all flows deliver";
    EXPECT_GT(m_fast["fast"]["drawn"], 16 * 50e6 * 0.6);
}

TEST_F(FastForwardCases, CrowdsEndAsFarApartAsTheyDo)
{
    // How far completion times are apart is no chance: when shares were taken to have begun as
    // unequal as they become, it was 0.75 times as far as at packet level, the mean 1.2 % late.
    constexpr int STARTS = 6;
    double error = 0;
    double bias = 0;
    double spread = 0;
    double leftOut = 0;
    for (int starts = 1; starts <= STARTS; ++starts)
    {
        RunBoth({"--topology",
                 "star:hosts=17",
                 "--traffic",
                 "incast:fan-in=16,bytes=50MB,jitter=2us",
                 "--seed",
                 std::to_string(starts)},
                {"--fast", "Audit=1"});
        EXPECT_LT(LastError(), 0.005);
        EXPECT_LT(m_fast["fast"]["audit"]["meanError"], 0.005) << "of what all flows deliver";
        EXPECT_GT(m_fast["fast"]["drawn"], 16 * 50e6 * 0.6);
        error += MeanError() / STARTS;
        bias += MeanBias() / STARTS;
        spread += SpreadRatio() / STARTS;
        leftOut += LeftOut() / STARTS;
    }
    EXPECT_LT(error, 0.08);
    EXPECT_LT(std::abs(bias), 0.01);
    EXPECT_NEAR(spread, 1, 0.2);
    EXPECT_GT(leftOut, 0.83); // 0.80 if looked at for 24 windows
}

TEST_F(FastForwardCases, CrowdsFromTwoDistances)
{
    // Neighbours of the receiver have a tenth more than senders beyond the spines, for their round
    // trips are shorter, and shares of all wander. Taken to become equal, flows were 1.8 % late on
    // average, for all ended with the last one.
    constexpr int STARTS = 3;
    double bias = 0;
    for (int starts = 57; starts < 57 + STARTS; ++starts)
    {
        RunBoth({"--topology",
                 "leaf-spine:leaves=5,hosts-per-leaf=8,spines=7,delay=1us",
                 "--traffic",
                 "incast:fan-in=23,bytes=60MB,jitter=5us",
                 "--seed",
                 std::to_string(starts)});
        EXPECT_LT(LastError(), 0.005);
        EXPECT_GT(LeftOut(), 0.5);
        bias += MeanBias() / STARTS;
    }
    EXPECT_LT(std::abs(bias), 0.01);
}

TEST_F(FastForwardCases, SurvivorsThatTimersRaise)
{
    // After the shorter flow, timers of DCQCN raise the other one's rate by steps of 0.6 % for 50
    // ms: taken to be steady between steps, it was 20 % late, and 35 % with a window, of which no
    // fluid knows.
    box.Write("flows.txt", "2\n0 2 3 100 500000000 0\n1 2 3 101 50000000 0\n");
    const Words words{"--topology",
                      "star:hosts=3,rate=100Gbps,delay=5us",
                      "--flows",
                      "flows.txt",
                      "--cc",
                      "dcqcn"};
    RunBoth(words);
    EXPECT_LT(MeanError(), 0.005);
    EXPECT_GT(LeftOut(), 0.6);
    RunBoth(With(words, {"--window", "pair"}));
    EXPECT_LT(LastError(), 0.02); // packet level moves by 0.8 %
}

TEST_F(FastForwardCases, FlowsThatAreMuchSlowerThanTheirLinks)
{
    // A flow alone, whose target delay is too small: a frame in 10 us, and samples of 8 us, some of
    // which have none. It was 139 % late.
    RunBoth({"--topology",
             "star:hosts=2,rate=400Gbps,delay=1us",
             "--traffic",
             "incast:fan-in=1,bytes=10MB",
             "--cc",
             "swift",
             "--set",
             "ns3::RdmaSwift::BaseTarget=200ns"});
    EXPECT_LT(MeanError(), 0.001);
    EXPECT_GT(LeftOut(), 0.9);
}

TEST_F(FastForwardCases, CrowdsThatAreMarkedByChance)
{
    RunBoth({"--topology",
             "star:hosts=17",
             "--traffic",
             "incast:fan-in=16,bytes=50MB",
             "--cc",
             "dcqcn"});
    // Packet level moves by 2.5 to 3.5 %, its last end by 4 %.
    EXPECT_LT(MeanError(), 0.05);
    EXPECT_LT(std::abs(MeanBias()), 0.02);
    EXPECT_LT(LastError(), 0.05);
    EXPECT_GT(LeftOut(), 0.4);
}

TEST_F(FastForwardCases, CrowdsThatKeepAPattern)
{
    // Flows that meet before get less; a start 5 us later is not made up for; less than a packet
    // per flow is in flight. Drawn shares would be 15 to 40 % off.
    for (const Words& words :
         {Words{"fat-tree:k=4,rate=25Gbps,delay=100ns", "incast:fan-in=9,bytes=20MB"},
          Words{"star:hosts=17,rate=400Gbps,delay=1us", "incast:fan-in=8,bytes=50MB,jitter=5us"},
          Words{"star:hosts=17,rate=100Gbps,delay=100ns", "incast:fan-in=11,bytes=40MB"}})
    {
        RunBoth({"--topology", words[0], "--traffic", words[1]});
        EXPECT_LT(MeanError(), 0.001) << words[0];
        EXPECT_EQ(m_fast["fast"]["drawn"], 0) << words[0];
    }
}

TEST_F(FastForwardCases, SharesThatAreLocked)
{
    // Shares of 39 and 49 Gb/s, of two flows that start 1.3 us apart, do not move for ten
    // milliseconds, but were sometimes taken to be on their way: 1.9 % off.
    RunBoth({"--topology",
             "line:switches=3,hosts-per-switch=3,rate=100Gbps,delay=100ns",
             "--traffic",
             "incast:fan-in=2,bytes=100MB,jitter=5us",
             "--cc",
             "hpcc"});
    EXPECT_LT(MeanError(), 0.01);
}

TEST_F(FastForwardCases, WhatAFlowMeetsIsNotTheSameInAllSkips)
{
    // A flow that meets another one keeps the share, 36, 46 or 51 Gb/s, that it has after their
    // first round trips, which depends on where in a round trip the other one was. When packets
    // went on as they stopped, all first flows were 14 % early on average, which nothing at packet
    // level is.
    constexpr int STARTS = 8;
    double bias = 0;
    for (int start = 0; start < STARTS; ++start)
    {
        box.Write("flows.txt",
                  "2\n10 12 3 100 64000000 0\n14 12 3 100 64000000 0.002000" +
                      std::to_string(100 + 83 * start) + "\n");
        RunBoth({"--topology",
                 "leaf-spine:leaves=3,hosts-per-leaf=7,spines=4,rate=100Gbps,delay=100ns",
                 "--flows",
                 box.PathOf("flows.txt"),
                 "--cc",
                 "hpcc"});
        EXPECT_GT(LeftOut(), 0.1);
        bias += MeanBias() / STARTS;
    }
    EXPECT_LT(std::abs(bias), 0.04);
}

TEST_F(FastForwardCases, MarksAfterASkipAreThoseOfPacketLevel)
{
    // Which frame is marked is drawn by its number in its flow. When frames that were left out did
    // not count, a flow that met another one after a skip was up to 30 % off, for other marks.
    for (int seed = 1; seed <= 6; ++seed)
    {
        RunBoth({"--topology",
                 "fat-tree:k=4,rate=800Gbps,delay=20ns",
                 "--traffic",
                 "incast:fan-in=4,bytes=10MB,jitter=1ms",
                 "--cc",
                 "dcqcn",
                 "--seed",
                 "1",
                 "--network-seed",
                 std::to_string(seed)});
        EXPECT_GT(LeftOut(), 0.3);
        EXPECT_LT(MeanError(), 0.002) << seed;
    }
}

TEST_F(FastForwardCases, SharesThatStayApart)
{
    // They differ by 8 % to the end; as equal ones, they were 1.7 % off.
    const Means means = RunDisturbed({"--topology",
                                      "line:switches=4,hosts-per-switch=1,rate=100Gbps,delay=100ns",
                                      "--traffic",
                                      "incast:fan-in=2,bytes=100MB"},
                                     4);
    EXPECT_LT(means.error, 0.007);
    EXPECT_GT(means.leftOut, 0.7);
}

TEST_F(FastForwardCases, RatesThatFallForAMillisecond)
{
    // The mean of a whole window, after looks at its parts, lags behind: a rate that fell from 72
    // to 68 Gb/s seemed to rise then, and was skipped as it was for 4 ms. 1.34 % off.
    RunBoth({"--topology",
             "line:switches=5,hosts-per-switch=2,rate=100Gbps,delay=500ns",
             "--traffic",
             "permutation:bytes=40MB,jitter=100us"});
    EXPECT_GT(LeftOut(), 0.5);
    EXPECT_LT(MeanError(), 0.011);
    EXPECT_LT(LastError(), 0.01);
}
