/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// GOAL files: text and binary, both ways. Wrong files are in workload-goal-errors-gtest.cc.

#include "harness/random.h"
#include "harness/sha256.h"

#include "ns3/input-error.h"
#include "ns3/workload-goal.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace ns3;
using nlohmann::json;

namespace
{

const std::string DATA = std::string(WORMHOLE_SOURCE_DIR) + "/test/data/goal/";

WorkloadSchedule
FromText(const std::string& text, WorkloadGoalNotes* notes = nullptr)
{
    std::istringstream in(text);
    return ReadGoalText(in, "x.goal", notes);
}

WorkloadSchedule
FromBinary(const std::string& bytes)
{
    std::istringstream in(bytes);
    return ReadGoalBinary(in, "x.bin");
}

std::string
TextOf(const WorkloadSchedule& schedule)
{
    std::ostringstream out;
    WriteGoalText(out, schedule);
    return out.str();
}

std::string
BinaryOf(const WorkloadSchedule& schedule)
{
    std::ostringstream out;
    WriteGoalBinary(out, schedule);
    return out.str();
}

bool
AreSame(const WorkloadOperation& a, const WorkloadOperation& b)
{
    return a.size == b.size && a.peer == b.peer && a.tag == b.tag &&
           a.dependencies == b.dependencies && a.kind == b.kind && a.cpu == b.cpu && a.nic == b.nic;
}

/** Expects the same operations and, for each, the same waiters in the same order. */
void
ExpectSame(const WorkloadSchedule& a, const WorkloadSchedule& b)
{
    ASSERT_EQ(a.ranks.size(), b.ranks.size());
    for (size_t r = 0; r < a.ranks.size(); ++r)
    {
        const WorkloadRank& x = a.ranks[r];
        const WorkloadRank& y = b.ranks[r];
        EXPECT_TRUE(std::equal(x.operations.begin(),
                               x.operations.end(),
                               y.operations.begin(),
                               y.operations.end(),
                               AreSame))
            << "rank " << r;
        EXPECT_EQ(x.firstWaiter, y.firstWaiter);
        EXPECT_TRUE(std::equal(x.waiters.begin(),
                               x.waiters.end(),
                               y.waiters.begin(),
                               y.waiters.end(),
                               [](WorkloadWaiter v, WorkloadWaiter w) {
                                   return v.Operation() == w.Operation() &&
                                          v.OnStart() == w.OnStart();
                               }))
            << "rank " << r;
    }
}

/** A schedule of no sense, with all that GOAL has words for: also cycles and repetitions. */
WorkloadSchedule
RandomSchedule(uint64_t seed)
{
    harness::Random random(seed);
    const uint32_t ranks = 1 + random.Below(4);
    WorkloadScheduleBuilder builder(ranks);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t count = random.Below(9);
        for (uint32_t i = 0; i < count; ++i)
        {
            const auto cpu = static_cast<uint8_t>(random.Below(255));
            const auto nic = static_cast<uint8_t>(random.Below(255));
            const uint64_t size = random.Below(3) ? random.Below(1000) : UINT64_MAX;
            const uint32_t tag = random.Below(3) ? random.Below(9) : WORKLOAD_ANY;
            switch (random.Below(3))
            {
            case 0:
                builder.Calc(rank, size, cpu);
                break;
            case 1:
                builder.Send(rank, random.Below(ranks), size, tag, cpu, nic);
                break;
            default:
                builder.Recv(rank,
                             random.Below(3) ? random.Below(ranks) : WORKLOAD_ANY,
                             size,
                             tag,
                             cpu,
                             nic);
            }
        }
        for (uint32_t i = count ? random.Below(2 * count) : 0; i > 0; --i)
        {
            const uint32_t after = random.Below(count);
            const uint32_t before = random.Below(count);
            random.Below(3) ? builder.Require(rank, after, before)
                            : builder.RequireStart(rank, after, before);
        }
    }
    return builder.Build();
}

std::string
Content(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

TEST(Sha256, KnownDigests)
{
    // the examples of FIPS 180-4 for "abc" and of the empty message
    EXPECT_EQ(harness::Sha256("abc"),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(harness::Sha256(""),
              "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(GoalReference, BinaryIsTxt2binsByteForByteAndNothingIsLostOnTheWayBack)
{
    const json reference = json::parse(Content(DATA + "finish-times.json"));
    ASSERT_EQ(reference["schedules"].size(), 25U);
    for (const auto& [name, expected] : reference["schedules"].items())
    {
        SCOPED_TRACE(name);
        const WorkloadSchedule schedule = ReadGoal(DATA + name + ".goal");
        EXPECT_EQ(schedule.ranks.size(), expected["num_ranks"].get<size_t>());
        const std::string binary = BinaryOf(schedule);
        EXPECT_EQ(harness::Sha256(binary), expected["binary_sha256"].get<std::string>());

        const WorkloadSchedule again = FromBinary(binary);
        EXPECT_EQ(BinaryOf(again), binary);
        EXPECT_EQ(BinaryOf(FromText(TextOf(again))), binary);
        ExpectSame(FromText(TextOf(schedule)), schedule);

        std::ostringstream streamed;
        std::ifstream in(DATA + name + ".goal");
        const WorkloadGoalConversion done = ConvertGoal(in, name, streamed, true);
        EXPECT_EQ(streamed.str(), binary);
        uint64_t operations = 0;
        for (const char* kind : {"send", "recv", "calc"})
        {
            operations += expected["ops"][kind].get<uint64_t>();
        }
        EXPECT_EQ(done.operations, operations);
        EXPECT_EQ(done.dependencies,
                  expected["deps"]["requires"].get<uint64_t>() +
                      expected["deps"]["irequires"].get<uint64_t>());
    }
}

TEST(GoalRandom, AnyScheduleComesBackFromTextAndFromBinary)
{
    for (uint64_t seed = 0; seed < 1000; ++seed)
    {
        SCOPED_TRACE(seed);
        const WorkloadSchedule schedule = RandomSchedule(seed);
        const std::string text = TextOf(schedule);
        const std::string binary = BinaryOf(schedule);
        ExpectSame(FromText(text), schedule);
        const WorkloadSchedule fromBinary = FromBinary(binary);
        EXPECT_EQ(BinaryOf(fromBinary), binary);
        EXPECT_EQ(BinaryOf(FromText(text)), binary);
        EXPECT_EQ(BinaryOf(FromText(TextOf(fromBinary))), binary);
        if (::testing::Test::HasFailure())
        {
            FAIL() << text;
        }
    }
}

TEST(GoalBinary, LayoutByHand)
{
    const std::string binary = BinaryOf(FromText("num_ranks 1\n"
                                                 "rank 0 {\n"
                                                 "a: recv 5b from -1 tag 3 nic 2\n"
                                                 "b: calc 7 cpu 1\n"
                                                 "b irequires a\n"
                                                 "b requires a\n"
                                                 "}\n"));
    // 8 magic + 6 head + 16 jump table + 8 counts + 4 root + 2 * 39 records + 2 * 4 lists
    ASSERT_EQ(binary.size(), 8U + 6 + 16 + 8 + 4 + 78 + 8);
    const std::string expected("\x7f\x10\0\0\0\0\0\0" // 4223
                               "\1\0\0\0\1\2"         // one rank, cpu 1, nic 2
                               "\x16\0\0\0\0\0\0\0"   // 22 = 6 + 16
                               "\x78\0\0\0\0\0\0\0"   // 120 = 128 - 8
                               "\2\0\0\0\1\0\0\0"     // two operations, one root:
                               "\0\0\0\0"             // the first
                               "\0\0\0\0\2\xff\xff\xff\xff\5\0\0\0\0\0\0\0\3\0\0\0\0\2"
                               "\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0"
                               "\2\0\0\0\3\0\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0\1\0"
                               "\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0"
                               "\1\0\0\0\1\0\0\0", // the second waits for completion, and start
                               binary.size());
    EXPECT_EQ(binary, expected);
}

TEST(GoalText, WrittenForEveryReader)
{
    const WorkloadSchedule schedule = FromText("num_ranks 2\n"
                                               "rank 0 {\n"
                                               "a: calc 1 cpu 2\n"
                                               "b: calc 2\n"
                                               "c: recv 3b from -1 tag -1 cpu 4 nic 5\n"
                                               "c requires a\n"
                                               "b irequires a\n"
                                               "c requires b\n"
                                               "}\n"
                                               "rank 1 {\n"
                                               "send 3b to 0\n"
                                               "}\n");
    // "b irequires a" comes after "c requires a", as it did: such is the order of a's waiters
    EXPECT_EQ(TextOf(schedule),
              "num_ranks 2\n"
              "\n"
              "rank 0 {\n"
              "l1: calc 1 cpu 2\n"
              "l2: calc 2\n"
              "l3: recv 3b from -1 tag -1 cpu 4 nic 5\n"
              "l3 requires l1\n"
              "l2 irequires l1\n"
              "l3 requires l2\n"
              "}\n"
              "\n"
              "rank 1 {\n"
              "l1: send 3b to 0 tag 0\n"
              "}\n");
}

TEST(GoalText, EveryFormOfTheSameSchedule)
{
    const std::string plain = "num_ranks 2\n"
                              "rank 0 {\n"
                              "l1: send 8b to 1 tag 3 cpu 1 nic 2\n"
                              "l2: recv 9b from -1 tag -1\n"
                              "l2 requires l1\n"
                              "l3: calc 5\n"
                              "l3 irequires l2\n"
                              "}\n"
                              "rank 1 {\n"
                              "}\n";
    const WorkloadSchedule expected = FromText(plain);
    const std::vector<std::string> others{
        // no blanks where none is needed
        ("num_ranks 2\nrank 0{\nl1:send8bto1tag3cpu1nic2\nl2:recv9bfrom-1tag-1\nl2 requiresl1\n"
         "l3:calc5\nl3 irequiresl2\n}\nrank 1{}"),
        // more of them, and attributes with their defaults
        "num_ranks\t2 \n\n\nrank  0\t{ \nl1 : send 8 b to 1 tag 3 cpu 1 nic 2 \t\n"
        "l2: recv 9b from -1 tag -1 cpu 0 nic 0\nl2\trequires l1\nl3: calc 5 cpu 0\n"
        "l3 irequires  l2\n }\nrank 1 {\n}\n\n \n",
        // comments wherever a statement may begin, and, unlike txt2bin, behind one
        "// head\n/* a\n * b **/num_ranks 2 // two\n/**//* */rank 0 { // first\n"
        "l1: send 8b to 1 tag 3 cpu 1 nic 2//c\nl2: recv 9b from -1 tag -1 /* c\nc */\n"
        "l2 requires l1\n//l2 requires l1\nl3: calc 5\nl3 irequires l2\n} // end\nrank 1 "
        "{\n}\n/*e*/",
        // indented, unlike txt2bin; a dependency far behind its operations
        "num_ranks 2\nrank 0 {\n  l1: send 8b to 1 tag 3 cpu 1 nic 2\n\tl2: recv 9b from -1 tag "
        "-1\n"
        "  l3: calc 5\n  l3 irequires l2\n  l2 requires l1\n}\n  rank 1 {\n  }\n",
        // the number of ranks inside the first block; labels that begin as keywords do
        "rank 0 {\nsend1: send 8b to 1 tag 3 cpu 1 nic 2\nrank_a: recv 9b from -1 tag -1\n"
        "num_ranks 2\nrank_a requires send1\nb: calc 5\nb irequires rank_a\n}\nrank 1 {\n}\n",
        // labels are of their rank, and may be long, and unused
        "num_ranks 2\nrank 0 {\n" + std::string(100000, 'x') +
            ": send 8b to 1 tag 3 cpu 1 nic 2\n"
            "X: recv 9b from -1 tag -1\nX requires " +
            std::string(100000, 'x') + "\nx: calc 5\nx irequires X\n}\nrank 1 {\n}\n",
        // leading zeros
        "num_ranks 02\nrank 00 {\nl1: send 0000000000000000000000008b to 1 tag 03 cpu 001 nic 02\n"
        "l2: recv 9b from -1 tag -1\nl2 requires l1\nl3: calc 5\nl3 irequires l2\n}\nrank 1 {\n}\n",
    };
    for (const std::string& other : others)
    {
        SCOPED_TRACE(other.substr(0, 200));
        ExpectSame(FromText(other), expected);
    }
    std::string windows;
    for (const char c : plain)
    {
        windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    }
    ExpectSame(FromText(windows), expected);
    ExpectSame(FromText(plain.substr(0, plain.size() - 1)), expected); // no line end at the end
}

TEST(GoalText, TheLargestNumbers)
{
    const WorkloadSchedule schedule =
        FromText("num_ranks 1\nrank 0 {\n"
                 "send 18446744073709551615b to 0 tag 4294967294 cpu 254 nic 254\n}\n");
    const WorkloadOperation& operation = schedule.ranks[0].operations[0];
    EXPECT_EQ(operation.size, UINT64_MAX);
    EXPECT_EQ(operation.tag, 4294967294U);
    EXPECT_EQ(operation.cpu, 254);
    EXPECT_EQ(operation.nic, 254);
    EXPECT_EQ(schedule.HighestCpu(), 254);
}

TEST(GoalText, TagsAreTakenModulo2To32)
{
    // As txt2bin does, in 64 bits and then 32: 5000000000 - 2^32 = 705032704; 2^32 is 0; 2^32 - 1
    // is what stands for any; 2^64 + 5 is 5.
    const WorkloadSchedule wide = FromText("num_ranks 2\nrank 0 {\n"
                                           "send 1b to 1 tag 4294967294\n"
                                           "send 1b to 1 tag 5000000000\n"
                                           "send 1b to 1 tag 4294967296\n"
                                           "send 1b to 1 tag 18446744073709551621\n"
                                           "}\nrank 1 {\n"
                                           "recv 1b from 0 tag 4294967295\n"
                                           "recv 1b from 0 tag 0000000000000000000000007\n}\n");
    const WorkloadSchedule narrow = FromText("num_ranks 2\nrank 0 {\n"
                                             "send 1b to 1 tag 4294967294\n"
                                             "send 1b to 1 tag 705032704\n"
                                             "send 1b to 1 tag 0\n"
                                             "send 1b to 1 tag 5\n"
                                             "}\nrank 1 {\n"
                                             "recv 1b from 0 tag -1\n"
                                             "recv 1b from 0 tag 7\n}\n");
    ExpectSame(wide, narrow); // and so all that follows from them
    EXPECT_TRUE(narrow.warnings.empty());
    ASSERT_EQ(wide.warnings.size(), 1U);
    const std::string& warning = wide.warnings[0];
    EXPECT_NE(warning.find(":4: tag 5000000000 becomes 705032704, modulo 2^32"), std::string::npos)
        << warning;
    EXPECT_NE(warning.find("so 3 more in this file"), std::string::npos) << warning;
    EXPECT_TRUE(FromBinary(BinaryOf(wide)).warnings.empty()); // its tags have 32 bits

    const std::string any =
        FromText("num_ranks 1\nrank 0 {\nrecv 1b from 0 tag 4294967295\n}\n").warnings.at(0);
    EXPECT_NE(any.find("tag 4294967295 becomes -1, any"), std::string::npos) << any;
    EXPECT_EQ(any.find("more in this file"), std::string::npos) << any;
}

TEST(GoalText, KnowsTheLineOfAnOperationAgain)
{
    const WorkloadSchedule schedule = ReadGoal(DATA + "ring_allreduce_8_1MiB.goal");
    std::ifstream in(DATA + "ring_allreduce_8_1MiB.goal");
    std::string text;
    for (uint64_t line = schedule.findLine(3, 0); line > 0 && std::getline(in, text);)
    {
        --line;
    }
    EXPECT_EQ(text.compare(0, 2, "l1"), 0) << text; // the first operation of a rank
    EXPECT_EQ(schedule.findLine(3, 1000000), 0U);
}

TEST(GoalText, TheFirstOfTwoEqualLabelsIsMeant)
{
    WorkloadGoalNotes notes;
    const WorkloadSchedule schedule = FromText("num_ranks 1\nrank 0 {\na: calc 1\na: calc 2\n"
                                               "b: calc 3\nb requires a\n}\n",
                                               &notes);
    EXPECT_EQ(schedule.ranks[0].EndWaiters(0) - schedule.ranks[0].BeginWaiters(0), 1);
    ASSERT_EQ(schedule.warnings.size(), 1U);
    EXPECT_NE(schedule.warnings[0].find(":4: label \"a\" stands twice"), std::string::npos);
    ASSERT_EQ(notes.duplicates.size(), 1U);
    EXPECT_EQ(notes.duplicates[0].line, 4U);
    EXPECT_EQ(notes.duplicates[0].label, "a");
    EXPECT_EQ(notes.LineOf(0, 2), 5U);
    EXPECT_EQ(notes.LineOf(0, 3), 0U); // there is no such operation
}

TEST(GoalText, LinesAcrossBlocks)
{
    // the reader takes 256 KiB at a time: lines of many lengths cross its borders
    std::string text = "num_ranks 1\nrank 0 {\n";
    std::string label(1, 'a');
    const int count = 3000;
    for (int i = 0; i < count; ++i)
    {
        label.resize(1 + i % 400, static_cast<char>('a' + i % 26));
        text += label + "_" + std::to_string(i) + ": calc " + std::to_string(i) + "\n";
    }
    text += "}\n";
    ASSERT_GT(text.size(), 2U << 18);
    const WorkloadSchedule schedule = FromText(text);
    ASSERT_EQ(schedule.ranks[0].operations.size(), static_cast<size_t>(count));
    for (int i = 0; i < count; ++i)
    {
        ASSERT_EQ(schedule.ranks[0].operations[i].size, static_cast<uint64_t>(i));
    }
}

TEST(GoalFile, ItsFirstBytesSayWhichFormItHas)
{
    const std::string name = ::testing::TempDir() + "workload-goal-gtest.bin";
    const WorkloadSchedule schedule = ReadGoal(DATA + "ring_allreduce_8_1MiB.goal");
    std::ofstream(name, std::ios::binary) << BinaryOf(schedule);
    ExpectSame(ReadGoal(name), schedule);
    EXPECT_EQ(ReadGoal(name).origin, name);
    std::remove(name.c_str());
}

TEST(GoalMemory, TwentyEightBytesPerOperationAndFourPerDependency)
{
    const WorkloadSchedule schedule = ReadGoal(DATA + "ring_allreduce_16_16MiB.goal");
    EXPECT_EQ(schedule.CountBytes(),
              schedule.CountOperations() * 28 + schedule.CountDependencies() * 4 +
                  schedule.ranks.size() * (sizeof(WorkloadRank) + 4));
}
