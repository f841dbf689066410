/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Fast-forward against packet level on random small scenarios: what always holds (design.md).

#include "harness/fast_scenario.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

namespace
{

using harness::FastOptions;
using harness::FastOutcome;
using harness::FastScenario;

constexpr uint64_t SHARDS = 8;
constexpr uint64_t PER_SHARD = 25;

/** A completion time may be wrong by the bound of Theorem 2, for theta = 5 %, ... */
constexpr double RELATIVE = 0.0527;
/** ... and by what a few frames more or less in a queue are worth. */
constexpr double ABSOLUTE_NS = 3000;

/** \return what is wrong with \p fast, of which \p packet is the truth; empty if nothing is */
std::string
Compare(const FastScenario& scenario, const FastOutcome& packet, const FastOutcome& fast)
{
    std::ostringstream wrong;
    wrong << fast.faults;
    for (size_t i = 0; i < scenario.flows.size(); ++i)
    {
        const FastOutcome::Flow& p = packet.flows[i];
        const FastOutcome::Flow& f = fast.flows[i];
        if (p.completed != f.completed || (p.deliveredNs < 0) != (f.deliveredNs < 0))
        {
            wrong << "flow " << i << (p.completed ? " completes" : " does not complete")
                  << " in packets\n";
            continue;
        }
        if (p.completed && f.received < scenario.flows[i].bytes)
        {
            wrong << "flow " << i << " received " << f.received << " bytes\n";
        }
    }
    return wrong.str();
}

/** \return the largest error of a completion time, relative to its bound */
double
WorstError(const FastScenario& scenario, const FastOutcome& packet, const FastOutcome& fast)
{
    double worst = 0;
    for (size_t i = 0; i < scenario.flows.size(); ++i)
    {
        const FastOutcome::Flow& p = packet.flows[i];
        const FastOutcome::Flow& f = fast.flows[i];
        if (p.completed && f.completed)
        {
            const auto fct = static_cast<double>(p.endNs - p.startNs);
            const double error = std::abs(static_cast<double>(f.endNs - f.startNs) - fct);
            worst = std::max(worst, error / (RELATIVE * fct + ABSOLUTE_NS));
        }
    }
    return worst;
}

std::string
Check(const FastScenario& scenario, const FastOptions& options)
{
    const FastOutcome packet = harness::RunFastScenario(scenario, {});
    const FastOutcome fast = harness::RunFastScenario(scenario, options);
    std::ostringstream wrong;
    wrong << Compare(scenario, packet, fast);
    const bool steady =
        scenario.errorRate == 0 && scenario.bufferBytes == 0 && scenario.failures.empty();
    const double worst = WorstError(scenario, packet, fast);
    if (steady && worst > 1)
    {
        wrong << "an error of " << worst << " times its bound\n";
    }
    if (std::getenv("FAST_VERBOSE"))
    {
        printf("worst %.3f share %.3f found %lu late %lu hops %lu/%lu\n",
               worst,
               fast.skippedShare,
               fast.found,
               fast.interrupted,
               fast.hops,
               packet.hops);
    }
    return wrong.str();
}

class FastForwardRandom : public testing::TestWithParam<uint64_t>
{
};

TEST_P(FastForwardRandom, AsPacketLevel)
{
    const FastOptions options{{"Enabled", "true"}};
    for (uint64_t k = 0; k < PER_SHARD; ++k)
    {
        const uint64_t seed = GetParam() * PER_SHARD + k;
        const FastScenario scenario = harness::DrawFastScenario(seed);
        const std::string wrong = Check(scenario, options);
        if (!wrong.empty())
        {
            const FastScenario smallest = harness::Shrink(scenario, [&](const FastScenario& s) {
                return !Check(s, options).empty();
            });
            FAIL() << "seed " << seed << ": " << wrong << harness::ToText(smallest)
                   << Check(smallest, options);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shard, FastForwardRandom, testing::Range(uint64_t{0}, SHARDS));

} // namespace
