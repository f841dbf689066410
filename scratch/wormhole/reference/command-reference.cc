/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * `wormhole reference`: prints the parts of docs/reference/ that the program knows by itself.
 */

#include "command/command-options.h"
#include "command/commands.h"
#include "command/generate.h"
#include "command/options.h"
#include "reference.h"
#include "run/exit-codes.h"
#include "workload/workload-source.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/rdma-hpcc-config.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"

#include <map>
#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

/** A part, by the name of its file in docs/reference/. */
const std::map<std::string, std::string (*)()> PARTS{
    {"attributes", AttributesMarkdown},
    {"config-keys", ConfigKeysMarkdown},
    {"options", OptionsMarkdown},
    {"specifications", SpecificationsMarkdown},
    {"trace-sources", TraceSourcesMarkdown},
};

/** \return a text for a terminal, as it stands */
std::string
Literally(const std::string& text)
{
    return "\n```text\n" + text.substr(0, text.find_last_not_of('\n') + 1) + "\n```\n";
}

std::string
Help()
{
    std::ostringstream help;
    help << "usage: wormhole reference PART [--output FILE]\n\nPrints a part of the reference in "
            "docs/reference/ from what the program works with, in Markdown.\n"
            "scripts/update-reference.sh writes all of them anew.\n\nParts:\n";
    for (const auto& part : PARTS)
    {
        help << "  " << part.first << "\n";
    }
    help << "\n" << ReferenceCommandOptions().groups.front();
    return help.str();
}

} // namespace

std::string
MarkdownRow(const std::vector<std::string>& cells)
{
    std::string row = "|";
    for (const std::string& cell : cells)
    {
        row += " ";
        for (const char c : cell)
        {
            row += c == '|' ? "\\|" : std::string(1, c);
        }
        row += " |";
    }
    return row + "\n";
}

std::string
MarkdownHead(const std::vector<std::string>& columns)
{
    std::string line = "|";
    for (size_t i = 0; i < columns.size(); ++i)
    {
        line += "---|";
    }
    return MarkdownRow(columns) + line + "\n";
}

std::string
ConfigKeysMarkdown()
{
    return "# Keys of config.txt\n\n"
           "What the file is, and what is an error in it: "
           "[formats.md](../../contrib/rdma/doc/formats.md#configtxt). A terminal shows the same "
           "by `wormhole config-help`.\n\n" +
           ns3::RdmaHpccConfigMarkdown();
}

std::string
SpecificationsMarkdown()
{
    return "# Specifications\n\n"
           "Networks, flows and workloads from one line, `KIND` or `KIND:KEY=VALUE,KEY=VALUE...`: "
           "values of `--topology`, `--traffic` and `--workload`,\nand arguments of `wormhole "
           "topology`, `traffic` and `goal make`. C++ reads them by `GenerateRdmaTopology`, "
           "`GenerateRdmaTraffic` and\n`ParseWorkloadCollectiveSpec`.\n\n## Topologies\n" +
           Literally(ns3::RdmaTopologyGeneratorHelp()) + "\n## Traffic\n" +
           Literally(ns3::RdmaTrafficGeneratorHelp()) + "\n## Workloads\n" +
           Literally(WorkloadSourceHelp());
}

CommandOptions
ReferenceCommandOptions()
{
    po::options_description options("Options");
    options.add_options()("output",
                          po::value<std::string>()->value_name("FILE"),
                          "file to write (default: standard output)")("help", "this text");
    return {"reference", "PART", {options}};
}

int
ReferenceCommand(const Words& words)
{
    const po::variables_map values =
        ParseOptions("reference", words, ReferenceCommandOptions().groups.front(), "PART");
    if (values.count("help"))
    {
        PrintText(Help());
        return EXIT_DONE;
    }
    const std::string name = ArgumentOf(values, "reference", "PART");
    const auto part = PARTS.find(name);
    if (part == PARTS.end())
    {
        Words names;
        for (const auto& known : PARTS)
        {
            names.push_back(known.first);
        }
        throw ns3::InputError("reference " + ns3::ShownText(name) + ": there are " +
                              ns3::ListText(names) + ns3::DidYouMean(name, names));
    }
    WriteGenerated(TextOption(values, "output"), {}, [&](std::ostream& out) {
        out << "<!-- Made by scripts/update-reference.sh from the program; do not edit. -->\n\n"
            << part->second();
    });
    return EXIT_DONE;
}

} // namespace wormhole
