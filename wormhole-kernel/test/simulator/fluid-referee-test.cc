/*
 * SPDX-License-Identifier: MIT
 */
#include "simulator/fluid-fixture.h"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

namespace
{

/** What breaks the contract, and what the referee says. */
struct Breach
{
    const char* says;
    std::function<void(Scripted& run)> script;
};

} // namespace

TEST(FluidReferee, SeesWhatBreaksTheContract)
{
    const Time t = Microseconds(3);
    const Time later = Microseconds(5);
    const auto pauseFirst = [t](Scripted& run) {
        run.At(t, [&run] { run.simulator.Pause(CHAIN); });
    };
    const std::vector<Breach> breaches{
        {"is credited with 1 bytes while it runs",
         [&](Scripted& run) { run.At(t, [&run] { run.simulator.Credit(FlowId{0}, 1); }); }},
        {"which is more than is left",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run] { run.simulator.Credit(FlowId{0}, 9'000'000); });
         }},
        {"Pause of flow 0, which is in another condition",
         [&](Scripted& run) {
             pauseFirst(run);
             pauseFirst(run);
         }},
        {"Resume of flow 0, which is in another condition",
         [&](Scripted& run) { run.At(t, [&run] { run.simulator.Resume(CHAIN, Duration{0}); }); }},
        {"CatchUp of flow 0, which is in another condition",
         [&](Scripted& run) {
             run.At(t, [&run, t] { run.simulator.CatchUp(CHAIN, t, t, Duration{0}); });
         }},
        {"Evict of flow 0, which is in another condition",
         [&](Scripted& run) { run.At(t, [&run] { run.simulator.Evict(CHAIN); }); }},
        {"Resume of port 0, which is in another condition",
         [&](Scripted& run) {
             // Flow 1 alone is not a partition: it leaves its ports paused to no one else.
             run.At(t, [&run] {
                 run.simulator.Pause({{FlowId{1}}, CHAIN.ports});
                 run.simulator.Pause({{FlowId{0}}, {PortId{0}}});
                 run.simulator.Resume({{FlowId{0}}, {PortId{0}}}, Duration{0});
                 run.simulator.Resume({{FlowId{1}}, CHAIN.ports}, Duration{0});
             });
         }},
        {"Restore of flow 0, which is in another condition",
         [&](Scripted& run) {
             run.At(t, [&run, t] {
                 run.simulator.Restore({{FlowId{0}, Rate(), ""}}, {{PortId{0}, 0, ""}}, t);
             });
         }},
        {"is restored with a state that is not one",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run, t] {
                 const Rate rate = run.simulator.Observe(FlowId{0}).rate;
                 run.simulator.Evict(CHAIN);
                 run.simulator.Restore(
                     {{FlowId{0}, rate, "?"}, {FlowId{1}, rate, ""}, {FlowId{2}, rate, ""}},
                     {{PortId{0}, 7, PackWords({8'000'000'000'000})}, {PortId{1}, 0, ""}},
                     t);
                 run.simulator.Resume(CHAIN, Duration{0});
             });
         }},
        {"Restore as of a time to come",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run, later] {
                 run.simulator.Evict(CHAIN);
                 run.simulator.Restore(
                     {{FlowId{0}, Rate(), ""}, {FlowId{1}, Rate(), ""}, {FlowId{2}, Rate(), ""}},
                     {{PortId{0}, 0, ""}, {PortId{1}, 0, ""}},
                     later);
             });
         }},
        {"flow 0 and its ports are in different conditions",
         [&](Scripted& run) {
             run.At(t, [&run] { run.simulator.Pause({{FlowId{1}}, CHAIN.ports}); });
         }},
        {"whose ports are not those of the flows",
         [&](Scripted& run) {
             run.At(t, [&run] { run.simulator.Pause({CHAIN.flows, {PortId{0}}}); });
         }},
        {"Pause of members out of order",
         [&](Scripted& run) {
             run.At(t, [&run] { run.simulator.Pause({{FlowId{1}, FlowId{0}}, CHAIN.ports}); });
         }},
        {"is resumed with a wrong shift",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(later, [&run] { run.simulator.Resume(CHAIN, MICROSECOND); });
         }},
        {"was credited with its last byte",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run] {
                 run.simulator.Credit(FlowId{0}, run.simulator.Observe(FlowId{0}).left);
                 run.simulator.Resume(CHAIN, Duration{0});
             });
         }},
        {"catches up, but has been credited too",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(later, [&run, t, later] {
                 run.simulator.Credit(FlowId{0}, 1);
                 run.simulator.CatchUp(CHAIN, t, later, Duration{0});
             });
         }},
        {"catches up from another time than its pause",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(later,
                    [&run, later] { run.simulator.CatchUp(CHAIN, later, later, Duration{0}); });
         }},
        {"CatchUp until another time than now",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(later, [&run, t] { run.simulator.CatchUp(CHAIN, t, t, Duration{0}); });
         }},
        {"is completed while it runs, with bytes left, or at another time than now",
         [&](Scripted& run) { run.At(t, [&run, t] { run.simulator.Complete(FlowId{0}, t); }); }},
        {"completes twice, or with",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run, t] { run.simulator.Complete(FlowId{0}, t); });
         }},
        {"is asked for, which has none",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run] {
                 run.simulator.Evict(CHAIN);
                 EXPECT_FALSE(run.simulator.CaptureFlow(FlowId{0}));
             });
         }},
        {"the state of port 0 is asked for, which has none",
         [&](Scripted& run) {
             pauseFirst(run);
             run.At(t, [&run] {
                 run.simulator.Evict(CHAIN);
                 run.simulator.CapturePort(PortId{0});
             });
         }},
        {"Observe of flow 3, which is not there",
         [&](Scripted& run) {
             run.At(t, [&run] {
                 const FluidSimulator& simulator = run.simulator;
                 simulator.Observe(FlowId{3});
                 simulator.Describe(FlowId{3});
                 simulator.SampleInterval(FlowId{3});
                 simulator.TailOf(FlowId{3}, Rate::BytesPerSecond(1e9));
                 simulator.CaptureFlow(FlowId{3});
                 run.simulator.Credit(FlowId{3}, 0);
                 run.simulator.Complete(FlowId{3}, Microseconds(3));
                 run.simulator.Pause({{FlowId{3}}, {}});
             });
         }},
        {"QueueOf of port 2, which is not there",
         [&](Scripted& run) {
             run.At(t, [&run] {
                 run.simulator.QueueOf(PortId{2});
                 run.simulator.CapturePort(PortId{2});
                 EXPECT_EQ(run.simulator.Describe(PortId{2}).rate, 0U);
             });
         }},
        {"which is past", [&](Scripted& run) { run.At(t, [&run] { run.At(Time{}, [] {}); }); }},
        {"alarms go on and time stands still",
         [&](Scripted& run) {
             for (int i = 0; i < 2000; ++i)
             {
                 run.At(t, [] {});
             }
         }},
        {"nothing is pending, but flows are not done", [&](Scripted& run) { pauseFirst(run); }},
        {"Pause of members that are catching up",
         [&](Scripted& run) {
             const Time end = Microseconds(2000);
             pauseFirst(run);
             run.kernel.onEnd = [&run](FlowId) { run.simulator.Pause(CHAIN); };
             run.At(end, [&run, t, end] { run.simulator.CatchUp(CHAIN, t, end, Duration{0}); });
         }},
        {"flow 3 starts, but has been paused before",
         [&](Scripted& run) {
             run.kernel.onStart = [&run, t](FlowId flow) {
                 if (flow == FlowId{3})
                 {
                     run.simulator.Pause({{FlowId{3}}, {PortId{2}}});
                     run.simulator.Evict({{FlowId{3}}, {PortId{2}}});
                     run.simulator.Restore({{FlowId{3}, Rate(), ""}}, {{PortId{2}, 0, ""}}, t);
                 }
             };
         }},
    };
    for (const Breach& breach : breaches)
    {
        Scenario scenario = MakeChain();
        if (std::string(breach.says).find("flow 3 starts") == 0)
        {
            scenario.capacities.push_back(GIGABIT);
            scenario.flows.push_back(MakeFlow({PortId{2}}, 1000));
            scenario.flows[3].start = 7 * MICROSECOND;
        }
        Scripted run(scenario);
        breach.script(run);
        EXPECT_NE(Listed(run.simulator.Run().violations).find(breach.says), std::string::npos)
            << breach.says;
    }
}

TEST(FluidReferee, SeesWhatHappensToThePaused)
{
    Scenario scenario = MakeChain();
    ScenarioAction kick;
    kick.at = Microseconds(5);
    ScenarioAction reroute = kick;
    reroute.kind = ScenarioAction::Kind::Reroute;
    reroute.path = {PortId{1}};
    ScenarioAction failure = kick;
    failure.kind = ScenarioAction::Kind::SetCapacity;
    const std::pair<ScenarioAction, const char*> cases[] = {
        {kick, "flow 0 is disturbed, but has been paused before"},
        {reroute, "flow 0 is rerouted, but has been paused before"},
        {failure, "port 0 changes, but has been paused before"},
        {failure, "flow 0 crosses a port that changes, but has been paused before"},
    };
    for (const auto& [action, says] : cases)
    {
        scenario.actions = {action};
        Scripted run(scenario);
        run.At(Microseconds(3), [&] { run.simulator.Pause(CHAIN); });
        EXPECT_NE(Listed(run.simulator.Run().violations).find(says), std::string::npos) << says;
    }
    scenario.actions = {kick};
    Scripted run(scenario);
    run.At(Microseconds(3), [&] {
        run.simulator.Pause(CHAIN);
        run.simulator.Evict(CHAIN);
    });
    EXPECT_NE(Listed(run.simulator.Run().violations).find("is disturbed, but has no packets"),
              std::string::npos);
}

} // namespace wormhole
