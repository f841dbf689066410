/*
 * SPDX-License-Identifier: MIT
 */
// kill -9 of writers at any point leaves whole episodes only, and loses at most the last of each.

#include "episode/episode-samples.h"
#include "store/store-folder.h"
#include "wormhole/sqlite-episode-store.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace wormhole
{
namespace
{

using test::EpisodeOf;
using test::FINGERPRINT;
using test::Incast;

class EpisodeFileCrash : public test::StoreFolder
{
  protected:
    /** A process that inserts. */
    struct Writer
    {
        pid_t process{0};
        int progress{0}; //!< a pipe, into which it writes each kind that is inserted
    };

    Writer Start(std::uint64_t first) const
    {
        int ends[2] = {};
        EXPECT_EQ(pipe(ends), 0);
        Writer writer{fork(), ends[0]};
        if (writer.process == 0)
        {
            close(ends[0]);
            InsertForEver(first, ends[1]);
        }
        close(ends[1]);
        return writer;
    }

    [[noreturn]] void InsertForEver(std::uint64_t first, int progress) const
    {
        SqliteEpisodeStoreOptions options;
        options.busyTimeout = std::chrono::minutes(1);
        SqliteEpisodeStore store(
            m_path,
            FINGERPRINT,
            [](const std::string& warning) {
                std::cerr << warning << std::endl;
                _exit(1);
            },
            options);
        for (std::uint64_t kind = first;; ++kind)
        {
            // Many sizes, some of several pages.
            const auto flows = FlowsOf(kind);
            if (!store.Insert(Incast(kind, flows), EpisodeOf(kind, flows)) ||
                write(progress, &kind, sizeof kind) != sizeof kind)
            {
                _exit(1);
            }
        }
    }

    static std::uint32_t FlowsOf(std::uint64_t kind)
    {
        return kind % 7 == 0 ? 60 : 1 + static_cast<std::uint32_t>(kind % 5);
    }

    /** \return the last kind that \p writer, killed, reported; 0 if none */
    static std::uint64_t LastOf(const Writer& writer)
    {
        int status = 0;
        waitpid(writer.process, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status)) << "a writer ended by itself";
        std::uint64_t last = 0;
        std::uint64_t kind = 0;
        while (read(writer.progress, &kind, sizeof kind) == sizeof kind)
        {
            last = kind;
        }
        close(writer.progress);
        return last;
    }
};

TEST_F(EpisodeFileCrash, LosesAtMostTheLastEpisode)
{
    constexpr std::uint64_t BLOCK = 1'000'000; // kinds of one writer: no more than these
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2000);
    test::Dice dice(6);
    std::set<std::uint64_t> reported;
    std::uint64_t rounds = 0;
    int longest = 20'000; // microseconds until a kill; on a slow machine none inserts so soon
    while (reported.empty() || (rounds < 60 && std::chrono::steady_clock::now() < end))
    {
        const std::uint64_t firsts[] = {1 + (2 * rounds) * BLOCK, 1 + (2 * rounds + 1) * BLOCK};
        const Writer writers[] = {Start(firsts[0]), Start(firsts[1])};
        longest = reported.empty() ? 2 * longest : longest;
        ASSERT_LT(longest, 60'000'000) << "writers insert nothing";
        std::this_thread::sleep_for(std::chrono::microseconds(500 + dice(longest)));
        kill(writers[0].process, SIGKILL);
        std::this_thread::sleep_for(std::chrono::microseconds(dice(3000)));
        kill(writers[1].process, SIGKILL);
        for (int i = 0; i < 2; ++i)
        {
            const std::uint64_t last = LastOf(writers[i]);
            for (std::uint64_t kind = firsts[i]; kind <= last; ++kind)
            {
                reported.insert(kind);
            }
        }
        ++rounds;
        if (reported.empty())
        {
            continue; // killed before the file was made
        }
        ASSERT_EQ(Sql("PRAGMA integrity_check"), "ok") << rounds;
        std::set<std::uint64_t> stored;
        SqliteEpisodeStore store(m_path, FINGERPRINT, Collect());
        store.ForEach([&](const StoredEpisode& found) {
            const std::uint64_t kind = found.graph.Flow(0).control;
            stored.insert(kind);
            EXPECT_TRUE(test::SameGraph(found.graph, Incast(kind, FlowsOf(kind))));
            EXPECT_TRUE(test::SameEpisode(found.episode, EpisodeOf(kind, FlowsOf(kind))));
        });
        ASSERT_TRUE(m_warnings.empty()) << m_warnings[0];
        ASSERT_EQ(store.Statistics().damaged, 0U);
        ASSERT_EQ(store.Statistics().episodes, stored.size());
        // All that was reported is there; one more of each writer may be, not reported yet.
        ASSERT_TRUE(std::includes(stored.begin(), stored.end(), reported.begin(), reported.end()));
        ASSERT_LE(stored.size(), reported.size() + 2);
        reported = std::move(stored);
    }
    RecordProperty("rounds", static_cast<int>(rounds));
    RecordProperty("episodes", static_cast<int>(reported.size()));
    std::cout << "killed two writers " << rounds << " times, " << reported.size()
              << " episodes, none lost" << std::endl;
}

} // namespace
} // namespace wormhole
