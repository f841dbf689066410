/*
 * SPDX-License-Identifier: MIT
 */

// What is not replayed because it cannot be, and what an audit finds.

#include "controller/aside.h"
#include "controller/controller-replay-case.h"

#include <cmath>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace wormhole::replay
{
namespace
{

/** A store that changes what it answers. */
class FalsifyingStore : public EpisodeStore
{
  public:
    explicit FalsifyingStore(std::function<void(Episode&)> falsify)
        : m_falsify(std::move(falsify))
    {
        RecordOne(m_store);
    }

    std::optional<EpisodeHit> Find(const ConflictGraph& graph,
                                   EpisodeEnd end,
                                   const std::vector<Bytes>& left) override
    {
        auto hit = m_store.Find(graph, end, left);
        if (hit)
        {
            auto changed = std::make_shared<Episode>(*hit->episode);
            m_falsify(*changed);
            hit->episode = changed;
        }
        return hit;
    }

    bool Insert(const ConflictGraph& graph, const Episode& episode) override
    {
        return m_store.Insert(graph, episode);
    }

    void Confirm(const ConflictGraph&, Duration) override
    {
    }

    EpisodeStoreStatistics Statistics() const override
    {
        return m_store.Statistics();
    }

  private:
    MemoryEpisodeStore m_store;
    std::function<void(Episode&)> m_falsify;
};

ControllerOptions
Auditing(double share)
{
    ControllerOptions options = SmallOptions();
    options.audit = share;
    return options;
}

/** In 4 us, 900 bytes instead of 400. */
void
MakeTooFast(Episode& episode)
{
    if (episode.end == EpisodeEnd::Converged)
    {
        episode.flows[0].bytes = 900;
    }
}

TEST(ControllerAudit, FindsNothingWrongWithWhatIsRight)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig alone(&store);
    ReplayOne(alone, At(100));
    MemoryEpisodeStore same;
    RecordOne(same);
    Rig rig(&same, Auditing(1));
    ReplayOne(rig, At(100));
    EXPECT_EQ(rig.Said(), alone.Said()) << "an audit is aside";
    EXPECT_EQ(rig.Calls(), alone.Calls());
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.auditable, 4U) << "two replays, two skips";
    EXPECT_EQ(statistics.audited, 4U);
    EXPECT_EQ(statistics.bytesAudited, 400 + 4800 + 4000 + 400);
    EXPECT_EQ(statistics.bytesWrong, 0);
    EXPECT_EQ(statistics.episodesThrownOut, 0U);
    EXPECT_EQ(alone.controller.Statistics().audited, 0U);
}

TEST(ControllerAudit, ThrowsOutAnEpisodeThatPacketsContradict)
{
    FalsifyingStore store(MakeTooFast);
    Rig trusting(&store);
    ReplayOne(trusting, At(100));
    EXPECT_LT(trusting.simulator.ends.at(F5), At(100)) << "without an audit it is wrong";

    Rig rig(&store, Auditing(1));
    ReplayOne(rig, At(100));
    EXPECT_EQ(rig.simulator.ends.at(F5).time_since_epoch().count(),
              At(100).time_since_epoch().count());
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_EQ(statistics.episodesThrownOut, 1U);
    EXPECT_NEAR(statistics.largestAuditError, (900.0 - 400 - 100) / 900, 1e-9)
        << "a quarter of the tail, 100 bytes, does not count";
    // once, although the same flow comes again
    rig.simulator.Start(F3, {P3}, 10'000, 100);
    rig.simulator.RunTo(At(200));
    EXPECT_EQ(rig.simulator.ends.at(F3).time_since_epoch().count(),
              At(200).time_since_epoch().count());
    EXPECT_EQ(rig.controller.Statistics().episodesThrownOut, 1U);
}

TEST(ControllerAudit, NoticesThatARateHasChangedInASkip)
{
    Rig rig(nullptr, Auditing(1));
    rig.simulator.Start(F0, {P0}, 10'000, 100);
    rig.simulator.Do(At(5), [&rig]() { rig.simulator.SetRate(F0, 50); });
    rig.simulator.RunTo(At(400));
    // 400 bytes up to the skip, which begins at 4 us: the script takes the new rate as of then
    EXPECT_EQ(rig.simulator.ends.at(F0).time_since_epoch().count(),
              At(4 + 9'600 / 50).time_since_epoch().count());
    EXPECT_GT(rig.controller.Statistics().largestAuditError, 0.4);
}

TEST(ControllerAudit, DoesNotReplayWhatThePortsCannotCarry)
{
    for (const Bytes capacity : {Bytes{99}, Bytes{97}, Bytes{50}})
    {
        MemoryEpisodeStore store;
        RecordOne(store);
        Rig rig(&store);
        rig.simulator.capacities[P3] = capacity;
        ReplayOne(rig, At(3));
        EXPECT_EQ(rig.StateOf(F5),
                  capacity == 99 ? PartitionState::Replaying : PartitionState::Recording)
            << capacity; // of 100 bytes/us, 2 % more than which is not far enough off
    }
}

TEST(ControllerAudit, DoesNotReplayWhatCannotBe)
{
    const std::function<void(Episode&)> changes[] = {
        [](Episode& episode) { episode.duration = Duration{0}; },
        [](Episode& episode) { episode.duration = Micro(-4); },
        [](Episode& episode) { episode.flows[0].endRate = Rate::BytesPerSecond(1e12); },
        [](Episode& episode) { episode.flows[0].endRate = Rate::BytesPerSecond(NAN); },
    };
    for (const auto& change : changes)
    {
        FalsifyingStore store([&change](Episode& episode) {
            if (episode.end == EpisodeEnd::Converged)
            {
                change(episode);
            }
        });
        Rig rig(&store);
        rig.simulator.capacities[P3] = 1000;
        ReplayOne(rig, At(3));
        EXPECT_EQ(rig.StateOf(F5), PartitionState::Recording) << &change - changes;
    }
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store);
    rig.simulator.refusesStates = true;
    ReplayOne(rig, At(3));
    EXPECT_EQ(rig.StateOf(F5), PartitionState::Recording);
}

TEST(ControllerAudit, LooksAtThingsAsTheyMayBeAtWorst)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store, Auditing(1));
    rig.simulator.auditRates[F5] = 50;
    ReplayOne(rig, At(100));
    EXPECT_GE(rig.controller.Statistics().episodesThrownOut, 1U) << "200 bytes instead of 400";
    EXPECT_TRUE(rig.simulator.ends.at(F5) == At(100)) << "but only there";
}

TEST(ControllerAudit, CostsNoMoreThanItsShare)
{
    MemoryEpisodeStore store;
    RecordOne(store);
    Rig rig(&store, Auditing(0.01));
    rig.simulator.counts = true;
    for (std::uint32_t i = 0; i < 500; ++i)
    {
        rig.simulator.Start(FlowId{i}, {P3}, 10'000, 100);
        rig.simulator.RunTo(At(101 * (i + 1)));
    }
    const ControllerStatistics& statistics = rig.controller.Statistics();
    EXPECT_GT(statistics.audited, 0U);
    EXPECT_LT(statistics.audited, statistics.auditable / 50);
    EXPECT_LE(statistics.eventsAudited, 0.01 * 2e6 + 0.1 * 1000 * 500);
}

TEST(Aside, WorksOnACopy)
{
    int count = 0;
    EXPECT_EQ(DoAside([&count]() { return ++count + 0.5; }), 1.5);
    EXPECT_EQ(count, 0);
    EXPECT_EQ(DoAside([]() -> double { throw std::runtime_error("no"); }), std::nullopt);
    std::FILE* const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(DoAside([file]() {
                  return static_cast<double>(std::fputs("x", file) + std::fflush(file));
              }).has_value(),
              true);
    // as a trace that has the first number after the standard ones
    EXPECT_EQ(DoAside([file]() {
                  std::fputs("more than a result has", file);
                  std::fflush(file);
                  return 0.25;
              }),
              0.25);
    std::fseek(file, 0, SEEK_END);
    EXPECT_EQ(std::ftell(file), 0) << "what it writes is lost";
    std::fclose(file);
}

} // namespace
} // namespace wormhole::replay
