/*
 * SPDX-License-Identifier: MIT
 */

// Recordings and replays. Skips: controller-test.cc. What happens to replays:
// controller-replay-late-test.cc.

#include "controller/controller-replay-case.h"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace wormhole::replay
{
namespace
{

/** A store that notes what is confirmed. */
class NotingStore : public EpisodeStore
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
        inserted.push_back(episode);
        return m_store.Insert(graph, episode);
    }

    void Confirm(const ConflictGraph& graph, Duration verified) override
    {
        confirmed.push_back(verified.count());
        m_store.Confirm(graph, verified);
    }

    EpisodeStoreStatistics Statistics() const override
    {
        return m_store.Statistics();
    }

    std::vector<Episode> inserted;
    std::vector<std::int64_t> confirmed;

  private:
    MemoryEpisodeStore m_store;
};

TEST(ControllerReplay, RecordsWhatConvergesAndWhatCompletes)
{
    NotingStore store;
    Rig rig(&store);
    rig.simulator.queues[P0] = 500;
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "4: P0 Recording to Skipping, Steady, 1 flows, 16\n"
              "20: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "24: P0 Waking to Skipping, RatesHeld, 1 flows, 32\n"
              "56: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "60: P0 Waking to Skipping, RatesHeld, 1 flows, 36\n"
              "96: P0 Skipping to Recording, EpisodeUnknown, 1 flows, 0\n");
    ASSERT_EQ(store.inserted.size(), 1U) << "the last one waits for others that end at once";
    rig.controller.Finish(At(100));
    ASSERT_EQ(store.inserted.size(), 2U);

    const Episode& converged = store.inserted[0];
    EXPECT_EQ(converged.end, EpisodeEnd::Converged);
    EXPECT_EQ(converged.duration.count(), Micro(4).count());
    EXPECT_EQ(converged.verified.count(), Micro(16).count()); // the first stretch
    EXPECT_EQ(converged.events, 40U);                         // one for 10 bytes
    ASSERT_EQ(converged.flows.size(), 1U);
    EXPECT_EQ(converged.flows[0].bytes, 400U);
    EXPECT_EQ(converged.flows[0].endRate.InBytesPerSecond(), 100e6);
    EXPECT_EQ(converged.flows[0].control, "100");
    ASSERT_EQ(converged.ports.size(), 1U);
    EXPECT_EQ(converged.ports[0].queue, 500U);
    EXPECT_EQ(converged.ports[0].state, "port");

    const Episode& completed = store.inserted[1];
    EXPECT_EQ(completed.end, EpisodeEnd::Completed);
    EXPECT_EQ(completed.duration.count(), Micro(4).count());
    EXPECT_TRUE(completed.flows[0].completed);
    EXPECT_EQ(completed.flows[0].bytes, 400U);
    EXPECT_EQ(completed.flows[0].control, "");

    // After the skip up to 20 us, and after the one up to 56 us.
    EXPECT_EQ(store.confirmed,
              (std::vector<std::int64_t>{Micro(16).count(), Micro(16 + 32).count()}));
    EXPECT_EQ(rig.controller.Statistics().recordingsStored, 2U);
}

TEST(ControllerReplay, RunsOfKnownEpisodesNeedPacketsOnlyToLook)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    ReplayOne(rig, At(100));
    // The rates are known to hold for 48 us; then 4,400 are left, of which 4,000 can be skipped.
    EXPECT_EQ(rig.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Replaying, EpisodeFound, 1 flows, 4\n"
              "4: P0 Replaying to Skipping, EpisodeOver, 1 flows, 48\n"
              "52: P0 Skipping to Waking, StretchOver, 1 flows, 0\n"
              "56: P0 Waking to Skipping, RatesHeld, 1 flows, 40\n"
              "96: P0 Skipping to Replaying, EpisodeFound, 1 flows, 4\n");
    EXPECT_EQ(rig.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "4 us: Credit flow 5 400\n"
              "4 us: Evict flows 5 ports 3\n"
              "52 us: Credit flow 5 4800\n"
              "52 us: Restore as of 52 us flows 5 ports 3\n"
              "52 us: Resume +0 us flows 5 ports 3\n"
              "56 us: Pause flows 5 ports 3\n"
              "96 us: Credit flow 5 4000\n"
              "96 us: Resume +40 us flows 5 ports 3\n"
              "96 us: Pause flows 5 ports 3\n"
              "100 us: Credit flow 5 400\n"
              "100 us: Evict flows 5 ports 3\n"
              "100 us: Complete flows 5 ports \n");
    EXPECT_EQ(rig.simulator.queues[P3], 500U);
    EXPECT_TRUE(rig.simulator.ends.at(F5) == At(100));
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.bytesReplayed, 800U);
    EXPECT_EQ(statistics.bytesSkipped, 8800U);
    EXPECT_EQ(statistics.eventsReplayed, 80U);
    EXPECT_EQ(statistics.recordingsStored, 0U);
}

TEST(ControllerReplay, TrustGrowsFromRunToRun)
{
    NotingStore store;
    RecordOne(store);
    store.confirmed.clear();
    Rig rig(&store);
    ReplayOne(rig, At(100));
    EXPECT_EQ(store.confirmed, std::vector<std::int64_t>{Micro(48).count()});
    Rig larger(&store);
    larger.simulator.Start(F0, {P0}, 100'000, 100);
    larger.simulator.RunTo(At(200));
    // 48 us from the start, then 96 us.
    EXPECT_EQ(larger.decisions.at(2).span.count(), Micro(48).count());
    EXPECT_EQ(store.confirmed.back(), Micro(48 + 96).count());
}

TEST(ControllerReplay, RatesThatCreepDoNotConfirm)
{
    NotingStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 1'000'000, 1000);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 1040); });
    rig.simulator.Do(At(40), [&] { rig.simulator.SetRate(F0, 1080); });
    rig.simulator.RunTo(At(300));
    // Each is within 5 % of the last, but 1080 is not of 1000.
    EXPECT_EQ(rig.decisions.at(4).reason, Reason::RatesHeld);
    EXPECT_EQ(rig.decisions.at(6).reason, Reason::RatesHeld);
    EXPECT_EQ(rig.decisions.at(8).reason, Reason::RatesHeld);
    EXPECT_EQ(store.confirmed, std::vector<std::int64_t>{Micro(16).count()});
}

TEST(ControllerReplay, RatesThatComeBackDoNotConfirm)
{
    NotingStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 1'000'000, 100);
    for (std::int64_t time = 20; time < 40; ++time)
    {
        const Bytes rate = 50 + static_cast<Bytes>(time * time * 7919 % 101);
        rig.simulator.Do(At(time), [&rig, rate] { rig.simulator.SetRate(F0, rate); });
    }
    rig.simulator.Do(At(40), [&] { rig.simulator.SetRate(F0, 100); });
    rig.simulator.RunTo(At(200));
    EXPECT_EQ(rig.decisions.at(4).reason, Reason::RatesChanged);
    EXPECT_EQ(rig.decisions.at(7).reason, Reason::RatesHeld);
    EXPECT_TRUE(store.confirmed.empty());
}

TEST(ControllerReplay, RatesThatChangeDoNotConfirm)
{
    NotingStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 1'000'000, 100);
    rig.simulator.Do(At(20), [&] { rig.simulator.SetRate(F0, 50); });
    rig.simulator.RunTo(At(200));
    EXPECT_EQ(rig.decisions.at(4).reason, Reason::RatesChanged);
    EXPECT_TRUE(store.confirmed.empty());
}

TEST(ControllerReplay, WithoutSkipOnlyEpisodesTakeThePlaceOfPackets)
{
    ControllerOptions options = SmallOptions();
    options.skip = false;
    MemoryEpisodeStore store;
    Rig first(&store, options);
    first.simulator.Start(F0, {P0}, 10'000, 100);
    first.simulator.RunTo(At(100));
    EXPECT_EQ(first.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n"
              "4: P0 Recording to Running, Steady, 1 flows, 0\n");
    EXPECT_EQ(first.Calls(), "");
    Rig second(&store, options);
    ReplayOne(second, At(100));
    EXPECT_EQ(second.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Replaying, EpisodeFound, 1 flows, 4\n"
              "4: P0 Replaying to Running, EpisodeOver, 1 flows, 0\n"
              "8: P0 Running to Running, Steady, 1 flows, 0\n");
    EXPECT_EQ(second.Calls(),
              "0 us: Pause flows 5 ports 3\n"
              "4 us: Credit flow 5 400\n"
              "4 us: Evict flows 5 ports 3\n"
              "4 us: Restore as of 4 us flows 5 ports 3\n"
              "4 us: Resume +0 us flows 5 ports 3\n");
    EXPECT_TRUE(second.simulator.ends.at(F5) == At(100));
}

TEST(ControllerReplay, DeliveredByGrowsEvenly)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    ReplayOne(rig, At(0));
    ASSERT_EQ(rig.StateOf(F5), PartitionState::Replaying);
    const auto delivered = [&](Time time) { return rig.controller.DeliveredBy(F5, time); };
    EXPECT_EQ(delivered(At(0)), 0U);
    EXPECT_EQ(delivered(At(1)), 100U);
    EXPECT_EQ(delivered(At(3)), 300U);
    EXPECT_EQ(delivered(At(4)), 400U); // the alarm has not been run
    EXPECT_EQ(delivered(At(9)), 400U); // no more than the episode says
    rig.simulator.RunTo(At(4));
    ASSERT_EQ(rig.StateOf(F5), PartitionState::Skipping);
    EXPECT_EQ(delivered(At(4)), 400U);
    EXPECT_EQ(delivered(At(30)), 3000U);
    EXPECT_EQ(delivered(At(500)), 9600U); // but for the tail
    rig.simulator.RunTo(At(54));
    ASSERT_EQ(rig.StateOf(F5), PartitionState::Waking);
    EXPECT_EQ(rig.DeliveredBy(F5), 5400U);
}

TEST(ControllerReplay, EpisodesMustFit)
{
    MemoryEpisodeStore store;
    Rig first(&store);
    first.simulator.Start(F0, {P0}, 10'000, 100);
    first.simulator.RunTo(At(10)); // so that no end is known
    const auto decide = [&](Bytes size, std::optional<Time> disturbance) {
        Rig rig(&store);
        rig.simulator.disturbance = disturbance;
        rig.simulator.Start(F5, {P3}, size, 100);
        rig.simulator.RunTo(At(0));
        return rig.decisions.back().reason;
    };
    // The episode delivers 400 bytes in 4 us, and says nothing of what ends within it.
    EXPECT_EQ(decide(401, std::nullopt), Reason::EpisodeFound);
    EXPECT_EQ(decide(400, std::nullopt), Reason::EpisodeUnfit);
    EXPECT_EQ(decide(10'000, Time{Micro(4) - Duration{1}}), Reason::EpisodeUnfit);
    EXPECT_EQ(decide(10'000, At(4)), Reason::EpisodeFound); // it comes first, then the disturbance
}

TEST(ControllerReplay, EpisodesOfFlowsOnTheirWayAreLongEnough)
{
    // F0 has this much left when F1 begins, at 100 bytes/us.
    const auto decide = [](Bytes left, Bytes sent) {
        MemoryEpisodeStore store;
        const auto meet = [&](FlowId first, FlowId second, PortId port) {
            Rig rig(&store);
            rig.simulator.shortestReplay = Micro(1);
            rig.simulator.Start(first, {port}, sent + left, 100);
            rig.simulator.RunTo(At(static_cast<int>(sent / 100)));
            rig.simulator.Start(second, {port}, 10'000, 100);
            rig.simulator.RunTo(At(static_cast<int>(sent / 100)));
            const Reason reason = rig.decisions.back().reason;
            rig.simulator.RunTo(At(10));
            return reason;
        };
        EXPECT_EQ(meet(F0, F1, P0), Reason::EpisodeUnknown);
        return meet(F5, FlowId{6}, P3);
    };
    EXPECT_EQ(decide(150, 200), Reason::EpisodeFound);
    EXPECT_EQ(decide(50, 200), Reason::EpisodeUnfit) << "a frame more or less would matter";
    EXPECT_EQ(decide(50, 0), Reason::EpisodeFound) << "both begin";
}

TEST(ControllerReplay, EpisodesMustEndBeforeALossThatIsKnown)
{
    MemoryEpisodeStore store;
    Rig first(&store);
    first.simulator.inFlight[F0] = 100;
    first.simulator.Start(F0, {P0}, 10'000, 100);
    first.simulator.RunTo(At(10)); // so that no end is known
    const auto decide = [&](Bytes loss) {
        Rig rig(&store);
        rig.simulator.inFlight[F5] = 100;
        rig.simulator.losses[F5] = loss;
        rig.simulator.Start(F5, {P3}, 10'000, 100);
        rig.simulator.RunTo(At(0));
        return rig.decisions.back().reason;
    };
    // The episode delivers 400 bytes, and leaves 100 in flight.
    EXPECT_EQ(decide(499), Reason::EpisodeUnfit);
    EXPECT_EQ(decide(500), Reason::EpisodeFound);
}

TEST(ControllerReplay, FlowsThatCompleteAtTheSameTimeAreOneEpisode)
{
    const auto start = [](Rig& rig) {
        rig.simulator.Start(F0, {P0}, 300, 100);
        rig.simulator.Start(F1, {P0}, 300, 100);
        rig.simulator.Start(F2, {P0}, 550, 100);
        rig.simulator.RunTo(At(2));
        rig.simulator.RunTo(At(6));
    };
    NotingStore store;
    Rig first(&store);
    start(first);
    first.controller.Finish(At(6));
    EXPECT_EQ(first.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Recording, EpisodeUnknown, 3 flows, 0\n"
              "3: P0 Recording to Running, FlowEnded, 2 flows, 0\n"
              "3: P0 Running to Recording, EpisodeUnknown, 1 flows, 0\n");
    ASSERT_EQ(store.inserted.size(), 2U);
    const auto& flows = store.inserted[0].flows;
    EXPECT_EQ(flows[0].completed && flows[1].completed, true);
    EXPECT_FALSE(flows[2].completed);
    EXPECT_EQ(flows[0].bytes + flows[1].bytes + flows[2].bytes, 900U);

    Rig second(&store);
    // Whoever waits for one may start at once.
    second.simulator.onComplete[F1] = [&] { second.simulator.Start(F5, {P3}, 550, 100); };
    start(second);
    EXPECT_EQ(second.Said(),
              "0: P0 Running to Running, FlowStarted, 1 flows, 0\n"
              "0: P0 Running to Replaying, EpisodeFound, 3 flows, 3\n"
              "3: P0 Replaying to Running, EpisodeOver, 2 flows, 0\n"
              "3: P1 Running to Running, FlowStarted, 1 flows, 0\n"
              "3: P0 Running to Replaying, EpisodeFound, 1 flows, 2+\n"
              "3: P1 Running to Recording, EpisodeUnknown, 1 flows, 0\n");
    EXPECT_EQ(second.Calls(),
              "0 us: Pause flows 0,1,2 ports 0\n"
              "3 us: Credit flow 0 300\n"
              "3 us: Credit flow 1 300\n"
              "3 us: Credit flow 2 300\n"
              "3 us: Evict flows 0,1,2 ports 0\n"
              "3 us: Complete flows 0 ports \n"
              "3 us: Complete flows 1 ports \n"
              "5500000 ps: Credit flow 2 250\n" // it never had packets
              "5500000 ps: Complete flows 2 ports \n");
}

TEST(ControllerReplay, CompletionsThatWereNotForeseenAreNotStored)
{
    NotingStore store;
    Rig rig(&store);
    rig.simulator.Start(F0, {P0}, 1000, 100);   // needs 10 us
    rig.simulator.Start(F1, {P0}, 10'000, 100); // needs 100 us, so may not be the first
    rig.simulator.Do(At(1), [&] { rig.simulator.SetRate(F1, 9900); });
    rig.simulator.RunTo(At(3));
    EXPECT_TRUE(rig.simulator.ends.at(F1) == At(2));
    EXPECT_TRUE(store.inserted.empty());
    EXPECT_EQ(rig.controller.Statistics().recordingsUnforeseen, 1U);
}

TEST(ControllerReplay, WhatDrawsHaveDecidedIsNotStored)
{
    const auto stores = [](Bytes size, std::optional<Time> draw) {
        NotingStore store;
        Rig rig(&store);
        rig.simulator.Start(F0, {P0}, size, 100);
        rig.simulator.Start(F1, {P0}, size, 100);
        if (draw)
        {
            rig.simulator.Do(*draw, [&] { rig.simulator.draws[F1] = 1; });
        }
        rig.simulator.RunTo(At(6)); // steady at 4 us, or done before
        rig.controller.Finish(At(6));
        EXPECT_EQ(rig.controller.Statistics().recordingsByChance, store.inserted.empty() ? 1U : 0U);
        return !store.inserted.empty();
    };
    EXPECT_TRUE(stores(10'000, std::nullopt));
    EXPECT_TRUE(stores(10'000, At(5))); // too late to matter
    EXPECT_FALSE(stores(10'000, At(1)));
    EXPECT_TRUE(stores(150, std::nullopt)); // done at 1.5 us
    EXPECT_FALSE(stores(150, Time{Micro(1)} + Duration{1}));
}

TEST(ControllerReplay, FlowsThatCannotCaptureTheirStateAreSkippedOnly)
{
    for (const bool isFlow : {true, false})
    {
        NotingStore store;
        Rig rig(&store);
        rig.simulator.incapable[F1] = isFlow;
        if (!isFlow)
        {
            rig.simulator.incapable.clear();
            rig.simulator.incapablePorts[P0] = true;
        }
        rig.simulator.Start(F1, {P0}, 10'000, 100);
        rig.simulator.Start(F2, {P0}, 9'000, 100);
        rig.simulator.RunTo(At(100));
        EXPECT_TRUE(rig.simulator.ends.at(F1) == At(100));
        EXPECT_TRUE(store.inserted.empty());
        EXPECT_EQ(rig.warnings.size(), 1U);
        EXPECT_GE(rig.controller.Statistics().recordingsWithoutState, 2U);
        EXPECT_GT(rig.controller.Statistics().bytesSkipped, 0U);
    }
    // Nobody needs to listen.
    MemoryEpisodeStore store;
    Rig rig(&store);
    rig.controller.SetWarningHandler({});
    rig.controller.SetDecisionHandler({});
    rig.simulator.incapable[F1] = true;
    rig.simulator.Start(F1, {P0}, 10'000, 100);
    rig.simulator.RunTo(At(100));
    EXPECT_EQ(rig.controller.Statistics().recordingsWithoutState, 1U);
}

TEST(ControllerReplay, PortsThatAnEpisodeDoesNotHaveAreLaidOutEmpty)
{
    ControllerOptions options = SmallOptions();
    options.detail = GraphDetail::Flows;
    MemoryEpisodeStore store;
    Rig first(&store, options);
    first.simulator.queues[P0] = 500;
    first.simulator.Start(F0, {P0}, 10'000, 100);
    first.simulator.RunTo(At(10));
    // The same to the coarser graph, though it crosses another port more.
    Rig second(&store, options);
    second.simulator.queues[P4] = 700;
    second.simulator.Start(F5, {P3, P4}, 10'000, 100);
    second.simulator.Do(At(10), [&] { second.controller.Disturbed(F5, At(10)); });
    second.simulator.RunTo(At(10));
    EXPECT_EQ(second.Calls(),
              "0 us: Pause flows 5 ports 3,4\n"
              "4 us: Credit flow 5 400\n"
              "4 us: Evict flows 5 ports 3,4\n"
              "10 us: Credit flow 5 600\n"
              "10 us: Restore as of 10 us flows 5 ports 3,4\n"
              "10 us: Resume +0 us flows 5 ports 3,4\n"
              "10 us: Pause flows 5 ports 3,4\n"); // found again
    EXPECT_EQ(second.simulator.queues[P3], 500U);
    EXPECT_EQ(second.simulator.queues[P4], 0U);
}

} // namespace
} // namespace wormhole::replay
