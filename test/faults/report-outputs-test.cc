/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole report`, when it is ended, or cannot write, or has too little memory: there is a whole
// page or the one from before, and nothing that it reads is overwritten.

#include "fault-run.h"
#include "harness/random.h"
#include "harness/report_fixture.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace faults;
namespace fs = std::filesystem;

namespace
{

const std::string EARLIER = "the page from before";

class ReportOutputs : public testing::Test
{
  protected:
    ReportOutputs()
    {
        harness::WriteRun(box, "run");
        fs::create_directory(box.PathOf("out"));
    }

    /** \return the page of a report that nothing hinders */
    std::string Whole()
    {
        EXPECT_EQ(RunUnder(box, {"report", "run", "--output", "whole.html"}).exit, 0);
        std::string page = box.Read("whole.html");
        EXPECT_EQ(page.rfind("</html>\n"), page.size() - 8);
        return page;
    }

    ProgramResult Report(const std::string& output, const Circumstances& circumstances = {})
    {
        return RunUnder(box, {"report", "run", "--output", output}, circumstances);
    }

    /** One line that says which file and why; what was there before still is. */
    void ExpectError(const ProgramResult& r, const std::string& text)
    {
        EXPECT_EQ(r.exit, 1) << r.err;
        EXPECT_EQ(r.err.rfind("wormhole: ", 0), 0U) << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
        ExpectEarlier();
    }

    /** There is nothing in the folder but the page from before, as it was. */
    void ExpectEarlier()
    {
        EXPECT_EQ(box.Read("out/page.html"), EARLIER);
        const auto files = fs::directory_iterator(box.PathOf("out"));
        EXPECT_EQ(std::distance(begin(files), end(files)), 1);
    }

    void ExpectRefused(const Words& words, const std::string& text)
    {
        const ProgramResult r = RunUnder(box, harness::With({"report", "run"}, words));
        EXPECT_EQ(r.exit, 2) << words.back() << "\n" << r.err;
        EXPECT_NE(r.err.find(text), std::string::npos) << r.err;
    }

    void EndAtRandom(uint64_t seed, int times)
    {
        const auto start = std::chrono::steady_clock::now();
        const std::string whole = Whole();
        const auto time = std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - start);
        harness::Random random(seed);
        for (int i = 0; i < times; ++i)
        {
            box.Write("out/page.html", EARLIER);
            Circumstances circumstances;
            circumstances.signal = random.Below(2) ? SIGKILL : SIGINT;
            circumstances.signalAfter = time * random.Below(1100) / 1000;
            const ProgramResult r = Report("out/page.html", circumstances);
            EXPECT_TRUE(r.exit == 0 || r.exit == 128 + circumstances.signal) << r.exit;
            const std::string page = box.Read("out/page.html");
            EXPECT_TRUE(page == whole || (r.exit != 0 && page == EARLIER)) << page.size();
        }
    }

    Sandbox box;
};

using SlowReportOutputs = ReportOutputs;

} // namespace

TEST_F(ReportOutputs, AreWholeOrFromBefore)
{
    EndAtRandom(1, 6);
}

TEST_F(SlowReportOutputs, AreWholeOrFromBefore)
{
    EndAtRandom(2, 100);
}

TEST_F(ReportOutputs, BeyondTheFileSizeLimit)
{
    box.Write("out/page.html", EARLIER);
    Circumstances circumstances;
    circumstances.prepare = [] { Limit(RLIMIT_FSIZE, 5000); };
    ExpectError(Report("out/page.html", circumstances),
                "page.html: could not be written completely");
}

TEST_F(ReportOutputs, OnASmallFileSystem)
{
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", box.PathOf("out").c_str(), "tmpfs", 0, "size=16k") != 0)
    {
        GTEST_SKIP() << "not allowed to mount a small file system";
    }
    box.Write("out/page.html", EARLIER);
    ExpectError(Report("out/page.html"), "No space left on device");
    umount(box.PathOf("out").c_str());
}

TEST_F(ReportOutputs, InAProtectedPlace)
{
    fs::permissions(box.PathOf(""), fs::perms(0777)); // nobody leaves what it says here
    box.Write("out/page.html", EARLIER);
    fs::permissions(box.PathOf("out"), fs::perms(0777));
    fs::permissions(box.PathOf("out/page.html"), fs::perms(0444));
    Circumstances circumstances;
    circumstances.prepare = BecomeNobody;
    const ProgramResult r = Report("out/page.html", circumstances);
    if (r.exit == 127)
    {
        GTEST_SKIP() << "nobody may not run the program here";
    }
    ExpectError(r, "out/page.html: cannot be written: Permission denied");
    fs::permissions(box.PathOf("out"), fs::perms(0555));
    ExpectError(Report("out/new.html", circumstances),
                "out/new.html: cannot be written: Permission denied");
    fs::permissions(box.PathOf("out"), fs::perms(0755));
}

TEST_F(ReportOutputs, ThatAreNoFiles)
{
    box.Write("out/page.html", EARLIER);
    ExpectError(Report("out"), "out: cannot be written: Is a directory");
    ExpectError(Report("nowhere/page.html"), "cannot be written: No such file or directory");
    ExpectError(Report("out/page.html/page.html"), "cannot be written: Not a directory");
    ExpectError(Report("/dev/full"), "/dev/full: could not be written completely: No space left");
    EXPECT_EQ(Report("/dev/null").exit, 0);
    fs::create_symlink("circle", box.PathOf("circle"));
    ExpectError(Report("circle"), "circle: cannot be written: Too many levels of symbolic links");
    ASSERT_EQ(mkfifo(box.PathOf("pipe").c_str(), 0600), 0);
    const std::string whole = Whole();
    FaultRun writer(box, {"report", "run", "--output", "pipe"});
    EXPECT_TRUE(box.Read("pipe") == whole);
    EXPECT_EQ(writer.Wait().exit, 0);
}

TEST_F(ReportOutputs, StayLinks)
{
    const std::string whole = Whole();
    fs::create_symlink("out/later.html", box.PathOf("link.html"));
    for (int i = 0; i < 2; ++i) // it leads nowhere at first
    {
        EXPECT_EQ(Report("link.html").exit, 0);
        EXPECT_TRUE(fs::is_symlink(box.PathOf("link.html")));
        EXPECT_TRUE(box.Read("out/later.html") == whole);
    }
}

TEST_F(ReportOutputs, ThatAreInputs)
{
    const std::string summary = box.Read("run/summary.json");
    fs::create_directory_symlink("run", box.PathOf("other"));
    fs::create_hard_link(box.PathOf("run/summary.json"), box.PathOf("hard.html"));
    fs::create_symlink("run/fct.txt", box.PathOf("soft.html"));
    for (const char* name : {"./run//summary.json",
                             "out/../run/rtts.csv",
                             "other/summary.json",
                             "other/record/rates.csv",
                             "hard.html",
                             "soft.html"})
    {
        box.Write("run/rtts.csv", "time_ns,seq,rtt_ns\n");
        ExpectRefused({"--output", name}, "would overwrite the input");
        ExpectRefused({"--json=" + std::string(name)}, "would overwrite the input");
    }
    EXPECT_EQ(box.Read("run/summary.json"), summary);
    nlohmann::json changed = nlohmann::json::parse(summary);
    changed["inputs"] = {{{"named_by", "--topology"}, {"path", "topology.txt"}}};
    box.Write("run/summary.json", changed.dump());
    box.Write("topology.txt", "2 0 1\n\n0 1 100Gbps 1us 0\n");
    ExpectRefused({"--output", "topology.txt"}, "would overwrite the input");
}

TEST_F(ReportOutputs, ThatAreTablesOfTheSameReport)
{
    ExpectRefused({"--csv", "tables", "--json=tables/fct.csv"},
                  "would overwrite the output --json");
    ExpectRefused({"--csv", "tables", "--output", "tables/rates.csv"},
                  "would overwrite the output --output");
}

/** Tables have names that files of runs have, too. */
TEST_F(ReportOutputs, ThatAreAnotherRun)
{
    harness::WriteRun(box, "another");
    const std::string links = box.Read("another/links.csv");
    ExpectRefused({"--csv", "another"}, "another/links.csv: is there already, and no table");
    ExpectRefused({"--csv", "another/record"}, "is there already, and no table of a report");
    EXPECT_EQ(box.Read("another/links.csv"), links);
    EXPECT_FALSE(fs::exists(box.PathOf("another/fct.csv"))) << "nothing was written";
    for (int i = 0; i < 2; ++i) // tables of a report are replaced
    {
        EXPECT_EQ(RunUnder(box, {"report", "run", "--csv", "out"}).exit, 0);
    }
}

TEST_F(ReportOutputs, WithTooLittleMemory)
{
    if (harness::Sandbox::IsSlow())
    {
        GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
    }
    constexpr uint64_t MIB = 1 << 20;
    std::string flows;
    for (int i = 0; i < 150000; ++i)
    {
        flows += "0b000001 0b000101 10000 100 1000 0 " + std::to_string(1000 + i) + " 500\n";
    }
    box.Write("run/fct.txt", flows);
    int failures = 0;
    int exit = 1;
    for (uint64_t bytes = 32 * MIB; exit != 0 && bytes < 1000 * MIB; bytes += 2 * MIB)
    {
        box.Write("out/page.html", EARLIER);
        Circumstances circumstances;
        circumstances.prepare = [bytes] { Limit(RLIMIT_AS, bytes); };
        const ProgramResult r = Report("out/page.html", circumstances);
        exit = r.exit;
        if (exit != 0 && RunUnder(box, {"--version"}, circumstances).exit == 0)
        {
            ExpectError(r, "emory");
            ++failures;
        }
    }
    EXPECT_EQ(exit, 0);
    EXPECT_GT(failures, 0);
}
