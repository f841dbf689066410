/*
 * SPDX-License-Identifier: MIT
 */

// Whose acknowledgements are included, and whose ports are set apart; what saves too little to
// skip.

#include "controller/controller-rig.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace wormhole
{
namespace
{

/** The rate of F1 changes every microsecond, for 100. */
void
SwingF1(Rig& rig)
{
    for (int time = 0; time < 100; ++time)
    {
        rig.simulator.Do(At(time),
                         [&rig, time] { rig.simulator.SetRate(F1, 50 << (time * time % 7 % 3)); });
    }
}

TEST(ControllerApart, FlowsThatCouldBeSkippedApartAreSetApart)
{
    // F0 is steady, F1 swings; both have P2, but need not.
    ControllerOptions options = SeemingOptions();
    options.minSaving = 0.1;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.apart = {{F0, 1}, {F1, 1}};
    rig.simulator.Start(F0, {P0, P2}, 1'000'000, 100);
    rig.simulator.Start(F1, {P1, P2}, 1'000'000, 100);
    SwingF1(rig);
    rig.simulator.RunTo(At(3));
    EXPECT_EQ(rig.Calls(), "");
    rig.simulator.RunTo(At(20));
    // From 4 us on, 10 of some 20 events per us could have been left out: more than a tenth soon.
    const std::string calls = rig.Calls();
    EXPECT_NE(calls.find("us: SetApart flows 0,1 ports 0,1,2\n"), std::string::npos) << calls;
    EXPECT_EQ(calls.find("Pause"), std::string::npos) << calls;
    EXPECT_GT(rig.controller.Statistics().eventsMissed, 0);

    rig.simulator.Do(At(20), [&] {
        rig.controller.FlowRerouted(F0, {P0}, At(20));
        rig.controller.FlowRerouted(F1, {P1}, At(20));
    });
    rig.simulator.RunTo(At(30));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
}

TEST(ControllerApart, NotFlowsThatShareWhatTheyNeed)
{
    ControllerOptions options = SeemingOptions();
    options.minSaving = 0.1;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.apart = {{F0, 2}, {F1, 2}};
    rig.simulator.Start(F0, {P0, P2, P3}, 1'000'000, 100);
    rig.simulator.Start(F1, {P1, P2, P3}, 1'000'000, 100);
    SwingF1(rig);
    rig.simulator.RunTo(At(30));
    EXPECT_EQ(rig.Calls(), "");
}

/** F0 alone is skipped: that saves most of 10 events per us, for 40. Then F1 and F2 begin. \return
 * whether these are to be exact */
bool
AreToBeExact(Bytes bytes, const std::vector<PortId>& path1, const std::vector<PortId>& path2)
{
    ControllerOptions options = SeemingOptions();
    options.minSaving = 0.1;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.eventsPerByte = 0.1; // as it counts them
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(40));
    EXPECT_GT(rig.controller.Statistics().eventsSkipped, 150);
    EXPECT_TRUE(rig.controller.PaysOff());
    EXPECT_FALSE(rig.controller.SavesLittle());
    rig.Calls();
    rig.simulator.Start(F1, path1, bytes, 100);
    rig.simulator.Start(F2, path2, bytes, 100);
    rig.simulator.RunTo(At(41));
    return rig.Calls().find("us: SetExact flows 1,2") != std::string::npos;
}

TEST(ControllerExact, FlowsOfSeveralSendersThatBeginAfterLittleWasSaved)
{
    // They stand for 200,000 events: a tenth of these is a hundred times what was saved.
    EXPECT_TRUE(AreToBeExact(1'000'000, {P1, P3}, {P2, P3}));
    EXPECT_FALSE(AreToBeExact(1'000'000, {P1, P2}, {P1, P3})) << "one sender";
    EXPECT_FALSE(AreToBeExact(1'000'000, {P1}, {P2})) << "each by itself";
    EXPECT_FALSE(AreToBeExact(100, {P1, P3}, {P2, P3})) << "a hundredth of what F0 stands for";
}

TEST(ControllerExact, NoTrifleIsSkippedWherePathsCollide)
{
    const auto skipped = [](bool collide, Bytes bytes) {
        ControllerOptions options = SeemingOptions();
        options.minSaving = 0.1;
        Rig rig(nullptr, options);
        rig.simulator.counts = true;
        rig.simulator.collide = collide;
        rig.simulator.eventsPerByte = 0.1; // as it counts them
        rig.simulator.Start(F0, {P0}, bytes, 100);
        rig.simulator.RunTo(At(40));
        const ControllerStatistics& statistics = rig.controller.Statistics();
        EXPECT_GT(statistics.eventsSkipped + statistics.eventsMissed, 100);
        return statistics.eventsSkipped > 0;
    };
    EXPECT_TRUE(skipped(false, 10'000));
    EXPECT_FALSE(skipped(true, 10'000)) << "1,000 events";
    EXPECT_TRUE(skipped(true, 1'000'000)) << "100,000 events";
}

TEST(ControllerExact, WhatHasSavedAFewOfManyEventsSavesLittle)
{
    // F0 saves some 300 events; F1 swings for 100 us, with 200 events per us on average.
    ControllerOptions options = SeemingOptions();
    options.minSaving = 0.1;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 4000, 100);
    rig.simulator.RunTo(At(39));
    EXPECT_FALSE(rig.controller.SavesLittle());
    rig.simulator.Start(F1, {P1}, 10'000'000, 2000);
    for (int time = 39; time < 139; ++time)
    {
        rig.simulator.Do(At(time), [&rig, time] { rig.simulator.SetRate(F1, 1000 << time % 3); });
    }
    rig.simulator.RunTo(At(139));
    EXPECT_TRUE(rig.controller.SavesLittle());
}

} // namespace
} // namespace wormhole
