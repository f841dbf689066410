/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Too little memory, and a wall clock that jumps.

#include "fault-run.h"
#include "harness/memory.h"
#include "harness/random.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/resource.h>

using namespace faults;
using nlohmann::json;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/** A run that needs some 100 MiB, more and more of them as it goes on. */
const Words LARGE{"run",
                  "--topology",
                  "fat-tree:k=16",
                  "--traffic",
                  "permutation:bytes=20KB,jitter=20us",
                  "--quiet",
                  "--yes", // less memory than it needs is what is tried
                  "--output",
                  "out"};

class Memory : public testing::Test
{
  protected:
    void SetUp() override
    {
        if (harness::Sandbox::IsSlow())
        {
            GTEST_SKIP() << "the address sanitizer needs terabytes of address space";
        }
    }

    /** \return exit code of a run with so much address space; whatever it is, it is explained */
    int RunWithin(uint64_t bytes, const Words& words)
    {
        Circumstances circumstances;
        circumstances.prepare = [bytes] { Limit(RLIMIT_AS, bytes); };
        const ProgramResult r = RunUnder(box, words, circumstances);
        if (r.exit != 0 && RunUnder(box, {"--version"}, circumstances).exit != 0)
        {
            return 127; // the program's own code and tables do not fit
        }
        EXPECT_TRUE(r.exit == 0 || r.exit == 1) << r.exit << " with " << bytes << " bytes\n"
                                                << r.err;
        if (r.exit == 0) // it may have been warned that this would hardly do
        {
            EXPECT_TRUE(r.err.empty() || r.err.rfind("wormhole: warning: this needs about", 0) == 0)
                << r.err;
        }
        else
        {
            EXPECT_NE(r.err.find("emory"), std::string::npos) << r.err;
        }
        return r.exit;
    }

    void Squeeze(uint64_t step)
    {
        const Sandbox whole;
        ASSERT_EQ(RunUnder(whole, LARGE).exit, 0);
        const std::string all = whole.Read("out/fct.txt");
        int failures = 0;
        int exit = 1;
        for (uint64_t bytes = 40 * MIB; exit != 0 && bytes < 2000 * MIB; bytes += step)
        {
            exit = RunWithin(bytes, LARGE);
            failures += exit == 1;
            const std::string text = box.Read("out/fct.txt");
            EXPECT_EQ(all.compare(0, text.size(), text), 0);
            EXPECT_TRUE(text.empty() || text.back() == '\n');
        }
        EXPECT_EQ(exit, 0);
        EXPECT_GT(failures, 0);
        EXPECT_TRUE(box.Read("out/fct.txt") == all);
    }

    Sandbox box;
};

using SlowMemory = Memory;

} // namespace

TEST_F(Memory, IsTooLittle)
{
    Squeeze(6 * MIB);
}

TEST_F(SlowMemory, IsTooLittle)
{
    Squeeze(2 * MIB);
}

/** Other ways to need memory. */
TEST_F(SlowMemory, IsTooLittleForOtherCommands)
{
    const std::vector<Words> commands{
        {"run",
         "--topology",
         "fat-tree:k=16",
         "--traffic",
         "permutation:bytes=1MB",
         "--mode",
         "flow",
         "--quiet",
         "--yes"},
        {"run",
         "--workload",
         "all-reduce:ranks=512,bytes=1MB",
         "--mode",
         "message",
         "--quiet",
         "--yes"},
        {"run",
         "--workload",
         ("training:file=" WORMHOLE_SOURCE_DIR "/workloads/training/gpt-7b-64.json,scale=1000"),
         "--topology",
         "rail-optimized:gpus=64",
         "--mode",
         "fast",
         "--memo",
         "episodes.db",
         "--quiet",
         "--yes"},
        {"goal", "make", "all-reduce:ranks=512,bytes=1MB", "ring.goal"},
        {"topology", "fat-tree:k=32", "--output", "topology.txt"},
    };
    for (const Words& words : commands)
    {
        int exit = 1;
        for (uint64_t bytes = 28 * MIB; exit != 0 && bytes < 2000 * MIB; bytes += bytes / 10)
        {
            exit = RunWithin(bytes, words);
        }
        EXPECT_EQ(exit, 0) << words[1];
    }
}

/** The wall clock only dates the last use of episodes; all else is told by the monotonic clock. */
TEST(Clock, ThatJumpsChangesNoResult)
{
    const Words words{"run",
                      "--topology",
                      "leaf-spine:leaves=2,spines=2,hosts-per-leaf=4",
                      "--traffic",
                      "permutation:bytes=3MB",
                      "--mode",
                      "fast",
                      "--memo",
                      "episodes.db",
                      "--quiet",
                      "--output",
                      "out"};
    const Sandbox steady;
    const Sandbox jumping;
    Circumstances jumps;
    jumps.prepare = [] { setenv("LD_PRELOAD", CLOCK_THAT_JUMPS, 1); };
    for (int run = 0; run < 3; ++run) // the later ones with what the store remembers
    {
        EXPECT_EQ(RunUnder(steady, words).exit, 0);
        const ProgramResult r = RunUnder(jumping, words, jumps);
        EXPECT_EQ(r.exit, 0) << r.err;
        EXPECT_EQ(r.err, "");
        EXPECT_TRUE(jumping.Read("out/fct.txt") == steady.Read("out/fct.txt")) << run;
        const json summary = jumping.ReadJson("out/summary.json");
        EXPECT_GT(summary["cost"]["run_s"], 0);
        EXPECT_LT(summary["cost"]["run_s"], 60);
        EXPECT_EQ(summary["fast"]["episodes"],
                  steady.ReadJson("out/summary.json")["fast"]["episodes"]);
    }
    const ProgramResult list = RunUnder(jumping, {"memo", "list", "episodes.db"}, jumps);
    EXPECT_EQ(list.exit, 0) << list.err;
    EXPECT_EQ(
        RunUnder(jumping, {"memo", "prune", "episodes.db", "--unused-for", "30d"}, jumps).exit,
        0);
    EXPECT_EQ(RunUnder(jumping, words, jumps).exit, 0);
    EXPECT_TRUE(jumping.Lines("out/fct.txt").size() == steady.Lines("out/fct.txt").size());
}
