/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fast_random.h"

#include "fast_scenario.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace harness
{

namespace
{

/** A completion time may be wrong by theta / (1 - theta), ... */
constexpr double RELATIVE = 0.0527;
/** ... and by what a few frames more or less in a queue are worth. */
constexpr double ABSOLUTE_NS = 3000;

/** Runs of packet level with other starts, at most, to see how far apart these are; ... */
constexpr uint64_t MOVED_RUNS = 30;
/** ... and by how much others may be farther. */
constexpr double MOVED_SLACK = 2;

/** \return what must never be and is in \p fast, of which \p packet is the truth; or empty */
std::string
FaultsOf(const FastScenario& scenario, const FastOutcome& packet, const FastOutcome& fast)
{
    std::ostringstream faults;
    faults << packet.faults << fast.faults;
    for (size_t i = 0; i < scenario.flows.size(); ++i)
    {
        const FastOutcome::Flow& p = packet.flows[i];
        const FastOutcome::Flow& f = fast.flows[i];
        if (p.completed != f.completed || (p.deliveredNs < 0) != (f.deliveredNs < 0))
        {
            faults << "flow " << i << (p.completed ? " completes" : " does not complete")
                   << " in packets alone\n";
        }
        else if (f.completed && f.received != std::max<uint64_t>(scenario.flows[i].bytes, 1))
        {
            faults << "flow " << i << " received " << f.received << " bytes\n";
        }
    }
    return faults.str();
}

/** \return the largest difference of a completion time of \p b from that of \p a, relative to its
 * bound */
double
WorstDifference(const FastOutcome& a, const FastOutcome& b)
{
    double worst = 0;
    for (size_t i = 0; i < a.flows.size(); ++i)
    {
        if (a.flows[i].completed && b.flows[i].completed)
        {
            const auto fct = [i](const FastOutcome& outcome) {
                return static_cast<double>(outcome.flows[i].endNs - outcome.flows[i].startNs);
            };
            worst = std::max(worst, std::abs(fct(b) - fct(a)) / (RELATIVE * fct(a) + ABSOLUTE_NS));
        }
    }
    return worst;
}

/** \return how far from \p packet it is if starts are moved, as WorstDifference; or \p enough */
double
SpreadOf(const FastScenario& scenario, const FastOutcome& packet, double enough)
{
    double spread = 0;
    for (uint64_t run = 1; run <= MOVED_RUNS && spread < enough; ++run)
    {
        const FastOutcome moved = RunFastScenario(MoveStarts(scenario, run), {});
        spread = std::max(spread, WorstDifference(packet, moved));
    }
    return spread;
}

/** With acknowledgements that are watched it may be wrong by this many times as much: how they and
 * data wait for each other is then not simulated frame by frame. */
constexpr double WATCHED = 2;

/** What may couple partitions, besides their ports. */
const FastOptions COUPLINGS[] = {
    {{"Acknowledgements", "auto"}},
    {{"Acknowledgements", "watch"}},
    {{"Acknowledgements", "include"}},
    {{"Acknowledgements", "include"}, {"SharedBuffers", "include"}},
};

/** \return what is wrong with fast-forward in \p scenario, of which \p packet is the truth; empty
 * if nothing is */
std::string
Check(const FastScenario& scenario, const FastOutcome& packet, const FastOptions& options)
{
    const FastOutcome fast = RunFastScenario(scenario, options);
    const std::string faults = FaultsOf(scenario, packet, fast);
    const bool untroubled =
        scenario.errorRate == 0 && scenario.bufferBytes == 0 && scenario.failures.empty();
    const bool watched = options.at("Acknowledgements") != "include";
    const double worst = WorstDifference(packet, fast) / (watched ? WATCHED : 1);
    if (!faults.empty() || !untroubled || worst <= 1)
    {
        return faults;
    }
    const double spread = SpreadOf(scenario, packet, worst / MOVED_SLACK);
    if (worst <= MOVED_SLACK * spread)
    {
        return "";
    }
    std::ostringstream text;
    text << "an error of " << worst << " times its bound, where packet level is apart by " << spread
         << " times that if starts move\n";
    return text.str();
}

/** \return the same, under all options */
std::string
Check(const FastScenario& scenario)
{
    const FastOutcome packet = RunFastScenario(scenario, {});
    std::string wrong;
    for (const FastOptions& options : COUPLINGS)
    {
        const std::string found = Check(scenario, packet, options);
        if (!found.empty())
        {
            for (const auto& [name, value] : options)
            {
                wrong += name + "=" + value + " ";
            }
            wrong += found;
        }
    }
    return wrong;
}

} // namespace

void
ExpectAsPacketLevel(uint64_t first, uint64_t count)
{
    for (uint64_t seed = first; seed < first + count; ++seed)
    {
        const FastScenario scenario = DrawFastScenario(seed);
        const std::string wrong = Check(scenario);
        if (!wrong.empty())
        {
            const FastScenario smallest =
                Shrink(scenario, [](const FastScenario& s) { return !Check(s).empty(); });
            FAIL() << "seed " << seed << ": " << wrong << "The smallest such scenario:\n"
                   << ToText(smallest) << Check(smallest);
        }
    }
}

} // namespace harness
