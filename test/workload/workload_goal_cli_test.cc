/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// `wormhole goal`, run for real.

#include "harness/sandbox.h"
#include "harness/sha256.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace harness;
using nlohmann::json;

namespace
{

const std::string DATA = std::string(WORMHOLE_SOURCE_DIR) + "/test/data/goal/";

/** As the program writes it: two ranks, a message, a calculation before it. */
const char* const SMALL = "num_ranks 2\n"
                          "\n"
                          "rank 0 {\n"
                          "l1: calc 100\n"
                          "l2: send 8b to 1 tag 0\n"
                          "l2 requires l1\n"
                          "}\n"
                          "\n"
                          "rank 1 {\n"
                          "l1: recv 8b from 0 tag 0\n"
                          "}\n";

void
ExpectMistake(const ProgramResult& result, const std::string& words)
{
    EXPECT_EQ(result.exit, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err.substr(0, 10), "wormhole: ") << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
}

/** \return whether the sandbox holds a file with this in its name */
bool
Holds(const Sandbox& box, const std::string& part)
{
    for (const auto& entry : std::filesystem::directory_iterator(box.PathOf("")))
    {
        if (entry.path().filename().string().find(part) != std::string::npos)
        {
            return true;
        }
    }
    return false;
}

} // namespace

TEST(GoalCliConvert, TextToTxt2binsBinaryAndBack)
{
    Sandbox box;
    const std::string name = "sg_bcast_trace_4";
    const ProgramResult there = box.Run({"goal", "convert", DATA + name + ".goal", "x.bin"});
    EXPECT_EQ(there.exit, 0) << there.err;
    EXPECT_EQ(there.out.substr(0, 22), "x.bin: binary, 4 ranks") << there.out;
    const json reference = json::parse(std::ifstream(DATA + "finish-times.json"));
    EXPECT_EQ(Sha256(box.Read("x.bin")),
              reference["schedules"][name]["binary_sha256"].get<std::string>());
    ASSERT_EQ(box.Run({"goal", "convert", "x.bin", "x.goal"}).exit, 0);
    ASSERT_EQ(box.Run({"goal", "convert", "x.goal", "again.bin"}).exit, 0);
    EXPECT_EQ(box.Read("again.bin"), box.Read("x.bin"));
}

TEST(GoalCliConvert, StandardOutputHoldsTheScheduleAlone)
{
    Sandbox box;
    const std::string file = DATA + "sg_bcast_trace_4.goal";
    const ProgramResult r = box.Run({"goal", "convert", file, "/dev/stdout", "--to", "text"});
    EXPECT_EQ(r.exit, 0) << r.err;
    EXPECT_EQ(r.out.find("dependencies"), std::string::npos) << r.out;
    EXPECT_EQ(r.err.substr(0, 27), "/dev/stdout: text, 4 ranks,") << r.err;
}

TEST(GoalCliMake, WritesWhatASpecificationStandsFor)
{
    // a ring of 3 takes 2 x 2 steps; the ends of each rank are two more operations
    Sandbox box;
    const ProgramResult made =
        box.Run({"goal", "make", "all-reduce:ranks=3,bytes=300,algorithm=ring", "ring.goal"});
    EXPECT_EQ(made.exit, 0) << made.err;
    EXPECT_EQ(made.out.substr(0, 24), "ring.goal: text, 3 ranks") << made.out;
    ASSERT_EQ(box.Run({"goal", "validate", "ring.goal"}).exit, 0);
    const json counts = json::parse(box.Run({"goal", "stats", "ring.goal", "--json"}).out);
    EXPECT_EQ(counts["operations"]["send"], 12);
    ASSERT_EQ(box.Run({"goal", "make", "ring.goal", "ring.bin"}).exit, 0);
    ASSERT_EQ(box.Run({"goal", "convert", "ring.goal", "same.bin"}).exit, 0);
    EXPECT_EQ(box.Read("ring.bin"), box.Read("same.bin"));
}

TEST(GoalCliMake, Mistakes)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    ExpectMistake(box.Run({"goal", "make", "all-reduce:ranks=3,bytes=300"}), "SPEC and OUT");
    ExpectMistake(box.Run({"goal", "make", "small.goal", "small.goal"}), "overwrite");
    ExpectMistake(box.Run({"goal", "make", "all-reduce:ranks=x,bytes=8", "a.goal"}), "ranks=x");
    EXPECT_FALSE(Holds(box, "a.goal"));
}

TEST(GoalCliConvert, WhichFormIsWritten)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    const auto isText = [&box](const std::vector<std::string>& words) {
        std::vector<std::string> command{"goal", "convert"};
        command.insert(command.end(), words.begin(), words.end());
        const ProgramResult result = box.Run(command);
        EXPECT_EQ(result.exit, 0) << result.err;
        return box.Read(words[1]) == SMALL;
    };
    EXPECT_FALSE(isText({"small.goal", "a"}));     // the other one
    EXPECT_TRUE(isText({"a", "b"}));               // the other one
    EXPECT_TRUE(isText({"small.goal", "c.goal"})); // by the ending
    EXPECT_FALSE(isText({"a", "d.bin"}));          // by the ending
    EXPECT_TRUE(isText({"small.goal", "e", "--to", "text"}));
    EXPECT_FALSE(isText({"small.goal", "f.goal", "--to", "binary"}));
}

TEST(GoalCliConvert, AFailureLeavesWhatWasThere)
{
    Sandbox box;
    box.Write("wrong.goal", "num_ranks 2\nrank 0 {\n}\nrank 1 {\nl1: calc x\n}\n");
    box.Write("out.bin", "precious");
    ExpectMistake(box.Run({"goal", "convert", "wrong.goal", "out.bin"}),
                  "wrong.goal:5: \"x\", but must be the duration (ns)");
    EXPECT_EQ(box.Read("out.bin"), "precious");
    box.Write("far.goal", "num_ranks 4000000000\nrank 0 {\n}\n");
    ExpectMistake(box.Run({"goal", "convert", "far.goal", "far.bin"}), "num_ranks is 4000000000");
    EXPECT_TRUE(Holds(box, "far.goal"));
    EXPECT_FALSE(Holds(box, "far.bin"));
    EXPECT_FALSE(Holds(box, "partial"));
}

TEST(GoalCliConvert, NothingIsOverwritten)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    ExpectMistake(box.Run({"goal", "convert", "small.goal", "./small.goal"}), "would overwrite");
    EXPECT_EQ(box.Read("small.goal"), SMALL);
    ExpectMistake(box.Run({"goal", "draw", "small.goal", "--output", "small.goal"}),
                  "would overwrite");
    EXPECT_EQ(box.Read("small.goal"), SMALL);
    const ProgramResult result = box.Run({"goal", "convert", "small.goal", "no/such/folder.bin"});
    EXPECT_EQ(result.exit, 1);
    EXPECT_NE(result.err.find("no/such/folder.bin: cannot be written"), std::string::npos);
}

TEST(GoalCliValidate, GoodAndBad)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    const ProgramResult good = box.Run({"goal", "validate", "small.goal"});
    EXPECT_EQ(good.exit, 0);
    EXPECT_EQ(good.out, "small.goal: 2 ranks, 3 operations: 0 errors, 0 warnings\n");

    // 2^32 + 5, which becomes 5 at both ends
    box.Write("wide.goal",
              "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 4294967301\n}\n"
              "rank 1 {\nrecv 8b from 0 tag 4294967301\n}\n");
    const ProgramResult wide = box.Run({"goal", "validate", "wide.goal"});
    EXPECT_EQ(wide.exit, 0);
    EXPECT_NE(wide.err.find("tag 4294967301 becomes 5"), std::string::npos) << wide.err;
    EXPECT_EQ(wide.out, "wide.goal: 2 ranks, 2 operations: 0 errors, 1 warning\n");

    const ProgramResult unmatched = box.Run({"goal", "validate", DATA + "probe_unmatched_2.goal"});
    EXPECT_EQ(unmatched.exit, 2);
    EXPECT_NE(unmatched.out.find("probe_unmatched_2.goal:4: error: rank 0, send 1000b to 1 tag 0"),
              std::string::npos);
    EXPECT_NE(
        unmatched.out.find("probe_unmatched_2.goal:8: error: rank 1, recv 1000b from 0 tag 1"),
        std::string::npos);

    const ProgramResult deadlock = box.Run({"goal", "validate", DATA + "probe_deadlock_2.goal"});
    EXPECT_EQ(deadlock.exit, 2);
    EXPECT_NE(deadlock.out.find("1 error, 0 warnings; 4 operations never complete"),
              std::string::npos)
        << deadlock.out;
}

TEST(GoalCliValidate, EagerSends)
{
    Sandbox box;
    std::string text = "num_ranks 2\n";
    for (const char* rank : {"rank 0 {\ns: send 9b to 1\nr: recv 9b from 1\n",
                             "rank 1 {\ns: send 9b to 0\nr: recv 9b from 0\n"})
    {
        text += std::string(rank) + "r requires s\n}\n";
    }
    box.Write("x.goal", text);
    EXPECT_EQ(box.Run({"goal", "validate", "x.goal"}).exit, 0); // a warning
    EXPECT_EQ(box.Run({"goal", "validate", "x.goal", "--eager", "9"}).exit, 0);
    EXPECT_EQ(box.Run({"goal", "validate", "x.goal", "--eager", "8"}).exit, 2);
}

TEST(GoalCliStats, Json)
{
    Sandbox box;
    const ProgramResult result =
        box.Run({"goal", "stats", DATA + "ring_allreduce_8_1MiB.goal", "--json"});
    ASSERT_EQ(result.exit, 0) << result.err;
    const json stats = json::parse(result.out);
    // 8 ranks, 2 * 7 steps of a send and a receive of 1 MiB / 8
    EXPECT_EQ(stats["ranks"], 8);
    EXPECT_EQ(stats["operations"]["send"], 8 * 14);
    EXPECT_EQ(stats["operations"]["recv"], 8 * 14);
    EXPECT_EQ(stats["operations"]["calc"], 0);
    EXPECT_EQ(stats["per_rank"]["bytes_sent"]["min"], 14 * 131072);
    EXPECT_EQ(stats["per_rank"]["bytes_sent"]["sum"], 8 * 14 * 131072);
    EXPECT_EQ(stats["tags"]["distinct"], 14);
    ASSERT_EQ(stats["message_bytes"]["histogram"].size(), 1U);
    EXPECT_EQ(stats["message_bytes"]["histogram"][0]["from"], 131072);
    EXPECT_EQ(stats["message_bytes"]["histogram"][0]["to"], 262143);
    EXPECT_EQ(stats["message_bytes"]["histogram"][0]["messages"], 8 * 14);
}

TEST(GoalCliStats, LowerBoundAndPercentiles)
{
    Sandbox box;
    // chain a, c: 30 ns; cpu 0 is busy for 10 + 20 + 5; b starts with a. Sizes 1 (3 times), 0, 9
    box.Write("x.goal",
              "num_ranks 1\nrank 0 {\na: calc 10\nb: calc 24 cpu 1\nc: calc 20\nd: calc 5\n"
              "b irequires a\nc requires a\nsend 1b to 0 tag 7\nsend 1b to 0\nsend 1b to 0\n"
              "send 0b to 0\nsend 9b to 0 nic 3\n}\n");
    const json stats = json::parse(box.Run({"goal", "stats", "x.goal", "--json"}).out);
    EXPECT_EQ(stats["finish_ns_at_least"], 35);
    EXPECT_EQ(stats["per_rank"]["calc_ns"]["max"], 59);
    EXPECT_EQ(stats["message_bytes"]["min"], 0);
    EXPECT_EQ(stats["message_bytes"]["p50"], 1);
    EXPECT_EQ(stats["message_bytes"]["max"], 9);
    EXPECT_EQ(stats["message_bytes"]["histogram"].size(), 3U); // 0; 1; 8 to 15
    EXPECT_EQ(stats["message_bytes"]["histogram"][2]["from"], 8);
    EXPECT_EQ(stats["cpus"], 2);
    EXPECT_EQ(stats["nics"], 2);
    EXPECT_EQ(stats["tags"]["distinct"], 2);
    EXPECT_EQ(stats["dependencies"]["irequires"], 1);
    const ProgramResult text = box.Run({"goal", "stats", "x.goal"});
    EXPECT_NE(text.out.find("9: 5 send, 0 recv, 4 calc"), std::string::npos) << text.out;
}

TEST(GoalCliDraw, Dot)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    const ProgramResult result = box.Run({"goal", "draw", "small.goal", "--output", "x.dot"});
    EXPECT_EQ(result.exit, 0) << result.err;
    const std::string dot = box.Read("x.dot");
    for (const char* part : {"digraph schedule {",
                             "label=\"rank 1\"",
                             "label=\"calc 100 ns\"",
                             "r0_0 -> r0_1;",
                             "r0_1 -> r1_0 [color"})
    {
        EXPECT_NE(dot.find(part), std::string::npos) << part << "\n" << dot;
    }
    EXPECT_EQ(box.Run({"goal", "draw", "small.goal"}).out, dot);
    ExpectMistake(box.Run({"goal", "draw", "small.goal", "--most", "2"}),
                  "small.goal: has 3 operations, too many for a picture; --most 3");
}

TEST(GoalCliErrors, Words)
{
    Sandbox box;
    box.Write("small.goal", SMALL);
    ExpectMistake(box.Run({"goal"}),
                  "goal: must be convert, make, from-mpi, from-nsys, from-kineto, validate, "
                  "stats or draw");
    ExpectMistake(box.Run({"goal", "stats"}), "goal stats needs a FILE (see");
    ExpectMistake(box.Run({"goal", "paint", "x"}), "must be convert");
    ExpectMistake(box.Run({"goal", "convert", "small.goal"}), "needs two files");
    ExpectMistake(box.Run({"goal", "convert", "small.goal", "b", "c"}),
                  "unexpected argument \"c\"");
    ExpectMistake(box.Run({"goal", "convert", "small.goal", "b", "--to", "xml"}),
                  "--to xml: must be text or binary");
    ExpectMistake(box.Run({"goal", "convert", "none.goal", "b"}), "none.goal: cannot be read");
    ExpectMistake(box.Run({"goal", "validate"}), "needs a FILE");
    ExpectMistake(box.Run({"goal", "validate", "small.goal", "x"}), "unexpected argument");
    ExpectMistake(box.Run({"goal", "validate", "small.goal", "--most", "0"}), "--most 0");
    ExpectMistake(box.Run({"goal", "validate", "small.goal", "--eager", "-1"}), "--eager");
    ExpectMistake(box.Run({"goal", "validate", "."}), ".");
    ExpectMistake(box.Run({"goal", "stats", "none.goal"}), "none.goal: cannot be read");
    ExpectMistake(box.Run({"goal", "stats", "small.goal", "--most", "1"}), "--most");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"goal", "--help"}, {"goal", "stats", "--help"}})
    {
        const ProgramResult help = box.Run(words);
        EXPECT_EQ(help.exit, 0);
        EXPECT_NE(help.out.find("wormhole goal convert IN OUT"), std::string::npos);
    }
}
