/*
 * SPDX-License-Identifier: MIT
 */

// What partitions learn of each other without sharing ports: loads that change, rates that are
// assumed; and looks in the middle of a skip, which are not to bring partitions out of step.

#include "controller/controller-rig.h"

#include <gtest/gtest.h>
#include <string>

namespace wormhole
{
namespace
{

/** Lets \p load cross \p port now, and says so. */
void
Load(Rig& rig, PortId port, std::int32_t load)
{
    rig.simulator.loads[port] = load;
    rig.controller.LoadChanged(port, rig.simulator.Now());
}

TEST(ControllerLoad, ALoadOfAnotherClassEndsASkip)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(10), [&] { Load(rig, P0, 1); });
    rig.simulator.RunTo(At(14));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "10: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "10: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "14: P0 Running to Skipping, Steady, 1 flows, 16\n");
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0 ports 0\n"
              "10 us: Credit flow 0 600\n"
              "10 us: Resume +6 us flows 0 ports 0\n"
              "14 us: Pause flows 0 ports 0\n");
    EXPECT_EQ(rig.controller.Statistics().skipsInterrupted, 1U);
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
}

TEST(ControllerLoad, ALoadOfTheSameClassDoesNot)
{
    Rig rig(nullptr);
    rig.simulator.loads[P0] = 0;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(8), [&] { Load(rig, P0, 0); });
    rig.simulator.Do(At(10), [&] {
        Load(rig, P0, 1); // who left has come back in the same instant
        Load(rig, P0, 0);
    });
    rig.simulator.Do(At(11), [&] { Load(rig, P1, 1); }); // nobody is there
    rig.simulator.RunTo(At(19));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.Calls(), "4 us: Pause flows 0 ports 0\n");
    EXPECT_EQ(rig.controller.Statistics().skipsInterrupted, 0U);
    EXPECT_TRUE(*rig.controller.NextAlarm() == At(20)) << "nothing is left to do before";
}

TEST(ControllerLoad, TellsAChangeOnce)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(2), [&] { Load(rig, P0, 1); });
    rig.simulator.RunTo(At(6)); // sampled anew from 2 us on
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.Do(At(10), [&] { Load(rig, P0, 1); });
    rig.simulator.RunTo(At(10));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.Do(At(11), [&] { Load(rig, P0, 0); });
    rig.simulator.RunTo(At(11));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
}

TEST(ControllerLoad, CountsAfterWhatEndsAtThatInstant)
{
    Rig rig(nullptr);
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(20), [&] { Load(rig, P0, 1); });
    rig.simulator.RunTo(At(20));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "20: P0 Waking to Running, LoadChanged, 1 flows, 0\n"
              "20: P0 Running to Running, NothingToRecord, 1 flows, 0\n");
    EXPECT_EQ(rig.controller.Statistics().skipsInterrupted, 0U);
}

TEST(ControllerLoad, WhoEndsAtThatInstantMayTakeALoadBack)
{
    MemoryEpisodeStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 10'000, 100); // skips from 4 us on
    const auto start = [&](FlowId flow) { rig.simulator.Start(flow, {P1}, 600, 200); };
    rig.simulator.Do(At(5), [&] { start(F1); });                     // 3 us, recorded
    rig.simulator.Do(At(9), [&] { start(FlowId{2}); });              // 3 us, replayed
    rig.simulator.Do(At(12), [&] { Load(rig, P0, 1); });             // as that one ends, ...
    rig.simulator.onComplete[FlowId{2}] = [&] { Load(rig, P0, 0); }; // ... whose load it was
    rig.simulator.RunTo(At(13));
    EXPECT_TRUE(rig.simulator.ends.at(FlowId{2}) == At(12));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(ControllerLoad, ALoadOfAnotherClassRunsAReplayLate)
{
    MemoryEpisodeStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 300, 100);
    rig.simulator.RunTo(At(5));
    rig.simulator.Start(F1, {P0}, 300, 100);
    rig.simulator.RunTo(At(6));
    ASSERT_EQ(rig.StateOf(F1), PartitionState::Replaying);
    Load(rig, P0, 1);
    rig.simulator.RunTo(At(6));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Recording); // with this load, nothing is known
    EXPECT_EQ(rig.DeliveredBy(F1), 100U);
    EXPECT_EQ(rig.controller.Statistics().replaysInterrupted, 1U);
}

TEST(ControllerLoad, RatesOfWhatIsSkippedAreTold)
{
    Rig rig(nullptr);
    rig.simulator.notesRates = true;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Start(F1, {P0}, 10'000, 50);
    rig.simulator.RunTo(At(4));
    EXPECT_EQ(rig.Calls(),
              "4 us: Pause flows 0,1 ports 0\n"
              "4 us: AssumeRate flow 0 100\n"
              "4 us: AssumeRate flow 1 50\n");
}

TEST(ControllerLoad, RatesOfWhatIsReplayedAreTold)
{
    MemoryEpisodeStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 300, 100);
    rig.simulator.RunTo(At(5));
    rig.Calls();
    rig.simulator.notesRates = true;
    rig.simulator.Start(F1, {P0}, 300, 100);
    rig.simulator.RunTo(At(5));
    EXPECT_EQ(rig.Calls(),
              "5 us: Pause flows 1 ports 0\n"
              "5 us: AssumeRate flow 1 100\n"); // 300 bytes in 3 us
}

TEST(ControllerLoad, WhoFollowsIsAssumedToSendWhatItsLeaderDoes)
{
    MemoryEpisodeStore store;
    Rig rig(&store);
    rig.simulator.notesRates = true;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Start(F1, {P1}, 10'000, 100);
    rig.simulator.Do(At(2), [&] { rig.simulator.SetRate(F0, 200); });
    rig.simulator.RunTo(At(3));
    ASSERT_EQ(rig.StateOf(F1), PartitionState::Following);
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 1 ports 1\n"
              "0 us: AssumeRate flow 1 any\n" // until the leader's first sample
              "1 us: AssumeRate flow 1 100\n"
              "2 us: AssumeRate flow 1 100\n"
              "3 us: AssumeRate flow 1 200\n");
}

TEST(ControllerLook, RatesThatDifferByAPacketAreKept)
{
    // 1e-3 of 10,000 is 10: noise. 32 us are skipped at what held before, or at what holds now.
    for (const Bytes rate : {10'009U, 10'011U})
    {
        Rig rig(nullptr);
        rig.simulator.Start(F0, {P0}, 10'000'000, 10'000);
        rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, rate); });
        rig.simulator.RunTo(At(56));
        EXPECT_EQ(rig.Calls(),
                  "4 us: Pause flows 0 ports 0\n"
                  "20 us: Credit flow 0 160000\n"
                  "20 us: Resume +16 us flows 0 ports 0\n"
                  "24 us: Pause flows 0 ports 0\n"
                  "56 us: Credit flow 0 " +
                      std::to_string(rate == 10'009 ? 320'000 : 32 * rate) +
                      "\n"
                      "56 us: Resume +32 us flows 0 ports 0\n");
    }
}

TEST(ControllerLook, NoneThatWouldNotBeOverBeforeTheTail)
{
    // After 4 us, 16 us of skip and a look of 4 us more: the tail of 400 bytes may be just there.
    for (const Bytes toTail : {1'900U, 2'000U})
    {
        Rig rig(nullptr);
        rig.simulator.Start(F0, {P0}, 400 + toTail + 400, 100);
        rig.simulator.RunTo(At(100));
        EXPECT_EQ(rig.Said(),
                  std::string("0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
                              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n") +
                      (toTail == 1'900 ? "4: P0 Running to Skipping, Steady, 1 flows, 19\n"
                                         "23: P0 Skipping to Running, TailReached, 1 flows, 0\n"
                                       : "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
                                         "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
                                         "24: P0 Waking to Running, TailReached, 1 flows, 0\n"));
        EXPECT_TRUE(rig.simulator.ends.at(F0) == At(static_cast<std::int64_t>(800 + toTail) / 100));
    }
}

// What seems steady (ControllerOptions::strict is false).

TEST(ControllerLoad, ALookTellsWhetherALoadMatters)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(10), [&] { Load(rig, P0, 1); });
    rig.simulator.Do(At(30), [&] {
        Load(rig, P0, 0);
        rig.simulator.SetRate(F0, 50);
    });
    rig.simulator.RunTo(At(37));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "10: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "10: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              // half a window tells that it does not matter; the stretch doubles
              "12: P0 Running to Skipping, RatesHeld, 1 flows, 32\n"
              "30: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "30: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              // that it does, and a window what comes of it
              "34: P0 Running to Skipping, Steady, 1 flows, 16\n");
}

TEST(ControllerLoad, UnderOneThatIsKnownALookIsEnough)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    const auto change = [&](std::int64_t time, std::int32_t load, Bytes rate) {
        rig.simulator.Do(At(time), [&rig, load, rate] {
            Load(rig, P0, load);
            rig.simulator.SetRate(F0, rate);
        });
    };
    change(10, 1, 50);
    change(20, 0, 100);
    change(30, 1, 50);
    change(40, 0, 50);
    rig.simulator.RunTo(At(44));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "4: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "10: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "10: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "14: P0 Running to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "20: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              // a quarter of a window tells that it is where it was; as before with the other load
              "21: P0 Running to Skipping, RatesHeld, 1 flows, 32\n"
              "30: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "30: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              "31: P0 Running to Skipping, RatesHeld, 1 flows, 32\n"
              "40: P0 Skipping to Running, LoadChanged, 1 flows, 0\n"
              "40: P0 Running to Running, NothingToRecord, 1 flows, 0\n"
              // or that it is not, so that it is found out anew
              "44: P0 Running to Skipping, Steady, 1 flows, 16\n");
}

TEST(ControllerLoad, WhoIsNotAsItSeemsIsLookedAtShortlyWithAPortOfItsOwn)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.creeps = {{F0, true}, {F1, true}, {F2, true}, {F3, true}};
    rig.simulator.Start(F0, {P0}, 100'000, 1000);
    rig.simulator.Start(F1, {P1}, 100'000, 1000);
    rig.simulator.Start(F2, {P1}, 100'000, 1000);
    rig.simulator.Start(F3, {P2}, 100'000, 1000);
    // A fifth of theta, 5 %, is 10 bytes/us: less is what it was, ...
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 1009); });
    // ... more takes longer to tell.
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F3, 1011); });
    rig.simulator.RunTo(At(21)); // steady at 4, skipped for 16, looked at for a quarter of a window
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
    EXPECT_EQ(rig.StateOf(F3), PartitionState::Waking);
    rig.simulator.RunTo(At(23));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
    EXPECT_EQ(rig.StateOf(F3), PartitionState::Waking);
    rig.simulator.RunTo(At(24));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    rig.simulator.RunTo(At(50));
    EXPECT_EQ(rig.DeliveredBy(F0), 20U * 1000 + 1009 + 29 * 1000);
}

TEST(ControllerLoad, WhatMayRiseIsWaitedForIfItIsNotAlone)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.rising = {F0, F1, F3};
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    rig.simulator.Start(F1, {P1}, 100'000, 100);
    rig.simulator.Start(F2, {P1}, 100'000, 100);
    rig.simulator.Start(F3, {P2}, 100'000, 100);
    rig.simulator.Start(FlowId{4}, {P2}, 100'000, 100);
    rig.simulator.Do(At(8), [&] { rig.simulator.rising.erase(F3); });
    rig.simulator.RunTo(At(7)); // a window: it is steady
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F3), PartitionState::Skipping);
    rig.simulator.RunTo(At(9));
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F3), PartitionState::Skipping);
    rig.simulator.RunTo(At(15));
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
    rig.simulator.RunTo(At(16)); // four windows: it is so
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
}

TEST(ControllerLoad, WhatTimersRaiseIsNotSteady)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.climbing = {F0, F1};
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    rig.simulator.Start(F1, {P1}, 100'000, 100);
    rig.simulator.Start(F2, {P1}, 100'000, 100);
    rig.simulator.Start(F3, {P2}, 100'000, 100);
    rig.simulator.Do(At(50), [&] { rig.simulator.climbing.erase(F0); });
    rig.simulator.Do(At(100), [&] { rig.simulator.climbing.insert(F3); });
    rig.simulator.RunTo(At(49));
    EXPECT_NE(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F3), PartitionState::Skipping);
    rig.simulator.RunTo(At(52));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
    // As soon as it is looked at again, it is not skipped any more.
    rig.simulator.RunTo(At(900));
    EXPECT_NE(rig.StateOf(F3), PartitionState::Skipping);
    EXPECT_NE(rig.StateOf(F1), PartitionState::Skipping);
}

TEST(ControllerLoad, SamplesHoldPacketsOfEachFlow)
{
    // One packet in 10 us, and samples of 1 us: of most of these, the rate seems to be 0.
    for (const bool strict : {false, true})
    {
        ControllerOptions options = SeemingOptions();
        options.strict = strict;
        Rig rig(nullptr, options);
        rig.simulator.packets = {{F0, 1000}};
        rig.simulator.tellsArrivals = true;
        rig.simulator.Start(F0, {P0}, 1'000'000, 100);
        rig.simulator.RunTo(At(5000));
        EXPECT_GT(rig.controller.Statistics().bytesSkipped, 30'000U) << strict;
        EXPECT_NEAR(static_cast<double>(rig.DeliveredBy(F0)), 500'000, 2000) << strict;
    }
}

TEST(ControllerLoad, WhoIsSkippedAloneIsLookedAtShortly)
{
    // A quarter of a window; with a share of a port, half of one.
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    rig.simulator.Start(F1, {P1}, 100'000, 100);
    rig.simulator.Start(F2, {P1}, 100'000, 100);
    rig.simulator.RunTo(At(21));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Waking);
    rig.simulator.RunTo(At(22));
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
}

TEST(ControllerLoad, WhatIsKnownIsToldByPortsAndLoads)
{
    // F1 comes to where F0 has been, on other ports that are alike; F2 to what is not known.
    MemoryEpisodeStore store;
    ControllerOptions options = SeemingOptions();
    Rig rig(&store, options);
    rig.simulator.loads[P2] = 1;
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    rig.simulator.RunTo(At(5));
    rig.simulator.Start(F1, {P1}, 100'000, 50);
    rig.simulator.Start(F2, {P2}, 100'000, 50);
    rig.simulator.Do(At(6), [&] {
        rig.simulator.SetRate(F1, 100);
        rig.simulator.SetRate(F2, 100);
    });
    rig.simulator.RunTo(At(7)); // at 6 us F1 is not there yet
    EXPECT_EQ(rig.StateOf(F1), PartitionState::Skipping);
    EXPECT_EQ(rig.StateOf(F2), PartitionState::Recording);
    EXPECT_EQ(rig.controller.Statistics().recordingsStored, 2U) << "F0's and F1's are episodes";
}

TEST(ControllerLoad, WhatIsSampledGoesOnBeingSampled)
{
    Rig rig(nullptr, SeemingOptions());
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(3), [&] { Load(rig, P0, 1); });
    rig.simulator.RunTo(At(4));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping); // not at 7 us
}

} // namespace
} // namespace wormhole
