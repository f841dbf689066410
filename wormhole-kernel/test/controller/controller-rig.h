/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_TEST_CONTROLLER_RIG_H
#define WORMHOLE_TEST_CONTROLLER_RIG_H

#include "simulator/scripted-simulator.h"
#include "wormhole/controller.h"
#include "wormhole/memory-episode-store.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

inline constexpr FlowId F0{0};
inline constexpr FlowId F1{1};
inline constexpr FlowId F2{2};
inline constexpr FlowId F3{3};
inline constexpr FlowId F5{5};
inline constexpr PortId P0{0};
inline constexpr PortId P1{1};
inline constexpr PortId P2{2};
inline constexpr PortId P3{3};
inline constexpr PortId P4{4};

/** Windows of 4 samples, which ScriptedSimulator takes each microsecond. So what is constant is
 * steady after 4 us, and skipped for 4 windows, 16 us, at first. */
inline ControllerOptions
SmallOptions()
{
    ControllerOptions options;
    options.steady.window = 4;
    options.steady.maxPeriod = 16;
    options.steady.periods = 2;
    options.audit = 0;
    return options;
}

/** \return SmallOptions, by which what seems steady is */
inline ControllerOptions
SeemingOptions()
{
    ControllerOptions options = SmallOptions();
    options.strict = false;
    return options;
}

/** \return a decision in words, with its times in microseconds */
inline std::string
Text(const Decision& decision)
{
    const auto inMicroseconds = [](Duration duration) {
        return std::to_string(duration.count() / 1'000'000) +
               (duration.count() % 1'000'000 == 0 ? "" : "+");
    };
    return inMicroseconds(decision.time.time_since_epoch()) + ": P" +
           std::to_string(decision.partition.Value()) + " " + ToString(decision.from) + " to " +
           ToString(decision.to) + ", " + ToString(decision.reason) + ", " +
           std::to_string(decision.flows) + " flows, " + inMicroseconds(decision.span) + "\n";
}

/** A simulator, its controller, and what that said. */
struct Rig
{
    explicit Rig(EpisodeStore* store, const ControllerOptions& options = SmallOptions())
        : controller(simulator, store, options)
    {
        simulator.Attach(&controller);
        controller.SetDecisionHandler([this](const Decision& decision) {
            decisions.push_back(decision);
            said += Text(decision);
        });
        controller.SetWarningHandler(
            [this](const std::string& warning) { warnings.push_back(warning); });
    }

    /** \return what was said since the last call */
    std::string Said()
    {
        return std::exchange(said, {});
    }

    /** \return what the simulator was told since the last call */
    std::string Calls()
    {
        std::string text;
        for (const std::string& call : std::exchange(simulator.calls, {}))
        {
            text += call + "\n";
        }
        return text;
    }

    PartitionState StateOf(FlowId flow) const
    {
        return controller.StateOf(controller.Partitions().PartitionOf(flow));
    }

    Bytes DeliveredBy(FlowId flow) const
    {
        return controller.DeliveredBy(flow, simulator.Now());
    }

    ScriptedSimulator simulator;
    Controller controller;
    std::vector<Decision> decisions;
    std::vector<std::string> warnings;
    std::string said;
};

} // namespace wormhole

#endif // WORMHOLE_TEST_CONTROLLER_RIG_H
