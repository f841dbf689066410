/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Two runs of SimAI, with the start and end of every flow: ours must be the same to the nanosecond.
// test/data/simai/README.md says how they were measured.

#include "harness/sandbox.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

namespace
{

using harness::ProgramResult;
using harness::Sandbox;

const std::string SOURCE = WORMHOLE_SOURCE_DIR;

/** The words of a line that \p separator parts; those of white space if it is a blank. */
std::vector<std::string>
Words(const std::string& line, char separator)
{
    std::vector<std::string> words;
    std::istringstream in(line);
    std::string word;
    while (separator == ' ' ? bool(in >> word) : bool(std::getline(in, word, separator)))
    {
        words.push_back(word);
    }
    return words;
}

/** \return of each flow, source, destination, bytes, start and completion time, sorted */
std::vector<std::string>
Flows(const std::vector<std::string>& lines, const std::vector<size_t>& columns)
{
    std::vector<std::string> flows;
    for (const std::string& line : lines)
    {
        const std::vector<std::string> words = Words(line, ' ');
        std::string flow;
        for (size_t column : columns)
        {
            flow += words.at(column) + " ";
        }
        flows.push_back(flow);
    }
    std::sort(flows.begin(), flows.end());
    return flows;
}

/** Runs a case and compares every flow and every cell of the report. */
void
ExpectMeasured(const std::string& name, size_t count)
{
    const std::string folder = SOURCE + "/test/data/simai/" + name;
    const Sandbox box;
    const ProgramResult r = box.Run(
        {"run",
         "--workload",
         "simai:file=" + folder + "/workload.txt,send-latency=2,literal-latency=1,name=test1",
         "--topology",
         folder + "/topo.txt",
         "--config",
         SOURCE + "/workloads/simai/simai.conf",
         "--output",
         "out"});
    ASSERT_EQ(r.exit, 0) << r.err;
    const std::string copy = "gzip -dc '" + folder + "/fct.txt.gz' > '" +
                             box.PathOf("measured.txt") + "' && cp '" + folder +
                             "/ncclFlowModel_EndToEnd.csv' '" + box.PathOf("measured.csv") + "'";
    ASSERT_EQ(std::system(copy.c_str()), 0);

    const std::vector<std::string> measured = Flows(box.Lines("measured.txt"), {0, 1, 2, 3, 4});
    const std::vector<std::string> found = Flows(box.Lines("out/fct.txt"), {0, 1, 4, 5, 6});
    ASSERT_EQ(measured.size(), count);
    ASSERT_EQ(found.size(), count);
    size_t differ = 0;
    for (size_t i = 0; i < count; ++i)
    {
        differ += found[i] != measured[i];
    }
    EXPECT_EQ(differ, 0U) << "flows of " << count;

    const std::vector<std::string> report = box.Lines("measured.csv");
    const std::vector<std::string> ours = box.Lines("out/ncclFlowModel_EndToEnd.csv");
    ASSERT_EQ(ours.size(), report.size());
    for (size_t line = 0; line < report.size(); ++line)
    {
        const std::vector<std::string> theirs = Words(report[line], ',');
        const std::vector<std::string> cells = Words(ours[line], ',');
        ASSERT_EQ(cells.size(), theirs.size()) << report[line];
        for (size_t cell = 0; cell < theirs.size(); ++cell)
        {
            const bool byZero = theirs[cell] == "inf" || theirs[cell] == "-nan";
            EXPECT_EQ(cells[cell], byZero ? "0.000000" : theirs[cell])
                << "line " << line + 1 << ", cell " << cell + 1;
        }
    }
}

} // namespace

TEST(SimAiMeasured, MessagesOfAPairThatTakeDifferentPaths)
{
    ExpectMeasured("dcn64-all-reduce-64MiB", 896); // 8 groups of 8, 14 steps, one channel
}

TEST(SimAiMeasured, EveryLayerOfAModel)
{
    ExpectMeasured("llama7b-16-sizes-100", 9376);
}
