/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// docs/reference/: what is made from the program is up to date, and what is written by hand says
// all that small runs of each kind write, and no more.

#include "harness/documented.h"
#include "harness/run_cli.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>

namespace
{

using harness::AddPaths;
using harness::CodeWords;
using harness::DocumentedName;
using harness::DocumentedNames;
using harness::ProgramResult;
using harness::SourceText;
using harness::TableCells;
using harness::With;
using harness::Words;

const Words RING{"--topology", "star:hosts=4", "--traffic", "ring:bytes=100KB"};
const Words COLLECTIVE{"--workload", "all-reduce:ranks=4,bytes=100KB"};
const std::string SOURCES = WORMHOLE_SOURCE_DIR;
const Words SIMAI{"--workload",
                  SOURCES + "/workloads/simai/two-layers-tp8.txt",
                  "--topology",
                  "rail-optimized:gpus=8,nvlink=1"};

/** A config.txt with SimAI's monitors, and the files that it names. */
const std::vector<std::pair<std::string, std::string>> CONFIG_FILES{
    {"topology.txt", "3 2 0 1 2 H100\n2\n0 2 100Gbps 1us 0\n1 2 100Gbps 1us 0\n"},
    {"flow.txt", "1\n0 1 3 100 1000 0\n"},
    {"config.txt",
     "TOPOLOGY_FILE topology.txt FLOW_FILE flow.txt L2_ACK_INTERVAL 1\n"
     "KMAX_MAP 1 100000000000 1600 KMIN_MAP 1 100000000000 400 PMAX_MAP 1 100000000000 0.2\n"
     "QLEN_MON_FILE qlen.txt BW_MON_FILE bw.txt RATE_MON_FILE rate.txt CNP_MON_FILE cnp.txt\n"
     "MON_START 0 MON_END 100\n"}};

class Reference : public harness::RunCli
{
  protected:
    /** Runs `wormhole`, which must end with this exit code. \return what it printed */
    std::string Output(const Words& words, int exit = 0)
    {
        const ProgramResult r = box.Run(words);
        EXPECT_EQ(r.exit, exit) << words[0] << ": " << r.err;
        return r.out;
    }

    /** Runs `wormhole run`, and notes what its summary holds. */
    void Note(const Words& words, const std::string& folder, int exit = 0)
    {
        Output(With(With({"run"}, words), {"--output", folder, "--quiet"}), exit);
        AddPaths(box.ReadJson(folder + "/summary.json"), "", paths);
    }

    /** What was noted is what the section says, and the section says nothing else. */
    void ExpectDocumented(const std::string& section)
    {
        const std::vector<DocumentedName> names = DocumentedNames(section);
        ASSERT_FALSE(names.empty()) << "docs/reference/outputs.md has no section " << section;
        for (const std::string& path : paths)
        {
            const bool empty = path.back() == '!';
            const std::string name = path.substr(0, path.size() - (empty ? 1 : 0));
            EXPECT_TRUE(std::any_of(names.begin(),
                                    names.end(),
                                    [&](const DocumentedName& n) {
                                        return empty ? harness::LiesIn(n.name, name)
                                                     : harness::IsPath(n.name, name);
                                    }))
                << "docs/reference/outputs.md, " << section << ": add a row for " << name;
        }
        for (const DocumentedName& n : names)
        {
            EXPECT_FALSE(n.unit.empty()) << section << ": " << n.name << " has no unit";
            EXPECT_TRUE(std::any_of(paths.begin(),
                                    paths.end(),
                                    [&n](const std::string& path) {
                                        return harness::IsPath(n.name,
                                                               path.substr(0, path.find('!')));
                                    }))
                << "docs/reference/outputs.md, " << section << ": " << n.name
                << " is in no file that was written";
        }
    }

    std::set<std::string> paths; ///< in JSON that was written
};

/** \return the words between these separators, without blanks around them */
std::vector<std::string>
Split(const std::string& line, char separator)
{
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string cell; std::getline(in >> std::ws, cell, separator);)
    {
        cells.push_back(cell);
    }
    return cells;
}

/** \return the names of a section's columns, in order */
std::vector<std::string>
Columns(const std::string& section)
{
    std::vector<std::string> columns;
    for (const DocumentedName& n : DocumentedNames(section))
    {
        EXPECT_FALSE(n.unit.empty()) << section << ": " << n.name << " has no unit";
        columns.push_back(n.name);
    }
    return columns;
}

} // namespace

TEST_F(Reference, IsWhatTheProgramSays)
{
    for (const std::string part :
         {"attributes", "config-keys", "options", "specifications", "trace-sources"})
    {
        EXPECT_TRUE(SourceText("docs/reference/" + part + ".md") == Output({"reference", part}))
            << "docs/reference/" << part
            << ".md is not what the program says any more: run scripts/update-reference.sh, and "
               "commit what it changes";
    }
}

TEST_F(Reference, EveryNumberHasAUnitAndEveryHelpSaysSomething)
{
    std::istringstream lines(Output({"reference", "attributes"}));
    std::string type;
    size_t numbers = 0;
    for (std::string line; std::getline(lines, line);)
    {
        type = line.rfind("## ", 0) == 0 ? line.substr(3) : type;
        const std::vector<std::string> cells = TableCells(line);
        if (cells.size() != 6 || cells[0][0] != '`')
        {
            continue;
        }
        const bool number = cells[1] == "Double" || cells[1] == "Uinteger" || cells[1] == "Integer";
        numbers += number;
        EXPECT_FALSE(number && cells[4] == "-")
            << type << ": end the help of " << cells[0] << " with its unit, such as [B] or [share]";
        EXPECT_FALSE(cells[5].empty()) << type << ": " << cells[0] << " has no help";
    }
    EXPECT_GT(numbers, 40U);
    EXPECT_EQ(Output({"reference", "options"}).find("| |"), std::string::npos)
        << "an option has no description";
}

TEST_F(Reference, HasEveryCommand)
{
    const std::string options = Output({"reference", "options"});
    std::istringstream help(Output({"--help"}));
    size_t commands = 0;
    for (std::string line; std::getline(help, line) && line != "First try:";)
    {
        std::istringstream words(line);
        std::string program;
        std::string command;
        words >> program >> command;
        if (program != "wormhole" || command.empty() || !std::islower(command[0]))
        {
            continue;
        }
        ++commands;
        EXPECT_NE(options.find("\n## wormhole " + command), std::string::npos)
            << "scratch/wormhole/reference/reference-options.cc: add what wormhole " << command
            << " takes";
    }
    EXPECT_GE(commands, 10U);
}

TEST_F(Reference, RejectsPartsThatThereAreNot)
{
    EXPECT_NE(box.Run({"reference", "colours"}).err.find("there are attributes, config-keys"),
              std::string::npos);
    EXPECT_EQ(box.Run({"reference"}).exit, 2);
    EXPECT_EQ(box.Run({"reference", "--help"}).exit, 0);
}

TEST_F(Reference, ManualNamesTheAttributesOfFastForward)
{
    const std::string manual = SourceText("contrib/wormhole/doc/wormhole.rst");
    const size_t begin = manual.find("\nAttributes\n=");
    const size_t end = manual.find("\nTrace sources\n=");
    ASSERT_NE(begin, std::string::npos);
    const std::string section = manual.substr(begin, end - begin);
    const std::string attributes = Output({"reference", "attributes"});
    std::istringstream lines(attributes.substr(attributes.find("## ns3::WormholeSimulatorImpl")));
    for (std::string line; std::getline(lines, line);)
    {
        const std::vector<std::string> cells = TableCells(line);
        if (cells.size() == 6 && cells[0][0] == '`')
        {
            EXPECT_NE(section.find("`" + cells[0] + "`"), std::string::npos)
                << "contrib/wormhole/doc/wormhole.rst, Attributes: " << cells[0] << " is missing";
        }
    }
}

TEST_F(Reference, HasEveryFieldOfASummary)
{
    for (const auto& [name, text] : CONFIG_FILES)
    {
        box.Write(name, text);
    }
    const Words tail{"--topology", "star:hosts=4"};
    Note(With(RING, {"--link-down", "1us:0-4", "--stop", "0.00001"}), "cut", 3);
    Note(With(RING, {"--mode", "fast", "--fast", "Theta=0.02", "--memo", "m.db"}), "fast");
    Note(With(RING, {"--threads", "2"}), "threads");
    Note(With(RING, {"--twin"}), "twin");
    Note(With(RING, {"--recovery", "irn"}), "irn");
    Note(With(RING, {"--mode", "flow"}), "flow");
    Note({"--config", "config.txt"}, "config");
    Note(With(tail, {"--traffic", "ring:bytes=1MB", "--rtts", "--output-limit", "4KiB"}),
         "limited");
    Note(With(With(COLLECTIVE, tail), {"--chrome-trace", "c.json"}), "collective");
    Note(With(With(COLLECTIVE, tail), {"--mode", "fast", "--record"}), "record");
    Note(
        With(With(COLLECTIVE, tail), {"--mode", "fast", "--eager-limit", "1", "--overhead", "1ns"}),
        "transport");
    Note(With(With(COLLECTIVE, tail), {"--mode", "flow", "--handshake", "1", "--payload", "500"}),
         "handshake");
    Note(With(COLLECTIVE, {"--mode", "message", "--disturb", "1"}), "message");
    box.Write("machine.csv", "bytes,L,o,g,G,eager,self\n1,100,10,5,0.1,1,10\n");
    Note(With(COLLECTIVE, {"--mode", "message", "--loggops", "machine.csv"}), "by-size");
    Note(With(SIMAI, {"--mode", "flow"}), "simai");
    Note(With(SIMAI, {"--mode", "fast"}), "repeated");
    ExpectDocumented("summary.json");
}

TEST_F(Reference, HasEveryFieldOfAComparison)
{
    Output(With(With({"compare"}, RING),
                {"--rtts", "--memo", "c.db", "--quiet", "--seeds", "2", "--disturb", "2"}));
    AddPaths(box.ReadJson("wormhole-compare/compare.json"), "", paths);
    // of a comparison in which something failed, or was left
    for (const char* list : {"failures[]", "notes[]", "disturbed.beyond[]"})
    {
        EXPECT_EQ(paths.erase(list + std::string("!")) + paths.count(list), 1U) << list;
        paths.insert(list);
    }
    ExpectDocumented("compare.json");
}

TEST_F(Reference, HasEveryFieldThatOtherCommandsPrint)
{
    Note(With(RING, {"--mode", "fast", "--memo", "m.db"}), "fast");
    const std::vector<std::pair<std::string, Words>> commands{
        {"memo list --json", {"memo", "list", "m.db", "--json"}},
        {"memo explain --json", {"memo", "explain", "m.db", "1", "--json"}},
        {"goal stats --json",
         {"goal", "stats", SOURCES + "/workloads/goal/pipeline-2.goal", "--json"}},
        {"training --json", {"training", SOURCES + "/workloads/training/gpt-7b-64.json", "--json"}},
    };
    for (const auto& [section, words] : commands)
    {
        paths.clear();
        AddPaths(nlohmann::json::parse(Output(words)), "", paths);
        ExpectDocumented(section);
    }
}

TEST_F(Reference, HasEveryColumn)
{
    Note(With(harness::PAUSED_INCAST, {"--links", "--rtts"}), "out");
    for (const std::string file : {"links.csv", "rtts.csv"})
    {
        EXPECT_EQ(Split(box.Lines("out/" + file).at(0), ','), Columns(file)) << file;
    }
    for (const std::string file : {"fct.txt", "pfc.txt"})
    {
        ASSERT_FALSE(box.Lines("out/" + file).empty()) << file;
        EXPECT_EQ(Split(box.Lines("out/" + file)[0], ' ').size(), Columns(file).size()) << file;
    }
    Note(With(COLLECTIVE, {"--mode", "message"}), "message");
    EXPECT_EQ(Split(box.Lines("message/ranks.csv").at(0), ','), Columns("ranks.csv"));
}

TEST_F(Reference, HasEveryColumnOfARecord)
{
    Note(With(With(COLLECTIVE, {"--topology", "star:hosts=4"}), {"--mode", "fast", "--record"}),
         "out");
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(box.PathOf("out/record")))
    {
        const std::string file = "record/" + entry.path().filename().string();
        if (entry.path().extension() == ".csv")
        {
            ++files;
            EXPECT_EQ(Split(box.Lines("out/" + file).at(0), ','), Columns(file)) << file;
        }
    }
    EXPECT_EQ(files, 10U);
}

TEST_F(Reference, HasAllOfAReport)
{
    const Words star{"--topology", "star:hosts=4", "--record"};
    Note(With({"--workload", SOURCES + "/workloads/goal/pipeline-2.goal"}, star), "pipeline");
    Note(With({"--workload", "all-reduce:ranks=4,bytes=1MB"}, star), "packet");
    Note(With(With({"--workload", "all-reduce:ranks=4,bytes=1MB"}, star), {"--mode", "fast"}),
         "fast");
    Note(With(With({"--workload", "all-reduce:ranks=4,bytes=1MB"}, star), {"--cc", "dctcp"}),
         "dctcp");
    paths.clear();
    Output({"report", "pipeline", "--json=p.json"});
    AddPaths(box.ReadJson("p.json"), "", paths);
    Output({"report", "packet", "fast", "dctcp", "--json=r.json", "--csv", "tables"});
    AddPaths(box.ReadJson("r.json"), "", paths);
    Output(With(With({"compare"}, RING), {"--disturb", "2", "--output", "c", "--quiet"}));
    Output({"report", "c", "--json=c.json"});
    AddPaths(box.ReadJson("c.json"), "", paths);
    Output(With(With({"sweep"}, RING), {"--cc", "hpcc,dctcp", "--record", "--output", "s"}));
    Output({"report", "s", "--json=s.json"});
    AddPaths(box.ReadJson("s.json"), "", paths);
    ExpectDocumented("report --json");
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(box.PathOf("tables")))
    {
        ++files;
        const std::string file = entry.path().filename().string();
        EXPECT_EQ(Split(box.Lines("tables/" + file).at(0), ','), Columns("report/" + file)) << file;
    }
    EXPECT_EQ(files, 12U);
}

TEST_F(Reference, HasEveryColumnOfSimAisFiles)
{
    for (const auto& [name, text] : CONFIG_FILES)
    {
        box.Write(name, text);
    }
    Note({"--config", "config.txt"}, "config");
    std::set<std::string> written;
    for (const std::string file : {"qlen.txt", "bw.txt", "rate.txt", "cnp.txt"})
    {
        for (const std::string& column : Split(box.Lines("config/" + file).at(0), ','))
        {
            written.insert(column);
        }
    }
    const std::vector<std::string> columns = Columns("monitors");
    EXPECT_EQ(written, std::set<std::string>(columns.begin(), columns.end()));

    Note(With(SIMAI, {"--mode", "flow"}), "simai");
    const std::vector<std::string> lines = box.Lines("simai/ncclFlowModel_EndToEnd.csv");
    std::vector<std::string> layers = Split(lines.at(2), ',');
    ASSERT_GT(layers.size(), 2U);
    layers.erase(layers.begin() + 1); // the run's name
    const std::vector<std::string> described = Columns("ncclFlowModel_EndToEnd.csv");
    EXPECT_EQ(std::set<std::string>(layers.begin(), layers.end()),
              std::set<std::string>(described.begin(), described.end()));
    const std::vector<std::string> named = CodeWords(SourceText("docs/reference/outputs.md"));
    for (const std::string& column : Split(lines[0], ','))
    {
        EXPECT_TRUE(column == "File name" ||
                    std::find(named.begin(), named.end(), column) != named.end())
            << column;
    }
}
