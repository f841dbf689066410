/*
 * SPDX-License-Identifier: MIT
 */
#include "repetitions.h"
#include "simulator/fluid-fixture.h"

#include <cmath>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace wormhole
{

TEST(FluidSimulator, OneFlowApproachesItsShareExponentially)
{
    // From r0 = 1/4 of C = 12,500 bytes/us, a gain of 1/8: in the k-th microsecond it moves
    // C - 3/4 C (7/8)^k bytes, so that in n of them n C - 6 C (1 - (7/8)^n) bytes.
    const double c = 12'500;
    const int n = 40;
    const double moved = n * c - 6 * c * (1 - std::pow(7.0 / 8, n));
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, static_cast<Bytes>(moved), 256)};
    const FluidResult result = RunScenario(scenario);
    EXPECT_EQ(Listed(result.violations), "");
    EXPECT_NEAR(result.flows[0].completed->time_since_epoch().count(), n * 1e6, 200);
    EXPECT_EQ(result.flows[0].delivered, static_cast<Bytes>(moved));
    EXPECT_EQ(result.events, 40U); // 39 ticks and the end, just before the 40th
}

TEST(FluidSimulator, TwoFlowsShareAPortAndFillItsQueue)
{
    // Both start at C and come to C / 2: in the k-th microsecond each has C / 2 (1 + (7/8)^k), and
    // C (7/8)^k of the two are too much: 8 C in all.
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 1'000'000), MakeFlow({PortId{0}}, 2'000'000)};
    Scripted run(scenario);
    run.At(Microseconds(130), [&] {
        EXPECT_NEAR(run.simulator.QueueOf(PortId{0}), 8 * 12'500, 5);
        EXPECT_NEAR(run.simulator.Observe(FlowId{1}).rate.InBitsPerSecond(),
                    50e9 * (1 + std::pow(7.0 / 8, 130)),
                    100);
    });
    const FluidResult result = run.simulator.Run();
    EXPECT_EQ(Listed(result.violations), "");
    // Each moves 4 C more than at C / 2 from the start: the first ends after (80 - 4) * 2 us.
    const double first = 152;
    EXPECT_NEAR(result.flows[0].completed->time_since_epoch().count(), first * 1e6, 1000);
    // The other has 1 MB left, and comes from C / 2 to C: it falls short by 4 C in all. The rate
    // changes at the tick at or after the end of the first.
    EXPECT_NEAR(result.flows[1].completed->time_since_epoch().count(), (first + 84) * 1e6, 1e6);
}

TEST(FluidSimulator, QueuesSlowFlowsDownUntilTheyAreGone)
{
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.patience = 16 * MICROSECOND;
    scenario.flows = {MakeFlow({PortId{0}}, 10'000'000), MakeFlow({PortId{0}}, 10'000'000)};
    Scripted run(scenario);
    run.At(Microseconds(20), [&] { EXPECT_GT(run.simulator.QueueOf(PortId{0}), 50'000U); });
    run.At(Microseconds(1000), [&] { EXPECT_LT(run.simulator.QueueOf(PortId{0}), 1000U); });
    EXPECT_EQ(Listed(run.simulator.Run().violations), "");
}

TEST(FluidSimulator, FillsProgressively)
{
    // Port 1 (40) is shared by two: 20 each; the other flow on port 0 (100) gets 80. One on its own
    // is limited by itself, and one over a failed port gets nothing.
    const std::vector<std::vector<PortId>> paths{{PortId{0}},
                                                 {PortId{0}, PortId{1}},
                                                 {PortId{1}},
                                                 {PortId{2}},
                                                 {PortId{3}, PortId{2}}};
    std::vector<FluidPort> ports(4);
    ports[0].capacity = 100;
    ports[1].capacity = 40;
    ports[2].capacity = 1000;
    std::vector<FairShare> flows;
    flows.reserve(paths.size());
    for (const auto& path : paths)
    {
        flows.push_back({&path, 200});
    }
    ComputeFairShares(ports, flows);
    const FluidRate expected[] = {80, 20, 20, 200, 0};
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        EXPECT_EQ(flows[i].share, expected[i]) << i;
    }
}

TEST(FluidSimulator, RatesFollowTheirModes)
{
    FluidControl control;
    control.gain = 512;
    EXPECT_EQ(NextRate(control, 1000, 2000, 0), 1500);
    EXPECT_EQ(NextRate(control, 1000, 1001, 0), 1001);
    EXPECT_EQ(NextRate(control, 1000, 999, 0), 999);
    EXPECT_EQ(NextRate(control, 1000, 0, 0), 0);
    control.mode = FluidMode::Drift; // the last half in 1024 steps
    control.amplitude = 512;
    control.period = 1024;
    EXPECT_EQ(NextRate(control, 0, 1 << 20, 0), 1 << 19);
    EXPECT_EQ(NextRate(control, 1 << 19, 1 << 20, 0), (1 << 19) + 513);
    EXPECT_EQ(NextRate(control, (1 << 20) - 1, 1 << 20, 0), 1 << 20);
    EXPECT_EQ(NextRate(control, 3 << 19, 1 << 20, 0), 5 << 18);
    control.mode = FluidMode::Oscillation;
    control.gain = 1024;
    control.period = 8;
    std::int64_t sum = 0;
    for (std::uint64_t tick = 0; tick < 8; ++tick)
    {
        sum += NextRate(control, 0, 1 << 20, tick);
    }
    EXPECT_EQ(NextRate(control, 0, 1 << 20, 2), 3 << 19);  // a quarter: the share and a half of it
    EXPECT_EQ(NextRate(control, 0, 1 << 20, 14), 1 << 19); // three quarters
    EXPECT_EQ(sum, 8 << 20);
    control.mode = FluidMode::Noise;
    for (std::uint64_t tick = 0; tick < 100; ++tick)
    {
        const FluidRate rate = NextRate(control, 0, 1 << 20, tick);
        EXPECT_GE(rate, 1 << 19);
        EXPECT_LE(rate, 3 << 19);
        EXPECT_EQ(rate, NextRate(control, 7, 1 << 20, tick));
    }
}

TEST(FluidSimulator, EmptyFlowsEndAtOnceAndFollowersStart)
{
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 0), MakeFlow({PortId{0}}, 1), MakeFlow({PortId{0}}, 0)};
    scenario.flows[0].start = Duration{5};
    scenario.flows[1].after = 0;
    scenario.flows[2].after = 1;
    scenario.flows[2].start = Duration{1000};
    const FluidResult result = RunScenario(scenario);
    EXPECT_EQ(Listed(result.violations), "");
    EXPECT_EQ(*result.flows[0].completed, Time{Duration{5}});
    EXPECT_EQ(*result.flows[1].started, Time{Duration{5}});
    EXPECT_EQ(*result.flows[1].completed, Time{Duration{85}}); // 80 ps for a byte
    EXPECT_EQ(*result.flows[2].completed, Time{Duration{1085}});
}

TEST(FluidSimulator, FlowsStallAtAPortThatFails)
{
    // 10 us at 12,500 bytes/us, then nothing for 90 us, then from 0 towards C again: 8 us lost.
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 2'500'000)};
    ScenarioAction action;
    action.kind = ScenarioAction::Kind::SetCapacity;
    action.at = Microseconds(10);
    scenario.actions = {action};
    const FluidResult stuck = RunScenario(scenario);
    EXPECT_EQ(Listed(stuck.violations), "");
    EXPECT_FALSE(stuck.flows[0].completed);
    EXPECT_EQ(stuck.flows[0].delivered, 125'000U);
    EXPECT_EQ(stuck.end, Microseconds(10));

    action.at = Microseconds(100);
    action.capacity = 100 * GIGABIT;
    scenario.actions.push_back(action);
    const FluidResult result = RunScenario(scenario);
    EXPECT_EQ(Listed(result.violations), "");
    // The tick at 100 comes before the recovery: in the k-th microsecond from there, C (7/8)^k are
    // missing.
    EXPECT_NEAR(result.flows[0].completed->time_since_epoch().count(), (200 + 90 + 8) * 1e6, 100);
}

TEST(FluidSimulator, ReroutesAndKicksChangeRates)
{
    // A kick at 10 us halves the rate of C: C / 2 (7/8)^k are missing in the k-th microsecond from
    // there, 4 C in all.
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT, 50 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 2'500'000)};
    ScenarioAction action;
    action.kind = ScenarioAction::Kind::Kick;
    action.at = Microseconds(10);
    scenario.actions = {action};
    EXPECT_NEAR(RunScenario(scenario).flows[0].completed->time_since_epoch().count(),
                (200 + 4) * 1e6,
                100);
    // A reroute at 10 us, after the tick, to a port of C / 2: one microsecond at C, then
    // C / 2 (7/8)^k more than C / 2 in the k-th, so 4 C more than at C / 2.
    action.kind = ScenarioAction::Kind::Reroute;
    action.path = {PortId{1}};
    scenario.actions = {action};
    EXPECT_NEAR(RunScenario(scenario).flows[0].completed->time_since_epoch().count(),
                (10 + 2 * (190 - 4)) * 1e6,
                100);
}

TEST(FluidSimulator, MovesInTimeAsAWhole)
{
    const Scenario scenario = MakeChain();
    const FluidResult truth = RunScenario(scenario);
    const Duration shift{12'345'678};
    for (std::int64_t at = 1; at < 100'000'000; at += 9'876'543)
    {
        Scripted run(scenario);
        run.At(Time{Duration{at}}, [&] { run.simulator.Pause(CHAIN); });
        run.At(Time{Duration{at}} + shift, [&] { run.simulator.Resume(CHAIN, shift); });
        ExpectSame(run.simulator.Run(), truth, shift);
    }
}

TEST(FluidSimulator, GoesOnFromWhatWasCaptured)
{
    const Scenario scenario = MakeChain();
    const FluidResult truth = RunScenario(scenario);
    const Duration shift{12'345'678};
    for (std::int64_t at = 1; at < 100'000'000; at += 9'876'543)
    {
        Scripted run(scenario);
        FluidSimulator& simulator = run.simulator;
        std::vector<FlowState> flows;
        std::vector<PortState> ports;
        const Time pause{Duration{at}};
        run.At(pause, [&] {
            for (const FlowId id : CHAIN.flows)
            {
                flows.push_back({id, simulator.Observe(id).rate, *simulator.CaptureFlow(id)});
            }
            for (const PortId id : CHAIN.ports)
            {
                ports.push_back({id, simulator.QueueOf(id), *simulator.CapturePort(id)});
            }
            simulator.Pause(CHAIN);
            simulator.Evict(CHAIN);
        });
        run.At(pause + shift, [&] {
            simulator.Restore(flows, ports, at % 2 == 0 ? pause : pause + shift);
            simulator.Resume(CHAIN, at % 2 == 0 ? shift : Duration{0});
        });
        ExpectSame(simulator.Run(), truth, shift);
    }
}

TEST(FluidSimulator, SomeFlowsCannotSayWhatTheirStateIs)
{
    Scenario scenario = MakeChain();
    scenario.flows[1].capturable = false;
    Scripted run(scenario);
    run.At(Microseconds(1), [&] {
        EXPECT_TRUE(run.simulator.CaptureFlow(FlowId{0}));
        EXPECT_FALSE(run.simulator.CaptureFlow(FlowId{1}));
    });
    EXPECT_EQ(Listed(run.simulator.Run().violations), "");
}

TEST(FluidSimulator, FlowsMayBePausedWhileTheyStart)
{
    // As by a kernel that finds an episode then: all is 5 us later, and the flow that starts on
    // what is evicted is evicted too.
    Scenario scenario = MakeChain();
    const FluidResult truth = RunScenario(scenario);
    Scripted run(scenario);
    run.kernel.onStart = [&](FlowId flow) {
        if (flow == FlowId{2})
        {
            run.simulator.Pause(CHAIN);
        }
    };
    run.At(Microseconds(5), [&] { run.simulator.Resume(CHAIN, 5 * MICROSECOND); });
    ExpectSame(run.simulator.Run(), truth, 5 * MICROSECOND);

    scenario.flows[2].start = MICROSECOND;
    Scripted evicting(scenario);
    const Members before{{FlowId{0}, FlowId{1}}, CHAIN.ports};
    const Members starting{{FlowId{2}}, {PortId{1}}};
    FluidSimulator& simulator = evicting.simulator;
    evicting.At(Time{Duration{500'000}}, [&] {
        simulator.Pause(before);
        simulator.Evict(before);
    });
    evicting.kernel.onStart = [&](FlowId flow) {
        if (flow == FlowId{2})
        {
            simulator.Pause(starting);
            simulator.Evict(starting);
        }
    };
    evicting.At(Microseconds(100), [&] {
        for (const FlowId id : CHAIN.flows)
        {
            simulator.Credit(id, simulator.Observe(id).left);
            simulator.Complete(id, Microseconds(100));
        }
        EXPECT_EQ(simulator.QueueOf(PortId{0}), 0U);
    });
    const FluidResult result = simulator.Run();
    EXPECT_EQ(Listed(result.violations), "");
    EXPECT_EQ(result.end, Microseconds(100));
}

TEST(FluidSimulator, WhatIsCreditedNeedNotBeMoved)
{
    // At C from the start; from 10 us on 20 us are skipped, and 20 C are credited.
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 1'250'000)};
    const Members all{{FlowId{0}}, {PortId{0}}};
    Scripted run(scenario);
    run.At(Microseconds(10), [&] { run.simulator.Pause(all); });
    run.At(Microseconds(30), [&] {
        run.simulator.Credit(FlowId{0}, 250'000);
        run.simulator.Resume(all, 20 * MICROSECOND);
        EXPECT_EQ(run.simulator.Observe(FlowId{0}).delivered, 375'000U);
    });
    const FluidResult result = run.simulator.Run();
    EXPECT_EQ(Listed(result.violations), "");
    EXPECT_EQ(*result.flows[0].completed, Microseconds(100));
    EXPECT_EQ(result.events, 80U);
}

TEST(FluidSimulator, AFlowCanCompleteWithoutPackets)
{
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 1'250'000), MakeFlow({PortId{0}}, 12'500)};
    scenario.flows[1].after = 0;
    const Members all{{FlowId{0}}, {PortId{0}}};
    for (const bool evicted : {false, true})
    {
        Scripted run(scenario);
        run.At(Microseconds(10), [&] {
            run.simulator.Pause(all);
            if (evicted)
            {
                run.simulator.Evict(all);
                EXPECT_EQ(run.simulator.QueueOf(PortId{0}), 0U);
            }
        });
        run.At(Microseconds(30), [&] {
            run.simulator.Credit(FlowId{0}, run.simulator.Observe(FlowId{0}).left);
            run.simulator.Complete(FlowId{0}, Microseconds(30));
        });
        const FluidResult result = run.simulator.Run();
        EXPECT_EQ(Listed(result.violations), "");
        EXPECT_EQ(*result.flows[0].completed, Microseconds(30));
        EXPECT_EQ(*result.flows[1].completed, Microseconds(31));
        ASSERT_EQ(run.kernel.ends.size(), 1U);
        EXPECT_EQ(run.kernel.ends[0].first, FlowId{1});
    }
}

TEST(FluidSimulator, RunLateReportsPastEnds)
{
    Scenario scenario = MakeChain();
    scenario.flows.push_back(MakeFlow({PortId{0}}, 1));
    scenario.flows[3].after = 1;
    const FluidResult truth = RunScenario(scenario);
    const Time end = *truth.flows[1].completed;
    const Time late = end + 50 * MICROSECOND;
    Scripted run(scenario);
    run.At(Microseconds(3), [&] { run.simulator.Pause(CHAIN); });
    run.At(late, [&] { run.simulator.CatchUp(CHAIN, Microseconds(3), late, Duration{0}); });
    const FluidResult result = run.simulator.Run();
    EXPECT_EQ(Listed(result.violations), "");
    EXPECT_EQ(*result.flows[1].completed, end);
    EXPECT_EQ(*result.flows[3].started, late);
    ASSERT_GE(run.kernel.ends.size(), 2U);
    EXPECT_EQ(run.kernel.ends[0].first, FlowId{0});
    EXPECT_EQ(run.kernel.ends[0].second, *truth.flows[0].completed);
    EXPECT_EQ(run.kernel.ends[1].first, FlowId{1});
    EXPECT_EQ(run.kernel.ends[1].second, end);
}

TEST(FluidSimulator, ForetellsWhatIsKnown)
{
    Scenario scenario = MakeChain();
    scenario.capacities.push_back(GIGABIT);
    scenario.flows.push_back(MakeFlow({PortId{2}}, 100));
    scenario.flows[3].start = 7 * MICROSECOND;
    scenario.foretold = true;
    ScenarioAction kick;
    kick.at = Microseconds(5);
    kick.flow = 2;
    ScenarioAction failure;
    failure.kind = ScenarioAction::Kind::SetCapacity;
    failure.at = Microseconds(6);
    failure.port = PortId{0};
    failure.capacity = GIGABIT;
    ScenarioAction reroute;
    reroute.kind = ScenarioAction::Kind::Reroute;
    reroute.at = Microseconds(8);
    reroute.flow = 3;
    reroute.path = {PortId{1}};
    scenario.actions = {kick, failure, reroute};
    Scripted run(scenario);
    run.At(Microseconds(2), [&] {
        const auto when = [&](const Members& members) {
            return run.simulator.NextDisturbance(members);
        };
        EXPECT_EQ(when(CHAIN), Microseconds(5));
        EXPECT_EQ(when({{FlowId{0}}, {PortId{0}}}), Microseconds(6));
        EXPECT_EQ(when({{FlowId{3}}, {}}), Microseconds(8));
        EXPECT_EQ(when({{}, {PortId{2}}}), Microseconds(7));
        EXPECT_EQ(when({{}, {PortId{1}}}), std::nullopt); // the flow may be done before it
        EXPECT_EQ(when({{FlowId{1}}, {}}), std::nullopt);
    });
    EXPECT_EQ(Listed(run.simulator.Run().violations), "");
}

TEST(FluidSimulator, DescribesWhatDecidesItsBehaviour)
{
    Scenario scenario = MakeChain();
    scenario.flows[1].control.gain = 64;
    Scripted run(scenario);
    run.At(Microseconds(2), [&] {
        const FluidSimulator& simulator = run.simulator;
        EXPECT_EQ(simulator.Describe(FlowId{0}).control, simulator.Describe(FlowId{2}).control);
        EXPECT_NE(simulator.Describe(FlowId{0}).control, simulator.Describe(FlowId{1}).control);
        EXPECT_EQ(simulator.Describe(FlowId{0}).lineRate, 100 * GIGABIT);
        EXPECT_EQ(simulator.Describe(PortId{1}).rate, 40 * GIGABIT);
        EXPECT_EQ(simulator.Describe(PortId{1}).extra, 0U);
        EXPECT_EQ(simulator.SampleInterval(FlowId{0}), 4 * MICROSECOND);
        EXPECT_EQ(simulator.TailOf(FlowId{0}, Rate::BytesPerSecond(1e9)), 8'000U); // of 8 us
    });
    EXPECT_EQ(Listed(run.simulator.Run().violations), "");
}

TEST(FluidSimulator, FlowsMayBePausedOnTheirNextPath)
{
    // Flow 0 goes over to port 1, where nothing else is: paused for 4 us within the reroute, it
    // ends 4 us later than otherwise.
    Scenario scenario;
    scenario.capacities = {100 * GIGABIT, 40 * GIGABIT};
    scenario.flows = {MakeFlow({PortId{0}}, 1'000'000)};
    ScenarioAction reroute;
    reroute.kind = ScenarioAction::Kind::Reroute;
    reroute.at = Microseconds(5);
    reroute.path = {PortId{1}};
    scenario.actions = {reroute};
    const FluidResult truth = RunScenario(scenario);
    Scripted run(scenario);
    const Members members{{FlowId{0}}, {PortId{1}}};
    run.kernel.onReroute = [&](FlowId) { run.simulator.Pause(members); };
    run.At(Microseconds(9), [&] { run.simulator.Resume(members, 4 * MICROSECOND); });
    ExpectSame(run.simulator.Run(), truth, 4 * MICROSECOND);
}

TEST(FluidSimulator, RandomScenariosRunToTheirEndAndAreTheSameAgain)
{
    for (std::uint64_t seed = 0; seed < test::Repetitions(1000); ++seed)
    {
        const Scenario scenario = RandomScenario(seed);
        const FluidResult result = RunScenario(scenario);
        ASSERT_EQ(Listed(result.violations), "") << Describe(scenario);
        ASSERT_EQ(Describe(RandomScenario(seed)), Describe(scenario));
        if (seed % 10 == 0)
        {
            const FluidResult again = RunScenario(scenario);
            ExpectSame(again, result);
            EXPECT_EQ(again.events, result.events);
        }
    }
}

} // namespace wormhole
