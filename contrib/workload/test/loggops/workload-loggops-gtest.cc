/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Message level in its default mode: times derived from the model's equations, and properties of
// random runs. How runs end: workload_loggops_test/ends.cc.

#include "harness/goal.h"
#include "harness/loggops_execution.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;
using namespace harness;
using namespace loggops;

TEST(WorkloadLogGops, UncontendedMessageCostsWhatLogGopsSays)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 51, 7);
    builder.Recv(1, 0, 51, 7);
    const Execution run(builder.Build());
    EXPECT_TRUE(run.done);
    EXPECT_EQ(run.Finish(0), O); // eager: done with its overhead
    // The first byte at o+L, the last 50 G later, the interface's gap, the receiver's overhead.
    EXPECT_EQ(run.Finish(1), O + L + 50 * B + GAP + O);
}

TEST(WorkloadLogGops, OverheadPerByteAndSizeZero)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 11, 0);
    builder.Recv(1, 0, 11, 0);
    WorkloadLogGops parameters = EASY;
    parameters.O = BYTE;
    const Execution run(builder.Build(), parameters);
    EXPECT_EQ(run.Finish(0), O + 10 * BYTE);
    EXPECT_EQ(run.Finish(1), (O + 10 * BYTE) + L + 10 * B + GAP + (O + 10 * BYTE));

    WorkloadScheduleBuilder empty(2);
    empty.Send(0, 1, 0, 0); // as one byte: neither G nor O
    empty.Recv(1, 0, 0, 0);
    EXPECT_EQ(Execution(empty.Build(), parameters).Finish(1), O + L + GAP + O);
}

TEST(WorkloadLogGops, MessagesThatMeetAtAReceiverTakeTurns)
{
    // 15 messages of 1 MiB arrive together: each occupies the interface for B + g, the last one's
    // overhead comes on top.
    const Execution run(ReadPlainGoal(GOAL + "incast_16_1MiB.goal"),
                        {3700, 200, 5, 0, 0.04, 0, false});
    const int64_t bytes = 41943; // floor(1048575 * 0.04)
    EXPECT_TRUE(run.done);
    const int64_t last = 200 + 3700 + 15 * (bytes + 5) + 200;
    int64_t finish = 0;
    for (uint32_t p = 0; p < 16; ++p)
    {
        finish = std::max(finish, run.Finish(p));
    }
    EXPECT_EQ(finish, last); // 0.63 ms; LogGOPSim says 0.049
}

TEST(WorkloadLogGops, BytesStreamThroughWhileTheNextMessageWaits)
{
    // Two messages of 101 bytes from two senders: B = 200 each.
    WorkloadScheduleBuilder builder(3);
    for (uint32_t sender = 1; sender < 3; ++sender)
    {
        builder.Send(sender, 0, 101, 0);
        builder.Recv(0, sender, 101, 0);
    }
    const Execution run(builder.Build());
    // The interface is done with the first at o+L+200+10 and with the second 210 later; the stream
    // takes 1000 for the first, longer than 210, so the second's overhead follows at once.
    EXPECT_EQ(run.Finish(0), O + L + 210 + O + O);
}

TEST(WorkloadLogGops, SenderInterfaceSpacesMessages)
{
    WorkloadScheduleBuilder builder(2);
    for (uint32_t tag = 0; tag < 3; ++tag)
    {
        builder.Send(0, 1, 1001, tag); // B = 2000 > o
        builder.Recv(1, 0, 1001, tag);
    }
    const Execution run(builder.Build());
    EXPECT_EQ(run.Finish(0), 2 * (2000 + GAP) + O); // starts 0, 2010, 4020
    EXPECT_EQ(run.Finish(1), 2 * (2000 + GAP) + O + L + 2000 + GAP + O);
}

TEST(WorkloadLogGops, ABusyInterfaceLetsComputationsPass)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 1, 5001, 0); // interface busy until 10010, stream until 1000
    builder.Send(0, 1, 1, 1);
    builder.Calc(0, 3000);
    builder.Recv(1, 0, 1, 0);
    builder.Recv(1, 0, 1, 1);
    const Execution run(builder.Build());
    EXPECT_TRUE(run.done);
    EXPECT_EQ(run.Finish(0), 10010 + O); // the computation ran from 1000 to 4000
}

TEST(WorkloadLogGops, StreamTakesTurnsInTheOrderOfReadiness)
{
    WorkloadScheduleBuilder builder(1);
    builder.Calc(0, 100);
    const uint32_t second = builder.Calc(0, 20);
    const uint32_t third = builder.Calc(0, 3);
    const uint32_t later = builder.Calc(0, 1000, 1);
    builder.Require(0, later, second);
    builder.Require(0, later, third);
    Spans spans;
    const Execution run(builder.Build(), EASY, {}, &spans);
    ASSERT_EQ(spans.all.size(), 4U);
    const int64_t begins[] = {0, 100, 120, 123};
    for (int i = 0; i < 4; ++i)
    {
        EXPECT_EQ(spans.all[i].beginPs, begins[i] * 1000) << i;
    }
    EXPECT_EQ(spans.all[3].endPs, 1123000);
    EXPECT_EQ(spans.all[3].cpu, 1);
    EXPECT_EQ(spans.all[3].size, 1000U);
    EXPECT_FALSE(spans.all[3].communication);
}

TEST(WorkloadLogGops, StartDependenciesBeginAtTheStart)
{
    // 1000, then 10; what requires the start of that one begins at 1000, not at 0 as in LogGOPSim.
    WorkloadScheduleBuilder builder(1);
    const uint32_t first = builder.Calc(0, 1000);
    const uint32_t second = builder.Calc(0, 10);
    const uint32_t other = builder.Calc(0, 5000, 1);
    builder.Require(0, second, first);
    builder.RequireStart(0, other, second);
    WorkloadSchedule schedule = builder.Build();
    EXPECT_EQ(Execution(schedule).Finish(0), 1000 + 5000);
    WorkloadLogGops exact = EASY;
    exact.exact = true;
    EXPECT_EQ(Execution(schedule, exact).Finish(0), 5000);
}

TEST(WorkloadLogGops, RendezvousCompletesWithTheReceiver)
{
    WorkloadScheduleBuilder builder(2);
    const uint32_t send = builder.Send(0, 1, 51, 0);
    builder.Require(0, builder.Calc(0, 7), send);
    const uint32_t late = builder.Calc(1, 500000);
    builder.Require(1, builder.Recv(1, 0, 51, 0), late);
    WorkloadLogGops parameters = EASY;
    parameters.S = 50;
    const Execution run(builder.Build(), parameters);
    EXPECT_EQ(run.Finish(1), 500000 + O); // the message was there: its overhead only
    EXPECT_EQ(run.Finish(0), 500000 + O + 7);
}

TEST(WorkloadLogGops, ReceiveUsesItsOwnStreamAndInterface)
{
    WorkloadScheduleBuilder builder(3);
    builder.Send(0, 2, 1001, 0, 3, 0); // B = 2000
    builder.Send(1, 2, 1001, 0, 3, 0);
    builder.Recv(2, 0, 1001, 0, 0, 0);
    builder.Recv(2, 1, 1001, 0, 1, 1);
    builder.Calc(2, 10000000, 3); // the senders' stream number, not the receives'
    Spans spans;
    const Execution run(builder.Build(), EASY, {}, &spans);
    const int64_t end = O + L + 2000 + GAP + O; // both at once
    int receives = 0;
    for (const WorkloadSpan& span : spans.all)
    {
        if (span.process == 2 && span.communication)
        {
            EXPECT_EQ(span.endPs, end * 1000);
            ++receives;
        }
    }
    EXPECT_EQ(receives, 2);
}

TEST(WorkloadLogGops, ProcessesOfANodeShareItsInterfacesButNotItsStreams)
{
    WorkloadScheduleBuilder builder(4);
    for (uint32_t sender = 0; sender < 2; ++sender)
    {
        builder.Send(sender, 2 + sender, 1001, 0); // B = 2000
        builder.Recv(2 + sender, sender, 1001, 0);
    }
    WorkloadSchedule schedule = builder.Build();
    const Execution apart(schedule);
    EXPECT_EQ(apart.Finish(1), O);
    const Execution together(schedule, EASY, {5, 5, 0, 1});
    EXPECT_EQ(together.Finish(0), O);
    EXPECT_EQ(together.Finish(1), 2000 + GAP + O); // waits for the interface
    EXPECT_EQ(together.Finish(3), 2000 + GAP + O + L + 2000 + GAP + O);
}

TEST(WorkloadLogGops, WildcardsMatchInOrder)
{
    // The receive for anything was posted first, so it gets the first message, which comes from 2;
    // what is left can only get the other.
    WorkloadScheduleBuilder builder(3);
    const uint32_t any = builder.Recv(0, WORKLOAD_ANY, 1, WORKLOAD_ANY);
    const uint32_t one = builder.Recv(0, 1, 1, WORKLOAD_ANY);
    builder.Send(2, 0, 1, 9);
    builder.Require(1, builder.Send(1, 0, 1, 4), builder.Calc(1, 50000));
    builder.Require(0, builder.Calc(0, 1, 1), any);
    builder.Require(0, builder.Calc(0, 1, 2), one);
    Spans spans;
    EXPECT_TRUE(Execution(builder.Build(), EASY, {}, &spans).done);
    for (const WorkloadSpan& span : spans.all)
    {
        if (span.process == 0 && !span.communication)
        {
            const int64_t arrival = O + L + GAP + O + (span.cpu == 2 ? 50000 : 0);
            EXPECT_EQ(span.beginPs, arrival * 1000) << int(span.cpu);
        }
    }
}

TEST(WorkloadLogGops, WildcardsTakeTheEarliestMessageThatFits)
{
    WorkloadScheduleBuilder builder(3);
    builder.Send(1, 0, 1, 5);
    builder.Require(2, builder.Send(2, 0, 1, 6), builder.Calc(2, 10000));
    const uint32_t late = builder.Calc(0, 1000000);
    const uint32_t six = builder.Recv(0, WORKLOAD_ANY, 1, 6);
    const uint32_t any = builder.Recv(0, WORKLOAD_ANY, 1, WORKLOAD_ANY);
    builder.Require(0, six, late);
    builder.Require(0, any, late);
    EXPECT_TRUE(Execution(builder.Build()).done);
    WorkloadScheduleBuilder tagless(2);
    tagless.Send(0, 1, 1, WORKLOAD_ANY); // fits every tag
    tagless.Recv(1, 0, 1, 3);
    EXPECT_TRUE(Execution(tagless.Build()).done);
}

TEST(WorkloadLogGops, PingPongsCostTheSameInBothModes)
{
    for (const char* name : {"pingpong_8B_x1", "pingpong_1MiB_x10", "calc_only_4"})
    {
        for (const uint64_t S : {uint64_t{0}, uint64_t{256000}})
        {
            WorkloadLogGops parameters{3700, 200, 5, 0, 0.04, S, false};
            const Execution ours(ReadPlainGoal(GOAL + name + ".goal"), parameters);
            parameters.exact = true;
            const Execution exact(ReadPlainGoal(GOAL + name + ".goal"), parameters);
            for (uint32_t p = 0; p < ours.jobs.GetProcessCount(); ++p)
            {
                EXPECT_EQ(ours.Finish(p), exact.Finish(p)) << name << ' ' << S;
            }
        }
    }
}

TEST(WorkloadLogGops, RandomRunsKeepTheRules)
{
    for (uint64_t seed = 1; seed <= 3000; ++seed)
    {
        Dice dice(seed);
        const auto ranks = static_cast<uint32_t>(1 + dice.Roll(5));
        WorkloadScheduleBuilder builder(ranks);
        std::vector<std::vector<uint64_t>> busy(ranks, std::vector<uint64_t>(3)); // by stream, ns
        std::vector<uint32_t> counts(ranks);
        const WorkloadLogGops parameters{dice.Roll(12),
                                         dice.Roll(6),
                                         dice.Roll(6),
                                         0,
                                         dice.Roll(3) * 0.5,
                                         dice.Roll(3) * 15,
                                         false};
        const auto after = [&](uint32_t rank) {
            const uint32_t i = counts[rank]++;
            if (i > 0 && dice.Roll(2) == 0)
            {
                const auto before = static_cast<uint32_t>(dice.Roll(i));
                dice.Roll(3) == 0 ? builder.RequireStart(rank, i, before)
                                  : builder.Require(rank, i, before);
            }
        };
        for (uint64_t k = dice.Roll(40); k > 0; --k)
        {
            const auto from = static_cast<uint32_t>(dice.Roll(ranks));
            const auto to = static_cast<uint32_t>(dice.Roll(ranks));
            const auto cpu = static_cast<uint8_t>(dice.Roll(3));
            if (dice.Roll(3) == 0)
            {
                const uint64_t ns = dice.Roll(30);
                builder.Calc(from, ns, cpu);
                after(from);
                busy[from][cpu] += ns;
                continue;
            }
            const auto tag = static_cast<uint32_t>(dice.Roll(2));
            builder.Send(from, to, dice.Roll(40), tag, cpu, static_cast<uint8_t>(dice.Roll(2)));
            after(from);
            builder.Recv(to, from, 1, tag, cpu, static_cast<uint8_t>(dice.Roll(2)));
            after(to);
            busy[from][cpu] += parameters.o;
            busy[to][cpu] += parameters.o;
        }
        Spans spans;
        const Execution run(builder.Build(), parameters, {}, &spans);
        EXPECT_EQ(run.done, run.runner.ExplainStall(10).empty()) << seed;
        int64_t latest = 0;
        std::vector<std::vector<std::pair<int64_t, int64_t>>> computations(size_t{ranks} * 3);
        for (const WorkloadSpan& span : spans.all)
        {
            EXPECT_GE(span.endPs, latest) << seed; // in the order of their ends
            latest = span.endPs;
            EXPECT_LE(span.beginPs, span.endPs) << seed;
            if (!span.communication)
            {
                EXPECT_EQ(span.endPs - span.beginPs, static_cast<int64_t>(span.size) * 1000);
                computations[span.process * 3 + span.cpu].emplace_back(span.beginPs, span.endPs);
            }
        }
        for (auto& stream : computations)
        {
            std::sort(stream.begin(), stream.end());
            for (size_t i = 1; i < stream.size(); ++i)
            {
                EXPECT_GE(stream[i].first, stream[i - 1].second) << seed; // one at a time
            }
        }
        for (uint32_t r = 0; run.done && r < ranks; ++r)
        {
            EXPECT_GE(static_cast<uint64_t>(run.Finish(r)),
                      *std::max_element(busy[r].begin(), busy[r].end()))
                << seed;
        }
    }
}
