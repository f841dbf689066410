/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_FLUID_FIXTURE_H
#define WORMHOLE_TEST_FLUID_FIXTURE_H

#include "simulator/fluid-simulator.h"

#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

constexpr Duration MICROSECOND{1'000'000};
constexpr std::uint64_t GIGABIT = 1'000'000'000;

/** Does at given times what a test wants; after FlowEnded too. */
class ScriptedKernel : public Kernel
{
  public:
    void FlowStarted(FlowId flow, const std::vector<PortId>&, Time) override
    {
        if (onStart)
        {
            onStart(flow);
        }
    }

    void FlowEnded(FlowId flow, Time at) override
    {
        ends.emplace_back(flow, at);
        if (onEnd)
        {
            onEnd(flow);
        }
    }

    void FlowRerouted(FlowId flow, const std::vector<PortId>&, Time) override
    {
        if (onReroute)
        {
            onReroute(flow);
        }
    }

    void PortChanged(PortId, Time) override
    {
    }

    void Disturbed(FlowId, Time) override
    {
    }

    std::optional<Time> NextAlarm() const override
    {
        return script.empty() ? std::nullopt : std::optional<Time>(script.begin()->first);
    }

    void RunAlarms(Time) override
    {
        const auto action = script.begin()->second;
        script.erase(script.begin());
        action();
    }

    void Finish(Time) override
    {
    }

    std::multimap<Time, std::function<void()>> script;
    std::function<void(FlowId)> onStart;
    std::function<void(FlowId)> onEnd;
    std::function<void(FlowId)> onReroute;
    std::vector<std::pair<FlowId, Time>> ends;
};

/** A simulator with a scripted kernel. */
struct Scripted
{
    explicit Scripted(const Scenario& scenario)
        : simulator(scenario)
    {
        simulator.Attach(&kernel);
    }

    void At(Time time, std::function<void()> action)
    {
        kernel.script.emplace(time, std::move(action));
    }

    FluidSimulator simulator;
    ScriptedKernel kernel;
};

inline Time
Microseconds(std::int64_t count)
{
    return Time{count * MICROSECOND};
}

inline ScenarioFlow
MakeFlow(std::vector<PortId> path, Bytes size, std::int32_t startRate = 1024)
{
    ScenarioFlow flow;
    flow.path = std::move(path);
    flow.size = size;
    flow.lineRate = 100 * GIGABIT; // 12,500 bytes/us
    flow.startRate = startRate;
    return flow;
}

/** Two flows over port 0, one of which goes on over port 1, and one over port 1. */
inline Scenario
MakeChain()
{
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT, 40 * GIGABIT};
    scenario.patience = 16 * MICROSECOND;
    scenario.flows = {MakeFlow({PortId{0}}, 3'000'001),
                      MakeFlow({PortId{0}, PortId{1}}, 1'000'003),
                      MakeFlow({PortId{1}}, 2'000'000, 100)};
    return scenario;
}

inline const Members CHAIN{{FlowId{0}, FlowId{1}, FlowId{2}}, {PortId{0}, PortId{1}}};

inline std::string
Listed(const std::vector<std::string>& lines)
{
    std::string text;
    for (const std::string& line : lines)
    {
        text += line + '\n';
    }
    return text;
}

/** Expects the same completions, \p later. */
inline void
ExpectSame(const FluidResult& result, const FluidResult& truth, Duration later = Duration{0})
{
    EXPECT_EQ(Listed(result.violations), "");
    ASSERT_EQ(result.flows.size(), truth.flows.size());
    for (std::size_t i = 0; i < truth.flows.size(); ++i)
    {
        EXPECT_EQ(result.flows[i].delivered, truth.flows[i].delivered) << "flow " << i;
        ASSERT_EQ(result.flows[i].completed.has_value(), truth.flows[i].completed.has_value())
            << "flow " << i;
        if (truth.flows[i].completed)
        {
            EXPECT_EQ((*result.flows[i].completed - *truth.flows[i].completed).count(),
                      later.count())
                << "flow " << i;
        }
    }
}

} // namespace wormhole

#endif // WORMHOLE_TEST_FLUID_FIXTURE_H
