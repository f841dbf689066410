/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole memo`: on stores made here, so that what is in them is known.

#include "harness/sandbox.h"
#include "wormhole/sqlite-episode-store.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using nlohmann::json;
using Words = std::vector<std::string>;
using namespace wormhole;

constexpr std::int64_t DAY_MS = 86400000;
constexpr std::uint64_t GBPS = 1000000000;

/** Two flows that meet at one port of so many Gb/s. */
ConflictGraph
Meeting(std::uint64_t gigabits)
{
    FlowAttributes flow;
    flow.lineRate = 100 * GBPS;
    PortAttributes port;
    port.rate = gigabits * GBPS;
    port.queueClass = INT32_MIN; // empty
    return ConflictGraph::FromParts(GraphDetail::Ports,
                                    {flow, flow},
                                    {port},
                                    {{0, 2, 0}, {1, 2, 0}});
}

Episode
Half(std::uint64_t gigabits)
{
    Episode episode;
    episode.duration = Duration{5000000}; // 5 us
    episode.verified = Duration{9000000};
    episode.events = 1234;
    episode.flows.resize(2);
    for (FlowOutcome& flow : episode.flows)
    {
        flow.bytes = 4000;
        flow.endRate = Rate::BitsPerSecond(static_cast<double>(gigabits * GBPS) / 2);
    }
    episode.ports.push_back({0, 0, 777, ""});
    return episode;
}

class MemoCli : public testing::Test
{
  protected:
    /** Makes a store of meetings at 1, 2, ... Gb/s, one used each day from the first one on. */
    void Make(const std::string& name,
              std::uint64_t first,
              std::uint64_t last,
              Signature of = {7, 8})
    {
        WallTime now{DAY_MS};
        SqliteEpisodeStoreOptions options;
        options.clock = [&now]() { return now; };
        SqliteEpisodeStore store(box.PathOf(name), of, {}, options);
        for (std::uint64_t gigabits = first; gigabits <= last; ++gigabits)
        {
            now = WallTime{static_cast<std::int64_t>(gigabits) * DAY_MS};
            EXPECT_TRUE(store.Insert(Meeting(gigabits), Half(gigabits)));
        }
    }

    json List(const std::string& name)
    {
        const ProgramResult r = box.Run({"memo", "list", name, "--json"});
        EXPECT_EQ(r.exit, 0) << r.err;
        return json::parse(r.out)[0];
    }

    void ExpectError(const Words& words, const std::string& text, int exit = 2)
    {
        Words all{"memo"};
        all.insert(all.end(), words.begin(), words.end());
        const ProgramResult r = box.Run(all);
        EXPECT_EQ(r.exit, exit) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        EXPECT_EQ(r.out, "");
    }

    Sandbox box;
};

} // namespace

TEST_F(MemoCli, ListsWhatIsThere)
{
    Make("a.db", 1, 3);
    const json all = List("a.db");
    EXPECT_EQ(all["file"], "a.db");
    ASSERT_EQ(all["episodes"].size(), 3U);
    const json e = all["episodes"][1];
    EXPECT_EQ(e["number"], 2);
    EXPECT_EQ(e["signature"], Meeting(2).GetSignature().ToString());
    EXPECT_EQ(e["fingerprint"], (Signature{7, 8}).ToString());
    EXPECT_EQ(e["end"], "converged");
    EXPECT_EQ(e["flows"], 2);
    EXPECT_EQ(e["ports"], 1);
    EXPECT_EQ(e["edges"], 2);
    EXPECT_EQ(e["duration_ns"], 5000);
    EXPECT_EQ(e["verified_ns"], 9000);
    EXPECT_EQ(e["bytes"], 8000);
    EXPECT_EQ(e["events"], 1234);
    EXPECT_EQ(e["last_use"], "1970-01-03T00:00:00Z");
    std::uint64_t sum = 0;
    for (const json& episode : all["episodes"])
    {
        sum += episode["stored_bytes"].get<std::uint64_t>();
    }
    EXPECT_EQ(all["stored_bytes"], sum);
    Make("b.db", 1, 1);
    const ProgramResult two = box.Run({"memo", "list", "a.db", "b.db"});
    EXPECT_EQ(two.exit, 0);
    EXPECT_NE(two.out.find("a.db: 3 episodes"), std::string::npos) << two.out;
    EXPECT_NE(two.out.find("b.db: 1 episodes"), std::string::npos) << two.out;
    EXPECT_NE(two.out.find(Meeting(3).GetSignature().ToString().substr(0, 12)), std::string::npos);
}

TEST_F(MemoCli, ExplainsOne)
{
    Make("a.db", 1, 3);
    const ProgramResult text = box.Run({"memo", "explain", "a.db", "2"});
    EXPECT_NE(text.out.find("queue none, background 0"), std::string::npos) << text.out;
    EXPECT_EQ(text.exit, 0) << text.err;
    for (const char* part : {"episode 2, converged after 5.00 us",
                             "hold for 9.00 us",
                             "f0    100.000 Gb/s",
                             "meets p0 at hop 0",
                             "p0    2.000 Gb/s",
                             "f1    4,000 bytes delivered, then 1.000 Gb/s",
                             "hop 0 of f0: 777 bytes queued"})
    {
        EXPECT_NE(text.out.find(part), std::string::npos) << part << "\n" << text.out;
    }
    const std::string signature = Meeting(2).GetSignature().ToString();
    EXPECT_EQ(box.Run({"memo", "explain", "a.db", signature.substr(0, 8)}).out, text.out);
    const ProgramResult dot = box.Run({"memo", "explain", "a.db", "2", "--dot"});
    EXPECT_EQ(dot.out.rfind("graph episode {\n", 0), 0U);
    EXPECT_NE(dot.out.find("  f1 -- p0 [label=\"0\"];\n"), std::string::npos) << dot.out;
    const json all = json::parse(box.Run({"memo", "explain", "a.db", "2", "--json"}).out);
    EXPECT_EQ(all["number"], 2);
    EXPECT_EQ(all["episode"]["flows"][1]["endRateBps"], 1e9);
}

TEST_F(MemoCli, PrunesByAgeCountSizeAndFingerprint)
{
    Make("a.db", 1, 6);
    Make("a.db", 1, 2, {9, 9});
    const auto prune = [&](const Words& how) {
        Words words{"memo", "prune", "a.db"};
        words.insert(words.end(), how.begin(), how.end());
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, 0) << r.err;
        return r.out;
    };
    // all of them are of 1970
    EXPECT_EQ(prune({"--unused-for", "30d", "--keep", "7"}), "a.db: 1 episodes deleted\n");
    EXPECT_EQ(prune({"--unused-for", "30000d"}), "a.db: 0 episodes deleted\n");
    const std::string nines = (Signature{9, 9}).ToString();
    EXPECT_EQ(prune({"--fingerprint", nines, "--keep", "1"}), "a.db: 1 episodes deleted\n");
    EXPECT_EQ(prune({"--fingerprint", nines}), "a.db: 1 episodes deleted\n");
    const json left = List("a.db");
    ASSERT_EQ(left["episodes"].size(), 5U) << left;
    const uint64_t two = left["episodes"][3]["stored_bytes"].get<uint64_t>() +
                         left["episodes"][4]["stored_bytes"].get<uint64_t>();
    EXPECT_EQ(prune({"--keep-bytes", std::to_string(two)}), "a.db: 3 episodes deleted\n");
    EXPECT_EQ(List("a.db")["episodes"][1]["signature"], Meeting(6).GetSignature().ToString());
    EXPECT_EQ(prune({"--keep", "0"}), "a.db: 2 episodes deleted\n");
}

TEST_F(MemoCli, MergesSeveral)
{
    Make("a.db", 1, 3);
    Make("b.db", 3, 5);
    const ProgramResult r = box.Run({"memo", "merge", "all.db", "a.db", "b.db"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out, "a.db: 3 added, 0 known\nb.db: 2 added, 1 known\n");
    EXPECT_EQ(List("all.db")["episodes"].size(), 5U);
    EXPECT_EQ(List("b.db")["episodes"].size(), 3U);
}

TEST_F(MemoCli, Mistakes)
{
    Make("a.db", 1, 2);
    box.Write("text.db", "this is no database, but long enough to be looked at by anybody");
    ExpectError({}, "memo: there are list, explain, prune and merge");
    ExpectError({"burn"}, "memo: there are list, explain, prune and merge");
    ExpectError({"list"}, "which file?");
    ExpectError({"list", "none.db"}, "none.db: there is no such file");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("none.db")));
    ExpectError({"list", "text.db"}, "text.db");
    box.Write("empty.db", "");
    ExpectError({"list", "empty.db"}, "empty.db: the file is empty");
    ExpectError({"merge", "a.db", "empty.db"}, "empty.db: the file is empty");
    EXPECT_EQ(box.Read("empty.db"), ""); // and not made a store
    ExpectError({"list", "a.db", "--frob"}, "--frob");
    std::string damaged = box.Read("a.db");
    ASSERT_GT(damaged.size(), 4500U);
    damaged.replace(4096, 200, 200, 'x');
    box.Write("damaged.db", damaged);
    ExpectError({"list", "damaged.db"}, "damaged");
    ExpectError({"explain", "a.db"}, "there is a word missing");
    ExpectError({"explain", "a.db", "3"}, "0 of the 2 episodes");
    ExpectError({"explain", "a.db", "1", "--dot", "--json"}, "give one");
    ExpectError({"prune", "a.db"}, "which episodes?");
    ExpectError({"prune", "a.db", "--unused-for", "3"}, "--unused-for 3: must be");
    ExpectError({"prune", "a.db", "--unused-for", "-3d"}, "must be");
    ExpectError({"prune", "a.db", "--keep", "few"}, "--keep few");
    ExpectError({"prune", "a.db", "--fingerprint", "zz"}, "no fingerprints begin so");
    ExpectError({"merge", "a.db"}, "there is a word missing");
    ExpectError({"merge", "a.db", "a.db"}, "give others");
    ExpectError({"merge", "new.db", "none.db"}, "none.db: there is no such file");
    EXPECT_FALSE(std::filesystem::exists(box.PathOf("new.db")));
    ExpectError({"merge", "nowhere/new.db", "a.db"}, "nowhere/new.db");
    EXPECT_EQ(List("a.db")["episodes"].size(), 2U);
    EXPECT_EQ(box.Run({"memo", "--help"}).exit, 0);
}
