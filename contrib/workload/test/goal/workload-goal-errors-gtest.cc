/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Wrong GOAL files: what the readers say.

#include "ns3/input-error.h"
#include "ns3/workload-goal.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

std::string
TextError(const std::string& text)
{
    std::istringstream in(text);
    try
    {
        ReadGoalText(in, "x.goal");
        return "no error";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

std::string
BinaryError(const std::string& bytes)
{
    std::istringstream in(bytes);
    try
    {
        ReadGoalBinary(in, "x.bin");
        return "no error";
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

/** \return the error of a text whose third line, in rank 0 of 2, is this one */
std::string
LineError(const std::string& line)
{
    return TextError("num_ranks 2\nrank 0 {\n" + line + "\n}\nrank 1 {\n}\n");
}

/** Expects an error at the place, with the words in it. */
void
ExpectError(const std::string& error, const std::string& place, const std::string& words)
{
    EXPECT_EQ(error.substr(0, place.size() + 1), place + ":") << error;
    EXPECT_NE(error.find(words), std::string::npos) << error;
}

std::string
Binary(const std::string& text)
{
    std::istringstream in(text);
    std::ostringstream out;
    WriteGoalBinary(out, ReadGoalText(in, "x.goal"));
    return out.str();
}

} // namespace

TEST(GoalTextErrors, Statements)
{
    const std::vector<std::pair<std::string, std::string>> wrong{
        {"l1: calc", "must be the duration (ns)"},
        {"l1: calc 5ns", "\"ns\" does not belong here"},
        {"l1: calc -5", "\"-5\", but must be the duration"},
        {"l1: calc 1.5", "\".5\" does not belong here"},
        {"l1: calc 5 tag 1", "a calc has only cpu"},
        {"l1: calc 5 nic 1", "a calc has only cpu"},
        {"l1: calc 18446744073709551616", "too large: at most 18446744073709551615"},
        {"l1: calc 99999999999999999999999999", "too large"},
        {"l1: calc 5 cpu 255", "the cpu 255 is too large: at most 254"},
        {"l1: calc 5 cpu 256", "the cpu 256 is too large"},
        {"l1: calc 5 calc 6", "one statement stands on a line"},
        {"l1: calc 5 }", "one statement stands on a line"},
        {"l1: calc 5 # five", "does not belong here"},
        {"# five", "must be a label"},
        {"l1: send 8 to 1", "must be b after the size"},
        {"l1: send 8kb to 1", "must be b after the size"},
        {"l1: send 8b from 1", "must be to"},
        {"l1: recv 8b to 1", "must be from"},
        {"l1: send 8b to 2", "rank 0 names peer 2, but num_ranks is 2: peers are 0 to 1"},
        {"l1: recv 8b from 4294967295", "too large"},
        {"l1: send 8b to -1", "must be a rank"},
        {"l1: recv 8b from -2", "or -1 for any"},
        {"l1: recv 8b from -12", "or -1 for any"},
        {"l1: recv 8b from 1 tag -2", "or -1 for any"},
        {"l1: recv 8b from 1 tag x", "\"x\", but must be the tag, a whole number"},
        {"l1: recv 8b from 1 nic 255", "too large: at most 254"},
        {"l1: recv 8b from 1 cpu 1 tag 2", "in the order tag, cpu, nic"},
        {"l1: recv 8b from 1 nic 1 cpu 2", "in the order tag, cpu, nic"},
        {"l1: SEND 8b to 1", "must be send, recv, calc"},
        {"l1:", "the end of the line, but must be send"},
        {"l1", "must be send, recv, calc"},
        {"1l: calc 5", "must be a label"},
        {"_l: calc 5", "must be a label"},
        {"send: calc 5", "label \"send\" is a word of the language"},
        {"l1 requires l2", "label \"l1\" does not stand before this line in rank 0"},
        {"rank 1 {", "rank inside rank 0, which begins in line 2"},
        {"num_ranks 2", "a second time"},
        {"/ comment", "a comment begins with // or /*"},
        {"{", "must be a label"},
        {std::string(1, '\0'), "\"?\", but must be"},
    };
    for (const auto& [line, words] : wrong)
    {
        SCOPED_TRACE(line);
        ExpectError(LineError(line), "x.goal:3", words);
    }
    EXPECT_EQ(LineError("l1: calc 5"), "no error");
}

TEST(GoalTextErrors, Dependencies)
{
    const std::string head = "num_ranks 2\nrank 0 {\na: calc 1\n";
    ExpectError(TextError(head + "a requires\n}"), "x.goal:4", "must be a label after requires");
    ExpectError(TextError(head + "a requires b\nb: calc 1\n}"), "x.goal:4", "label \"b\"");
    ExpectError(TextError(head + "a requires a a\n}"), "x.goal:4", "does not belong here");
    // labels end with their rank
    ExpectError(TextError(head + "}\nrank 1 {\nb: calc 1\nb requires a\n}"),
                "x.goal:7",
                "in rank 1");
}

TEST(GoalTextErrors, Ranks)
{
    const std::vector<std::tuple<std::string, std::string, std::string>> wrong{
        {"", "x.goal", "num_ranks is missing"},
        {"// nothing", "x.goal:1", "num_ranks is missing"},
        {"num_ranks 2\n", "x.goal:1", "there is no rank"},
        {"num_ranks 0\n", "x.goal:1", "at least 1"},
        {"num_ranks\n", "x.goal:1", "must be the num_ranks"},
        {"num_ranks 4294967295\n", "x.goal:1", "too large"},
        {"num_ranks -1\n", "x.goal:1", "\"-1\", but must be the num_ranks"},
        {"num_ranks1\n", "x.goal:1", "must be num_ranks or rank"},
        {"ranks 2\n", "x.goal:1", "must be num_ranks or rank"},
        {"rank 0 {\n}\n", "x.goal:2", "num_ranks is missing"},
        {"rank 0 {\nsend 1b to 5\nnum_ranks 2\n}\n", "x.goal:2", "names peer 5"},
        {"num_ranks 1\nrank 0\n{\n}\n", "x.goal:2", "must be { on the line of the rank"},
        {"num_ranks 2\nrank 1 {\n}\nrank 0 {\n}\n", "x.goal:2", "rank 0 must come here"},
        {"num_ranks 3\nrank 0 {\n}\nrank 2 {\n}\n", "x.goal:4", "rank 1 must come here"},
        {"num_ranks 2\nrank 0 {\n}\nrank 0 {\n}\n", "x.goal:4", "rank 1 must come here"},
        {"num_ranks 2\nrank 0 {\n}\n", "x.goal:3", "ends after rank 0, but num_ranks is 2"},
        {"num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n", "x.goal:4", "follows the last rank"},
        {"num_ranks 1\nrank 0 {\n}\n}\n", "x.goal:4", "follows the last rank"},
        {"num_ranks 1\nrank 5 {\n}\n", "x.goal:2", "rank 5, but num_ranks is 1"},
        {"num_ranks 2\nrank 0 {\n}\na: calc 1\n", "x.goal:4", "must be rank"},
        {"num_ranks 1\na: calc 1\nrank 0 {\n}\n", "x.goal:2", "must be num_ranks or rank"},
        {"num_ranks 1\nrank 0 {\na: calc 1\n", "x.goal:2", "add the closing }"},
        {"num_ranks 1\nrank 0 {\n/* a\nb\n", "x.goal:3", "this comment has no end"},
        {"num_ranks 1\nrank 0 {\n/*/\n", "x.goal:3", "this comment has no end"},
        {"num_ranks 1\nrank -1 {\n", "x.goal:2", "\"-1 {\", but must be the rank"},
        {"num_ranks 4000000000\nrank 0 {\n}\n", "x.goal:3", "num_ranks is 4000000000"},
    };
    for (const auto& [text, place, words] : wrong)
    {
        SCOPED_TRACE(text);
        ExpectError(TextError(text), place, words);
    }
}

TEST(GoalFileErrors, FilesThatCannotBeRead)
{
    EXPECT_THROW(ReadGoal("/nonexistent.goal"), InputError);
    EXPECT_THROW(ReadGoal("/"), InputError); // a folder
}

TEST(GoalBinaryErrors, EveryPrefixIsCutOff)
{
    const std::string binary =
        Binary("num_ranks 2\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\n}\n"
               "rank 1 {\nrecv 1b from 0\n}\n");
    for (size_t length = 0; length < binary.size(); ++length)
    {
        SCOPED_TRACE(length);
        ExpectError(BinaryError(binary.substr(0, length)), "x.bin", "the file is cut off");
    }
    ExpectError(BinaryError(binary + '\0'), "x.bin", "goes on after byte");
    EXPECT_EQ(BinaryError(binary), "no error");
}

TEST(GoalBinaryErrors, EveryByteMatters)
{
    // whatever single byte is damaged, either it is noticed, or the file says something else that
    // is just as consistent and writes the same bytes
    const std::string binary = Binary("num_ranks 2\nrank 0 {\na: calc 1 cpu 3\nb: calc 2\n"
                                      "b requires a\nb irequires a\n}\n"
                                      "rank 1 {\nrecv 1b from 0 tag 7 nic 2\n}\n");
    size_t noticed = 0;
    for (size_t at = 0; at < binary.size(); ++at)
    {
        for (const int bit : {0, 1, 2, 7})
        {
            std::string damaged = binary;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            std::istringstream in(damaged);
            try
            {
                std::ostringstream out;
                WriteGoalBinary(out, ReadGoalBinary(in, "x.bin"));
                EXPECT_EQ(out.str(), damaged) << at << " " << bit;
            }
            catch (const InputError&)
            {
                ++noticed;
            }
        }
    }
    // what is free: 3 * 8 bytes of sizes, the receive's tag (4), peer and kind in part
    EXPECT_GT(noticed, (binary.size() - size_t{3} * 8 - 4 - 5 - 3) * 4);
}

TEST(GoalBinaryErrors, WhatTheySay)
{
    const std::string binary = Binary("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\n"
                                      "b requires a\n}\n");
    // 8 magic, 6 head, 16 jump table, 8 counts, 4 root, 2 * 39 records, 4 list
    ASSERT_EQ(binary.size(), 124U);
    const auto with = [&binary](size_t at, char byte) {
        std::string damaged = binary;
        damaged[at] = byte;
        return BinaryError(damaged);
    };
    const size_t records = 42;
    ExpectError(with(0, 0), "x.bin", "it is no binary GOAL file");
    std::string consumed = binary;
    consumed[0] = '\x26';
    consumed[1] = '\x09';
    ExpectError(BinaryError(consumed), "x.bin", "--save-mem has used this file up");
    ExpectError(with(8, 0), "x.bin", "announces 0 ranks");
    ExpectError(with(8, 2), "x.bin", "must begin at 38"); // 6 + 2 * 16
    ExpectError(with(11, '\xff'), "x.bin", "inside the jump table");
    ExpectError(with(12, 1), "x.bin", "announces cpu 1 and nic 0 as the highest");
    ExpectError(with(13, '\xff'), "x.bin", "at most 254");
    ExpectError(with(29, 1), "x.bin", "the file is cut off"); // the rank ends at 2^56
    ExpectError(with(30, 3), "x.bin", "3 operations, 1 of them without dependencies");
    ExpectError(with(34, 3), "x.bin", "2 operations, 3 of them without dependencies");
    ExpectError(with(38, 1), "x.bin", "operation 0: waits for nothing, but");
    ExpectError(with(records, 1), "x.bin", "operation 0: is said to wait for 1 operations, but 0");
    ExpectError(with(records + 4, 4), "x.bin", "kind 4");
    ExpectError(with(14, 1), "x.bin", "is said to reach from 1 to 116");
    ExpectError(with(records + 5, 1), "x.bin", "a calc with a peer");
    ExpectError(with(records + 21, '\xff'), "x.bin", "cpu 255; at most 254");
    ExpectError(with(records + 21, 3), "x.bin", "uses cpu 3 and nic 0, but the file announces 0");
    ExpectError(with(records + 23, 2), "x.bin", "its lists of waiting operations");
    ExpectError(with(records + 27, 1), "x.bin", "its lists of waiting operations");
    ExpectError(with(120, 2), "x.bin", "operation 2 waits for it, but there are 2");
    ExpectError(with(120, 0), "x.bin", "operation 0: is said to wait for 0 operations, but 1");
}

TEST(GoalWriterErrors, WhatGoalHasNoWordsFor)
{
    const auto errorOf = [](const WorkloadOperation& operation) -> std::string {
        WorkloadSchedule schedule;
        schedule.ranks.resize(1);
        schedule.ranks[0].operations.push_back(operation);
        SetWorkloadDependencies(schedule.ranks[0], {});
        std::string errors;
        for (const auto write : {WriteGoalText, WriteGoalBinary})
        {
            try
            {
                std::ostringstream out;
                write(out, schedule);
                errors += "no error";
            }
            catch (const InputError& error)
            {
                errors += std::string(error.what()) + "\n";
            }
        }
        return errors;
    };
    const auto expect = [&](const WorkloadOperation& operation, const std::string& words) {
        const std::string line = "rank 0, operation 0 cannot be written as GOAL: " + words + "\n";
        EXPECT_EQ(errorOf(operation), line + line);
    };
    expect({1, 1, 0, 0, WorkloadKind::SEND}, "peer 1; ranks are 0 to 0");
    expect({1, WORKLOAD_ANY, 0, 0, WorkloadKind::SEND}, "peer 4294967295; ranks are 0 to 0");
    expect({1, 0, 0, 0, WorkloadKind::CALC, 255}, "cpu 255; at most 254");
    expect({1, 0, 0, 0, WorkloadKind::RECV, 0, 255}, "nic 255; at most 254");
}
