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
    WorkloadMaxMin rates({1});
    const uint32_t a = rates.Add({0});
    rates.Remove(a);
    EXPECT_TRUE(rates.Solve().empty());
    const uint32_t b = rates.Add({0});
    EXPECT_EQ(rates.Solve(), std::vector<uint32_t>{b});
    EXPECT_DOUBLE_EQ(rates.GetRate(b), 1);
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
