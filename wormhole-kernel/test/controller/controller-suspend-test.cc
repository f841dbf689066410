/*
 * SPDX-License-Identifier: MIT
 */

// What the Controller costs, how it is suspended when that is too much, and what is not worth its
// error.

#include "controller/controller-kernel.h"
#include "controller/controller-rig.h"
#include "repetitions.h"
#include "simulator/fluid-simulator.h"
#include "simulator/scenario.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace wormhole
{
namespace
{

/** Nothing is free, and each event earns one's worth: it is suspended at once, and resumes when the
 * events pay for it. */
ControllerOptions
RestingOptions()
{
    ControllerOptions options = SmallOptions();
    options.freeWork = 0;
    options.overhead = 1;
    options.minSaving = 0;
    return options;
}

TEST(ControllerRest, RestsWhenSpentAndWakesWhenThatIsEarned)
{
    Rig rig(nullptr, RestingOptions());
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 100'000, 100); // 10 events per us, 1000 us
    rig.simulator.RunTo(At(0));
    EXPECT_TRUE(rig.controller.IsSuspended());
    EXPECT_TRUE(rig.controller.Partitions().Partitions().empty());
    EXPECT_EQ(rig.controller.Statistics().suspensions, 1U);

    // A waking with one flow is worth more than 1000 events: after 100 us at the earliest.
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.controller.IsSuspended());
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_EQ(rig.controller.Statistics().eventsSuspended, 1000U);

    // And not much more; looks come when they are due, or a sixteenth later.
    rig.simulator.RunTo(At(150));
    EXPECT_FALSE(rig.controller.IsSuspended());
    EXPECT_NE(rig.Said().find("Running to Running, Resumed, 1 flows"), std::string::npos);
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);

    rig.simulator.RunTo(At(1000));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(1000)); // 100,000 bytes at 100 bytes/us
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.suspensions, 1U);
    EXPECT_GT(statistics.bytesSkipped, 50'000U);
    // 10 bytes are an event, also of what came while it was suspended.
    EXPECT_NEAR(statistics.eventsSkipped, static_cast<double>(statistics.bytesSkipped) / 10, 20);
    EXPECT_FALSE(rig.controller.NextAlarm());
}

TEST(ControllerRest, KnowsOfLongFlowsAloneBesideOthers)
{
    Rig rig(nullptr, RestingOptions());
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 100'000, 100); // 10 events per us each
    rig.simulator.Start(F1, {P1}, 1'000'000, 100);
    rig.simulator.longOnes = {{F0, {P0}}};
    // 1000 and a flow's 10 + 12 + 60 + 8 * 2.5, three times: 3306 events, after 165.3 us at 20 per
    // us
    rig.simulator.RunTo(At(160));
    EXPECT_TRUE(rig.controller.IsSuspended());
    EXPECT_EQ(rig.controller.LeastEvents(), 0);
    rig.simulator.RunTo(At(200));
    EXPECT_FALSE(rig.controller.IsSuspended());
    EXPECT_EQ(rig.controller.LeastEvents(), 51); // half of 102, as each event earns one's worth
    EXPECT_TRUE(rig.controller.Partitions().Contains(F0));
    EXPECT_FALSE(rig.controller.Partitions().Contains(F1));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.RunTo(At(1000));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(1000));
    EXPECT_EQ(rig.controller.LeastEvents(), 0) << "it knows of none any more";
}

TEST(ControllerRest, CostsAShareOfTheEvents)
{
    ControllerOptions options = RestingOptions();
    options.overhead = 0.01;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 100'000'000, 500);
    for (int time = 0; time < 10'000; ++time)
    {
        // 50 to 200 events per us: it is never steady.
        rig.simulator.Do(At(time), [&rig, time] { rig.simulator.SetRate(F0, 500 << (time % 3)); });
    }
    rig.simulator.RunTo(At(10'000));
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.bytesSkipped, 0U);
    EXPECT_GT(statistics.suspensions, 5U);
    // What a waking costs is saved up first, and a little more; samples spend it.
    const auto events = static_cast<double>(*rig.simulator.TotalEvents());
    EXPECT_LT(statistics.work, 0.01 * events + 10);
    EXPECT_GT(statistics.work, 0.007 * events);
}

TEST(ControllerRest, SpendsInAdvanceWhatALongFlowWillEarn)
{
    // what is spent beyond the share of the events so far, until it is suspended
    const auto advance = [](Bytes size) {
        ControllerOptions options = RestingOptions();
        options.freeWork = 1;
        options.overhead = 0.01;
        Rig rig(nullptr, options);
        rig.simulator.counts = true;
        rig.simulator.eventsPerByte = 0.1;
        rig.simulator.Start(F0, {P0}, size, 200);
        for (int time = 0; time < 2000 && !rig.controller.IsSuspended(); ++time)
        {
            rig.simulator.RunTo(At(time));
            rig.simulator.SetRate(F0, 200 << (time % 3)); // it is never steady
        }
        EXPECT_TRUE(rig.controller.IsSuspended());
        return rig.controller.Statistics().work -
               0.01 * static_cast<double>(*rig.simulator.TotalEvents());
    };
    // 1 is free, and to watch the flow once: 10 + 12 + 60 + 8 * 2.5. 50,000 bytes are 5000 events,
    // a hundredth of which may be spent in advance.
    constexpr double ONE_SAMPLE = 2.5;
    EXPECT_NEAR(advance(50'000), 1 + 102 + 50, 2 * ONE_SAMPLE);
    EXPECT_NEAR(advance(400'000), 1 + 102 + 400, 2 * ONE_SAMPLE);
    // 50,000 events are many: of these, three hundredths.
    EXPECT_NEAR(advance(500'000), 1 + 102 + 1500, 2 * ONE_SAMPLE);
}

TEST(ControllerRest, ListsFlowsOnlyWhenItCanAffordThem)
{
    ControllerOptions options = RestingOptions();
    options.overhead = 0.01;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 100'000, 100); // 10,000 events earn 100; a look costs 1000
    rig.simulator.RunTo(At(999));
    EXPECT_TRUE(rig.controller.IsSuspended());
    EXPECT_EQ(rig.simulator.listed, 0U);
}

/** \return flows of \p size bytes that can start at one time, each at a port of its own, before
 * the controller is suspended; at most 3000 */
std::uint64_t
StartsUntilSuspended(Rig& rig, Bytes size)
{
    std::uint64_t flow = 1;
    for (; flow <= 3000 && !rig.controller.IsSuspended(); ++flow)
    {
        rig.simulator.Start(FlowId{flow}, {PortId{static_cast<std::uint32_t>(flow)}}, size, 100);
    }
    return rig.controller.IsSuspended() ? flow - 2 : 3000; // the last one was not registered
}

TEST(ControllerRest, IsSuspendedEarlyIfAllFlowsAreShort)
{
    ControllerOptions options = SmallOptions();
    options.freeWork = 1000;
    const auto starts = [&options](Bytes size, bool longOneFirst) {
        Rig rig(nullptr, options);
        rig.simulator.counts = true;
        rig.simulator.eventsPerByte = 0.1;
        if (longOneFirst)
        {
            rig.simulator.Start(F0, {P0}, 1'000'000, 100);
        }
        return StartsUntilSuspended(rig, size);
    };
    // A start costs 10 events' worth. 390 bytes are 39 events, less than the four starts that it
    // would cost to know and to skip them. 128 flows may be watched for 10 + 12 + 60 + 8 * 2.5
    // each, and 1000 are free: 14,056 in all, which are spent after 1406 flows.
    EXPECT_EQ(starts(390, false), 1406U);
    // As many that are long may be watched, and so may more short ones beside a long one.
    EXPECT_EQ(starts(400, false), 3000U);
    EXPECT_EQ(starts(390, true), 3000U);
}

TEST(ControllerRest, WhatHappensMeanwhileIsOfNoConcern)
{
    ControllerOptions options = RestingOptions();
    options.overhead = 0;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    rig.simulator.Start(F1, {P0, P1}, 1000, 100);
    rig.controller.FlowRerouted(F1, {P1}, At(10));
    rig.controller.PortChanged(P0, At(10));
    rig.controller.Disturbed(F0, At(10));
    rig.simulator.RunTo(At(50));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(20));
    rig.controller.Finish(At(50));
    rig.simulator.RunTo(At(100));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(100));
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_TRUE(rig.controller.IsSuspended());

    // Nobody is there to resume for, until somebody starts.
    rig.simulator.RunTo(At(10'000));
    EXPECT_FALSE(rig.controller.NextAlarm());
    rig.simulator.Start(F1, {P1}, 1000, 100);
    EXPECT_TRUE(rig.controller.NextAlarm());
}

TEST(ControllerRest, WakesWithWhoIsThere)
{
    Rig rig(nullptr, RestingOptions());
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(50));
    rig.simulator.Start(F1, {P0, P1}, 100'000, 100);
    rig.simulator.RunTo(At(130)); // F0 has ended at 100 us
    EXPECT_FALSE(rig.controller.IsSuspended());
    EXPECT_FALSE(rig.controller.Partitions().Contains(F0));
    EXPECT_EQ(rig.controller.Partitions().PortsOf(F1), (std::vector<PortId>{P0, P1}));
}

TEST(ControllerRest, NeverWithoutEventsThatCount)
{
    Rig rig(nullptr, RestingOptions());
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(10));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
}

TEST(ControllerRest, NothingIsSkippedThatSavesLittle)
{
    ControllerOptions options = SmallOptions();
    options.minSaving = 0.5;
    Rig rig(nullptr, options);
    rig.simulator.counts = true;
    rig.simulator.Start(F0, {P0}, 100'000, 100);
    rig.simulator.Start(F1, {P1}, 40'000, 900); // ends after 44.4 us
    for (int time = 0; time < 44; ++time)
    {
        // It swings, and is never steady.
        rig.simulator.Do(At(time), [&rig, time] {
            rig.simulator.SetRate(F1, 700 + 400 * (time * time % 7 % 2));
        });
    }
    rig.simulator.RunTo(At(40));
    // F0 is steady since 4 us, but its packets are a tenth of all.
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Running);
    EXPECT_EQ(rig.Calls(), "");
    EXPECT_GT(rig.controller.Statistics().eventsMissed, 0);
    // 4000 events of F1, and 10 per us of F0: half of them might have been saved after 400 us, less
    // the stretch that is about to be, of 16 us.
    rig.simulator.RunTo(At(350));
    EXPECT_EQ(rig.Calls(), "");
    rig.simulator.RunTo(At(420));
    EXPECT_EQ(rig.StateOf(F0), PartitionState::Skipping);
    rig.simulator.RunTo(At(1000));
    EXPECT_TRUE(rig.simulator.ends.at(F0) == At(1000));
}

TEST(ControllerRest, NothingIsReplayedThatSavesLittle)
{
    ControllerOptions options = SmallOptions();
    options.minSaving = 0.5;
    options.skip = false;
    MemoryEpisodeStore store;
    Rig rig(&store, options);
    rig.simulator.counts = true;
    // The same five times, 100 events each, beside ten times as many of another flow.
    rig.simulator.Start(F1, {P1}, 10'000'000, 1000);
    for (std::int64_t i = 0; i < 5; ++i)
    {
        rig.simulator.Start(FlowId{static_cast<std::uint64_t>(2 + i)}, {P0}, 1000, 100);
        rig.simulator.RunTo(At(10 * (i + 1)));
    }
    EXPECT_EQ(rig.Calls(), "");
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.reasons[static_cast<std::size_t>(Reason::SavesLittle)], 4U);
    // They were steady after 4 us, up to which an episode was known from then on.
    EXPECT_NEAR(statistics.eventsMissed, 4 * 40, 1);
    EXPECT_EQ(statistics.bytesReplayed, 0U);
}

/** What was done with a scenario. */
struct Account
{
    FluidResult result;
    ControllerStatistics statistics;
};

Account
AccountOf(const Scenario& scenario, EpisodeStore* store, const ControllerOptions& options)
{
    FluidSimulator simulator(scenario);
    ControllerKernel kernel(simulator, store, options);
    simulator.Attach(&kernel);
    Account account;
    account.result = simulator.Run();
    account.statistics = kernel.Get().Statistics();
    return account;
}

TEST(ControllerRest, WhatIsOnlyWatchedIsAsWithoutAController)
{
    ControllerOptions options;
    options.minSaving = 1;
    options.freeWork = 0;
    options.overhead = 3;
    constexpr std::uint64_t SCENARIOS = test::Repetitions(1000);
    std::uint64_t same = 0;
    std::uint64_t suspensions = 0;
    for (std::uint64_t seed = 0; seed < SCENARIOS; ++seed)
    {
        SCOPED_TRACE(seed);
        Scenario scenario = RandomScenario(seed);
        scenario.counted = true;
        const FluidResult truth = RunScenario(scenario);
        MemoryEpisodeStore store;
        const Account account = AccountOf(scenario, &store, options);
        if (account.statistics.bytesSkipped + account.statistics.bytesReplayed > 0)
        {
            continue;
        }
        ++same;
        suspensions += account.statistics.suspensions;
        EXPECT_TRUE(account.result.violations.empty());
        for (std::size_t i = 0; i < truth.flows.size(); ++i)
        {
            EXPECT_TRUE(account.result.flows[i].completed == truth.flows[i].completed);
            EXPECT_TRUE(account.result.flows[i].late == Duration{0});
        }
    }
    EXPECT_GT(same, SCENARIOS / 2);
    EXPECT_GT(suspensions, same / 2);
}

} // namespace
} // namespace wormhole
