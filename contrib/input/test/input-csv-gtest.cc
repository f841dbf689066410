/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-csv.h"

#include <gtest/gtest.h>
#include <sstream>

using namespace ns3;

namespace
{

using Rows = std::vector<std::vector<std::string>>;

Rows
RowsOf(const std::string& text)
{
    std::istringstream in(text);
    InputCsvReader reader(in, "a.csv", "x,y");
    Rows rows;
    for (std::vector<std::string> cells; reader.Next(cells);)
    {
        rows.push_back(cells);
    }
    return rows;
}

std::string
FaultOf(const std::string& text)
{
    try
    {
        RowsOf(text);
        return {};
    }
    catch (const InputError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(Csv, HasRowsOfCells)
{
    EXPECT_EQ(RowsOf("x,y\n1,2\n"), (Rows{{"1", "2"}}));
    // line ends of another system, an empty line, an empty cell, no line end at the end
    EXPECT_EQ(RowsOf("x,y\r\n1,2\r\n\n3,"), (Rows{{"1", "2"}, {"3", ""}}));
}

TEST(Csv, SaysWhereItIsWrong)
{
    EXPECT_EQ(FaultOf(""), "a.csv:1: the first line , but must be x,y");
    EXPECT_EQ(FaultOf("x\n1\n"), "a.csv:1: the first line x, but must be x,y");
    EXPECT_EQ(FaultOf("x,y\n"), "a.csv:1: has no rows");
    EXPECT_EQ(FaultOf("x,y\n1,2\n1,2,\n"), "a.csv:3: a row 1,2,, but must be x,y");
    EXPECT_EQ(FaultOf("x,y\n1\n"), "a.csv:2: a row 1, but must be x,y");
}
