/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What is found wrong with schedules.

#include "harness/errors.h"
#include "harness/random.h"

#include "ns3/workload-cycles.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-unmatched.h"
#include "ns3/workload-validation.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>

using namespace ns3;
using harness::Random;

namespace
{

/** \return the findings, one a line, of ranks 0 to N-1 with these statements */
std::string
FindingsOf(const std::vector<std::string>& ranks, WorkloadValidationOptions options = {})
{
    std::string text = "num_ranks " + std::to_string(ranks.size()) + "\n";
    for (size_t i = 0; i < ranks.size(); ++i)
    {
        text += "rank " + std::to_string(i) + " {\n" + ranks[i] + "}\n";
    }
    std::istringstream in(text);
    WorkloadGoalNotes notes;
    const WorkloadSchedule schedule = ReadGoalText(in, "x", &notes);
    options.notes = &notes;
    std::string found;
    for (const WorkloadFinding& finding : ValidateWorkload(schedule, options).findings)
    {
        found += WorkloadFindingText(schedule, finding) + "\n";
    }
    return found;
}

/** A rank of sends (even) and receives (odd numbers) only, and any. */
WorkloadSchedule
RandomMessages(Random& random)
{
    const uint32_t ranks = 1 + random.Below(3);
    WorkloadScheduleBuilder builder(ranks);
    for (uint32_t i = random.Below(12); i > 0; --i)
    {
        const uint32_t rank = random.Below(ranks);
        const uint32_t tag = random.Below(3) ? random.Below(3) : WORKLOAD_ANY;
        if (random.Below(2))
        {
            builder.Send(rank, random.Below(ranks), 1, tag);
        }
        else
        {
            builder.Recv(rank, random.Below(3) ? random.Below(ranks) : WORKLOAD_ANY, 1, tag);
        }
    }
    return builder.Build();
}

/** \return the most pairs of sends and receives that fit: augmenting paths, one message each */
size_t
MostPairs(const WorkloadSchedule& schedule)
{
    struct End
    {
        uint32_t rank;
        WorkloadOperation operation;
    };

    std::vector<End> sends;
    std::vector<End> receives;
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        for (const WorkloadOperation& operation : schedule.ranks[rank].operations)
        {
            (operation.kind == WorkloadKind::SEND ? sends : receives).push_back({rank, operation});
        }
    }
    const auto fits = [](const End& send, const End& receive) {
        const uint32_t from = receive.operation.peer;
        const uint32_t tag = receive.operation.tag;
        return send.operation.peer == receive.rank && (from == WORKLOAD_ANY || from == send.rank) &&
               (tag == WORKLOAD_ANY || send.operation.tag == WORKLOAD_ANY ||
                tag == send.operation.tag);
    };
    std::vector<int> pairOf(receives.size(), -1);
    size_t pairs = 0;
    for (size_t i = 0; i < sends.size(); ++i)
    {
        std::vector<bool> tried(receives.size());
        const std::function<bool(size_t)> place = [&](size_t send) {
            for (size_t j = 0; j < receives.size(); ++j)
            {
                if (!tried[j] && fits(sends[send], receives[j]))
                {
                    tried[j] = true;
                    if (pairOf[j] < 0 || place(static_cast<size_t>(pairOf[j])))
                    {
                        pairOf[j] = static_cast<int>(send);
                        return true;
                    }
                }
            }
            return false;
        };
        pairs += place(i) ? 1 : 0;
    }
    return pairs;
}

/** Ranks with calculations and messages, each of a tag of its own, some without their other end. */
WorkloadSchedule
RandomGraph(Random& random)
{
    const uint32_t ranks = 1 + random.Below(3);
    WorkloadScheduleBuilder builder(ranks);
    std::vector<uint32_t> counts(ranks);
    for (uint32_t i = 1 + random.Below(8); i > 0; --i)
    {
        const uint32_t from = random.Below(ranks);
        const uint32_t to = random.Below(ranks);
        const uint32_t lost = random.Below(16);
        if (lost != 0)
        {
            builder.Send(from, to, random.Below(20), i);
            ++counts[from];
        }
        if (lost != 1)
        {
            builder.Recv(to, from, 1, i);
            ++counts[to];
        }
    }
    const bool forward = random.Below(4) != 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        for (uint32_t i = counts[rank]; i > 0; --i)
        {
            uint32_t after = random.Below(counts[rank]);
            uint32_t before = random.Below(counts[rank]);
            if (forward && after <= before)
            {
                continue;
            }
            random.Below(4) ? builder.Require(rank, after, before)
                            : builder.RequireStart(rank, after, before);
        }
    }
    return builder.Build();
}

/** \return operations that never complete, by applying the rules until nothing changes */
uint64_t
StalledByRules(const WorkloadSchedule& schedule, const std::function<bool(uint64_t)>& eager)
{
    std::vector<std::vector<int>> done; // 0 not issued, 1 issued, 2 completed
    for (const WorkloadRank& rank : schedule.ranks)
    {
        done.emplace_back(rank.operations.size(), 0);
    }
    const auto otherIssued = [&](uint32_t rank, const WorkloadOperation& one) {
        const std::vector<WorkloadOperation>& operations = schedule.ranks[one.peer].operations;
        for (size_t i = 0; i < operations.size(); ++i)
        {
            if (operations[i].kind != one.kind && operations[i].tag == one.tag &&
                operations[i].peer == rank && done[one.peer][i] > 0)
            {
                return true;
            }
        }
        return false;
    };
    const auto ready = [&](uint32_t r, uint32_t operation) {
        const WorkloadRank& rank = schedule.ranks[r];
        for (uint32_t i = 0; i < rank.operations.size(); ++i)
        {
            for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
            {
                if (w->Operation() == operation && done[r][i] < (w->OnStart() ? 1 : 2))
                {
                    return false;
                }
            }
        }
        return true;
    };
    uint64_t left = 0;
    for (bool changed = true; changed;)
    {
        changed = false;
        left = 0;
        for (uint32_t r = 0; r < done.size(); ++r)
        {
            for (uint32_t i = 0; i < done[r].size(); ++i)
            {
                const WorkloadOperation& operation = schedule.ranks[r].operations[i];
                const int before = done[r][i];
                if (before == 0 && ready(r, i))
                {
                    done[r][i] = 1;
                }
                const bool atOnce = operation.kind == WorkloadKind::CALC ||
                                    (operation.kind == WorkloadKind::SEND && eager(operation.size));
                if (done[r][i] == 1 && (atOnce || otherIssued(r, operation)))
                {
                    done[r][i] = 2;
                }
                changed = changed || done[r][i] != before;
                left += done[r][i] != 2 ? 1 : 0;
            }
        }
    }
    return left;
}

} // namespace

TEST(Validation, NothingToFind)
{
    EXPECT_EQ(
        FindingsOf({"a: send 1b to 1\nb: recv 2b from 1\n", "a: recv 1b from 0\nsend 2b to 0\n"}),
        "");
    EXPECT_EQ(FindingsOf({""}), "");
}

TEST(Validation, MessagesWithoutOtherEnd)
{
    // lines: 1 num_ranks, 2 rank 0, 3 to 5 sends, 6 brace, 7 rank 1, 8 and 9 receives
    EXPECT_EQ(FindingsOf({"send 1b to 1 tag 5\nsend 1b to 1 tag 5\nsend 1b to 1 tag 5\n",
                          "recv 1b from 0 tag 5\nrecv 1b from 0 tag 6\n"}),
              "x:4: error: rank 0, send 1b to 1 tag 5: rank 1 has no receive for this and 1 more "
              "messages: 3 sent, 1 received with this source, destination and tag\n"
              "x:9: error: rank 1, recv 1b from 0 tag 6: no message is sent for this receive: "
              "0 sent, 1 received with this source, destination and tag\n");
}

TEST(Validation, SizesThatDiffer)
{
    EXPECT_EQ(FindingsOf({"send 1b to 1\nsend 2b to 1\n", "recv 1b from 0\nrecv 3b from 0\n"}),
              "x:8: warning: rank 1, recv 3b from 0 tag 0: its message, \"send 2b to 1 tag 0\" in "
              "line 4 of rank 0, has 2 bytes\n");
}

TEST(Validation, LabelsAndOwnMessages)
{
    EXPECT_EQ(
        FindingsOf({"a: send 1b to 0\na: recv 1b from 0\n"}),
        "x:4: warning: rank 0: label \"a\" stands for another operation already; dependencies "
        "mean that one\n"
        "x:3: warning: rank 0, send 1b to 0 tag 0: the rank sends to itself, which needs no "
        "network\n");
}

TEST(Validation, Cycles)
{
    EXPECT_EQ(FindingsOf({"a: calc 1\nb: calc 2\nc: calc 3\na requires b\nb irequires c\n"
                          "c requires a\n"}),
              "x:3: error: rank 0, calc 1: waits for itself: for \"calc 2\" in line 4, that for "
              "\"calc 3\" in line 5, that for this one; remove one of these dependencies\n");
    EXPECT_EQ(FindingsOf({"", "a: calc 1\na requires a\n"}),
              "x:5: error: rank 1, calc 1: waits for itself; remove this dependency\n");
}

TEST(Validation, RanksThatWaitForEachOther)
{
    const std::vector<std::string> heads{"s: send 9b to 1\nr: recv 9b from 1\nr requires s\n",
                                         "s: send 9b to 0\nr: recv 9b from 0\nr requires s\n"};
    const std::string circle =
        "rank 0, send 9b to 1 tag 0: waits for itself across ranks: needs \"recv 9b from 0 tag 0\" "
        "in line 9 of rank 1, which is after \"send 9b to 0 tag 0\" in line 8 of rank 1, which "
        "needs \"recv 9b from 1 tag 0\" in line 4 of rank 0, which is after \"send 9b to 1 tag 0\" "
        "in line 3 of rank 0; only eager sends, which do not wait for their receives, avoid it "
        "(wormhole run --eager-limit)\n";
    // both send first: whether that ends depends on whether sends wait for their receives
    EXPECT_EQ(FindingsOf(heads), "x:3: warning: " + circle);
    WorkloadValidationOptions options;
    options.eagerBytes = 8;
    EXPECT_EQ(FindingsOf(heads, options), "x:3: error: " + circle);
    options.eagerBytes = 9;
    EXPECT_EQ(FindingsOf(heads, options), "");
    // both receive first: never
    EXPECT_NE(FindingsOf({"r: recv 9b from 1\ns: send 9b to 1\ns requires r\n",
                          "r: recv 9b from 0\ns: send 9b to 0\ns requires r\n"})
                  .find("x:3: error: rank 0, recv 9b from 1 tag 0: waits for itself across ranks"),
              std::string::npos);
}

TEST(Validation, ReceivesFromAny)
{
    const std::string robbed =
        ": has no other end left, since a receive from any source or with any tag, or a send with "
        "any tag, met another one first (in the order that was tried)\n";
    // the message of rank 1 meets the receive from any, and leaves the other without
    EXPECT_EQ(FindingsOf({"recv 1b from -1\nrecv 1b from 1\n", "send 1b to 0\n", "send 1b to 0\n"}),
              "x:4: warning: rank 0, recv 1b from 1 tag 0" + robbed +
                  "x:10: warning: rank 2, send 1b to 0 tag 0" + robbed);
    EXPECT_EQ(FindingsOf({"recv 1b from 1\nrecv 1b from -1\n", "send 1b to 0\n", "send 1b to 0\n"}),
              "");
    // the greatest number of pairs leaves one receive over, whatever the order
    EXPECT_NE(FindingsOf({"recv 1b from -1\nrecv 1b from 1\n", "send 1b to 0\n", "calc 1\n"})
                  .find("error: rank 0, recv 1b from"),
              std::string::npos);
}

TEST(Validation, OnlySoManyAreKept)
{
    WorkloadScheduleBuilder builder(2);
    for (uint32_t i = 0; i < 100; ++i)
    {
        builder.Send(0, 1, 1, i);
    }
    WorkloadValidationOptions options;
    options.max = 7;
    const WorkloadValidation result = ValidateWorkload(builder.Build(), options);
    EXPECT_EQ(result.findings.size(), 7U);
    EXPECT_EQ(result.errors, 100U);
}

TEST(Validation, PeersOutOfRange)
{
    WorkloadScheduleBuilder builder(2);
    builder.Send(0, 2, 1, 0);
    builder.Calc(1, 5, 255);
    const WorkloadSchedule schedule = builder.Build();
    const WorkloadValidation result = ValidateWorkload(schedule);
    ASSERT_EQ(result.findings.size(), 2U);
    EXPECT_EQ(WorkloadFindingText(schedule, result.findings[0]),
              "error: rank 0, operation 0 (send 1b to 2 tag 0): peer 2; ranks are 0 to 1");
    EXPECT_EQ(WorkloadFindingText(schedule, result.findings[1]),
              "error: rank 1, operation 0 (calc 5): cpu 255; at most 254");
}

TEST(ValidationRandom, AsManyPairsAsAugmentingPathsFind)
{
    Random random(1);
    for (int round = 0; round < 6000; ++round)
    {
        const WorkloadSchedule schedule = RandomMessages(random);
        size_t unpaired = 0;
        for (const WorkloadUnmatched& left : FindWorkloadUnmatched(WorkloadMessages(schedule)))
        {
            unpaired += left.sends + left.receives;
        }
        ASSERT_EQ(unpaired, schedule.CountOperations() - 2 * MostPairs(schedule)) << round;
        ValidateWorkload(schedule); // must not fail, whatever it finds
    }
}

TEST(ValidationRandom, StallsAsTheRulesDo)
{
    Random random(2);
    size_t stalled = 0;
    for (int round = 0; round < 2000; ++round)
    {
        const WorkloadSchedule schedule = RandomGraph(random);
        WorkloadValidationOptions options;
        const WorkloadValidation both = ValidateWorkload(schedule, options);
        options.eagerBytes = 10;
        const WorkloadValidation middle = ValidateWorkload(schedule, options);
        ASSERT_EQ(both.stalledRendezvous, StalledByRules(schedule, [](uint64_t) { return false; }));
        ASSERT_EQ(both.stalled, StalledByRules(schedule, [](uint64_t) { return true; }));
        ASSERT_EQ(middle.stalled,
                  StalledByRules(schedule, [](uint64_t bytes) { return bytes <= 10; }));
        // whatever stalls has a cause that is reported
        ASSERT_TRUE(both.stalled == 0 || both.errors > 0) << round;
        ASSERT_TRUE(middle.stalled == 0 || middle.errors > 0) << round;
        ASSERT_TRUE(both.stalledRendezvous == 0 || both.errors + both.warnings > 0) << round;
        stalled += both.stalled ? 1 : 0;
    }
    EXPECT_GT(stalled, 200U);
    EXPECT_LT(stalled, 1800U);
}

TEST(ValidationRandom, CyclesAsReachabilityHasThem)
{
    Random random(3);
    for (int round = 0; round < 2000; ++round)
    {
        const uint32_t count = 1 + random.Below(8);
        WorkloadScheduleBuilder builder(1);
        std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
        for (uint32_t i = 0; i < count; ++i)
        {
            builder.Calc(0, 1);
        }
        for (uint32_t i = random.Below(2 * count); i > 0; --i)
        {
            const uint32_t after = random.Below(count);
            const uint32_t before = random.Below(count);
            builder.Require(0, after, before);
            reaches[after][before] = true;
        }
        const auto direct = reaches;
        for (uint32_t k = 0; k < count; ++k)
        {
            for (uint32_t i = 0; i < count; ++i)
            {
                for (uint32_t j = 0; j < count; ++j)
                {
                    reaches[i][j] = reaches[i][j] || (reaches[i][k] && reaches[k][j]);
                }
            }
        }
        bool any = false;
        for (uint32_t i = 0; i < count; ++i)
        {
            any = any || reaches[i][i];
        }
        size_t found = 0;
        const WorkloadSchedule schedule = builder.Build();
        FindWorkloadCycles(schedule.ranks[0], [&](const std::vector<uint32_t>& circle) {
            ++found;
            for (size_t i = 0; i < circle.size(); ++i)
            {
                EXPECT_TRUE(direct[circle[i]][circle[(i + 1) % circle.size()]]);
            }
        });
        ASSERT_EQ(found > 0, any) << round;
    }
}

TEST(WorkloadValidation, DependenciesAreBetweenOperationsOfTheRank)
{
    WorkloadRank rank;
    rank.operations.resize(1);
    for (const WorkloadDependency& wrong : {WorkloadDependency{5, WorkloadWaiter(0, false)},
                                            WorkloadDependency{0, WorkloadWaiter(5, false)}})
    {
        EXPECT_EQ(harness::InputErrorOf([&] { SetWorkloadDependencies(rank, {wrong}); }),
                  "SetWorkloadDependencies: a dependency names operation 5, but the rank has 1, "
                  "from 0; set its operations first");
    }
}
