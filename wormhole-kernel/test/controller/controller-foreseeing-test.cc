/*
 * SPDX-License-Identifier: MIT
 */

// Skips by what the simulator foresees.

#include "controller/controller-rig.h"

#include <gtest/gtest.h>

namespace wormhole
{
namespace
{

ControllerOptions
ForeseeingOptions(double audit = 0)
{
    ControllerOptions options = SmallOptions();
    options.foresee = true;
    options.strict = false;
    options.audit = audit;
    return options;
}

/** Two flows on one port, the second of 100,000 bytes. */
struct Foreseen
{
    explicit Foreseen(const ControllerOptions& options = ForeseeingOptions())
        : rig(nullptr, options)
    {
        rig.simulator.foreseen = {{F0, 100}, {F1, 200}};
    }

    void Start(Bytes first = 100'000)
    {
        rig.simulator.Start(F0, {P0}, first, 100);
        rig.simulator.Start(F1, {P0}, 100'000, 200);
    }

    std::int64_t EndOf(FlowId flow) const
    {
        const auto end = rig.simulator.ends.find(flow);
        return end == rig.simulator.ends.end()
                   ? -1
                   : end->second.time_since_epoch() / std::chrono::microseconds{1};
    }

    Rig rig;
};

TEST(ControllerForeseeing, TakesFlowsToTheirEnds)
{
    Foreseen c;
    c.Start();
    c.rig.simulator.RunTo(At(2000));
    // 100,000 bytes at 200 and 100 bytes/us
    EXPECT_EQ(c.EndOf(F1), 500);
    EXPECT_EQ(c.EndOf(F0), 1000);
    const std::string said = c.rig.Said();
    EXPECT_NE(said.find("Running to Skipping, Foreseen, 2 flows"), std::string::npos) << said;
    // All but the first 8 us at most: a skip as long as what went before, then twice as long...
    EXPECT_GE(c.rig.controller.Statistics().bytesSkipped, 200'000U - 8 * 300);
}

TEST(ControllerForeseeing, WhatTakesNoDrawsIsForeseenUnasked)
{
    ControllerOptions options = ForeseeingOptions();
    options.foresee = false;
    Foreseen c(options);
    c.rig.simulator.undrawn = true;
    c.rig.simulator.climbing = {F0, F1}; // never steady
    c.Start();
    c.rig.simulator.RunTo(At(2000));
    EXPECT_EQ(c.EndOf(F1), 500);
    EXPECT_EQ(c.EndOf(F0), 1000);
    const std::string said = c.rig.Said();
    EXPECT_NE(said.find("Running to Skipping, Foreseen, 2 flows"), std::string::npos) << said;
    // all but the first window, of 4 us, and one after the first end, and what is in flight
    EXPECT_GE(c.rig.controller.Statistics().bytesSkipped, 200'000U - 12 * 300);
}

TEST(ControllerForeseeing, IsOffOnRequest)
{
    for (bool ControllerOptions::*const off :
         {&ControllerOptions::foresee, &ControllerOptions::skip})
    {
        ControllerOptions options = ForeseeingOptions();
        options.*off = false;
        Foreseen c(options);
        c.Start();
        c.rig.simulator.RunTo(At(2000));
        EXPECT_EQ(c.rig.Said().find("Foreseen"), std::string::npos);
        EXPECT_EQ(c.rig.Calls().find("Realise"), std::string::npos);
        EXPECT_EQ(c.EndOf(F0), 1000);
    }
}

TEST(ControllerForeseeing, IsOverWhenAFlowComes)
{
    Foreseen c;
    c.Start();
    c.rig.simulator.foreseen[F2] = 50;
    c.rig.simulator.Do(At(100), [&c]() {
        EXPECT_EQ(c.rig.StateOf(F0), PartitionState::Skipping);
        c.rig.simulator.Start(F2, {P0}, 10'000, 50);
        EXPECT_EQ(c.rig.StateOf(F0), PartitionState::Running);
        EXPECT_EQ(c.rig.DeliveredBy(F0), 100U * 100);
        EXPECT_EQ(c.rig.DeliveredBy(F1), 100U * 200);
    });
    c.rig.simulator.RunTo(At(2000));
    EXPECT_EQ(c.EndOf(F2), 100 + 10'000 / 50);
    EXPECT_EQ(c.EndOf(F1), 500);
    EXPECT_EQ(c.EndOf(F0), 1000);
    EXPECT_GE(c.rig.controller.Statistics().skipsInterrupted, 1U);
}

TEST(ControllerForeseeing, AnAuditFindsNothingWrongWithWhatIsRight)
{
    Foreseen c(ForeseeingOptions(1));
    c.Start();
    c.rig.simulator.RunTo(At(2000));
    EXPECT_EQ(c.EndOf(F1), 500);
    EXPECT_EQ(c.EndOf(F0), 1000);
    const ControllerStatistics& statistics = c.rig.controller.Statistics();
    EXPECT_GT(statistics.audited, 0U);
    EXPECT_EQ(statistics.audited, statistics.auditable);
    EXPECT_EQ(statistics.bytesWrong, 0);
    EXPECT_EQ(statistics.episodesThrownOut, 0U);
}

TEST(ControllerForeseeing, AnAuditRefutesWhatPacketsContradict)
{
    const auto run = [](Bytes first, Bytes second, double audit, Bytes size, Time until) {
        Foreseen c(ForeseeingOptions(audit));
        c.rig.simulator.foreseen = {{F0, first}, {F1, second}};
        c.rig.simulator.tails = {{F0, 0}, {F1, 0}};
        c.Start(size);
        c.rig.simulator.RunTo(until);
        EXPECT_EQ(c.rig.controller.Statistics().audited > 0, audit > 0);
        return std::make_pair(c.EndOf(F0), c.rig.controller.Statistics().episodesThrownOut);
    };
    // A tenth too much in all, without an audit and with one
    EXPECT_LT(run(110, 220, 0, 100'000, At(2000)).first, 990);
    EXPECT_EQ(run(110, 220, 1, 100'000, At(2000)),
              std::make_pair(std::int64_t{1000}, std::uint64_t{2}))
        << "with two flows, and with one";
    // The sum is right when the first is to end, after 50,000 / 110 and / 130 us. Draws move 2 * 10
    // bytes of 300, a fifth of 6.7 %, but not 2 * 30, a fifth of 20 %.
    EXPECT_EQ(run(110, 190, 1, 50'000, At(460)).second, 0U);
    EXPECT_EQ(run(130, 170, 1, 50'000, At(460)).second, 1U);
}

} // namespace
} // namespace wormhole
