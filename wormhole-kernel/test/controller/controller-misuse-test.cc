/*
 * SPDX-License-Identifier: MIT
 */

// Calls and options that make no sense. What does: controller-test.cc.

#include "controller/controller-rig.h"
#include "usage-error.h"

#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace wormhole
{
namespace
{

/** An option, and values of it. */
struct OptionCase
{
    std::string name;
    std::function<void(ControllerOptions&, double)> set;
    std::vector<double> bad;
    std::vector<double> good;
};

constexpr double INFINITE = std::numeric_limits<double>::infinity();
constexpr double NOTHING = std::numeric_limits<double>::quiet_NaN();

TEST(ControllerMisuse, OptionsOutOfRangeAreNamed)
{
    const std::vector<OptionCase> cases = {
        {"ControllerOptions::rateStep",
         [](ControllerOptions& options, double value) { options.rateStep = value; },
         {1, 1.0000001, 0, -2, INFINITE, NOTHING},
         {1.000001, 10}},
        {"ControllerOptions::queueStep",
         [](ControllerOptions& options, double value) { options.queueStep = value; },
         {1, 1.0000001, 0, -2, INFINITE, NOTHING},
         {1.000001, 10}},
        {"ControllerOptions::shortestSkip",
         [](ControllerOptions& options, double value) { options.shortestSkip = value; },
         {0, -1, NOTHING},
         {0.1, 4}},
        {"ControllerOptions::firstStretch",
         [](ControllerOptions& options, double value) { options.firstStretch = value; },
         {0.9, NOTHING},
         {1, 1e300, INFINITE}},
        {"ControllerOptions::stretchGrowth",
         [](ControllerOptions& options, double value) { options.stretchGrowth = value; },
         {0.9, -1, NOTHING},
         {1, 1e300, INFINITE}},
        {"ControllerOptions::tailAlignment",
         [](ControllerOptions& options, double value) { options.tailAlignment = value; },
         {-1e-9, INFINITE, NOTHING},
         {0, 1}},
        {"SteadyStateOptions::theta",
         [](ControllerOptions& options, double value) { options.steady.theta = value; },
         {0, 1, NOTHING},
         {0.5}},
    };
    for (const OptionCase& option : cases)
    {
        for (const double value : option.bad)
        {
            ControllerOptions options = SmallOptions();
            option.set(options, value);
            const std::string error = test::UsageErrorOf([&] { Rig rig(nullptr, options); });
            EXPECT_EQ(error.find(option.name + " is "), 0U) << option.name << " " << value << error;
        }
        for (const double value : option.good)
        {
            ControllerOptions options = SmallOptions();
            option.set(options, value);
            MemoryEpisodeStore store;
            Rig rig(&store, options);
            rig.simulator.Start(F0, {P0}, 100'000, 100);
            rig.simulator.RunTo(At(1000));
            EXPECT_TRUE(rig.simulator.ends.at(F0) == At(1000)) << option.name << " " << value;
        }
    }
}

TEST(ControllerMisuse, NothingIsChangedByCallsThatMakeNoSense)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    ASSERT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    Controller& controller = rig.controller;
    const std::vector<std::function<void()>> calls = {
        [&] { controller.FlowStarted(F0, {P0}, At(12)); },
        [&] { controller.FlowEnded(F0, At(12)); }, // it is paused
        [&] { controller.FlowEnded(F1, At(12)); },
        [&] { controller.FlowRerouted(F1, {P0}, At(12)); },
        [&] { controller.Disturbed(F1, At(12)); },
        [&] { (void)controller.StateOf(PartitionId{7}); },
        [&] { (void)controller.DeliveredBy(F1, At(12)); },
    };
    rig.Said();
    rig.Calls();
    for (std::size_t i = 0; i < calls.size(); ++i)
    {
        EXPECT_NE(test::UsageErrorOf(calls[i]), "") << i;
    }
    EXPECT_EQ(rig.Said(), "");
    EXPECT_EQ(rig.Calls(), "");
    // Nor has the Controller's clock gone on to 12 us.
    rig.simulator.RunTo(At(11));
    rig.controller.Disturbed(F0, At(11));
    EXPECT_EQ(rig.Calls(), "11 us: Credit flow 0 700\n11 us: Resume +7 us flows 0 ports 0\n");
}

TEST(ControllerMisuse, ErrorsNameTheFlow)
{
    Rig rig(nullptr);
    rig.simulator.Start(FlowId{77}, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    const auto again = [&] { rig.controller.FlowStarted(FlowId{77}, {P0}, At(10)); };
    EXPECT_EQ(test::UsageErrorOf(again),
              "flow 77 has started already: each flow needs a number of its own");
    const auto ended = [&] { rig.controller.FlowEnded(FlowId{77}, At(10)); };
    EXPECT_EQ(test::UsageErrorOf(ended),
              "flow 77 has ended, but its packets are not being simulated");
}

TEST(ControllerMisuse, PortsThatNobodyUsesMayChange)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    rig.controller.PortChanged(PortId{123'456}, At(10));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

} // namespace
} // namespace wormhole
