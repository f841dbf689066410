/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole sweep`: which runs it makes, what it keeps, and its tables.

#include "harness/sandbox.h"

#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sqlite3.h>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;

namespace fs = std::filesystem;

/** Two senders and up to as many as {n} at one switch. */
const Words INCAST{"--topology", "star:hosts=5", "--traffic", "incast:fan-in={n},bytes=20KB"};

class SweepCli : public testing::Test
{
  protected:
    ProgramResult Sweep(const Words& words) const
    {
        return box.Run(With({"sweep"}, words));
    }

    void ExpectError(const Words& words, const std::string& text) const
    {
        const ProgramResult r = Sweep(words);
        EXPECT_EQ(r.exit, 2) << r.out << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        EXPECT_FALSE(fs::exists(box.PathOf("wormhole-sweep")));
    }

    /** \return fields of results.csv, by line and column */
    std::vector<std::map<std::string, std::string>> Table(const std::string& folder) const
    {
        const auto fields = [](const std::string& line) {
            Words parts;
            std::istringstream in(line);
            for (std::string part; std::getline(in, part, ',');)
            {
                parts.push_back(part);
            }
            return parts;
        };
        const std::vector<std::string> lines = box.Lines(folder + "/results.csv");
        const Words columns = fields(lines.at(0));
        std::vector<std::map<std::string, std::string>> rows;
        for (size_t i = 1; i < lines.size(); ++i)
        {
            const Words row = fields(lines[i]);
            rows.emplace_back();
            for (size_t c = 0; c < row.size(); ++c)
            {
                rows.back()[columns.at(c)] = row[c];
            }
        }
        return rows;
    }

    Sandbox box;
};

} // namespace

TEST_F(SweepCli, RangesEndWithTheLastSeed)
{
    const std::string last = "18446744073709551615"; // after which there is none
    const ProgramResult r =
        Sweep(With(INCAST, {"--n", "2", "--seeds", last + "-" + last, "--output", "s"}));
    ASSERT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out, "1 of 1 runs are done: s/results.csv\n");
}

TEST_F(SweepCli, RunsEveryCombination)
{
    const ProgramResult r = Sweep(
        With(INCAST, {"--n", "2,3", "--cc", "hpcc,dcqcn", "--seeds", "1-2", "--output", "s"}));
    ASSERT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out, "8 of 8 runs are done: s/results.csv\n");
    EXPECT_NE(r.err.find("8 of 8: "), std::string::npos) << r.err;
    const auto rows = Table("s");
    ASSERT_EQ(rows.size(), 8U);
    std::set<std::string> hashes;
    Words order;
    for (const auto& row : rows)
    {
        hashes.insert(row.at("hash"));
        order.push_back(row.at("n") + row.at("cc") + row.at("seed"));
        EXPECT_EQ(row.at("flows_completed"), row.at("n"));
        // the same as the run by itself
        const auto summary = box.ReadJson("s/runs/" + row.at("hash") + "/summary.json");
        EXPECT_DOUBLE_EQ(std::stod(row.at("fct_ns_max")), summary["fct_ns"]["max"]);
        EXPECT_EQ(summary["configuration"]["seed"].dump(), row.at("seed"));
        EXPECT_EQ(summary["configuration"]["traffic"],
                  "incast:fan-in=" + row.at("n") + ",bytes=20KB");
    }
    EXPECT_EQ(hashes.size(), 8U);
    EXPECT_EQ(order,
              (Words{"2hpcc1",
                     "2hpcc2",
                     "2dcqcn1",
                     "2dcqcn2",
                     "3hpcc1",
                     "3hpcc2",
                     "3dcqcn1",
                     "3dcqcn2"}));
}

TEST_F(SweepCli, RunsOnlyWhatIsMissing)
{
    box.Write("n.txt", "2\n0 4 3 100 2000 0\n1 4 3 100 2000 0\n");
    const Words words{"--topology", "star:hosts=5", "--flows", "n.txt", "--output", "s"};
    ASSERT_EQ(Sweep(With(words, {"--cc", "hpcc,dcqcn"})).exit, 0);
    const auto before = Table("s");
    const std::string kept = box.PathOf("s/runs/" + before[0].at("hash") + "/fct.txt");
    const auto written = fs::last_write_time(kept);
    const ProgramResult more = Sweep(With(words, {"--cc", "hpcc,dcqcn,dctcp"}));
    EXPECT_EQ(more.out, "3 of 3 runs are done, 2 of them before: s/results.csv\n");
    EXPECT_EQ(fs::last_write_time(kept), written);
    EXPECT_EQ(Table("s")[0], before[0]);
    // one that has lost its results, one that was interrupted
    fs::remove(box.PathOf("s/runs/" + before[0].at("hash") + "/summary.json"));
    const std::string other = "s/runs/" + before[1].at("hash") + "/summary.json";
    nlohmann::json summary = box.ReadJson(other);
    summary["interrupted"] = true;
    box.Write(other, summary.dump());
    EXPECT_EQ(Sweep(With(words, {"--cc", "hpcc,dcqcn,dctcp"})).out,
              "3 of 3 runs are done, 1 of them before: s/results.csv\n");
    // and all, when an input is another one
    box.Write("n.txt", "1\n0 4 3 100 2000 0\n");
    EXPECT_EQ(Sweep(With(words, {"--cc", "hpcc,dcqcn,dctcp"})).out,
              "3 of 3 runs are done: s/results.csv\n");
    EXPECT_EQ(Table("s")[0].at("flows_completed"), "1");
}

TEST_F(SweepCli, GoesOnWhenARunFails)
{
    // a star of one host has nobody to send to: only the run finds that
    const Words words{"--topology",
                      "star:hosts={h}",
                      "--h",
                      "1,3",
                      "--traffic",
                      "ring:bytes=1KB",
                      "--output",
                      "s"};
    const ProgramResult r = Sweep(words);
    EXPECT_EQ(r.exit, 1);
    EXPECT_EQ(r.out, "1 of 2 runs are done; 1 failed: s/results.csv\n");
    EXPECT_NE(r.err.find("h=1 failed with exit code 2"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("the topology has 1"), std::string::npos) << r.err;
    ASSERT_EQ(Table("s").size(), 1U);
    EXPECT_EQ(Table("s")[0].at("h"), "3");
    // flows that do not end are a result, and known from the exit code
    EXPECT_EQ(Sweep({"--topology",
                     "star:hosts=3",
                     "--traffic",
                     "ring:bytes=1MB",
                     "--stop",
                     "1us,2us",
                     "--output",
                     "t"})
                  .exit,
              3);
    EXPECT_EQ(Table("t").size(), 2U);
}

TEST_F(SweepCli, ReadsItsFileAndWhatIsGivenBesideIt)
{
    box.Write("study.json",
              R"({ // as much as a run takes
                   "topology": ["star:hosts=4", "star:hosts=5"], "traffic": "incast:fan-in=3,bytes={size}",
                   "size": ["10KB", "20KB"], "mode": "packet,fast", "fast": ["Theta=0.1", "Audit=0"],
                   "links": true, "payload": 500 })");
    const ProgramResult r =
        Sweep({"study.json", "--size", "30KB", "--memo", "e.db", "--output", "s"});
    ASSERT_EQ(r.exit, 0) << r.err;
    const auto rows = Table("s");
    ASSERT_EQ(rows.size(), 4U);
    for (const auto& row : rows)
    {
        EXPECT_EQ(row.at("size"), "30KB");
        const auto summary = box.ReadJson("s/runs/" + row.at("hash") + "/summary.json");
        const auto& fast = summary["configuration"]["fast"];
        EXPECT_EQ(summary["configuration"]["attributes"]["ns3::RdmaHost"]["PayloadSize"], "500");
        EXPECT_TRUE(fs::exists(box.PathOf("s/runs/" + row.at("hash") + "/links.csv")));
        EXPECT_EQ(fast.is_null(), row.at("mode") == "packet");
        if (!fast.is_null())
        {
            EXPECT_EQ(fast["attributes"]["Theta"], "0.1");
            EXPECT_EQ(fast["attributes"]["Audit"], "0");
            EXPECT_EQ(fast["memo"], "e.db");
        }
    }
    EXPECT_EQ(rows[1].at("topology"), "star:hosts=4");
    EXPECT_EQ(rows[2].at("topology"), "star:hosts=5");
    EXPECT_TRUE(fs::exists(box.PathOf("e.db")));
}

TEST_F(SweepCli, DividesItsRunsAmongMachines)
{
    const Words words = With(INCAST, {"--n", "2,3,4", "--cc", "hpcc", "--output", "s"});
    EXPECT_EQ(Sweep(With(words, {"--shard", "2/2"})).out, "1 of 3 runs are done: s/results.csv\n");
    EXPECT_EQ(Table("s")[0].at("n"), "3");
    // commands of what is missing do the same as the sweep would
    const ProgramResult commands = Sweep(With(words, {"--commands"}));
    std::istringstream lines(commands.out);
    size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count)
    {
        std::istringstream in(line);
        Words run;
        for (std::string word; in >> word;)
        {
            run.push_back(word);
        }
        ASSERT_EQ(run.at(0), "wormhole");
        EXPECT_EQ(box.Run({run.begin() + 1, run.end()}).exit, 0) << line;
    }
    EXPECT_EQ(count, 2U);
    EXPECT_EQ(Sweep(words).out, "3 of 3 runs are done, 3 of them before: s/results.csv\n");
}

TEST_F(SweepCli, DividesItsRunsAmongTheRanksOfMpirun)
{
    // What mpirun -n 2 sets. Each rank has its shard; the runs that it starts are no ranks.
    const Words words = With(INCAST, {"--n", "2,3,4", "--cc", "hpcc", "--output", "s"});
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    setenv("OMPI_COMM_WORLD_RANK", "1", 1);
    const ProgramResult second = Sweep(With(words, {"--shard", "2/2"}));
    const ProgramResult all = Sweep(words);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("OMPI_COMM_WORLD_RANK");
    EXPECT_EQ(second.out, "1 of 3 runs are done: s/results.csv\n") << second.err;
    EXPECT_EQ(all.exit, 2) << "both ranks would do all runs";
    EXPECT_NE(all.err.find("give each rank a part of the runs by --shard K/N"), std::string::npos)
        << all.err;
}

TEST_F(SweepCli, WritesADatabase)
{
    ASSERT_EQ(Sweep(With(INCAST, {"--n", "2,4", "--cc", "hpcc", "--output", "s"})).exit, 0);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open_v2(box.PathOf("s/results.db").c_str(),
                              &database,
                              SQLITE_OPEN_READONLY,
                              nullptr),
              SQLITE_OK);
    Words found;
    const auto row = [](void* to, int columns, char** fields, char**) {
        for (int i = 0; i < columns; ++i)
        {
            static_cast<Words*>(to)->push_back(fields[i] ? fields[i] : "");
        }
        return 0;
    };
    const char* sql = "SELECT n, typeof(n), flows_count, typeof(fct_ns_mean), "
                      "json_extract(configuration, '$.mode'), "
                      "json_array_length(options) FROM runs JOIN configurations USING (hash) "
                      "WHERE slowdown_max > 1 ORDER BY n DESC";
    EXPECT_EQ(sqlite3_exec(database, sql, row, &found, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close_v2(database);
    EXPECT_EQ(found,
              (Words{"4",
                     "integer",
                     "4",
                     "real",
                     "packet",
                     "6",
                     "2",
                     "integer",
                     "2",
                     "real",
                     "packet",
                     "6"}));
}

TEST_F(SweepCli, KeepsWhatIsDoneWhenInterrupted)
{
    const Words words{"sweep",
                      "--topology",
                      "star:hosts=4",
                      "--traffic",
                      "ring:bytes={size}",
                      "--size",
                      "1KB,1GB",
                      "--cc",
                      "hpcc",
                      "--output",
                      "s",
                      "--jobs",
                      "1"};
    const ProgramResult r = box.RunAndSignal(words, SIGINT, [this]() {
        size_t logs = 0; // the second run has begun
        for (const auto& entry : fs::recursive_directory_iterator(box.PathOf(".")))
        {
            logs += entry.path().filename() == "fct.txt";
        }
        return logs == 2;
    });
    EXPECT_EQ(r.exit, 130) << r.err;
    EXPECT_EQ(r.out, "1 of 2 runs are done: s/results.csv\n");
    EXPECT_EQ(Table("s")[0].at("size"), "1KB");
}

TEST_F(SweepCli, AStoreThatIsNoneIsWarnedOfOnce)
{
    box.Write("memo.db", "this is no database, but long enough to be looked at by anybody");
    const Words words{"--topology",
                      "star:hosts=3",
                      "--traffic",
                      "incast:fan-in=2,bytes=20KB",
                      "--mode",
                      "fast",
                      "--seeds",
                      "1-3",
                      "--memo",
                      "memo.db",
                      "--quiet"};
    const ProgramResult r = Sweep(words);
    EXPECT_EQ(r.exit, 0) << r.err;
    const std::string warning = "wormhole: warning: episode store memo.db: ";
    const size_t at = r.err.find(warning);
    ASSERT_NE(at, std::string::npos) << r.err;
    EXPECT_EQ(r.err.find(warning, at + 1), std::string::npos) << r.err;
    // the log of a run that fails begins with such a warning, which is not why
    const ProgramResult failed = Sweep(With(words, {"--hosts", "9"}));
    EXPECT_EQ(failed.err.find("exit code"), std::string::npos) << failed.err;
}

TEST_F(SweepCli, OneAtATimeWritesToAFolderUnlessTheyShareIt)
{
    const auto words = [](const Words& more) {
        return With({"sweep",
                     "--topology",
                     "star:hosts=4",
                     "--traffic",
                     "ring:bytes=1GB",
                     "--cc",
                     "hpcc",
                     "--output",
                     "s"},
                    more);
    };
    const auto runWithOther = [&](const Words& first, const Words& second) {
        fs::remove_all(box.PathOf("s"));
        ProgramResult other;
        box.RunAndSignal(words(first), SIGTERM, [&]() {
            const bool begun = fs::exists(box.PathOf("s/runs"));
            if (begun)
            {
                other = box.Run(words(second));
            }
            return begun;
        });
        return other;
    };
    const std::string refused = "s: another sweep is writing to this folder";
    const Words brief{"--stop", "1us", "--seeds", "1,2"};
    const Words shards[]{With(brief, {"--shard", "1/2"}), With(brief, {"--shard", "2/2"})};
    for (const Words& second : {brief, shards[0]})
    {
        const ProgramResult other = runWithOther({}, second);
        EXPECT_EQ(other.exit, 1) << other.out;
        EXPECT_NE(other.err.find(refused), std::string::npos) << other.err;
    }
    const ProgramResult shared = runWithOther({"--shard", "1/1000"}, shards[0]);
    EXPECT_EQ(shared.exit, 3) << shared.err;
    EXPECT_EQ(box.Run(words(shards[1])).exit, 3) << "the lock ends with its process";
}

TEST_F(SweepCli, SaysWhatIsWrongBeforeItRunsAnything)
{
    ExpectError({}, "what to run?");
    ExpectError({"nope.json"}, "nope.json: cannot be read");
    ExpectError({"."}, ".: cannot be read; check that it is a file");
    box.Write("n.json", R"({"cc": "hpcc\u0000x"})");
    ExpectError({"n.json"}, R"(n.json: cc: no value of an option has a character \u0000)");
    box.Write("a.json", "[1]");
    ExpectError({"a.json"}, "must be an object");
    box.Write("b.json", R"({"cc": [[1]]})");
    ExpectError({"b.json"}, "b.json: cc: must be a text, a number, a list of them, or true");
    box.Write("c.json", R"({"cc": []})");
    ExpectError({"c.json"}, "c.json: cc: the list is empty");
    box.Write("d.json", R"({"cc": "hpcc", "cc": "dcqcn"})");
    ExpectError({"d.json"}, "d.json: cc is given twice; make it one list");
    box.Write("k.json", R"({"topology": "star:hosts=4", "": "x"})");
    ExpectError({"k.json"}, "k.json: a key is empty, but must name an option or a parameter");
    ExpectError(With(INCAST, {"--n", "2,"}), "--n: a value is missing between commas");
    ExpectError(INCAST, "no parameter {n}; give its values as --n A,B");
    ExpectError(With(INCAST, {"--n", "2", "--traficc", "x"}),
                "--traficc: no option of wormhole run");
    ExpectError(With(INCAST, {"--n", "2", "--traficc", "x"}), "did you mean --traffic?");
    ExpectError(With(INCAST, {"--n", "2,2"}), "the runs with n=2 and with n=2 are the same");
    const Words incast{"--topology=star:hosts={mean}", "--traffic=incast:fan-in=2,bytes=20KB"};
    ExpectError(With(incast, {"--mean", "4"}), "the results have a column of that name, mean");
    ExpectError(With(INCAST, {"--n", "2", "--seeds", "9-1"}), "--seeds: a range goes upwards");
    ExpectError(With(INCAST, {"--n", "2", "--mode", "fast,slow"}), "with n=2 mode=slow: ");
    ExpectError(With(INCAST, {"--n", "2", "--pcap", "x"}), "--pcap: not for the runs of a sweep");
    ExpectError(With(INCAST, {"--n", "2", "--links=1"}), "--links: takes no value");
    ExpectError(With(INCAST, {"--n"}), "--n: needs a value");
    ExpectError(With(INCAST, {"--n", "2", "--shard", "3/2"}), "--shard 3/2: must be K/N");
    ExpectError(With(INCAST, {"--n", "2", "--jobs", "0"}), "--jobs");
    ExpectError(With(INCAST, {"--n", "2", "--memo", "a.db"}), "since no run has --mode fast");
    ExpectError(With(INCAST, {"--n", "2", "--sizes", "1KB"}),
                "--sizes: no effect without --record");
    ExpectError(With(INCAST, {"--n", "2", "--bin", "1us"}), "--bin: no effect without --record");
    ExpectError(With(INCAST, {"--n", "2", "stray"}),
                "\"stray\": options and parameters begin with --");
}
