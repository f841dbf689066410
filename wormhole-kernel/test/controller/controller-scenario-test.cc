/*
 * SPDX-License-Identifier: MIT
 */
// The Controller on 10,000 random scenarios of the toy simulator, whose exact answer is known:
// flows that start, end and are rerouted, ports that fail, recover and change, in the middle of
// skips and of replays; with and without episodes, known and unknown.

#include "controller/controller-kernel.h"
#include "simulator/fluid-simulator.h"
#include "simulator/scenario.h"
#include "wormhole/memory-episode-store.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace wormhole
{
namespace
{

constexpr std::uint64_t SHARDS = 20; // so that several can run at once
constexpr std::uint64_t QUICK_SHARDS = 3;
constexpr std::uint64_t SCENARIOS_PER_SHARD = 500;

#ifdef WORMHOLE_SANITIZED
constexpr std::uint64_t EVERY = 16; // each takes ten times as long, and memory is used alike
#else
constexpr std::uint64_t EVERY = 1;
#endif

/** \return how long \p flow took, in ps */
double
CompletionTime(const FluidOutcome& flow)
{
    return static_cast<double>((*flow.completed - *flow.started).count());
}

/** \return how wrong a completion time may be in ps, the bound of Theorem 2, give or take a tick of
 * the toy, which is as fine as it can be */
double
BoundOf(const ScenarioFlow& flow, double exact, double theta)
{
    return theta / (1 - theta) * exact + static_cast<double>(flow.tick.count());
}

/** \return whether \p outcome, of a flow that completes, does so no more than \p bound ps before or
 * after a port fails for good: a little later, and it does not complete */
bool
IsNearFailure(const Scenario& scenario, const FluidOutcome& outcome, double bound)
{
    for (const ScenarioAction& action : scenario.actions)
    {
        const auto after = static_cast<double>((action.at - *outcome.completed).count());
        if (action.kind == ScenarioAction::Kind::SetCapacity && action.capacity == 0 &&
            std::abs(after) <= bound)
        {
            return true;
        }
    }
    return false;
}

/** Nothing is lost or broken, whatever the error, which is \p bounded or not. */
void
ExpectWhole(const Scenario& scenario,
            const FluidResult& truth,
            const FluidResult& result,
            bool bounded)
{
    for (const std::string& violation : result.violations)
    {
        ADD_FAILURE() << violation;
    }
    for (std::size_t i = 0; i < truth.flows.size(); ++i)
    {
        const FluidOutcome& exact = truth.flows[i];
        const FluidOutcome& outcome = result.flows[i];
        ASSERT_EQ(outcome.started.has_value(), exact.started.has_value()) << "flow " << i;
        if (outcome.completed.has_value() != exact.completed.has_value())
        {
            const FluidOutcome& done = exact.completed ? exact : outcome;
            const double bound = bounded ? BoundOf(scenario.flows[i],
                                                   CompletionTime(done),
                                                   ControllerOptions().steady.theta)
                                         : std::numeric_limits<double>::infinity();
            ASSERT_TRUE(IsNearFailure(scenario, done, bound)) << "flow " << i;
        }
        else if (exact.completed)
        {
            EXPECT_EQ(outcome.delivered, scenario.flows[i].size) << "flow " << i;
        }
    }
}

/** The completion time of each flow is wrong by no more than BoundOf says, and no later do others
 * learn of it: packets that catch up should not have been missed. */
void
ExpectBound(const Scenario& scenario,
            const FluidResult& truth,
            const FluidResult& result,
            double theta)
{
    for (std::size_t i = 0; i < truth.flows.size(); ++i)
    {
        if (truth.flows[i].completed && result.flows[i].completed)
        {
            const double exact = CompletionTime(truth.flows[i]);
            const double error = std::abs(CompletionTime(result.flows[i]) - exact);
            const double bound = BoundOf(scenario.flows[i], exact, theta);
            EXPECT_LE(error, bound) << "flow " << i;
            EXPECT_LE(static_cast<double>(result.flows[i].late.count()), bound) << "flow " << i;
        }
    }
}

/** \return \p scenario, and the same again on ports and with flows of its own */
Scenario
Doubled(const Scenario& scenario)
{
    Scenario both = scenario;
    const auto ports = static_cast<std::uint32_t>(scenario.capacities.size());
    const auto shift = [ports](std::vector<PortId>& path) {
        for (PortId& port : path)
        {
            port = PortId{port.Value() + ports};
        }
    };
    both.capacities.insert(both.capacities.end(),
                           scenario.capacities.begin(),
                           scenario.capacities.end());
    for (ScenarioFlow flow : scenario.flows)
    {
        shift(flow.path);
        flow.after = flow.after ? std::optional(*flow.after + scenario.flows.size()) : std::nullopt;
        both.flows.push_back(flow);
    }
    for (ScenarioAction action : scenario.actions)
    {
        shift(action.path);
        action.flow += scenario.flows.size();
        action.port = PortId{action.port.Value() + ports};
        both.actions.push_back(action);
    }
    return both;
}

/** The scenarios of one shard, run in one way. */
class ControllerScenarios : public testing::TestWithParam<std::uint64_t>
{
  protected:
    /** Events of the toy, summed over the scenarios. */
    struct Events
    {
        std::uint64_t truth{0};
        std::uint64_t run{0};
    };

    /** \param run makes a result of a scenario
     *  \param bounded whether its error is
     *  \param every only each so many scenarios, EVERY at least */
    template <class Run>
    Events Try(Run&& run, bool bounded = true, std::uint64_t every = 1)
    {
        Events events;
        const std::uint64_t first = GetParam() * SCENARIOS_PER_SHARD;
        for (std::uint64_t seed = first; seed < first + SCENARIOS_PER_SHARD;
             seed += std::max(every, EVERY))
        {
            const Scenario scenario = RandomScenario(seed);
            const FluidResult truth = RunScenario(scenario);
            const FluidResult result = run(scenario);
            ExpectWhole(scenario, truth, result, bounded);
            if (bounded)
            {
                ExpectBound(scenario, truth, result, ControllerOptions().steady.theta);
            }
            if (HasFailure())
            {
                ADD_FAILURE() << Describe(scenario);
                break;
            }
            events.truth += truth.events;
            events.run += result.events;
        }
        return events;
    }
};

TEST_P(ControllerScenarios, SkippedOnly)
{
    const Events events =
        Try([](const Scenario& scenario) { return RunScenario(scenario, {}, nullptr); });
    EXPECT_LT(events.run, events.truth * 9 / 10);
}

TEST_P(ControllerScenarios, MemoizedOnly)
{
    ControllerOptions options;
    options.skip = false;
    const Events events = Try([&](const Scenario& scenario) {
        MemoryEpisodeStore store;
        return RunScenario(scenario, options, &store);
    });
    EXPECT_LE(events.run, events.truth);
}

TEST_P(ControllerScenarios, SkippedAndMemoized)
{
    const Events events = Try([](const Scenario& scenario) {
        MemoryEpisodeStore store;
        return RunScenario(scenario, {}, &store);
    });
    EXPECT_LT(events.run, events.truth * 9 / 10);
}

TEST_P(ControllerScenarios, AsTheSameBesideIt)
{
    // Whatever happens to the one happens to the other at the same time.
    const Events events = Try(
        [](const Scenario& scenario) {
            MemoryEpisodeStore store;
            FluidResult result = RunScenario(Doubled(scenario), {}, &store);
            result.flows.erase(result.flows.begin(),
                               result.flows.end() -
                                   static_cast<std::ptrdiff_t>(scenario.flows.size()));
            return result;
        },
        true,
        5);
    EXPECT_LT(events.run, events.truth);
}

TEST_P(ControllerScenarios, WithTheStoreOfAnEarlierRun)
{
    const Events events = Try(
        [](const Scenario& scenario) {
            MemoryEpisodeStore store;
            RunScenario(scenario, {}, &store);
            return RunScenario(scenario, {}, &store);
        },
        true,
        2);
    EXPECT_LT(events.run, events.truth / 2);
}

TEST_P(ControllerScenarios, RestingAndWakingOften)
{
    ControllerOptions options;
    options.freeWork = 0;
    options.overhead = 3;
    options.minSaving = 0.02;
    const Events events = Try([&](const Scenario& scenario) {
        Scenario counted = scenario;
        counted.counted = true;
        MemoryEpisodeStore store;
        return RunScenario(counted, options, &store);
    });
    EXPECT_LT(events.run, events.truth);
}

// What seems steady bounds the error of no single flow, but few are off by more, and not much.

TEST_P(ControllerScenarios, WhatSeemsSteady)
{
    ControllerOptions options;
    options.strict = false;
    std::uint64_t flows = 0;
    std::uint64_t beyond = 0;
    double sum = 0;
    const Events events = Try(
        [&](const Scenario& scenario) {
            MemoryEpisodeStore store;
            const FluidResult truth = RunScenario(scenario);
            FluidResult result = RunScenario(scenario, options, &store);
            for (std::size_t i = 0; i < truth.flows.size(); ++i)
            {
                if (truth.flows[i].completed && result.flows[i].completed &&
                    CompletionTime(truth.flows[i]) > 0)
                {
                    const double exact = CompletionTime(truth.flows[i]);
                    const double error = std::abs(CompletionTime(result.flows[i]) - exact);
                    const double bound =
                        BoundOf(scenario.flows[i], exact, ControllerOptions().steady.theta);
                    ++flows;
                    beyond += error > bound ? 1 : 0;
                    sum += error / exact;
                }
            }
            return result;
        },
        false,
        5);
    EXPECT_GT(flows, 50U);
    EXPECT_LT(static_cast<double>(beyond), 0.05 * static_cast<double>(flows));
    EXPECT_LT(sum / static_cast<double>(flows), 0.01);
    EXPECT_LT(events.run, events.truth * 9 / 10);
}

// What is faster, but bounds no error. Still no byte is lost, and no event.

TEST_P(ControllerScenarios, WithoutGuard)
{
    ControllerOptions options;
    options.guard = false;
    Try(
        [&](const Scenario& scenario) {
            MemoryEpisodeStore store;
            RunScenario(scenario, options, &store);
            return RunScenario(scenario, options, &store);
        },
        false,
        5);
}

TEST_P(ControllerScenarios, FoundByFlowsAlone)
{
    ControllerOptions options;
    options.detail = GraphDetail::Flows;
    Try(
        [&](const Scenario& scenario) {
            MemoryEpisodeStore store;
            RunScenario(scenario, options, &store);
            return RunScenario(scenario, options, &store);
        },
        false,
        5);
}

INSTANTIATE_TEST_SUITE_P(Shard,
                         ControllerScenarios,
                         testing::Range(std::uint64_t{0}, QUICK_SHARDS));
INSTANTIATE_TEST_SUITE_P(SlowShard, ControllerScenarios, testing::Range(QUICK_SHARDS, SHARDS));

} // namespace
} // namespace wormhole
