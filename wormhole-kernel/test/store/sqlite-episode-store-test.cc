/*
 * SPDX-License-Identifier: MIT
 */
#include "episode/episode-codec.h"
#include "episode/episode-samples.h"
#include "store/store-folder.h"
#include "wormhole/sqlite-episode-store.h"

#include <map>
#include <thread>

namespace wormhole
{
namespace
{

using test::EpisodeOf;
using test::FINGERPRINT;
using test::Incast;

/** \return another one than EpisodeOf(2) for \p flows flows, which delivers more than any other */
Episode
LargeEpisode(std::uint32_t flows = 3)
{
    Episode episode = EpisodeOf(2, flows);
    for (FlowOutcome& flow : episode.flows)
    {
        flow.bytes += 10'000'000;
    }
    return episode;
}

class SqliteEpisodeStoreTest : public test::StoreFolder
{
  protected:
    SqliteEpisodeStore Open(const Signature& fingerprint = FINGERPRINT)
    {
        return SqliteEpisodeStore(m_path, fingerprint, Collect(), m_options);
    }

    void TearDown() override
    {
        EXPECT_TRUE(m_warnings.empty()) << testing::PrintToString(m_warnings);
    }

    SqliteEpisodeStoreOptions m_options;
};

TEST_F(SqliteEpisodeStoreTest, ARunFindsWhatAnotherOneInserted)
{
    {
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
        EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadWrite);
        EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
        EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(1)));
        EXPECT_FALSE(store.Insert(Incast(1, 3, 1), LargeEpisode()));
        EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    }
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
    EXPECT_FALSE(store.Insert(Incast(1), LargeEpisode()));
    const auto hit = store.Find(Incast(1, 3, 1), EpisodeEnd::Converged);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->flows, (std::vector<std::uint32_t>{1, 2, 0}));
    EXPECT_TRUE(test::SameEpisode(*hit->episode, EpisodeOf(1)));
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Completed));
    EXPECT_EQ(store.Statistics().episodes, 1U);
    EXPECT_EQ(store.Statistics().bytes, EncodeRecord(Incast(1), EpisodeOf(1)).size());
    EXPECT_EQ(Sql("PRAGMA journal_mode"), "wal");
    EXPECT_EQ(Sql("PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteEpisodeStoreTest, KeepsWhatNeedsFewerBytesLeft)
{
    Episode few = EpisodeOf(1);
    Episode many = EpisodeOf(1);
    for (std::size_t i = 0; i < 3; ++i)
    {
        few.flows[i].bytes = 1000;
        many.flows[i].bytes = 9000;
    }
    const std::vector<Bytes> little(3, 5000);
    const std::vector<Bytes> much(3, 10000);
    const auto bytesFor = [](EpisodeStore& store, const std::vector<Bytes>& left) {
        return store.Find(Incast(1), EpisodeEnd::Converged, left)->episode->flows[0].bytes;
    };
    {
        SqliteEpisodeStore one(m_path, FINGERPRINT, Collect());
        SqliteEpisodeStore other(m_path, FINGERPRINT, Collect());
        EXPECT_TRUE(one.Insert(Incast(1), many));
        EXPECT_EQ(bytesFor(other, little), 9000U);
        EXPECT_TRUE(other.Insert(Incast(1), few));
        EXPECT_FALSE(one.Insert(Incast(1), few)) << "is in the file";
        EXPECT_EQ(bytesFor(one, little), 1000U);
        EXPECT_EQ(bytesFor(one, much), 9000U);
        one.Confirm(Incast(1), Duration{7000});
    }
    const std::string path = m_path + "-merged";
    {
        SqliteEpisodeStore store(path, FINGERPRINT, Collect());
        EXPECT_TRUE(store.Insert(Incast(1), many));
        const EpisodeMergeResult merged = store.MergeFrom(m_path);
        EXPECT_EQ(merged.added, 1U);
        EXPECT_EQ(merged.known, 1U);
        EXPECT_EQ(bytesFor(store, little), 1000U);
        for (const auto& left : {little, much})
        {
            EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Converged, left)->episode->verified,
                      Duration{7000});
        }
    }
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
    EXPECT_EQ(store.MergeFrom(path).known, 2U);
    EXPECT_EQ(store.Statistics().episodes, 2U);
}

TEST_F(SqliteEpisodeStoreTest, InMemoryItIsNoFile)
{
    SqliteEpisodeStore store(":memory:", FINGERPRINT, Collect());
    EXPECT_TRUE(store.Insert(Incast(1), EpisodeOf(1)));
    EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_EQ(store.Access(), EpisodeFileAccess::ReadWrite);
    EXPECT_EQ(store.Statistics().episodes, 1U);
    EXPECT_FALSE(std::filesystem::exists(":memory:"));
}

TEST_F(SqliteEpisodeStoreTest, ConfigurationsDoNotSeeEachOther)
{
    SqliteEpisodeStore one(m_path, {1, 2}, Collect());
    SqliteEpisodeStore other(m_path, {1, 3}, Collect());
    EXPECT_TRUE(one.Insert(Incast(1), EpisodeOf(1)));
    EXPECT_FALSE(other.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_TRUE(other.Insert(Incast(1), EpisodeOf(2)));
    EXPECT_EQ(one.Find(Incast(1), EpisodeEnd::Converged)->episode->duration, EpisodeOf(1).duration);
    EXPECT_EQ(other.Find(Incast(1), EpisodeEnd::Converged)->episode->duration,
              EpisodeOf(2).duration);
    EXPECT_EQ(one.Statistics().episodes, 1U);
}

TEST_F(SqliteEpisodeStoreTest, SharersSeeWhatOthersInsert)
{
    SqliteEpisodeStore one(m_path, FINGERPRINT, Collect());
    SqliteEpisodeStore other(m_path, FINGERPRINT, Collect());
    EXPECT_FALSE(other.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_TRUE(one.Insert(Incast(1), EpisodeOf(1)));
    EXPECT_FALSE(other.Insert(Incast(1), LargeEpisode()));
    EXPECT_TRUE(one.Insert(Incast(2), EpisodeOf(2)));
    const auto hit = other.Find(Incast(2), EpisodeEnd::Converged);
    ASSERT_TRUE(hit);
    EXPECT_TRUE(test::SameEpisode(*hit->episode, EpisodeOf(2)));
}

TEST_F(SqliteEpisodeStoreTest, AnUnchangedFileIsNotAskedAgain)
{
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
    }
    EXPECT_EQ(store.Statistics().fileReads, 1U);
    EXPECT_EQ(store.Statistics().readsSaved, 2U);
    {
        SqliteEpisodeStore other(m_path, FINGERPRINT, Collect());
        other.Insert(Incast(2), EpisodeOf(2));
    }
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_EQ(store.Statistics().fileReads, 2U);
}

TEST_F(SqliteEpisodeStoreTest, WhatTheCacheForgetsIsFoundInTheFile)
{
    m_options.memory.episodes = 1;
    SqliteEpisodeStore store = Open();
    for (std::uint64_t kind = 0; kind < 5; ++kind)
    {
        EXPECT_TRUE(store.Insert(Incast(kind), EpisodeOf(kind)));
    }
    for (std::uint64_t kind = 0; kind < 5; ++kind)
    {
        EXPECT_TRUE(store.Find(Incast(kind), EpisodeEnd::Converged)) << kind;
        EXPECT_FALSE(store.Insert(Incast(kind), EpisodeOf(kind))) << kind;
    }
    EXPECT_EQ(store.Statistics().episodes, 5U);
}

TEST_F(SqliteEpisodeStoreTest, GraphsWithOneSignatureAreToldApart)
{
    {
        SqliteEpisodeStore store = Open();
        EXPECT_TRUE(store.Insert(test::EqualTwin(false), EpisodeOf(1, 6)));
        EXPECT_FALSE(store.Find(test::EqualTwin(true), EpisodeEnd::Converged));
        EXPECT_TRUE(store.Insert(test::EqualTwin(true), EpisodeOf(2, 6)));
    }
    SqliteEpisodeStore store = Open();
    for (const bool other : {true, false})
    {
        EXPECT_EQ(store.Find(test::EqualTwin(other), EpisodeEnd::Converged)->episode->duration,
                  EpisodeOf(other ? 2 : 1).duration);
    }
    // The first of them brought both.
    EXPECT_EQ(store.Statistics().fileReads, 1U);
}

TEST_F(SqliteEpisodeStoreTest, AnotherGraphWithThatSignatureComesFromSomebodyElse)
{
    SqliteEpisodeStore one(m_path, FINGERPRINT, Collect());
    SqliteEpisodeStore other(m_path, FINGERPRINT, Collect());
    EXPECT_TRUE(one.Insert(test::EqualTwin(false), EpisodeOf(1, 6)));
    EXPECT_TRUE(other.Insert(test::EqualTwin(true), EpisodeOf(2, 6)));
    EXPECT_TRUE(one.Find(test::EqualTwin(true), EpisodeEnd::Converged));
    EXPECT_TRUE(one.Find(test::EqualTwin(false), EpisodeEnd::Converged));
    EXPECT_EQ(one.Statistics().episodes, 2U);
}

TEST_F(SqliteEpisodeStoreTest, MergeKeepsToTheLimitAndToldGraphsApart)
{
    const std::string source = m_folder + "/other.sqlite";
    {
        SqliteEpisodeStore other(source, FINGERPRINT, Collect());
        other.Insert(test::EqualTwin(false), EpisodeOf(1, 6));
        other.Insert(test::EqualTwin(true), LargeEpisode(6));
        other.Insert(Incast(3, 100), EpisodeOf(3, 100)); // larger than the limit below
    }
    m_options.fileBytes = 5000;
    SqliteEpisodeStore store = Open();
    store.Insert(test::EqualTwin(true), EpisodeOf(4, 6));
    const EpisodeMergeResult result = store.MergeFrom(source);
    EXPECT_EQ(result.added, 1U);
    EXPECT_EQ(result.known, 1U);
    EXPECT_EQ(store.Find(test::EqualTwin(false), EpisodeEnd::Converged)->episode->duration,
              EpisodeOf(1).duration);
    EXPECT_EQ(store.Find(test::EqualTwin(true), EpisodeEnd::Converged)->episode->duration,
              EpisodeOf(4).duration);
}

TEST_F(SqliteEpisodeStoreTest, ConfirmRaisesInTheFileToo)
{
    {
        SqliteEpisodeStore one(m_path, FINGERPRINT, Collect());
        SqliteEpisodeStore other(m_path, FINGERPRINT, Collect());
        one.Confirm(Incast(1), Duration{1}); // unknown
        one.Insert(Incast(1), EpisodeOf(1)); // 1000
        other.Confirm(Incast(1), Duration{7000});
        one.Confirm(Incast(1), Duration{5000}); // more than it knows, less than the file does
        EXPECT_EQ(one.Find(Incast(1), EpisodeEnd::Converged)->episode->verified, Duration{5000});
    }
    SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
    EXPECT_EQ(store.Find(Incast(1), EpisodeEnd::Converged)->episode->verified, Duration{7000});
    EXPECT_EQ(store.Statistics().damaged, 0U);
}

TEST_F(SqliteEpisodeStoreTest, TheFileKeepsToItsLimitByLastUse)
{
    std::int64_t now = 1'000'000'000;
    m_options.clock = [&] { return WallTime{now}; };
    m_options.memory.episodes = 1;
    m_options.fileBytes = 0;
    for (std::uint64_t kind = 0; kind < 8; ++kind)
    {
        m_options.fileBytes += EncodeRecord(Incast(kind), EpisodeOf(kind)).size();
    }
    SqliteEpisodeStore store = Open();
    for (std::uint64_t kind = 0; kind < 8; ++kind)
    {
        now += 1;
        EXPECT_TRUE(store.Insert(Incast(kind), EpisodeOf(kind)));
    }
    EXPECT_EQ(store.Statistics().episodes, 8U);
    now += 60'000; // more than a minute after the first, so that the use counts
    EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
    store.Flush();
    EXPECT_TRUE(store.Insert(Incast(8), EpisodeOf(8)));
    EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_TRUE(store.Find(Incast(7), EpisodeEnd::Converged));
    EXPECT_TRUE(store.Find(Incast(8), EpisodeEnd::Converged));
    for (std::uint64_t kind = 9; kind < 100; ++kind)
    {
        now += 1;
        EXPECT_TRUE(store.Insert(Incast(kind), EpisodeOf(kind)));
        ASSERT_LE(store.Statistics().bytes, m_options.fileBytes);
    }
    const EpisodeStoreStatistics statistics = store.Statistics();
    EXPECT_EQ(Sql("SELECT COUNT(*) FROM episodes"), std::to_string(statistics.episodes));
    EXPECT_EQ(Sql("SELECT SUM(LENGTH(data)) FROM episodes"), std::to_string(statistics.bytes));
    EXPECT_GE(statistics.evicted, 100 - statistics.episodes);
    // Larger than the file may be, alone: in memory only.
    EXPECT_TRUE(store.Insert(Incast(100, 100), EpisodeOf(100, 100)));
    EXPECT_EQ(Sql("SELECT COUNT(*) FROM episodes"), std::to_string(statistics.episodes));
    EXPECT_EQ(store.Statistics().episodes, statistics.episodes + 1);
}

TEST_F(SqliteEpisodeStoreTest, UsesAreNotedInBatches)
{
    std::int64_t now = 1000;
    m_options.clock = [&] { return WallTime{now}; };
    m_options.stampBatch = 3;
    const std::string usedLater = "SELECT COUNT(*) FROM episodes WHERE last_use > 1000";
    {
        SqliteEpisodeStore store = Open();
        for (std::uint64_t kind = 0; kind < 5; ++kind)
        {
            store.Insert(Incast(kind), EpisodeOf(kind));
        }
        now += 60'000; // no older than stampInterval: not noted
        EXPECT_TRUE(store.Find(Incast(4), EpisodeEnd::Converged));
        now += 1;
        EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
        EXPECT_TRUE(store.Find(Incast(0), EpisodeEnd::Converged));
        EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
        EXPECT_EQ(Sql(usedLater), "0");
        EXPECT_TRUE(store.Find(Incast(2), EpisodeEnd::Converged));
        EXPECT_EQ(Sql(usedLater), "3");
        EXPECT_TRUE(store.Find(Incast(3), EpisodeEnd::Converged));
        EXPECT_EQ(Sql(usedLater), "3");
    }
    EXPECT_EQ(Sql(usedLater), "4");
}

TEST_F(SqliteEpisodeStoreTest, ForEachShowsAllConfigurations)
{
    m_options.clock = [] { return WallTime{77}; };
    SqliteEpisodeStore one = Open({1, 2});
    SqliteEpisodeStore other = Open({1, 3});
    one.Insert(Incast(1), EpisodeOf(1));
    other.Insert(Incast(2), EpisodeOf(2, 3, EpisodeEnd::Completed));
    std::vector<StoredEpisode> all;
    one.ForEach([&](const StoredEpisode& stored) { all.push_back(stored); });
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].fingerprint, (Signature{1, 2}));
    EXPECT_EQ(all[1].fingerprint, (Signature{1, 3}));
    EXPECT_EQ(all[0].signature, Incast(1).GetSignature());
    EXPECT_EQ(all[0].bytes, EncodeRecord(Incast(1), EpisodeOf(1)).size());
    EXPECT_EQ(all[0].lastUse, WallTime{77});
    EXPECT_TRUE(test::SameGraph(all[1].graph, Incast(2)));
    EXPECT_TRUE(test::SameEpisode(all[1].episode, EpisodeOf(2, 3, EpisodeEnd::Completed)));
    // What the visitor throws goes through, and the store goes on.
    EXPECT_THROW(one.ForEach([](const StoredEpisode&) { throw std::runtime_error("enough"); }),
                 std::runtime_error);
    EXPECT_TRUE(one.Insert(Incast(3), EpisodeOf(3)));
}

TEST_F(SqliteEpisodeStoreTest, PruneDeletesByFingerprintAndAge)
{
    std::int64_t now = 0;
    m_options.clock = [&] { return WallTime{now}; };
    SqliteEpisodeStore one = Open({1, 2});
    SqliteEpisodeStore other = Open({1, 3});
    for (std::uint64_t kind = 0; kind < 10; ++kind)
    {
        now = static_cast<std::int64_t>(kind) * 100'000;
        one.Insert(Incast(kind), EpisodeOf(kind));
        other.Insert(Incast(kind), EpisodeOf(kind));
    }
    // Kinds 0 and 1 are older; 0 is used now.
    EXPECT_TRUE(one.Find(Incast(0), EpisodeEnd::Converged));
    EXPECT_EQ(one.Prune({Signature{1, 2}, WallTime{200'000}}), 1U);
    EXPECT_FALSE(one.Find(Incast(1), EpisodeEnd::Converged));
    EXPECT_TRUE(one.Find(Incast(0), EpisodeEnd::Converged));
    EXPECT_EQ(one.Prune({std::nullopt, WallTime{200'000}}), 2U);
    EXPECT_EQ(one.Prune({Signature{1, 3}, std::nullopt}), 8U);
    EXPECT_EQ(other.Statistics().episodes, 0U);
    EXPECT_EQ(one.Statistics().episodes, 9U);
    EXPECT_EQ(one.Prune({}), 9U);
    EXPECT_EQ(one.Statistics().bytes, 0U);
    EXPECT_FALSE(one.Find(Incast(5), EpisodeEnd::Converged));
}

TEST_F(SqliteEpisodeStoreTest, PruneKeepsWhatWasUsedLast)
{
    std::int64_t now = 0;
    m_options.clock = [&] { return WallTime{now}; };
    m_options.stampInterval = WallTime{0};
    SqliteEpisodeStore one = Open({1, 2});
    SqliteEpisodeStore other = Open({1, 3});
    for (std::uint64_t kind = 0; kind < 6; ++kind)
    {
        now = static_cast<std::int64_t>(kind) * 100;
        one.Insert(Incast(kind), EpisodeOf(kind));
        other.Insert(Incast(kind), EpisodeOf(kind));
    }
    now = 1000;
    EXPECT_TRUE(one.Find(Incast(0), EpisodeEnd::Converged)); // now the last one used
    EpisodeSelection selection;
    selection.fingerprint = Signature{1, 2};
    selection.beyondEpisodes = 3;
    EXPECT_EQ(one.Prune(selection), 3U);
    for (const std::uint64_t kind : {0, 4, 5})
    {
        EXPECT_TRUE(one.Find(Incast(kind), EpisodeEnd::Converged)) << kind;
    }
    EXPECT_EQ(other.Statistics().episodes, 6U);
    // of all that is left: what the last two take up; of those used at once, the last ones added
    EpisodeSelection large;
    large.beyondBytes =
        EncodeRecord(Incast(4), EpisodeOf(4)).size() + EncodeRecord(Incast(5), EpisodeOf(5)).size();
    EXPECT_EQ(one.Prune(large), 7U);
    // every condition counts: nothing is as old as that
    EpisodeSelection both;
    both.usedBefore = WallTime{0};
    both.beyondEpisodes = 0;
    EXPECT_EQ(one.Prune(both), 0U);
    both.usedBefore.reset();
    EXPECT_EQ(one.Prune(both), 2U);
}

TEST_F(SqliteEpisodeStoreTest, PruneMakesTheFileSmaller)
{
    SqliteEpisodeStore store = Open();
    for (std::uint64_t kind = 0; kind < 10; ++kind)
    {
        store.Insert(Incast(kind, 200), EpisodeOf(kind, 200));
    }
    store.Prune({});
    EXPECT_LE(std::filesystem::file_size(m_path), 10 * 4096U);
}

TEST_F(SqliteEpisodeStoreTest, MergeAddsWhatIsNewAndRaisesWhatIsKnown)
{
    const std::string source = m_folder + "/other.sqlite";
    {
        SqliteEpisodeStore other(source, FINGERPRINT, Collect());
        other.Insert(Incast(1), EpisodeOf(1));
        Episode verified = LargeEpisode();
        verified.verified = Duration{9999};
        other.Insert(Incast(2), verified);
        SqliteEpisodeStore foreign(source, {5, 5}, Collect());
        foreign.Insert(Incast(3), EpisodeOf(3));
    }
    SqliteEpisodeStore store = Open();
    store.Insert(Incast(2, 3, 1), EpisodeOf(2));
    EXPECT_FALSE(store.Find(Incast(1), EpisodeEnd::Converged));
    const EpisodeMergeResult result = store.MergeFrom(source);
    EXPECT_EQ(result.added, 2U);
    EXPECT_EQ(result.known, 1U);
    EXPECT_EQ(result.damaged, 0U);
    EXPECT_TRUE(store.Find(Incast(1), EpisodeEnd::Converged));
    const auto hit = store.Find(Incast(2), EpisodeEnd::Converged);
    EXPECT_EQ(hit->episode->duration, EpisodeOf(2).duration);
    EXPECT_EQ(hit->episode->verified, Duration{9999});
    EXPECT_EQ(store.Statistics().episodes, 2U);
    EXPECT_EQ(Open({5, 5}).Statistics().episodes, 1U);
    EXPECT_EQ(store.MergeFrom(source).known, 3U);
    EXPECT_THROW(store.MergeFrom(m_folder + "/../" + m_folder.substr(m_folder.rfind('/') + 1) +
                                 "/episodes.sqlite"),
                 UsageError);
}

TEST_F(SqliteEpisodeStoreTest, ThreadsEachWithAStoreShareAFile)
{
    constexpr std::uint64_t COUNT = 60;
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> inserted(2);
    for (std::size_t thread = 0; thread < 2; ++thread)
    {
        threads.emplace_back([this, thread, &inserted] {
            SqliteEpisodeStoreOptions options;
            options.busyTimeout = std::chrono::seconds(60);
            SqliteEpisodeStore store(m_path, FINGERPRINT, {}, options);
            for (std::uint64_t kind = 0; kind < COUNT; ++kind)
            {
                // They meet in the middle.
                const std::uint64_t own = thread == 0 ? kind : COUNT - 1 - kind;
                inserted[thread] += store.Insert(Incast(own), EpisodeOf(own)) ? 1 : 0;
                EXPECT_TRUE(store.Find(Incast(own), EpisodeEnd::Converged));
            }
            EXPECT_EQ(store.Statistics().writeFailures, 0U);
        });
    }
    for (std::thread& thread : threads)
    {
        thread.join();
    }
    EXPECT_EQ(inserted[0] + inserted[1], COUNT);
    EXPECT_EQ(Sql("SELECT COUNT(*) FROM episodes"), std::to_string(COUNT));
    EXPECT_EQ(Sql("PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteEpisodeStoreTest, SeveralMayMakeTheFileAtOnce)
{
    SqliteEpisodeStoreOptions options;
    options.busyTimeout = std::chrono::seconds(60);
    for (std::uint64_t round = 0; round < 20; ++round)
    {
        const std::string path = m_folder + "/" + std::to_string(round);
        std::vector<std::vector<std::string>> warnings(3);
        std::vector<std::thread> threads;
        for (std::uint64_t thread = 0; thread < warnings.size(); ++thread)
        {
            threads.emplace_back([&, thread] {
                const auto collect = [&](const std::string& warning) {
                    warnings[thread].push_back(warning);
                };
                SqliteEpisodeStore store(path, FINGERPRINT, collect, options);
                EXPECT_TRUE(store.Insert(Incast(thread), EpisodeOf(thread)));
            });
        }
        for (std::thread& thread : threads)
        {
            thread.join();
        }
        for (const auto& ofThread : warnings)
        {
            EXPECT_TRUE(ofThread.empty()) << ofThread[0];
        }
        EXPECT_EQ(SqliteEpisodeStore(path, FINGERPRINT).Statistics().episodes, 3U);
    }
}

TEST_F(SqliteEpisodeStoreTest, WrongUse)
{
    EXPECT_THROW(SqliteEpisodeStore("", FINGERPRINT), UsageError);
    const auto refused = [&](auto&& change) {
        SqliteEpisodeStoreOptions options;
        change(options);
        EXPECT_THROW(SqliteEpisodeStore(m_path, FINGERPRINT, {}, options), UsageError);
    };
    refused([](auto& options) { options.fileBytes = 0; });
    refused([](auto& options) { options.stampBatch = 0; });
    refused([](auto& options) { options.memory.bytes = 0; });
    refused([](auto& options) { options.busyTimeout = std::chrono::milliseconds(-1); });
    refused([](auto& options) { options.busyTimeout = std::chrono::hours(2); });
    refused([](auto& options) { options.stampInterval = WallTime{-1}; });
    EXPECT_FALSE(std::filesystem::exists(m_path));
    EXPECT_THROW(Open().Insert(Incast(1, 3), EpisodeOf(1, 4)), UsageError);
    EXPECT_STREQ(ToString(EpisodeFileAccess::ReadWrite), "read-write");
    EXPECT_STREQ(ToString(EpisodeFileAccess::ReadOnly), "read-only");
    EXPECT_STREQ(ToString(EpisodeFileAccess::None), "none");
}

} // namespace
} // namespace wormhole
