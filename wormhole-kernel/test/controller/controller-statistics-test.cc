/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/controller-kernel.h"
#include "controller/controller-rig.h"
#include "simulator/fluid-fixture.h"
#include "wormhole/controller-statistics.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{
namespace
{

/** What a Controller did with a scenario. */
struct Told
{
    FluidResult result;
    std::vector<Decision> decisions;
    std::string said;
    ControllerStatistics statistics;
};

Told
ToldOf(const Scenario& scenario, EpisodeStore* store, const ControllerOptions& options = {})
{
    FluidSimulator simulator(scenario);
    ControllerKernel kernel(simulator, store, options);
    simulator.Attach(&kernel);
    Told account;
    kernel.Get().SetDecisionHandler([&](const Decision& decision) {
        account.decisions.push_back(decision);
        account.said += std::to_string(decision.time.time_since_epoch().count()) + " ps, " +
                        std::to_string(decision.span.count()) + " ps: " + Text(decision);
    });
    account.result = simulator.Run();
    account.statistics = kernel.Get().Statistics();
    return account;
}

TEST(ControllerStatistics, CountersAddUp)
{
    MemoryEpisodeStore store;
    for (std::uint64_t seed = 0; seed < 30; ++seed)
    {
        SCOPED_TRACE(seed);
        const Scenario scenario = RandomScenario(seed);
        const Told account = ToldOf(scenario, &store);
        const ControllerStatistics& statistics = account.statistics;

        std::uint64_t transitions[PARTITION_STATES][PARTITION_STATES]{};
        std::uint64_t reasons[REASONS]{};
        Time last;
        for (const Decision& decision : account.decisions)
        {
            ++transitions[static_cast<std::size_t>(decision.from)]
                         [static_cast<std::size_t>(decision.to)];
            ++reasons[static_cast<std::size_t>(decision.reason)];
            EXPECT_LE(last.time_since_epoch().count(), decision.time.time_since_epoch().count());
            EXPECT_GT(decision.flows, 0U);
            EXPECT_GE(decision.span.count(), 0);
            last = decision.time;
        }
        for (std::size_t from = 0; from < PARTITION_STATES; ++from)
        {
            for (std::size_t to = 0; to < PARTITION_STATES; ++to)
            {
                EXPECT_EQ(statistics.transitions[from][to], transitions[from][to])
                    << from << " to " << to;
            }
        }
        for (std::size_t reason = 0; reason < REASONS; ++reason)
        {
            EXPECT_EQ(statistics.reasons[reason], reasons[reason]) << reason;
        }

        // Each flow is in one state at each time of its life.
        Duration lives{0};
        for (const FluidOutcome& flow : account.result.flows)
        {
            if (flow.started)
            {
                lives += flow.completed.value_or(account.result.end) - *flow.started;
            }
        }
        const Duration counted =
            std::accumulate(statistics.flowTime.begin(), statistics.flowTime.end(), Duration{0});
        // Flows that end late end in the past.
        if (statistics.replaysInterrupted + statistics.followersCaughtUp == 0)
        {
            EXPECT_EQ(counted.count(), lives.count());
        }
    }
}

TEST(ControllerStatistics, TwoRunsDecideTheSame)
{
    MemoryEpisodeStore first;
    MemoryEpisodeStore second;
    for (std::uint64_t seed = 100; seed < 130; ++seed)
    {
        const Scenario scenario = RandomScenario(seed);
        for (int run = 0; run < 2; ++run)
        {
            EXPECT_EQ(ToldOf(scenario, &first).said, ToldOf(scenario, &second).said) << seed;
        }
    }
}

/** Takes one episode, and no other. */
class SmallStore : public EpisodeStore
{
  public:
    std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                   EpisodeEnd end,
                                   const std::vector<Bytes>& left) override
    {
        return m_store.Find(graph, end, left);
    }

    bool Insert(const ConflictGraph& graph, const Episode& episode) override
    {
        return m_store.Statistics().inserted == 0 && m_store.Insert(graph, episode);
    }

    void Confirm(const ConflictGraph& graph, Duration verified) override
    {
        m_store.Confirm(graph, verified);
    }

    EpisodeStoreStatistics Statistics() const override
    {
        return m_store.Statistics();
    }

  private:
    MemoryEpisodeStore m_store;
};

TEST(ControllerStatistics, WhatIsRunLateIsTheTruth)
{
    // All but the start is simulated, and so must come out just as if there was no Controller if
    // the replay of that is interrupted.
    ControllerOptions options;
    options.skip = false;
    Scenario scenario = MakeChain();
    for (ScenarioFlow& flow : scenario.flows)
    {
        flow.size *= 10; // long enough to converge
    }
    SmallStore store;
    ExpectSame(ToldOf(scenario, &store, options).result, RunScenario(scenario));
    const Decision found = ToldOf(scenario, &store, options).decisions.at(1);
    ASSERT_EQ(found.reason, Reason::EpisodeFound);
    for (const std::int64_t part : {1, 50, 99})
    {
        SCOPED_TRACE(part);
        ScenarioAction kick;
        kick.at = Time{found.span * part / 100};
        kick.flow = 1;
        scenario.actions = {kick};
        const Told account = ToldOf(scenario, &store, options);
        EXPECT_EQ(account.decisions.at(1).reason, Reason::EpisodeFound);
        EXPECT_EQ(account.decisions.at(2).reason, Reason::Disturbed);
        EXPECT_EQ(account.statistics.replaysInterrupted, 1U);
        EXPECT_EQ(account.statistics.bytesReplayed, 0U);
        ExpectSame(account.result, RunScenario(scenario));
    }
}

TEST(ControllerStatistics, WhatIsLeftOutElsewhereCountsAsReplayed)
{
    FluidSimulator simulator(Scenario{});
    ControllerKernel kernel(simulator, nullptr, {});
    kernel.Get().AddReplayed(30);
    kernel.Get().AddReplayed(12);
    EXPECT_EQ(kernel.Get().Statistics().eventsReplayed, 42U);
}

TEST(ControllerStatistics, JsonHasAllCounters)
{
    ControllerStatistics statistics;
    const auto from = static_cast<std::size_t>(PartitionState::Recording);
    statistics.transitions[from][static_cast<std::size_t>(PartitionState::Skipping)] = 5;
    statistics.reasons[static_cast<std::size_t>(Reason::Steady)] = 6;
    statistics.flowTime[static_cast<std::size_t>(PartitionState::Waking)] = Micro(1'500'000);
    statistics.bytesSkipped = 7;
    statistics.bytesDrawn = 5;
    statistics.bytesReplayed = 8;
    statistics.eventsReplayed = 9;
    statistics.eventsSkipped = 10.5;
    statistics.recordingsStored = 11;
    statistics.recordingsDisturbed = 12;
    statistics.recordingsUnforeseen = 13;
    statistics.recordingsWithoutState = 14;
    statistics.recordingsByChance = 21;
    statistics.replaysInterrupted = 15;
    statistics.skipsInterrupted = 16;
    statistics.samples = 17;
    statistics.followers = 18;
    statistics.followersReplayed = 19;
    statistics.followersCaughtUp = 20;
    const auto json = ToJson(statistics);
    EXPECT_EQ(json["transitions"].dump(), R"({"Recording-Skipping":5})");
    EXPECT_EQ(json["reasons"].size(), REASONS);
    EXPECT_EQ(json["reasons"]["Steady"], 6);
    EXPECT_EQ(json["reasons"]["FlowStarted"], 0);
    EXPECT_EQ(json["flowSeconds"].size(), PARTITION_STATES);
    EXPECT_EQ(json["flowSeconds"]["Waking"], 1.5);
    EXPECT_EQ(json["bytesSkipped"], 7);
    EXPECT_EQ(json["bytesDrawn"], 5);
    EXPECT_EQ(json["bytesReplayed"], 8);
    EXPECT_EQ(json["eventsReplayed"], 9);
    EXPECT_EQ(json["eventsSkipped"], 10.5);
    EXPECT_EQ(json["recordingsStored"], 11);
    EXPECT_EQ(json["recordingsDisturbed"], 12);
    EXPECT_EQ(json["recordingsUnforeseen"], 13);
    EXPECT_EQ(json["recordingsWithoutState"], 14);
    EXPECT_EQ(json["recordingsByChance"], 21);
    EXPECT_EQ(json["replaysInterrupted"], 15);
    EXPECT_EQ(json["skipsInterrupted"], 16);
    EXPECT_EQ(json["samples"], 17);
    EXPECT_EQ(json["followers"], 18);
    EXPECT_EQ(json["followersReplayed"], 19);
    EXPECT_EQ(json["followersCaughtUp"], 20);
}

} // namespace
} // namespace wormhole
