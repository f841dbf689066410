/*
 * SPDX-License-Identifier: MIT
 */
// By how many samples flows are judged.

#include "controller-rig.h"

#include <utility>

namespace wormhole
{
namespace
{

/** Flows at one port, under a control that links tell how much they carry. */
struct Flows
{
    std::uint32_t count{5};
    bool haveOneSender{false};
    bool canScale{true};
    double packetsInFlight{100};
    bool strict{false};
    std::uint32_t window{8};
};

ControllerOptions
OptionsOf(const Flows& what)
{
    ControllerOptions options = SmallOptions();
    options.strict = what.strict;
    options.steady.window = what.window;
    return options;
}

void
Start(Rig& rig, const Flows& what)
{
    if (what.canScale)
    {
        rig.simulator.onScale = [](FlowId, double) {};
    }
    rig.simulator.packetsInFlight = what.packetsInFlight;
    rig.simulator.capacities[P0] = Bytes{10'000} * what.count;
    for (std::uint32_t i = 0; i < what.count; ++i)
    {
        const PortId sender{what.haveOneSender ? 1 : 1 + i};
        rig.simulator.Start(FlowId{i}, {sender, P0}, 100'000'000, 10'000);
    }
}

/** \return when what is constant is skipped, us; 0 if not within 20 us */
std::int64_t
SkipsAt(const Flows& what)
{
    Rig rig(nullptr, OptionsOf(what));
    Start(rig, what);
    for (std::int64_t time = 1; time <= 20; ++time)
    {
        rig.simulator.RunTo(At(time));
        if (rig.StateOf(F0) == PartitionState::Skipping)
        {
            return time;
        }
    }
    return 0;
}

} // namespace

TEST(ControllerWindows, AreHalfAsLongWhereFiveSendersMeet)
{
    EXPECT_EQ(SkipsAt({}), 4);
}

TEST(ControllerWindows, AreWholeElsewhere)
{
    const std::vector<std::pair<const char*, Flows>> cases{
        {"four flows", {4}},
        {"of one sender", {5, true}},
        {"nothing is known of how the control follows links", {5, false, false}},
        {"few packets under way", {5, false, true, 49}},
        {"a number of packets that is not known", {5, false, true, 0}},
        {"strictly", {5, false, true, 100, true}},
    };
    for (const auto& [name, flows] : cases)
    {
        EXPECT_EQ(SkipsAt(flows), 8) << name;
    }
}

TEST(ControllerWindows, HaveFourSamplesAtLeast)
{
    EXPECT_EQ(SkipsAt({5, false, true, 100, false, 4}), 4);
    EXPECT_EQ(SkipsAt({5, false, true, 100, false, 6}), 4);
}

TEST(ControllerWindows, AreWholeAfterALongSkip)
{
    // Looks take half a window; after ten whole ones and more, 80 us, a whole one.
    Rig rig(nullptr, OptionsOf({}));
    Start(rig, {});
    rig.simulator.RunTo(At(300));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 5 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 5 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 5 flows, 0\n"
              "22: P0 Waking to Skipping, RatesHeld, 5 flows, 32\n"
              "54: P0 Skipping to Waking, StretchOver, 5 flows, 0\n"
              "56: P0 Waking to Skipping, RatesHeld, 5 flows, 64\n"
              "120: P0 Skipping to Waking, StretchOver, 5 flows, 0\n"
              "122: P0 Waking to Skipping, RatesHeld, 5 flows, 128\n"
              "250: P0 Skipping to Waking, StretchOver, 5 flows, 0\n"
              "254: P0 Waking to Skipping, RatesHeld, 5 flows, 256\n");
}

} // namespace wormhole
