/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// A store of episodes that is damaged anywhere: what is found in it is what was put there, and the
// program goes on without the rest.

#include "fault-run.h"
#include "harness/random.h"
#include "wormhole/sqlite-episode-store.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace faults;
using namespace wormhole;
namespace fs = std::filesystem;

namespace
{

constexpr uint64_t GBPS = 1000000000;
constexpr uint64_t EPISODES = 24;
constexpr size_t PAGE = 4096;
constexpr Signature FINGERPRINT{7, 8};

/** Two flows that meet at one port of so many Gb/s. */
ConflictGraph
Meeting(uint64_t gigabits)
{
    FlowAttributes flow;
    flow.lineRate = 1000 * GBPS;
    PortAttributes port;
    port.rate = gigabits * GBPS;
    return ConflictGraph::FromParts(GraphDetail::Ports,
                                    {flow, flow},
                                    {port},
                                    {{0, 2, 0}, {1, 2, 0}});
}

Episode
Half(uint64_t gigabits)
{
    Episode episode;
    episode.duration = Duration{static_cast<int64_t>(1000 * gigabits)};
    episode.verified = episode.duration * 2;
    episode.events = 10 * gigabits;
    episode.flows.resize(2);
    for (FlowOutcome& flow : episode.flows)
    {
        flow.bytes = 4000 * gigabits;
        flow.endRate = Rate::BitsPerSecond(static_cast<double>(gigabits * GBPS) / 2);
    }
    episode.ports.push_back({0, 0, 777, std::string(300, static_cast<char>(gigabits))});
    return episode;
}

bool
IsHalf(const Episode& episode, uint64_t gigabits)
{
    const Episode made = Half(gigabits);
    bool same = episode.duration == made.duration && episode.verified == made.verified &&
                episode.events == made.events && episode.flows.size() == made.flows.size() &&
                episode.ports.size() == made.ports.size() &&
                episode.ports[0].state == made.ports[0].state;
    for (size_t i = 0; same && i < made.flows.size(); ++i)
    {
        same = episode.flows[i].bytes == made.flows[i].bytes &&
               episode.flows[i].endRate == made.flows[i].endRate;
    }
    return same;
}

std::string
ReadFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

class DamagedStore : public testing::Test
{
  protected:
    DamagedStore()
    {
        SqliteEpisodeStore store(box.PathOf("whole.db"), FINGERPRINT);
        for (uint64_t gigabits = 1; gigabits <= EPISODES; ++gigabits)
        {
            EXPECT_TRUE(store.Insert(Meeting(gigabits), Half(gigabits)));
        }
        // as a crash leaves it: the newest is in the log alone
        m_early = ReadFile(box.PathOf("whole.db"));
        m_log = ReadFile(box.PathOf("whole.db-wal"));
        EXPECT_FALSE(m_log.empty());
    }

    void SetUp() override
    {
        m_whole = ReadFile(box.PathOf("whole.db"));
        ASSERT_GT(m_whole.size(), 4 * PAGE);
    }

    /** Uses a store of these bytes. \param log what stands in its write-ahead log */
    void Use(const std::string& bytes, const std::string& log, const std::string& what)
    {
        for (const char* suffix : {"-wal", "-shm", "-journal"})
        {
            fs::remove(box.PathOf(std::string("used.db") + suffix));
        }
        std::ofstream(box.PathOf("used.db"), std::ios::binary) << bytes;
        if (!log.empty())
        {
            std::ofstream(box.PathOf("used.db-wal"), std::ios::binary) << log;
        }
        SqliteEpisodeStore store(box.PathOf("used.db"), FINGERPRINT, [](const std::string& text) {
            EXPECT_EQ(text.rfind("episode store ", 0), 0U) << text;
        });
        uint64_t found = 0;
        for (uint64_t gigabits = 1; gigabits <= EPISODES; ++gigabits)
        {
            const auto hit = store.Find(Meeting(gigabits), EpisodeEnd::Converged);
            EXPECT_TRUE(!hit || IsHalf(*hit->episode, gigabits)) << what << ": a wrong episode";
            found += hit ? 1 : 0;
        }
        store.ForEach([](const StoredEpisode&) {});
        EXPECT_TRUE(store.Insert(Meeting(500), Half(500))) << what;
        EXPECT_TRUE(store.Find(Meeting(500), EpisodeEnd::Converged)) << what;
        m_lost += found < EPISODES;
        ++m_used;
    }

    /** Flips a bit in every \p step-th byte from \p begin on. */
    void Flip(size_t begin, size_t end, size_t step)
    {
        for (size_t at = begin; at < std::min(end, m_whole.size()); at += step)
        {
            std::string bytes = m_whole;
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at / step % 8)));
            Use(bytes, "", "a bit of byte " + std::to_string(at));
        }
    }

    void Truncate(size_t step)
    {
        for (size_t size = 1; size < m_whole.size(); size += step)
        {
            Use(m_whole.substr(0, size), "", "cut off at " + std::to_string(size));
        }
    }

    void BlankPages(char with)
    {
        for (size_t page = 0; page < m_whole.size(); page += PAGE)
        {
            std::string bytes = m_whole;
            bytes.replace(page, PAGE, PAGE, with);
            Use(bytes, "", "page at " + std::to_string(page));
        }
    }

    void DamageLog(size_t step)
    {
        Use(m_early, m_log, "the whole log");
        for (size_t at = 0; at < m_log.size(); at += step)
        {
            std::string log = m_log;
            log[at] = static_cast<char>(log[at] ^ 0x10);
            Use(m_early, log, "a bit of the log's byte " + std::to_string(at));
            Use(m_early, m_log.substr(0, at + 1), "the log cut off at " + std::to_string(at + 1));
        }
    }

    Sandbox box;
    std::string m_whole;
    std::string m_early; //!< the file without its log
    std::string m_log;
    uint64_t m_used{0};
    uint64_t m_lost{0};
};

using SlowDamagedStore = DamagedStore;

} // namespace

TEST_F(DamagedStore, Header)
{
    Flip(0, 100, 7);
}

TEST_F(DamagedStore, Pages)
{
    Flip(100, SIZE_MAX, 1499);
    BlankPages('\0');
    EXPECT_GT(m_lost, 0U);
}

TEST_F(DamagedStore, CutOff)
{
    Truncate(2999);
    EXPECT_GT(m_lost, 0U);
}

TEST_F(DamagedStore, Log)
{
    DamageLog(8999);
}

TEST_F(SlowDamagedStore, Header)
{
    Flip(0, 100, 1);
}

TEST_F(SlowDamagedStore, Pages)
{
    Flip(100, SIZE_MAX, 127);
    BlankPages('\0');
    BlankPages('\xff');
    EXPECT_GT(m_used, 100U);
}

TEST_F(SlowDamagedStore, CutOff)
{
    Truncate(499);
}

TEST_F(SlowDamagedStore, Log)
{
    DamageLog(2999);
}

/** The program with damaged stores: flows complete as without a store, and standard error says what
 * is wrong. */
TEST(DamagedMemo, RunsGoOn)
{
    const Words words{"run",
                      "--topology",
                      "leaf-spine:leaves=2,spines=2,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=1MB",
                      "--mode",
                      "fast",
                      "--memo",
                      "episodes.db",
                      "--quiet",
                      "--output",
                      "out"};
    const Sandbox box;
    ASSERT_EQ(RunUnder(box, words).exit, 0);
    const std::string whole = ReadFile(box.PathOf("episodes.db"));
    const double mean = box.ReadJson("out/summary.json")["fct_ns"]["mean"];
    ASSERT_GT(whole.size(), 2 * PAGE);
    harness::Random random(9);
    for (int i = 0; i < 12; ++i)
    {
        std::string bytes = whole;
        for (uint32_t hole = 0; hole <= random.Below(3); ++hole)
        {
            const size_t at = random.Below(static_cast<uint32_t>(bytes.size() - 512));
            bytes.replace(at, 1 + random.Below(512), 1, static_cast<char>(random.Below(256)));
        }
        std::ofstream(box.PathOf("episodes.db"), std::ios::binary) << bytes;
        const ProgramResult r = RunUnder(box, words);
        EXPECT_EQ(r.exit, 0) << r.err;
        EXPECT_TRUE(r.err.empty() || r.err.rfind("wormhole: warning: episode store ", 0) == 0)
            << r.err;
        EXPECT_EQ(box.Lines("out/fct.txt").size(), 8U);
        constexpr double THETA = 0.05; // fast-forward's own tolerance
        EXPECT_NEAR(box.ReadJson("out/summary.json")["fct_ns"]["mean"], mean, THETA * mean);
        const ProgramResult list = RunUnder(box, {"memo", "list", "episodes.db"});
        EXPECT_TRUE(list.exit == 0 || list.exit == 2) << list.exit << list.err;
        fs::remove(box.PathOf("episodes.db-wal"));
        fs::remove(box.PathOf("episodes.db-shm"));
    }
}
