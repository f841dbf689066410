/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a run shows of itself while it runs: progress, stalls, and recordings that reach their
// limit.

#include "../scratch/wormhole/terminal/progress.h"
#include "../scratch/wormhole/terminal/stall.h"
#include "../scratch/wormhole/terminal/watch.h"
#include "harness/sandbox.h"
#include "harness/sanitized.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace wormhole;
using harness::ProgramResult;
using harness::Sandbox;
using harness::With;
using harness::Words;
using Kind = StallDetector::Kind;

namespace
{

constexpr double GOOD = 1e-9;

TEST(Pace, RecentGrowthCountsMost)
{
    Pace pace;
    EXPECT_EQ(pace.PerSecond(), 0);
    pace.Look(0, 0);
    pace.Look(10, 1000);
    EXPECT_NEAR(pace.PerSecond(), 100, GOOD);
    // 10 s at 100/s, MEMORY = 10 s ago, count 1/e of 10 s at 300/s
    pace.Look(20, 4000);
    const double kept = std::exp(-1.0);
    EXPECT_NEAR(pace.PerSecond(), (1000 * kept + 3000) / (10 * kept + 10), GOOD);
}

ProgressState
Halfway()
{
    ProgressState state;
    state.simulatedSeconds = 0.0123;
    state.itemsEnded = 7;
    state.itemCount = 1000;
    state.done = 50;
    state.whole = 100;
    state.packets = true;
    state.packetHopsRun = 2e6;
    return state;
}

TEST(ProgressLine, TimeLeftIsWhatRemainsOverThePace)
{
    ProgressLine line;
    line.Look(0, ProgressState());
    EXPECT_EQ(line.GetSecondsLeft(), -1); // nothing is known
    line.Look(2, Halfway());
    EXPECT_NEAR(line.GetSecondsLeft(), 2, GOOD); // 50 of 100 took 2 s
    EXPECT_EQ(line.Text(),
              " 12.30 ms   50.0 %  0:00:02 left     1.00 M crossings/s      7/1,000 flows");
}

TEST(ProgressLine, KeepsItsWidth)
{
    ProgressLine line;
    line.Look(0, ProgressState());
    line.Look(2, Halfway());
    const size_t width = line.Text().size();
    ProgressState state = Halfway();
    state.simulatedSeconds = 1.5e-7;
    state.itemsEnded = 1000;
    state.done = 100;
    state.packetHopsRun = 3e8;
    line.Look(4, state);
    EXPECT_EQ(line.Text().size(), width) << line.Text();
    EXPECT_EQ(line.GetSecondsLeft(), 0);
}

TEST(ProgressLine, SpeedupIsOverTheFastestThatPacketsWereSimulated)
{
    ProgressState state;
    state.packets = state.fast = true;
    ProgressLine line;
    line.Look(0, state);
    state.packetHopsRun = 1e6; // 1 M/s
    line.Look(1, state);
    EXPECT_NEAR(line.GetSpeedup(), 1, GOOD);
    state.packetHopsRun = 1.5e6; // 0.5 M/s, and 19.5 M saved: covered 20 M/s
    state.packetHopsSaved = 19.5e6;
    line.Look(2, state);
    // the look before counts exp(-1 s / MEMORY)
    const double kept = std::exp(-1 / Pace::MEMORY);
    EXPECT_NEAR(line.GetSpeedup(), (kept * 1e6 + 20e6) / (kept + 1) / 1e6, GOOD);
    EXPECT_NE(line.Text().find("skipped  92.9 %"), std::string::npos) << line.Text();
}

TEST(ProgressLine, IsCutToTheTerminal)
{
    EXPECT_EQ(CutToWidth("0123456789", 10), "0123456789");
    EXPECT_EQ(CutToWidth("0123456789", 9), "012345...");
    EXPECT_EQ(CutToWidth("0123456789", 2), "01");
}

/** \return a state in which 3 flows are under way */
ProgressState
UnderWay(double simulated, double delivered)
{
    ProgressState state;
    state.simulatedSeconds = simulated;
    state.delivered = delivered;
    state.waiting = 3;
    return state;
}

TEST(StallDetector, TimeThatStandsStillIsToldOnce)
{
    StallDetector detector(10);
    EXPECT_EQ(detector.Look(0, UnderWay(1, 0)), Kind::NONE);
    EXPECT_EQ(detector.Look(9.9, UnderWay(1, 500)), Kind::NONE);
    EXPECT_EQ(detector.Look(10, UnderWay(1, 1000)), Kind::INSTANT);
    EXPECT_EQ(detector.Look(50, UnderWay(1, 2000)), Kind::NONE); // told
    EXPECT_EQ(detector.Look(51, UnderWay(2, 3000)), Kind::NONE); // it ends
    EXPECT_EQ(detector.Look(61, UnderWay(2, 4000)), Kind::INSTANT);
}

TEST(StallDetector, TimeWithoutBytesIsToldOnce)
{
    const double enough = StallDetector::LEAST_SIMULATED;
    StallDetector detector(10);
    EXPECT_EQ(detector.Look(0, UnderWay(1, 100)), Kind::NONE);
    EXPECT_EQ(detector.Look(10, UnderWay(1 + enough / 2, 100)), Kind::NONE); // too little time
    EXPECT_EQ(detector.Look(11, UnderWay(1 + enough, 100)), Kind::BYTES);
    EXPECT_EQ(detector.Look(30, UnderWay(2, 100)), Kind::NONE); // told
    EXPECT_EQ(detector.Look(31, UnderWay(3, 101)), Kind::NONE); // a byte
    EXPECT_EQ(detector.Look(42, UnderWay(4, 101)), Kind::BYTES);
}

TEST(StallDetector, NothingUnderWayIsNoStall)
{
    StallDetector detector(1);
    ProgressState idle = UnderWay(1, 100);
    idle.waiting = 0;
    detector.Look(0, idle);
    idle.simulatedSeconds = 2; // all ranks compute
    EXPECT_EQ(detector.Look(10, idle), Kind::NONE);
    // and from here on a flow is under way: it has not waited so far
    EXPECT_EQ(detector.Look(10.5, UnderWay(2.1, 100)), Kind::NONE);
}

TEST(StallDetector, ZeroIsNever)
{
    StallDetector detector(0);
    detector.Look(0, UnderWay(1, 0));
    EXPECT_EQ(detector.Look(1e6, UnderWay(1, 0)), Kind::NONE);
}

/** A run that does nothing. */
struct Idle final : public Watched
{
    ProgressState GetProgress() const override
    {
        return state;
    }

    std::vector<std::string> ExplainWait(size_t) const override
    {
        return {"a reason"};
    }

    std::vector<std::string> FlushFiles() override
    {
        return {};
    }

    void StopEarly() override
    {
        stopped = true;
    }

    ProgressState state;
    bool stopped{false};
};

/** \return what is said on standard error of a run in this state that is looked at for 0.5 s */
std::string
SaidOf(const ProgressState& state, double stallSeconds)
{
    testing::internal::CaptureStderr();
    {
        Idle run;
        run.state = state;
        RunOptions options;
        options.progress = false;
        options.stallSeconds = stallSeconds;
        Watch watch(run, options);
        watch.Begin();
        for (int i = 0; i < 50; ++i)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            run.state.simulatedSeconds += 1; // it gets on
            watch.Look();
        }
    }
    return testing::internal::GetCapturedStderr();
}

TEST(Watch, FastForwardThatLeavesOutNothingIsToldOnce)
{
    const std::string told = "fast-forward has left out nothing so far";
    ProgressState state;
    state.fast = state.packets = true;
    state.packetHopsRun = 1;
    const std::string err = SaidOf(state, 0.05); // told after 3 * 0.05 s
    EXPECT_NE(err.find(told), std::string::npos) << err;
    EXPECT_EQ(err.find(told), err.rfind(told)) << err;
    EXPECT_EQ(SaidOf(state, 10).find(told), std::string::npos) << "after 30 s";
    EXPECT_EQ(SaidOf(state, 0).find(told), std::string::npos) << "never";
    state.packetHopsSaved = 1;
    EXPECT_EQ(SaidOf(state, 0.05).find(told), std::string::npos);
    state.packetHopsSaved = 0;
    state.fast = false;
    EXPECT_EQ(SaidOf(state, 0.05).find(told), std::string::npos);
}

TEST(Watch, AnEventThatDoesNotEndIsTold)
{
    testing::internal::CaptureStderr();
    {
        Idle run;
        RunOptions options;
        options.stallSeconds = 0.1;
        Watch watch(run, options);
        watch.Begin();
        std::this_thread::sleep_for(std::chrono::milliseconds(500)); // and Look is not called
    }
    const std::string err = testing::internal::GetCapturedStderr();
    EXPECT_NE(err.find("one event at about 0 ns of simulated time has taken"), std::string::npos)
        << err;
    EXPECT_EQ(err.find("one event"), err.rfind("one event")) << err; // once
}

TEST(Watch, ASignalEndsTheRun)
{
    Idle run;
    RunOptions options;
    options.progress = false;
    Watch watch(run, options);
    watch.Begin();
    kill(getpid(), SIGINT); // of the process, not of this thread
    for (int i = 0; i < 500 && !run.stopped; ++i)
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        watch.Look();
    }
    EXPECT_TRUE(run.stopped);
    EXPECT_TRUE(watch.IsInterrupted());
}

/** Seconds of simulated time, long enough for a stall of 0.1 s to be noticed. */
const char* const LONG_STOP = harness::IsSanitized() ? "600" : "6000";

/** Eight flows under DCQCN, one of which loses its link and is never given up: its timers run on
 * until the stop. */
const Words STALLS{"run",
                   "--topology",
                   "star:hosts=9",
                   "--traffic",
                   "incast:fan-in=8,bytes=2MB",
                   "--cc",
                   "dcqcn",
                   "--link-down",
                   "200us:0-9",
                   "--set",
                   "ns3::RdmaHost::RetransmissionTimeout=0s",
                   "--no-progress"};

TEST(CliStall, SaysWhichFlowsWaitAndWhy)
{
    Sandbox box;
    const ProgramResult r = box.Run(With(STALLS, {"--stop", LONG_STOP, "--stall", "0.1"}));
    EXPECT_EQ(r.exit, 3);
    EXPECT_NE(r.err.find("stall: no byte has been delivered since"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("1 flow is under way"), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("stall:   flow from 0 to 8: "), std::string::npos) << r.err;
    EXPECT_NE(r.err.find("route lost"), std::string::npos) << r.err;
    EXPECT_EQ(r.err.find("stall: no byte"), r.err.rfind("stall: no byte")) << r.err; // once
}

TEST(CliStall, ZeroIsNever)
{
    Sandbox box;
    const ProgramResult r = box.Run(With(STALLS, {"--stop", LONG_STOP, "--stall", "0"}));
    EXPECT_EQ(r.exit, 3);
    EXPECT_EQ(r.err.find("stall:"), std::string::npos) << r.err;
}

TEST(CliLimit, RecordingsEndAtTheLimitAndSaySo)
{
    Sandbox box;
    const Words words{"run",
                      "--topology",
                      "star:hosts=3",
                      "--traffic",
                      "incast:fan-in=2,bytes=1MB",
                      "--rtts",
                      "--pcap",
                      "port:2",
                      "--quiet"};
    ASSERT_EQ(box.Run(With(words, {"--output", "all"})).exit, 0);
    const ProgramResult r = box.Run(With(words, {"--output", "cut", "--output-limit", "5000"}));
    EXPECT_EQ(r.exit, 0);
    const auto summary = box.ReadJson("cut/summary.json");
    ASSERT_EQ(summary["left_out"].size(), 2U) << summary["left_out"];
    for (const auto& file : summary["left_out"])
    {
        // what is there is the beginning of the whole, in whole lines or records
        const std::string name = std::filesystem::path(file["path"]).filename();
        const std::string whole = box.Read("all/" + name);
        const std::string cut = box.Read("cut/" + name);
        EXPECT_LE(cut.size(), 5000U) << name;
        EXPECT_GT(cut.size(), 3000U) << name;
        EXPECT_EQ(cut, whole.substr(0, cut.size())) << name;
        EXPECT_EQ(cut.size() + file["bytes"].get<size_t>(), whole.size()) << name;
        EXPECT_NE(r.err.find(name + " lacks "), std::string::npos) << r.err;
    }
    EXPECT_EQ(box.Read("cut/rtts.csv").back(), '\n');
    EXPECT_TRUE(box.ReadJson("all/summary.json")["left_out"].empty());
    // results are never cut
    EXPECT_EQ(box.Read("cut/fct.txt"), box.Read("all/fct.txt"));
}

TEST(CliInterrupt, FlowLevelKeepsWhatWasComputed)
{
    Sandbox box;
    const std::string cdf = std::string(WORMHOLE_SOURCE_DIR) + "/workloads/cdf/websearch.txt";
    const ProgramResult r =
        box.RunAndSignal({"run",
                          "--mode",
                          "flow",
                          "--topology",
                          "leaf-spine:leaves=8,spines=8,hosts-per-leaf=8",
                          "--traffic",
                          "poisson:cdf=" + cdf + ",load=0.9,duration=20ms"},
                         SIGINT,
                         [&]() { return !box.Read("wormhole-out/fct.txt").empty(); });
    EXPECT_EQ(r.exit, 130) << r.err;
    const auto summary = box.ReadJson("wormhole-out/summary.json");
    EXPECT_EQ(summary["interrupted"], true);
    EXPECT_EQ(summary["flows"]["completed"], box.Lines("wormhole-out/fct.txt").size());
    EXPECT_GT(summary["flows"]["unfinished"], 0);
}

/** Of this process, and so of those that it starts, while it lives: as on a full disk. */
class FileSizeLimit
{
  public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }

    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
    }

    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit m_before{};
};

TEST(CliDisk, AFileThatMayNotGrowIsAnErrorAndTheRestIsThere)
{
    Sandbox box;
    const FileSizeLimit limit(64 << 10);
    // 10,000 acknowledgements of the first flow: more than 64 KiB of rtts.csv
    const ProgramResult r = box.Run({"run",
                                     "--topology",
                                     "star:hosts=3",
                                     "--traffic",
                                     "permutation:bytes=10MB",
                                     "--rtts",
                                     "--output",
                                     "out"});
    EXPECT_EQ(r.exit, 1) << r.err;
    EXPECT_NE(r.err.find("rtts.csv: cannot be written: File too large"), std::string::npos)
        << r.err;
    EXPECT_NE(r.err.find("are lost"), std::string::npos) << r.err;
    EXPECT_NE(r.out.find("3 of 3 completed"), std::string::npos) << r.out;
    EXPECT_EQ(box.Lines("out/fct.txt").size(), 3U);
    EXPECT_EQ(box.ReadJson("out/summary.json")["flows"]["completed"], 3);
}

TEST(CliLimit, WrongSizesAreMistakes)
{
    Sandbox box;
    const Words star{"run", "--topology", "star:hosts=2", "--traffic", "permutation"};
    for (const Words& words : {Words{"--output-limit", "5"},
                               Words{"--output-limit", "much"},
                               Words{"--output-limit", "1GB", "--mode", "flow"},
                               Words{"--stall", "-1"},
                               Words{"--stall", "soon"}})
    {
        const ProgramResult r = box.Run(With(star, words));
        EXPECT_EQ(r.exit, 2) << r.err;
        EXPECT_NE(r.err.find(words.front()), std::string::npos) << r.err;
    }
}

} // namespace
