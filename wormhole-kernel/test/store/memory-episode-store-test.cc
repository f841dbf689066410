/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/episode-codec.h"
#include "episode/episode-samples.h"
#include "wormhole/episode-json.h"
#include "wormhole/error.h"
#include "wormhole/memory-episode-store.h"

#include <gtest/gtest.h>
#include <limits>

namespace wormhole
{
namespace
{

using test::EpisodeOf;
using test::Incast;

TEST(MemoryEpisodeStore, FindsWhatWasInsertedAndSaysWhichFlowIsWhich)
{
    MemoryEpisodeStore store;
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(1)));
    // Flow i of the rotated graph is flow i + 1 of the inserted one.
    const auto hit = store.Find(Incast(1, 3, 1), EpisodeEnd::Converged);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->flows, (std::vector<std::uint32_t>{1, 2, 0}));
    EXPECT_TRUE(test::SameEpisode(*hit->episode, EpisodeOf(1)));
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Completed));
    EXPECT_FALSE(store.Find(Incast(2), EpisodeEnd::Converged));

    const EpisodeStoreStatistics statistics = store.Statistics();
    EXPECT_EQ(statistics.lookups, 4U);
    EXPECT_EQ(statistics.hits, 1U);
    EXPECT_EQ(statistics.inserted, 1U);
    EXPECT_EQ(statistics.episodes, 1U);
    EXPECT_EQ(statistics.bytes, EncodeRecord(Incast(1), EpisodeOf(1)).size());
}

TEST(MemoryEpisodeStore, WhatIsThereStays)
{
    MemoryEpisodeStore store;
    EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(1)));
    Episode other = EpisodeOf(2);
    for (FlowOutcome& flow : other.flows)
    {
        flow.bytes += 10'000'000; // more than any other
    }
    EXPECT_FALSE(store.Insert(Incast(1, 3, 2), other));
    EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(3, 3, EpisodeEnd::Completed)));
    EXPECT_TRUE(
        test::SameEpisode(*store.Find(Incast(1), EpisodeEnd::Converged)->episode, EpisodeOf(1)));
    EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Completed)->episode->duration,
              EpisodeOf(3).duration);
    EXPECT_EQ(store.Statistics().episodes, 2U);
}

TEST(MemoryEpisodeStore, KeepsWhatNeedsFewerBytesLeft)
{
    const auto of = [](Bytes bytes) {
        Episode episode = EpisodeOf(1);
        for (FlowOutcome& flow : episode.flows)
        {
            flow.bytes = bytes;
        }
        return episode;
    };
    const auto found = [](EpisodeStore& store, Bytes left, EpisodeEnd end) {
        return store.Find(Incast(1), end, {left, left + 5, left + 9})->episode->flows[0].bytes;
    };
    MemoryEpisodeStore store;
    EXPECT_TRUE(store.Insert(Incast(1), of(4000)));
    EXPECT_FALSE(store.Insert(Incast(1), of(4000))) << "that one will do";
    EXPECT_FALSE(store.Insert(Incast(1), of(5000)));
    EXPECT_TRUE(store.Insert(Incast(1), of(3000)));
    EXPECT_EQ(found(store, 4001, EpisodeEnd::Converged), 4000U);
    EXPECT_EQ(found(store, 4000, EpisodeEnd::Converged), 3000U) << "something must be left";
    EXPECT_EQ(found(store, 3000, EpisodeEnd::Converged), 4000U) << "none will do";
    EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Converged)->episode->flows[0].bytes, 4000U);
    // Flow i of the rotated graph is flow i + 1 of the inserted one, and so is what it has left.
    Episode uneven = of(3000);
    uneven.flows[1].bytes = 100;
    EXPECT_TRUE(store.Insert(Incast(1), uneven));
    const auto hit = store.Find(Incast(1, 3, 1), EpisodeEnd::Converged, {101, 3001, 3001});
    EXPECT_EQ(hit->episode->flows[1].bytes, 100U);
    EXPECT_EQ(hit->flows, (std::vector<std::uint32_t>{1, 2, 0}));
    store.Confirm(Incast(1), Duration{7000});
    EXPECT_EQ(hit->episode->verified, Duration{1000}) << "was given out";
    EXPECT_EQ(
        store.Find(Incast(1, 3, 1), EpisodeEnd::Converged, {101, 3001, 3001})->episode->verified,
        Duration{7000});

    EXPECT_TRUE(store.Insert(Incast(1), of(50)));
    EXPECT_FALSE(store.Insert(Incast(1), of(10))) << "four are enough";
    EXPECT_EQ(store.Statistics().episodes, EpisodeStore::VARIANTS);

    Episode completed = of(4000);
    completed.end = EpisodeEnd::Completed;
    completed.flows[0].completed = true;
    EXPECT_TRUE(store.Insert(Incast(1), completed));
    completed.flows[0].bytes = 2000;
    EXPECT_TRUE(store.Insert(Incast(1), completed)) << "what completes has exactly that left";
    EXPECT_EQ(found(store, 2000, EpisodeEnd::Completed), 4000U) << "others have too little";
    const std::vector<Bytes> left{2000, 4001, 4001};
    EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Completed, left)->episode->flows[0].bytes, 2000U);
}

TEST(MemoryEpisodeStore, GraphsWithOneSignatureAreToldApart)
{
    const ConflictGraph ring = test::EqualTwin(false);
    const ConflictGraph triangles = test::EqualTwin(true);
    ASSERT_EQ(ring.GetSignature(), triangles.GetSignature());
    MemoryEpisodeStore store;
    EXPECT_TRUE(store.Insert(ring, EpisodeOf(1, 6)));
    EXPECT_FALSE(store.Find(triangles, EpisodeEnd::Converged));
    EXPECT_EQ(store.Statistics().collisions, 1U);
    EXPECT_TRUE(store.Insert(triangles, EpisodeOf(2, 6)));
    EXPECT_EQ(store.Find(ring, EpisodeEnd::Converged)->episode->duration, EpisodeOf(1).duration);
    EXPECT_EQ(store.Find(triangles, EpisodeEnd::Converged)->episode->duration,
              EpisodeOf(2).duration);
}

TEST(MemoryEpisodeStore, TooMuchWorkIsNoMatch)
{
    EpisodeMemoryLimits limits;
    limits.comparisonWork = 1;
    MemoryEpisodeStore store(limits);
    EXPECT_TRUE(store.Insert(test::EqualTwin(false), EpisodeOf(1, 6)));
    EXPECT_FALSE(store.Find(test::EqualTwin(true), EpisodeEnd::Converged));
    EXPECT_FALSE(store.Insert(test::EqualTwin(true), EpisodeOf(2, 6)));
    EXPECT_EQ(store.Statistics().gaveUp, 2U);
    EXPECT_EQ(store.Statistics().episodes, 1U);
}

TEST(MemoryEpisodeStore, ConfirmRaises)
{
    MemoryEpisodeStore store;
    store.Confirm(Incast(1), Duration{5000}); // unknown: nothing happens
    store.Insert(Incast(1), EpisodeOf(1));    // verified for 1000
    const auto before = store.Find(Incast(1), EpisodeEnd::Converged);
    store.Confirm(Incast(1, 3, 1), Duration{5000});
    store.Confirm(Incast(1), Duration{4000});
    EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Converged)->episode->verified, Duration{5000});
    EXPECT_EQ(before->episode->verified, Duration{1000});
}

TEST(MemoryEpisodeStore, LeastRecentlyUsedGoesFirst)
{
    EpisodeMemoryLimits limits;
    limits.episodes = 2;
    MemoryEpisodeStore store(limits);
    store.Insert(Incast(1), EpisodeOf(1));
    store.Insert(Incast(2), EpisodeOf(2));
    EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    store.Insert(Incast(3), EpisodeOf(3));
    EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_FALSE(store.Find(Incast(2), EpisodeEnd::Converged));
    EXPECT_TRUE(store.Find(Incast(3), EpisodeEnd::Converged));
    EXPECT_EQ(store.Statistics().evicted, 1U);
}

TEST(MemoryEpisodeStore, BytesAreLimitedToo)
{
    EpisodeMemoryLimits limits;
    const std::uint64_t one = EncodeRecord(Incast(1), EpisodeOf(1)).size();
    const std::uint64_t two = EncodeRecord(Incast(2), EpisodeOf(2)).size();
    const std::uint64_t three = EncodeRecord(Incast(3), EpisodeOf(3)).size();
    limits.bytes = one + two + three - 1;
    MemoryEpisodeStore store(limits);
    for (std::uint64_t kind = 1; kind <= 3; ++kind)
    {
        EXPECT_TRUE(store.Insert(Incast(kind), EpisodeOf(kind)));
    }
    EXPECT_EQ(store.Statistics().bytes, two + three);
    // Alone too large: nothing goes for it.
    EXPECT_FALSE(store.Insert(Incast(4, 50), EpisodeOf(4, 50)));
    EXPECT_EQ(store.Statistics().episodes, 2U);
}

TEST(MemoryEpisodeStore, WrongUse)
{
    for (int limit = 0; limit < 3; ++limit)
    {
        EpisodeMemoryLimits limits;
        (limit == 0 ? limits.episodes : limit == 1 ? limits.bytes : limits.comparisonWork) = 0;
        EXPECT_THROW(MemoryEpisodeStore{limits}, UsageError);
    }
    MemoryEpisodeStore store;
    EXPECT_THROW(store.Insert(Incast(1, 3), EpisodeOf(1, 4)), UsageError);
    Episode episode = EpisodeOf(1);
    episode.ports[0].flow = 3;
    EXPECT_THROW(store.Insert(Incast(1), episode), UsageError);
    episode = EpisodeOf(1);
    episode.end = static_cast<EpisodeEnd>(2);
    EXPECT_THROW(store.Insert(Incast(1), episode), UsageError);
}

TEST(EpisodeJson, SaysAll)
{
    Episode episode;
    episode.duration = Duration{7};
    episode.end = EpisodeEnd::Completed;
    episode.verified = Duration{8};
    episode.events = 9;
    episode.flows.push_back({10, Rate::BytesPerSecond(125), true, StateBlob("\x01\xfe", 2)});
    episode.ports.push_back({0, 2, 11, "A"});
    EXPECT_EQ(
        ToJson(episode).dump(),
        R"({"durationPs":7,"end":"completed","verifiedPs":8,"events":9,)"
        R"("flows":[{"bytes":10,"inFlight":0,"endRateBps":1000.0,"completed":true,"control":"01fe"}],)"
        R"("ports":[{"flow":0,"hop":2,"queueBytes":11,"state":"41"}]})");
    episode.end = EpisodeEnd::Converged;
    episode.flows[0].endRate = Rate::BytesPerSecond(std::numeric_limits<double>::infinity());
    EXPECT_NE(ToJson(episode).dump().find(R"("endRateBps":null)"), std::string::npos);
    EXPECT_EQ(ToJson(episode)["end"], "converged");
}

} // namespace
} // namespace wormhole
