/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole compare --disturb`: what is moved, its statistics against twins from the definitions,
// and the verdict.

#include "compare/compare-disturbed.h"

#include "ns3/rdma-traffic-random.h"
#include "ns3/workload-disturbance.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace
{

using ns3::DrawWorkloadDisturbance;
using ns3::RdmaTrafficRandom;
using wormhole::AddDisturbed;
using wormhole::CompareDisturbed;
using wormhole::CompareOutcome;
using wormhole::DisturbedVerdict;
using wormhole::JudgeDisturbed;
using wormhole::JudgedStatistic;
using wormhole::MeanDifference;
using wormhole::WelchDifference;

using Sample = std::vector<double>;

double
Mean(const Sample& sample)
{
    double sum = 0;
    for (double value : sample)
    {
        sum += value;
    }
    return sum / static_cast<double>(sample.size());
}

/** Variance from all pairs: the mean square difference of two different values, halved. */
double
Variance(const Sample& sample)
{
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = 0; i < sample.size(); ++i)
    {
        for (size_t j = 0; j < i; ++j, ++pairs)
        {
            sum += (sample[i] - sample[j]) * (sample[i] - sample[j]);
        }
    }
    return sum / static_cast<double>(pairs) / 2;
}

/** \return share of Student's t between 0 and x: its density, by Simpson's rule */
double
StudentShare(double x, double freedom)
{
    constexpr int STEPS = 2000;
    const double factor = std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) /
                          std::sqrt(freedom * std::acos(-1.0));
    double sum = 0;
    for (int i = 0; i <= STEPS; ++i)
    {
        const double t = x * i / STEPS;
        const double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * std::pow(1 + t * t / freedom, -(freedom + 1) / 2);
    }
    return factor * sum * x / STEPS / 3;
}

/** \return where 95 % of Student's t lie on both sides of 0, by bisection */
double
StudentReach(double freedom)
{
    double low = 0;
    double high = 20;
    for (int i = 0; i < 50; ++i)
    {
        const double middle = (low + high) / 2;
        (StudentShare(middle, freedom) < 0.475 ? low : high) = middle;
    }
    return low;
}

Sample
RandomSample(RdmaTrafficRandom& random, size_t count, uint64_t spread)
{
    Sample sample;
    for (size_t i = 0; i < count; ++i)
    {
        sample.push_back(1e6 + static_cast<double>(random.Below(spread)));
    }
    return sample;
}

/** \return a run whose flows, one per pair of hosts, took so long */
CompareOutcome
RunOf(const Sample& fcts)
{
    CompareOutcome outcome;
    outcome.summary = nlohmann::ordered_json::object();
    uint64_t end = 0;
    for (size_t i = 0; i < fcts.size(); ++i)
    {
        const auto fct = static_cast<uint64_t>(fcts[i]);
        outcome.flows.push_back({"a" + std::to_string(1000 + i), "b", 100, 1000, 0, fct});
        end = std::max(end, fct);
    }
    outcome.makespanNs = static_cast<double>(end);
    return outcome;
}

/** \return the least value that at least this share does not exceed, by counting for each */
double
Quantile(const Sample& sample, double share)
{
    double least = INFINITY;
    for (double value : sample)
    {
        const auto below = std::count_if(sample.begin(), sample.end(), [value](double other) {
            return other <= value;
        });
        if (static_cast<double>(below) >= share * static_cast<double>(sample.size()))
        {
            least = std::min(least, value);
        }
    }
    return least;
}

double
MeanError(const Sample& there, const Sample& here)
{
    double sum = 0;
    for (size_t i = 0; i < there.size(); ++i)
    {
        sum += std::abs(here[i] - there[i]) / there[i];
    }
    return sum / static_cast<double>(there.size());
}

const JudgedStatistic&
Find(const DisturbedVerdict& verdict, const std::string& name)
{
    return *std::find_if(verdict.statistics.begin(),
                         verdict.statistics.end(),
                         [&name](const JudgedStatistic& s) { return s.statistic.name == name; });
}

} // namespace

TEST(Disturbance, EachNumberMovesAnotherThingUntilAllHaveBeenMoved)
{
    for (uint64_t count : {1, 2, 3, 4, 5, 7, 8, 64, 100, 1000, 1025})
    {
        for (int64_t round = 1; round <= 2; ++round)
        {
            std::set<uint64_t> moved;
            for (uint64_t i = 1; i <= count; ++i)
            {
                const uint64_t number = static_cast<uint64_t>(round - 1) * count + i;
                const ns3::WorkloadDisturbance drawn = DrawWorkloadDisturbance(number, count);
                EXPECT_LT(drawn.which, count);
                EXPECT_EQ(drawn.ns, round);
                moved.insert(drawn.which);
            }
            EXPECT_EQ(moved.size(), count);
        }
    }
}

TEST(Disturbance, TheOrderIsRandomAndAlwaysTheSame)
{
    // the first ten of a million: all tenths of the range but a few, and not in order
    std::set<uint64_t> tenths;
    std::vector<uint64_t> order;
    for (uint64_t number = 1; number <= 30; ++number)
    {
        order.push_back(DrawWorkloadDisturbance(number, 1000000).which);
        tenths.insert(order.back() / 100000);
    }
    EXPECT_GE(tenths.size(), 8U);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(DrawWorkloadDisturbance(1, 1000000).which, order[0]);
}

TEST(Welch, IsTheIntervalOfItsDefinition)
{
    RdmaTrafficRandom random(1, 0);
    for (int i = 0; i < 60; ++i)
    {
        const Sample a = RandomSample(random, 2 + random.Below(6), 1 + random.Below(100000));
        const Sample b = RandomSample(random, 2 + random.Below(6), 2 + random.Below(1000));
        const double va = Variance(a) / static_cast<double>(a.size());
        const double vb = Variance(b) / static_cast<double>(b.size());
        const MeanDifference found = WelchDifference(a, b);
        EXPECT_NEAR(found.difference, Mean(b) - Mean(a), 1e-6);
        if (va + vb == 0)
        {
            EXPECT_EQ(found.low, found.high);
            continue;
        }
        const double freedom = (va + vb) * (va + vb) /
                               (va * va / static_cast<double>(a.size() - 1) +
                                vb * vb / static_cast<double>(b.size() - 1));
        const double half = StudentReach(freedom) * std::sqrt(va + vb);
        EXPECT_NEAR(found.high - found.difference, half, 1e-5 * half + 1e-6);
        EXPECT_NEAR(found.difference - found.low, half, 1e-5 * half + 1e-6);
    }
}

TEST(Welch, KnowsTables)
{
    // one value of each sample apart by 2: the variance of a mean is 1 for one pair, and Student's
    // t for 1 degree of freedom, 0 variance in the other sample, is 12.706
    EXPECT_NEAR(WelchDifference({0, 2}, {5, 5}).high, 4 + 12.706, 0.001);
    // equal variances: 2 degrees of freedom, 4.303, and the variances add up
    EXPECT_NEAR(WelchDifference({0, 2}, {4, 6}).low, 4 - 4.303 * std::sqrt(2), 0.001);
    EXPECT_EQ(WelchDifference({3, 3}, {5, 5, 5}).low, 2);
}

TEST(Disturbed, StatisticsAreThoseOfTheirDefinitions)
{
    RdmaTrafficRandom random(2, 0);
    for (int round = 0; round < 30; ++round)
    {
        const size_t flows = 1 + random.Below(120);
        const size_t pairs = 2 + random.Below(4);
        std::vector<Sample> packets;
        std::vector<Sample> fasts;
        CompareDisturbed disturbed;
        for (size_t pair = 0; pair < pairs; ++pair)
        {
            EXPECT_EQ(JudgeDisturbed(disturbed).has_value(), pair >= 2);
            packets.push_back(RandomSample(random, flows, 500000));
            fasts.push_back(RandomSample(random, flows, 500000));
            AddDisturbed(RunOf(packets.back()), RunOf(fasts.back()), disturbed);
        }
        Sample errors;
        Sample own;
        for (size_t i = 0; i < pairs; ++i)
        {
            errors.push_back(MeanError(packets[i], fasts[i]));
            for (size_t j = 0; j < i; ++j)
            {
                own.push_back(MeanError(packets[j], packets[i]));
            }
        }
        const DisturbedVerdict verdict = *JudgeDisturbed(disturbed);
        EXPECT_NEAR(verdict.fastError, Mean(errors), 1e-12);
        EXPECT_NEAR(verdict.ownError, Mean(own), 1e-12);
        ASSERT_EQ(verdict.statistics.size(), 5U);
        const auto expect = [&](const std::string& name, const auto& statistic) {
            Sample packet;
            Sample fast;
            for (size_t i = 0; i < pairs; ++i)
            {
                packet.push_back(statistic(packets[i]));
                fast.push_back(statistic(fasts[i]));
            }
            const JudgedStatistic& judged = Find(verdict, name);
            EXPECT_NEAR(judged.statistic.ns, Mean(packet), 1e-6) << name;
            EXPECT_NEAR(judged.fastNs, Mean(fast), 1e-6) << name;
            const double bias = (Mean(fast) - Mean(packet)) / Mean(packet);
            ASSERT_TRUE(judged.bias) << name;
            EXPECT_NEAR(judged.bias->difference, bias, 1e-12) << name;
            const MeanDifference reach = WelchDifference(packet, fast);
            EXPECT_NEAR(judged.bias->low, reach.low / Mean(packet), 1e-12) << name;
            EXPECT_EQ(judged.within, std::abs(bias) <= 0.01 || reach.low * reach.high <= 0) << name;
        };
        expect("FCT mean", Mean);
        for (const int share : {50, 90, 99})
        {
            expect("FCT p" + std::to_string(share),
                   [share](const Sample& sample) { return Quantile(sample, share / 100.0); });
        }
        expect("makespan", [](const Sample& sample) { return Quantile(sample, 1); });
    }
}

TEST(Disturbed, SingleFlowsMayBeOffByALittleMoreThanPacketLevelsAre)
{
    // flows of packet levels differ by 10 % each way, of fast-forward by `off`; their means are
    // equal
    const auto within = [](double apart, double off) {
        CompareDisturbed disturbed;
        for (int pair = 0; pair < 3; ++pair)
        {
            const double side = pair == 1 ? apart : 0;
            const double low = 1e6 * (1 - side);
            const double high = 1e6 * (1 + side);
            AddDisturbed(RunOf({low, high}), RunOf({low * (1 + off), high * (1 - off)}), disturbed);
        }
        const DisturbedVerdict verdict = *JudgeDisturbed(disturbed);
        return verdict.beyond.empty() || verdict.beyond[0] != "error of single flows";
    };
    EXPECT_TRUE(within(0, 0.009)); // 1 % is always allowed
    EXPECT_FALSE(within(0, 0.011));
    // Of three pairs of packet levels, one is the same run twice. Flows of the second run are 10 %
    // off the first one's; those of the third 1 / 9 and 1 / 11 off the second one's, 10.1 % on
    // average. The mean of the three is 6.7 %, and 1.25 times that is 8.4 %.
    EXPECT_TRUE(within(0.1, 0.083));
    EXPECT_FALSE(within(0.1, 0.085));
}

TEST(Disturbed, FlowsThatOnlyOneCompletedAreBeyondChaos)
{
    CompareDisturbed disturbed;
    AddDisturbed(RunOf({1e6, 1e6}), RunOf({1e6, 1e6}), disturbed);
    AddDisturbed(RunOf({1e6, 1e6}), RunOf({1e6}), disturbed);
    EXPECT_EQ(JudgeDisturbed(disturbed)->beyond,
              std::vector<std::string>{"flows that were completed"});
}

TEST(Disturbed, WhatOnlyOneOfThemHasIsBeyondChaos)
{
    CompareDisturbed disturbed;
    CompareOutcome unfinished = RunOf({1e6});
    unfinished.makespanNs.reset();
    AddDisturbed(RunOf({1e6}), unfinished, disturbed);
    AddDisturbed(RunOf({1e6}), RunOf({1e6}), disturbed);
    const DisturbedVerdict verdict = *JudgeDisturbed(disturbed);
    EXPECT_EQ(verdict.beyond, std::vector<std::string>{"makespan of all"});
    EXPECT_FALSE(Find(verdict, "makespan").bias);
}
