/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Max-min fair rates: by hand, and against progressive filling from scratch.

#include "harness/transfers.h"

#include "ns3/workload-max-min.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;
using harness::Draw;

namespace
{

using Paths = std::map<uint32_t, std::vector<uint32_t>>; // links of each flow

/** Progressive filling as the books have it: all rates grow until a link is full. */
std::map<uint32_t, double>
Naive(const std::vector<double>& capacities, const Paths& paths)
{
    std::map<uint32_t, double> rates;
    std::vector<double> left = capacities;
    while (rates.size() < paths.size())
    {
        std::vector<uint32_t> count(capacities.size());
        for (const auto& [flow, links] : paths)
        {
            for (const uint32_t link : links)
            {
                count[link] += rates.count(flow) ? 0 : 1;
            }
        }
        uint32_t full = UINT32_MAX;
        for (uint32_t link = 0; link < capacities.size(); ++link)
        {
            if (count[link] &&
                (full == UINT32_MAX || left[link] / count[link] < left[full] / count[full]))
            {
                full = link;
            }
        }
        const double share = left[full] / count[full];
        for (const auto& [flow, links] : paths)
        {
            if (!rates.count(flow) && std::count(links.begin(), links.end(), full))
            {
                rates[flow] = share;
                for (const uint32_t link : links)
                {
                    left[link] -= share;
                }
            }
        }
    }
    return rates;
}

std::vector<uint32_t>
DrawPath(Draw& draw, uint32_t links)
{
    std::vector<uint32_t> path;
    const uint64_t length = 1 + draw.Below(std::min<uint32_t>(links, 5));
    while (path.size() < length)
    {
        const auto link = static_cast<uint32_t>(draw.Below(links));
        if (!std::count(path.begin(), path.end(), link))
        {
            path.push_back(link);
        }
    }
    return path;
}

/** One network whose flows come and go; every state is compared. */
void
CompareWithNaive(uint64_t seed, uint32_t links, uint32_t steps, uint64_t flows)
{
    Draw draw(seed);
    std::vector<double> capacities;
    for (uint32_t i = 0; i < links; ++i)
    {
        // few values, so that shares tie, or many
        capacities.push_back(seed % 2 ? 1.0 + static_cast<double>(draw.Below(3))
                                      : 0.001 * static_cast<double>(1 + draw.Below(100000)));
    }
    WorkloadMaxMin rates(capacities);
    Paths paths;
    std::map<uint32_t, double> known; // as reported by Solve
    for (uint32_t step = 0; step < steps; ++step)
    {
        for (uint64_t change = 1 + draw.Below(3); change > 0; --change)
        {
            if (paths.empty() || draw.Below(2 * flows) >= paths.size())
            {
                const std::vector<uint32_t> path = DrawPath(draw, links);
                const uint32_t flow = rates.Add(path);
                ASSERT_TRUE(paths.emplace(flow, path).second);
                known[flow] = 0;
            }
            else
            {
                auto it = paths.begin();
                std::advance(it, draw.Below(paths.size()));
                rates.Remove(it->first);
                known.erase(it->first);
                paths.erase(it);
            }
        }
        for (const uint32_t flow : rates.Solve())
        {
            known[flow] = rates.GetRate(flow);
        }
        for (const auto& [flow, rate] : Naive(capacities, paths))
        {
            ASSERT_NEAR(known[flow] / rate, 1, 1e-9) << "seed " << seed << " step " << step;
        }
    }
}

} // namespace

TEST(WorkloadMaxMin, SharesByHand)
{
    // Bertsekas and Gallager's kind of example: link 0 of 1 is shared by A, B, C; link 1 of 1 by C
    // and D; link 2 of 0.2 by B. B gets 0.2; A and C (1 - 0.2) / 2 = 0.4; D 1 - 0.4 = 0.6.
    WorkloadMaxMin rates({1, 1, 0.2});
    const uint32_t a = rates.Add({0});
    const uint32_t b = rates.Add({0, 2});
    const uint32_t c = rates.Add({0, 1});
    const uint32_t d = rates.Add({1});
    EXPECT_EQ(rates.Solve().size(), 4);
    EXPECT_DOUBLE_EQ(rates.GetRate(a), 0.4);
    EXPECT_DOUBLE_EQ(rates.GetRate(b), 0.2);
    EXPECT_DOUBLE_EQ(rates.GetRate(c), 0.4);
    EXPECT_DOUBLE_EQ(rates.GetRate(d), 0.6);
    EXPECT_FALSE(rates.IsDirty());

    // without A: B keeps 0.2, C and D share link 1: 0.5 each
    rates.Remove(a);
    EXPECT_TRUE(rates.IsDirty());
    rates.Solve();
    EXPECT_DOUBLE_EQ(rates.GetRate(b), 0.2);
    EXPECT_DOUBLE_EQ(rates.GetRate(c), 0.5);
    EXPECT_DOUBLE_EQ(rates.GetRate(d), 0.5);
}

TEST(WorkloadMaxMin, WorkStaysWhereTheChangeIs)
{
    // 1,000 pairs of flows, each pair on a link of its own: one more flow concerns three
    WorkloadMaxMin rates(std::vector<double>(1000, 1));
    for (uint32_t i = 0; i < 2000; ++i)
    {
        rates.Add({i / 2});
    }
    rates.Solve();
    const uint64_t before = rates.GetWork();
    rates.Add({7});
    EXPECT_EQ(rates.Solve().size(), 3);
    EXPECT_EQ(rates.GetWork() - before, 3);
}

TEST(WorkloadMaxMin, AFlowThatStopsBeforeItStartedLeavesNothing)
{
    WorkloadMaxMin rates(std::vector<double>{1});
    const uint32_t a = rates.Add({0});
    rates.Remove(a);
    EXPECT_TRUE(rates.Solve().empty());
    const uint32_t b = rates.Add({0});
    EXPECT_EQ(rates.Solve(), std::vector<uint32_t>{b});
    EXPECT_DOUBLE_EQ(rates.GetRate(b), 1);
}

TEST(WorkloadMaxMin, AcknowledgementsTakeBandwidthFromData)
{
    // link 1 is the way back of link 0: r + 0.1 r = 1 on both
    WorkloadMaxMin rates(std::vector<double>{1, 1});
    const uint32_t a = rates.Add({0}, {{1, 0.1}});
    const uint32_t b = rates.Add({1}, {{0, 0.1}});
    rates.Solve();
    EXPECT_DOUBLE_EQ(rates.GetRate(a), 1 / 1.1);
    EXPECT_DOUBLE_EQ(rates.GetRate(b), 1 / 1.1);
    EXPECT_EQ(rates.GetWork(), 2); // at once
    rates.Remove(b);
    EXPECT_EQ(rates.Solve(), std::vector<uint32_t>{a});
    EXPECT_DOUBLE_EQ(rates.GetRate(a), 1);
}

TEST(WorkloadMaxMin, NothingHoldsAcknowledgementsBack)
{
    // four flows have link 0 for themselves but for the acknowledgements of a fifth, which has all
    // of link 1: (1 - 0.05) / 4 each, whoever comes first
    for (const bool together : {true, false})
    {
        WorkloadMaxMin rates(std::vector<double>{1, 1});
        std::vector<uint32_t> four;
        four.reserve(4);
        for (int i = 0; i < 4; ++i)
        {
            four.push_back(rates.Add({0}));
        }
        if (!together)
        {
            rates.Solve();
        }
        const uint32_t fifth = rates.Add({1}, {{0, 0.05}});
        rates.Solve();
        EXPECT_DOUBLE_EQ(rates.GetRate(fifth), 1);
        for (const uint32_t flow : four)
        {
            EXPECT_NEAR(rates.GetRate(flow), 0.95 / 4, WorkloadMaxMin::ACK_TOLERANCE / 4);
        }
    }
}

TEST(WorkloadMaxMin, AcknowledgementsCanMoveABottleneck)
{
    // link 0 of 1 holds the flow back, until acknowledgements take 0.2 of link 1 of 1.1
    WorkloadMaxMin rates(std::vector<double>{1, 1.1, 1});
    const uint32_t flow = rates.Add({0, 1});
    rates.Solve();
    EXPECT_EQ(rates.GetBottleneck(flow), 0);
    rates.Add({2}, {{1, 0.2}});
    rates.Solve();
    EXPECT_EQ(rates.GetBottleneck(flow), 1);
    EXPECT_NEAR(rates.GetRate(flow), 0.9, WorkloadMaxMin::ACK_TOLERANCE * 1.1);
}

TEST(WorkloadMaxMin, SmallChangesOfAcknowledgementsAreLeft)
{
    WorkloadMaxMin rates(std::vector<double>{1, 1});
    const uint32_t flow = rates.Add({0});
    rates.Solve();
    rates.Add({1}, {{0, WorkloadMaxMin::ACK_TOLERANCE / 2}});
    EXPECT_EQ(rates.Solve().size(), 1);
    EXPECT_DOUBLE_EQ(rates.GetRate(flow), 1);
}

TEST(WorkloadMaxMin, AcknowledgementsLeaveSomething)
{
    // they would take 1.5 of link 0
    WorkloadMaxMin rates(std::vector<double>{1, 1, 1});
    const uint32_t flow = rates.Add({0});
    rates.Add({1}, {{0, 0.75}});
    rates.Add({2}, {{0, 0.75}});
    rates.Solve();
    EXPECT_GT(rates.GetRate(flow), 0);
}

TEST(WorkloadMaxMin, CapacityCanGrowWithTheFlows)
{
    // 0.8 + 0.05 n, but no more than 1
    WorkloadMaxMin rates(std::vector<WorkloadLinkCapacity>{{0.8, 0.05, 1}});
    std::vector<uint32_t> flows;
    for (const double capacity : {0.85, 0.9, 0.95, 1.0, 1.0})
    {
        flows.push_back(rates.Add({0}));
        rates.Solve();
        for (const uint32_t flow : flows)
        {
            EXPECT_DOUBLE_EQ(rates.GetRate(flow), capacity / static_cast<double>(flows.size()));
        }
    }
    rates.Remove(flows[0]);
    rates.Remove(flows[1]);
    rates.Solve();
    EXPECT_DOUBLE_EQ(rates.GetRate(flows[4]), 0.95 / 3);
}

TEST(WorkloadMaxMin, IsFairBesideAcknowledgements)
{
    // What max-min means, within the tolerances: no link carries more than it can, and each flow
    // has a link that is full, on which it is among the fastest.
    constexpr double SLACK = WorkloadMaxMin::ACK_TOLERANCE + 2 * WorkloadMaxMin::RATE_TOLERANCE;
    for (uint64_t seed = 1; seed <= 200; ++seed)
    {
        harness::Draw draw(seed);
        const auto links = static_cast<uint32_t>(2 + draw.Below(12));
        std::vector<double> capacities;
        for (uint32_t link = 0; link < links; ++link)
        {
            capacities.push_back(static_cast<double>(1 + draw.Below(4)));
        }
        WorkloadMaxMin rates(capacities);
        Paths paths;
        std::map<uint32_t, std::vector<WorkloadAckShare>> acks;
        for (int change = 0; change < 60; ++change)
        {
            if (!paths.empty() && draw.Below(3) == 0)
            {
                auto gone = paths.begin();
                std::advance(gone, draw.Below(paths.size()));
                rates.Remove(gone->first);
                acks.erase(gone->first);
                paths.erase(gone);
            }
            else
            {
                const auto from = static_cast<uint32_t>(draw.Below(links));
                const auto to = static_cast<uint32_t>(draw.Below(links));
                std::vector<uint32_t> path{from};
                std::vector<WorkloadAckShare> back{{(from + 1) % links, 0.05}};
                if (from != to)
                {
                    path.push_back(to);
                    back.push_back({(to + 1) % links, 0.08});
                }
                const uint32_t flow = rates.Add(path, back);
                paths[flow] = path;
                acks[flow] = back;
            }
            if (draw.Below(3) == 0)
            {
                continue;
            }
            rates.Solve();
            std::vector<double> load(links);
            std::vector<double> fastest(links);
            for (const auto& [flow, path] : paths)
            {
                for (const uint32_t link : path)
                {
                    load[link] += rates.GetRate(flow);
                    fastest[link] = std::max(fastest[link], rates.GetRate(flow));
                }
                for (const WorkloadAckShare& ack : acks[flow])
                {
                    load[ack.link] += rates.GetRate(flow) * ack.share;
                }
            }
            for (uint32_t link = 0; link < links; ++link)
            {
                // what only acknowledgements take of a link, nothing bounds
                EXPECT_TRUE(fastest[link] == 0 || load[link] <= capacities[link] * (1 + SLACK))
                    << "seed " << seed << " link " << link << ": " << load[link] << " of "
                    << capacities[link];
            }
            for (const auto& [flow, path] : paths)
            {
                const uint32_t link = rates.GetBottleneck(flow);
                EXPECT_GE(load[link], capacities[link] * (1 - SLACK)) << "seed " << seed;
                EXPECT_GE(rates.GetRate(flow) * (1 + SLACK), fastest[link]) << "seed " << seed;
            }
        }
    }
}

TEST(WorkloadMaxMin, EqualsProgressiveFillingFromScratch)
{
    for (uint64_t seed = 1; seed <= 1500; ++seed)
    {
        CompareWithNaive(seed, 1 + static_cast<uint32_t>(seed % 12), 12, 8);
    }
}

TEST(WorkloadMaxMin, EqualsProgressiveFillingOnLargerNetworks)
{
    for (uint64_t seed = 1; seed <= 6; ++seed)
    {
        CompareWithNaive(seed, 60, 60, 150);
    }
}
