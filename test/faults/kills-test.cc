/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The program is ended at a random time, by kill -9, Ctrl-C or SIGTERM: what it had finished is
// there, and the next run in the same folder, or with the same store of episodes, is right.

#include "fault-run.h"
#include "harness/random.h"

#include <csignal>
#include <gtest/gtest.h>
#include <memory>

using namespace faults;
using nlohmann::json;

namespace
{

/** Some 800 flows, which end one after the other. */
const Words FLOWS{"run",
                  "--topology",
                  "leaf-spine:leaves=4,spines=2,hosts-per-leaf=7",
                  "--traffic",
                  "all-to-all:bytes=64KB,jitter=300us",
                  "--quiet",
                  "--output",
                  "out"};
const Words FAST = harness::With(FLOWS, {"--mode", "fast", "--memo", "episodes.db"});
constexpr size_t FLOW_COUNT = 28 * 27;

class KilledRun : public testing::Test
{
  protected:
    /** Runs to the end, for comparison. */
    KilledRun()
    {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_EQ(RunUnder(m_whole, FLOWS).exit, 0);
        m_time = std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now() - begin);
        EXPECT_EQ(m_whole.Lines("out/fct.txt").size(), FLOW_COUNT);
    }

    /** \return a run of \p words that is sent the signal at any time, also after its end */
    ProgramResult Interrupt(const Words& words, int signal, harness::Random& random)
    {
        Circumstances circumstances;
        circumstances.signal = signal;
        circumstances.signalAfter = m_time * random.Below(1100) / 1000;
        return RunUnder(box, words, circumstances);
    }

    /** What stands in fct.txt is how that of the whole run begins. */
    void ExpectBeginning(bool whole)
    {
        const std::string all = m_whole.Read("out/fct.txt");
        const std::string text = box.Read("out/fct.txt");
        EXPECT_EQ(all.compare(0, text.size(), text), 0) << "another result than without a signal";
        EXPECT_TRUE(!whole || text.empty() || text.back() == '\n') << "half a line";
    }

    void KillNine(uint64_t seed, int times)
    {
        harness::Random random(seed);
        for (int i = 0; i < times; ++i)
        {
            const int exit = Interrupt(FLOWS, SIGKILL, random).exit;
            EXPECT_TRUE(exit == 128 + SIGKILL || exit == 0) << exit;
            ExpectBeginning(false);
            (exit == 0 ? m_ended : m_killed) += 1;
        }
        EXPECT_EQ(RunUnder(box, FLOWS).exit, 0) << "in the folder that killed runs left";
        EXPECT_TRUE(box.Read("out/fct.txt") == m_whole.Read("out/fct.txt"));
    }

    void AskToEnd(uint64_t seed, int times)
    {
        harness::Random random(seed);
        for (int i = 0; i < times; ++i)
        {
            const int signal = random.Below(2) ? SIGINT : SIGTERM;
            const int exit = Interrupt(FLOWS, signal, random).exit;
            // before the simulation begins, the signal itself ends the program
            EXPECT_TRUE(exit == 130 || exit == 0 || exit == 128 + signal) << exit;
            ExpectBeginning(true);
            const std::string summary = box.Read("out/summary.json");
            if (exit == 0 || (exit == 130 && !summary.empty()))
            {
                const json all = json::parse(summary);
                // a signal that comes when all has been written ends the program, too
                EXPECT_TRUE(all["interrupted"] || all["flows"]["completed"] == FLOW_COUNT);
                EXPECT_TRUE(!all["interrupted"] || exit == 130);
                EXPECT_EQ(all["flows"]["completed"], box.Lines("out/fct.txt").size());
                EXPECT_EQ(all["flows"]["not_completed"].size(),
                          FLOW_COUNT - box.Lines("out/fct.txt").size());
                ++m_ended;
            }
        }
    }

    /** Kills runs that share a store; then the store must be of use. */
    void KillWithStore(uint64_t seed, int times)
    {
        harness::Random random(seed);
        for (int i = 0; i < times; ++i)
        {
            const int exit = Interrupt(FAST, SIGKILL, random).exit;
            EXPECT_TRUE(exit == 128 + SIGKILL || exit == 0) << exit;
            if (!box.Read("episodes.db").empty())
            {
                const ProgramResult list = RunUnder(box, {"memo", "list", "episodes.db", "--json"});
                EXPECT_EQ(list.exit, 0) << list.err;
                EXPECT_EQ(list.err, "");
                EXPECT_TRUE(json::accept(list.out));
            }
        }
        const ProgramResult last = RunUnder(box, FAST);
        EXPECT_EQ(last.exit, 0);
        EXPECT_EQ(last.err, "") << "the store is damaged";
        const Sandbox fresh;
        EXPECT_EQ(RunUnder(fresh, FAST).exit, 0);
        const double mean = box.ReadJson("out/summary.json")["fct_ns"]["mean"];
        const double alone = fresh.ReadJson("out/summary.json")["fct_ns"]["mean"];
        constexpr double THETA = 0.05; // fast-forward's own tolerance
        EXPECT_NEAR(mean, alone, THETA * alone);
        EXPECT_EQ(box.Lines("out/fct.txt").size(), FLOW_COUNT);
    }

    Sandbox box;
    int m_killed{0};
    int m_ended{0};

  private:
    Sandbox m_whole;
    std::chrono::microseconds m_time{0};
};

using SlowKilledRun = KilledRun;

} // namespace

TEST_F(KilledRun, KillNineLeavesWhatWasFinished)
{
    KillNine(1, 4);
}

TEST_F(KilledRun, CtrlCLeavesWhatWasFinished)
{
    AskToEnd(2, 4);
}

TEST_F(KilledRun, StoreSurvivesKillNine)
{
    KillWithStore(3, 3);
}

TEST_F(SlowKilledRun, KillNineLeavesWhatWasFinished)
{
    KillNine(4, 40);
    EXPECT_GT(m_killed, 0);
}

TEST_F(SlowKilledRun, CtrlCLeavesWhatWasFinished)
{
    AskToEnd(5, 40);
    EXPECT_GT(m_ended, 0);
}

TEST_F(SlowKilledRun, StoreSurvivesKillNine)
{
    KillWithStore(6, 25);
}

/** Whoever comes first keeps what it learns; the others wait, or do without. */
TEST(SharedStore, FourProcessesAtOnce)
{
    const Sandbox box;
    for (int round = 0; round < 2; ++round)
    {
        std::vector<std::unique_ptr<FaultRun>> runs;
        for (int i = 0; i < 4; ++i)
        {
            Words words = FAST;
            words[7] = "out" + std::to_string(i);
            runs.push_back(std::make_unique<FaultRun>(box, words));
        }
        for (const auto& run : runs)
        {
            const ProgramResult r = run->Wait();
            EXPECT_EQ(r.exit, 0) << r.err;
            EXPECT_EQ(r.err, "");
        }
        for (const char* name : {"out0", "out1", "out2", "out3"})
        {
            EXPECT_EQ(box.Lines(std::string(name) + "/fct.txt").size(), FLOW_COUNT);
        }
    }
    EXPECT_EQ(RunUnder(box, {"memo", "list", "episodes.db"}).err, "");
}
