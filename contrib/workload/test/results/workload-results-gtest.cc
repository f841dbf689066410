/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Where time goes: unions of spans, quantiles, and what is made of them.

#include "ns3/rdma-traffic-random.h"
#include "ns3/workload-results-report.h"
#include "ns3/workload-results.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>

namespace
{

using ns3::RdmaTrafficRandom;
using ns3::WorkloadBusyTime;
using ns3::WorkloadDistribution;
using ns3::WorkloadResults;
using ns3::WorkloadSpan;

using Spans = std::vector<std::pair<int64_t, int64_t>>;

/** The measure of a union, from the definition: sort, and walk along. */
int64_t
UnionOf(Spans spans)
{
    std::sort(spans.begin(), spans.end());
    int64_t total = 0;
    int64_t reached = INT64_MIN;
    for (const auto& [begin, end] : spans)
    {
        total += std::max<int64_t>(end - std::max(begin, reached), 0);
        reached = std::max(reached, end);
    }
    return total;
}

Spans
RandomSpans(RdmaTrafficRandom& random, size_t count, int64_t range, int64_t longest)
{
    Spans spans;
    for (size_t i = 0; i < count; ++i)
    {
        const auto begin = static_cast<int64_t>(random.Below(static_cast<uint64_t>(range)));
        spans.emplace_back(
            begin,
            begin + static_cast<int64_t>(random.Below(static_cast<uint64_t>(longest + 1))));
    }
    return spans;
}

void
SortByEnd(Spans& spans)
{
    std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
    });
}

WorkloadBusyTime
AddAll(const Spans& spans)
{
    WorkloadBusyTime busy;
    for (const auto& [begin, end] : spans)
    {
        busy.Add(begin, end);
    }
    return busy;
}

WorkloadSpan
Span(uint32_t process, uint32_t category, bool communication, int64_t begin, int64_t end)
{
    WorkloadSpan span;
    span.process = process;
    span.category = category;
    span.communication = communication;
    span.beginPs = begin;
    span.endPs = end;
    return span;
}

} // namespace

TEST(WorkloadBusyTime, FewSpansAreExactInAnyOrder)
{
    RdmaTrafficRandom random(1, 0);
    for (int round = 0; round < 5000; ++round)
    {
        Spans spans = RandomSpans(random, random.Below(40), 200, 1 + round % 50);
        if (round % 2)
        {
            SortByEnd(spans);
        }
        const WorkloadBusyTime busy = AddAll(spans);
        ASSERT_EQ(busy.GetTotal(), UnionOf(spans)) << round;
        ASSERT_EQ(busy.GetUncertainty(), 0);
    }
}

TEST(WorkloadBusyTime, ManyShortSpansInOrderAreExact)
{
    // 100,000 spans, each beginning at most 10 stretches back: old pairs are never cut
    RdmaTrafficRandom random(2, 0);
    Spans spans;
    int64_t time = 0;
    for (int i = 0; i < 100000; ++i)
    {
        time += static_cast<int64_t>(random.Below(20)) + 1;
        spans.emplace_back(std::max<int64_t>(time - static_cast<int64_t>(random.Below(50)), 0),
                           time);
    }
    const WorkloadBusyTime busy = AddAll(spans);
    EXPECT_EQ(busy.GetTotal(), UnionOf(spans));
    EXPECT_EQ(busy.GetUncertainty(), 0);
}

TEST(WorkloadBusyTime, ASpanOverAllOfThePastIsExact)
{
    WorkloadBusyTime busy;
    for (int64_t i = 0; i < 100000; ++i)
    {
        busy.Add(10 * i + 5, 10 * i + 8);
    }
    EXPECT_EQ(busy.GetTotal(), 300000);
    busy.Add(0, 1000000);
    EXPECT_EQ(busy.GetTotal(), 1000000);
    EXPECT_EQ(busy.GetUncertainty(), 0);
}

TEST(WorkloadBusyTime, TheErrorIsWithinWhatItSays)
{
    RdmaTrafficRandom random(3, 0);
    bool uncertain = false;
    for (int round = 0; round < 300; ++round)
    {
        Spans spans = RandomSpans(random, 3000, 1000000, 40);
        const Spans longOnes = RandomSpans(random, random.Below(10), 1000000, 900000);
        spans.insert(spans.end(), longOnes.begin(), longOnes.end());
        if (round % 2)
        {
            SortByEnd(spans);
        }
        const WorkloadBusyTime busy = AddAll(spans);
        const int64_t expected = UnionOf(spans);
        ASSERT_LE(std::abs(busy.GetTotal() - expected), busy.GetUncertainty()) << round;
        uncertain |= busy.GetUncertainty() > 0;
        if (round % 2 && longOnes.empty())
        {
            ASSERT_EQ(busy.GetTotal(), expected);
        }
    }
    EXPECT_TRUE(uncertain) << "the test should reach the estimates";
}

TEST(WorkloadBusyTime, WhatLiesAfterACutDoesNotCount)
{
    RdmaTrafficRandom random(4, 0);
    for (int round = 0; round < 2000; ++round)
    {
        const bool many = round % 10 == 0; // stretches are joined then
        const Spans spans = RandomSpans(random, many ? 3000 : random.Below(40), 100000, 30);
        const auto cut = static_cast<int64_t>(random.Below(110000));
        WorkloadBusyTime busy = AddAll(spans);
        busy.Cut(cut);
        Spans before;
        for (const auto& [begin, end] : spans)
        {
            if (begin < cut)
            {
                before.emplace_back(begin, std::min(end, cut));
            }
        }
        ASSERT_LE(std::abs(busy.GetTotal() - UnionOf(before)), busy.GetUncertainty()) << round;
        ASSERT_TRUE(many || busy.GetUncertainty() == 0) << round;
    }
}

TEST(WorkloadDistribution, ExactAsLongAsAllAreKept)
{
    RdmaTrafficRandom random(4, 0);
    for (int round = 0; round < 300; ++round)
    {
        WorkloadDistribution distribution(500);
        std::vector<int64_t> values;
        for (uint64_t i = 0, count = 1 + random.Below(499); i < count; ++i)
        {
            values.push_back(static_cast<int64_t>(random.Below(1000)));
            distribution.Add(values.back());
        }
        std::sort(values.begin(), values.end());
        const auto nth = [&values](double share) {
            const double place = std::ceil(share * static_cast<double>(values.size()));
            return values[static_cast<size_t>(place) - 1];
        };
        ASSERT_TRUE(distribution.IsExact());
        ASSERT_EQ(distribution.GetQuantile(0.5), nth(0.5));
        ASSERT_EQ(distribution.GetQuantile(0.99), nth(0.99));
        ASSERT_EQ(distribution.GetQuantile(1), values.back());
        ASSERT_EQ(distribution.GetMax(), values.back());
    }
}

TEST(WorkloadDistribution, CloseBeyond)
{
    RdmaTrafficRandom random(5, 0);
    for (const uint64_t range : {uint64_t{3}, uint64_t{600}, uint64_t{1} << 20, uint64_t{1} << 62})
    {
        WorkloadDistribution distribution(10);
        std::vector<int64_t> values;
        double sum = 0;
        for (int i = 0; i < 5000; ++i)
        {
            values.push_back(static_cast<int64_t>(random.Below(range)));
            distribution.Add(values.back());
            sum += static_cast<double>(values.back());
        }
        std::sort(values.begin(), values.end());
        EXPECT_FALSE(distribution.IsExact());
        EXPECT_EQ(distribution.GetCount(), 5000U);
        EXPECT_DOUBLE_EQ(distribution.GetMean(), sum / 5000);
        EXPECT_EQ(distribution.GetMax(), values.back());
        for (const auto& [share, place] : {std::pair(0.5, 2499), {0.99, 4949}, {1.0, 4999}})
        {
            const int64_t quantile = distribution.GetQuantile(share);
            EXPECT_GE(quantile, values[place]);
            EXPECT_LE(static_cast<double>(quantile),
                      static_cast<double>(values[place]) * (1 + 1.0 / 256));
        }
    }
    EXPECT_EQ(WorkloadDistribution().GetQuantile(0.5), 0);
    EXPECT_EQ(WorkloadDistribution().GetMean(), 0);
}

TEST(WorkloadResults, TimesOfARank)
{
    WorkloadResults results({{"job", 2, {"other", "forward", "gradients"}, {}}});
    // rank 0: computes 0 to 100; two messages of gradients, 50 to 150 and 120 to 180 ps
    results.Done(Span(0, 1, false, 0, 100));
    results.Done(Span(0, 2, true, 50, 150));
    results.Done(Span(0, 2, true, 120, 180));
    results.SetFinish(0, 200);
    const ns3::WorkloadRankTimes rank = results.GetRank(0);
    EXPECT_EQ(rank.computation, 100);
    EXPECT_EQ(rank.communication, 130) << "50 to 180";
    EXPECT_EQ(rank.exposed, 80) << "100 to 180";
    EXPECT_EQ(rank.idle, 20) << "180 to 200";
    EXPECT_EQ(rank.finish, 200);
    EXPECT_EQ(rank.operations, 3U);
    EXPECT_EQ(results.GetRank(1).operations, 0U);
    EXPECT_EQ(results.GetFinish(), 200);
    const auto categories = results.GetCategories(0);
    ASSERT_EQ(categories.size(), 2U);
    EXPECT_EQ(categories[0].name, "gradients") << "most time first";
    EXPECT_EQ(categories[0].mean, 65) << "130 over two ranks";
    EXPECT_EQ(categories[0].max, 130);
    EXPECT_EQ(categories[0].exposedMax, 80);
    EXPECT_EQ(categories[0].ranks, 1U);
    EXPECT_EQ(categories[1].name, "forward");
    EXPECT_FALSE(categories[1].communication);
}

TEST(WorkloadResults, AgreeWithTheDefinitionOnRandomSpans)
{
    RdmaTrafficRandom random(6, 0);
    for (int round = 0; round < 500; ++round)
    {
        WorkloadResults results({{"a", 1, {"x", "y", "z"}, {}}, {"b", 2, {"x", "y"}, {}}});
        const uint32_t process = round % 3;
        std::vector<WorkloadSpan> spans;
        for (int i = 0; i < 60; ++i)
        {
            const auto begin = static_cast<int64_t>(random.Below(500));
            const auto category = static_cast<uint32_t>(random.Below(2));
            spans.push_back(Span(process,
                                 category,
                                 category == 1,
                                 begin,
                                 begin + static_cast<int64_t>(random.Below(30))));
        }
        std::sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
            return a.endPs < b.endPs;
        });
        Spans computation;
        Spans communication;
        Spans all;
        for (const WorkloadSpan& span : spans)
        {
            results.Done(span);
            (span.communication ? communication : computation)
                .emplace_back(span.beginPs, span.endPs);
            all.emplace_back(span.beginPs, span.endPs);
        }
        const ns3::WorkloadRankTimes rank = results.GetRank(process);
        const int64_t exposed = UnionOf(all) - UnionOf(computation);
        ASSERT_EQ(rank.computation, UnionOf(computation));
        ASSERT_EQ(rank.communication, UnionOf(communication));
        ASSERT_EQ(rank.exposed, exposed);
        ASSERT_EQ(rank.finish, spans.back().endPs);
        for (const auto& category : results.GetCategories(process == 0 ? 0 : 1))
        {
            ASSERT_EQ(category.max, category.communication ? rank.communication : rank.computation);
            ASSERT_EQ(category.exposedMax, category.communication ? exposed : 0);
        }
    }
}

TEST(WorkloadResults, WaitingIsToldFromTransfers)
{
    WorkloadResults results({{"job", 2, {"other", "gradients"}, {}}});
    results.SetHosts({{0}, {1}});
    // rank 0 computes 0 to 100, and receives from 50 on; the data move from 120 to 150, and further
    // data of an eager message to rank 1 from 170 to 180, when no operation is under way
    results.Done(Span(0, 0, false, 0, 100));
    results.Record({{1, 0, 5, 1}, 120, 150});
    results.Done(Span(0, 1, true, 50, 150));
    results.Record({{0, 1, 5, 1}, 170, 180});
    results.SetFinish(0, 200);
    const ns3::WorkloadRankTimes rank = results.GetRank(0);
    EXPECT_EQ(rank.exposed, 50) << "100 to 150";
    EXPECT_EQ(rank.moving, 40) << "120 to 150, 170 to 180";
    EXPECT_EQ(rank.waiting, 20) << "100 to 120";
    EXPECT_EQ(rank.idle, 40) << "150 to 170, 180 to 200";
    EXPECT_EQ(rank.computation + rank.moving + rank.waiting + rank.idle, rank.finish);
    EXPECT_EQ(results.GetRank(1).moving, 40);
    const auto json = ns3::WorkloadResultsJson(results, {})["jobs"][0];
    EXPECT_EQ(json["transfers_alone_ns"]["mean"], 0.04);
    EXPECT_EQ(json["waiting_ns"]["max"], 0.02);
}

TEST(WorkloadResults, JsonAndTable)
{
    WorkloadResults results({{"job", 1, {"other", "gradients"}, {{0, 0}, {1, 1000000}}}});
    results.Done(Span(0, 0, false, 0, 1000));
    results.Done(Span(0, 1, true, 500, 2500));
    for (int64_t ps : {1000, 2000, 3500})
    {
        results.Record({{0, 1, 1000000, 1}, 100, 100 + ps});
    }
    const auto json = ns3::WorkloadResultsJson(results, {"other", "gradients"});
    EXPECT_EQ(json["finish_ns"], 2.5);
    EXPECT_EQ(json["jobs"][0]["finish_ns"]["max"], 2.5);
    WorkloadResults left({{"job", 1, {"other"}, {{0, 0}}}});
    left.Done(Span(0, 0, false, 0, 1000));
    left.SetIncomplete();
    EXPECT_TRUE(ns3::WorkloadResultsJson(left, {})["finish_ns"].is_null());
    EXPECT_TRUE(ns3::WorkloadResultsJson(left, {})["jobs"][0]["finish_ns"]["max"].is_null());
    EXPECT_EQ(json["jobs"][0]["computation_ns"]["max"], 1);
    EXPECT_EQ(json["jobs"][0]["exposed_communication_ns"]["mean"], 1.5) << "1000 to 2500 ps";
    EXPECT_EQ(json["jobs"][0]["messages"][0]["bytes"], 1000000);
    EXPECT_EQ(json["flows"].size(), 1U);
    EXPECT_EQ(json["flows"][0]["category"], "gradients");
    EXPECT_EQ(json["flows"][0]["count"], 3);
    EXPECT_EQ(json["flows"][0]["bytes"], 3000000);
    EXPECT_EQ(json["flows"][0]["fct_ns"]["p50"], 2);
    EXPECT_EQ(json["flows"][0]["fct_ns"]["max"], 3.5);
    const std::string table = ns3::WorkloadResultsTable(results, {"other", "gradients"});
    EXPECT_NE(table.find("communication alone"), std::string::npos) << table;
    EXPECT_NE(table.find("60.0 %"), std::string::npos) << "1.5 of 2.5 ns\n" << table;
    EXPECT_NE(table.find("3.00 MB"), std::string::npos) << table;
}

TEST(WorkloadResults, LinesOfRanks)
{
    WorkloadResults results({{"a,\"b\"", 1, {"other"}, {}}});
    results.Done(Span(0, 0, false, 250, 1000));
    EXPECT_EQ(ns3::WorkloadRankLine(results, 0, 0, 7), "\"a,\"\"b\"\"\",0,7,1,0.75,0,0,,,0.25,1\n");
    EXPECT_EQ(ns3::WorkloadNsText(1234567), "1234.567");
    EXPECT_EQ(ns3::WorkloadNsText(1230), "1.23");
    EXPECT_EQ(ns3::WorkloadNsText(0), "0");
}
