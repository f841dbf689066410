/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole report` of folders whose files are missing, damaged, another run's, or no files: a page
// or an error that names the file, and no page then.

#include "fault-run.h"
#include "harness/random.h"
#include "harness/report_files.h"
#include "harness/report_fixture.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace faults;
using harness::REPORT_FILES;
using nlohmann::json;
namespace fs = std::filesystem;

namespace
{

/** What numbers and names may become. */
const std::vector<std::string> ODD{"inf",
                                   "nan",
                                   "-1",
                                   "1e308",
                                   "5e-324",
                                   "9223372036854775808",
                                   "18446744073709551615",
                                   "18446744073709551616",
                                   "",
                                   std::string(1, '\0'),
                                   "\"",
                                   "\xff",
                                   "null",
                                   "{}",
                                   "[]",
                                   "true",
                                   "</script><script>alert(1)</script>"};

class ReportInputs : public testing::Test
{
  protected:
    ReportInputs()
    {
        harness::WriteRun(box, "first");
        box.Write("first/rtts.csv", "time_ns,seq,rtt_ns\n12,1000,13.5\n14,2000,13\n");
        fs::create_directory(box.PathOf("t"));
    }

    /** Makes the folder "run" anew. */
    void Renew()
    {
        fs::remove_all(box.PathOf("run"));
        fs::copy(box.PathOf("first"), box.PathOf("run"), fs::copy_options::recursive);
    }

    /** \return how a report of the runs ends: with all that it writes, or with one line that says
     * why not */
    ProgramResult Report(const std::string& what, const Words& runs = {"run"})
    {
        Circumstances circumstances;
        circumstances.longest = std::chrono::seconds(20);
        const Words options{"--output", "page.html", "--json=data.json", "--csv", "t"};
        const ProgramResult r =
            RunUnder(box, harness::With(harness::With({"report"}, runs), options), circumstances);
        const std::string page = box.Read("page.html");
        EXPECT_TRUE(r.exit == 0 || r.exit == 2) << what << ": " << r.exit << "\n" << r.err;
        EXPECT_EQ(page.empty(), r.exit != 0) << what;
        EXPECT_EQ(r.exit == 0, json::accept(box.Read("data.json"))) << what;
        EXPECT_EQ(page.find("<script>alert"), std::string::npos) << what;
        EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), r.exit == 0 ? 0 : 1) << r.err;
        EXPECT_LT(r.err.size(), 600U) << what;
        fs::remove(box.PathOf("page.html"));
        fs::remove(box.PathOf("data.json"));
        return r;
    }

    /** A report must be refused, with a message that holds \p text. */
    void ExpectRefused(const std::string& text, const Words& runs = {"run"})
    {
        const ProgramResult r = Report(text, runs);
        EXPECT_EQ(r.exit, 2) << text;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    /** Sets a value of the summary, by its pointer. */
    void Change(const std::string& pointer, const json& value)
    {
        Renew();
        json summary = box.ReadJson("run/summary.json");
        summary[json::json_pointer(pointer)] = value;
        box.Write("run/summary.json", summary.dump());
    }

    void ReportDamaged(uint64_t seed, int times);

    Sandbox box;
};

using SlowReportInputs = ReportInputs;

std::string
Damaged(std::string text, harness::Random& random)
{
    const size_t at = text.empty() ? 0 : random.Below(text.size());
    switch (random.Below(5))
    {
    case 0: // some bits
        for (uint32_t bits = 1 + random.Below(3); bits > 0 && !text.empty(); --bits)
        {
            char& byte = text[random.Below(text.size())];
            byte = static_cast<char>(byte ^ 1 << random.Below(8));
        }
        return text;
    case 1: // cut off
        return text.substr(0, at);
    case 2: // NULs
        return text.replace(at, 1 + random.Below(16), 16, '\0');
    case 3: // twice
        return text.substr(0, at) + text;
    default: // one of its numbers or names
        const size_t begin = text.find_first_of("0123456789\"abcdefghijklmnopqrstuvwxyz", at);
        const size_t end = text.find_first_of(" ,:}]\n", begin);
        return end == std::string::npos
                   ? text
                   : text.replace(begin, end - begin, ODD[random.Below(ODD.size())]);
    }
}

void
ReportInputs::ReportDamaged(uint64_t seed, int times)
{
    harness::Random random(seed);
    for (int i = 0; i < times; ++i)
    {
        Renew();
        const std::string file =
            std::string("run/") + REPORT_FILES[random.Below(REPORT_FILES.size())];
        const std::string text = Damaged(box.Read(file), random);
        box.Write(file, text);
        const bool two = random.Below(3) == 0;
        Report(file + "\n" + text, two ? Words{"first", "run"} : Words{"run"});
    }
}

} // namespace

TEST_F(ReportInputs, DamagedAnywhere)
{
    ReportDamaged(1, 40);
}

TEST_F(SlowReportInputs, DamagedAnywhere)
{
    ReportDamaged(2, 1000);
}

TEST_F(ReportInputs, MissingOrEmpty)
{
    for (const std::string file : REPORT_FILES)
    {
        Renew();
        fs::remove(box.PathOf("run/" + file));
        EXPECT_EQ(Report(file).exit == 0, file != "summary.json") << file << ": shown without it";
        box.Write("run/" + file, "");
        EXPECT_EQ(Report(file).exit == 0, file == "fct.txt") << file << ": as of no flow";
    }
}

/** A device has no end, and a pipe may never begin. */
TEST_F(ReportInputs, NoFiles)
{
    for (const std::string file : REPORT_FILES)
    {
        for (const char* kind : {"folder", "pipe", "/dev/zero"})
        {
            Renew();
            const std::string path = box.PathOf("run/" + file);
            fs::remove(path);
            if (kind == std::string("folder"))
            {
                fs::create_directory(path);
            }
            else if (kind == std::string("pipe"))
            {
                ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
            }
            else
            {
                fs::create_symlink(kind, path);
            }
            const ProgramResult r = Report(file + ": " + kind);
            EXPECT_EQ(r.exit, 2) << file << ": " << kind;
            EXPECT_NE(r.err.find("run/" + file), std::string::npos) << r.err;
        }
    }
    for (const char* topology : {"/dev/zero", "pipe", "."})
    {
        mkfifo(box.PathOf("pipe").c_str(), 0600);
        Change("/inputs", {{{"named_by", "--topology"}, {"path", topology}, {"fnv1a_64", "0"}}});
        fs::remove(box.PathOf("run/record/topology.txt"));
        EXPECT_EQ(Report(topology).exit, 0) << "it is taken to have changed";
    }
}

TEST_F(ReportInputs, SummariesOfOtherTypes)
{
    const std::vector<std::pair<std::string, json>> cases{{"/configuration", 1},
                                                          {"/configuration/mode", json::array()},
                                                          {"/cost/run_s", "soon"},
                                                          {"/cost/peak_memory_kib", -1},
                                                          {"/fast/events", json::object()},
                                                          {"/flows/completed", nullptr},
                                                          {"/inputs", {{{"path", 5}}}},
                                                          {"/outputs", "none"},
                                                          {"/record/flows_sampled_every", 0.5},
                                                          {"/operations", json::array()},
                                                          {"/command", {1, 2}}};
    for (const auto& [pointer, value] : cases)
    {
        Change(pointer, value);
        ExpectRefused("run/summary.json: this is no summary of a run: " + pointer.substr(1, 4),
                      {"first", "run"});
    }
    Change("/operations", json::object()); // and no results
    EXPECT_EQ(Report("operations").exit, 0);
}

TEST_F(ReportInputs, DeepSummaries)
{
    constexpr size_t DEPTH = 300000;
    const std::string summary = box.Read("first/summary.json");
    for (const char* place : {"{\"configuration\":{\"x\":", "{\"x\":"})
    {
        Renew();
        const std::string deep = std::string(DEPTH, '[') + std::string(DEPTH, ']');
        const std::string end = place[2] == 'c' ? "}," : ",";
        box.Write("run/summary.json", place + deep + end + summary.substr(1));
        ExpectRefused("run/summary.json: nested more than 64 deep", {"first", "run"});
    }
    box.Write("both/compare.json", std::string(DEPTH, '['));
    ExpectRefused("both/compare.json: nested more than 64 deep", {"both"});
}

TEST_F(ReportInputs, NumbersThatAreNone)
{
    const std::vector<std::array<std::string, 3>> cases{
        {"fct.txt", "0b000001 0b000101 10000 100 1000 0 -1 500\n", "fct.txt:1: this is not"},
        {"fct.txt", "0b000001 0b000101 10000 100 1000 0 100", "fct.txt:1: the line is cut off"},
        {"fct.txt", "a b 1 2 3 18446744073709551615 1\n", "fct.txt:1: this is not"},
        {"links.csv",
         "link,from,to,bytes,begin_ns,end_ns\n0,0,2,1e308,0,1\n",
         "links.csv:2: bytes"},
        {"record/queues.csv", "time_ns,node,port,peer,bytes\n0,2,0,0,inf\n", "queues.csv:2: bytes"},
        {"record/events.csv",
         "time_ns,run,skipped,replayed\n1e30,0,0,0\n",
         "events.csv:2: time_ns"},
        {"rtts.csv", "time_ns,seq,rtt_ns\n1,2,nan\n", "rtts.csv:2: rtt_ns"}};
    for (const auto& [file, text, message] : cases)
    {
        Renew();
        box.Write("run/" + file, text);
        ExpectRefused(message);
    }
}

TEST_F(ReportInputs, OfAnotherRun)
{
    Renew();
    box.Write("run/fct.txt", "0b000001 0b000101 10000 100 1000 0 1000 500\n");
    ASSERT_EQ(RunUnder(box, {"report", "run", "--json=notes.json"}).exit, 0);
    const std::string note = box.ReadJson("notes.json")["notes"][0];
    EXPECT_NE(note.find("run: summary.json counts 4 completed flows"), std::string::npos) << note;
    Renew();
    box.Write("run/record/topology.txt",
              "4 1 3\n3\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n");
    ExpectRefused("links.csv:2: link 0 joins 0 and 2, but in the network 0 and 3");
    box.Write("both/compare.json", R"({"modes": {"..": {}, ".": {}, "": {}, "../first": {}}})");
    box.Write("both/summary.json", box.Read("first/summary.json"));
    ExpectRefused("the comparison has no results yet", {"both"});
}

TEST_F(ReportInputs, OfEveryMode)
{
    Words runs;
    for (const char* mode : {"packet", "fast", "flow", "message"})
    {
        runs.emplace_back(mode);
        Words words{"run",
                    "--workload",
                    "all-reduce:ranks=4,bytes=10KB",
                    "--mode",
                    mode,
                    "--quiet"};
        words = harness::With(words, {"--output", mode});
        EXPECT_EQ(RunUnder(box,
                           mode == std::string("message")
                               ? words
                               : harness::With(words, {"--topology", "star:hosts=4", "--record"}))
                      .exit,
                  0);
        EXPECT_EQ(Report(mode, {mode}).exit, 0);
    }
    EXPECT_EQ(Report("all", runs).exit, 0);
    box.Write("none.txt", "0\n");
    EXPECT_EQ(RunUnder(box,
                       {"run",
                        "--topology",
                        "star:hosts=2",
                        "--flows",
                        "none.txt",
                        "--record",
                        "--quiet",
                        "--output",
                        "none"})
                  .exit,
              0);
    EXPECT_EQ(Report("no flow", {"none"}).exit, 0);
}

TEST_F(ReportInputs, ThirtyTimes)
{
    Words runs;
    for (int i = 0; i < 30; ++i)
    {
        runs.push_back("run-" + std::to_string(i));
        fs::copy(box.PathOf("first"), box.PathOf(runs.back()), fs::copy_options::recursive);
    }
    EXPECT_EQ(Report("30 runs", runs).exit, 0);
    runs[29] = "run-0";
    ExpectRefused("run-0 is given twice", runs);
}
