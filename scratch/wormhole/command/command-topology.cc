/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"
#include "commands.h"
#include "generate.h"
#include "options.h"
#include "run/exit-codes.h"

#include "ns3/rdma-topology-generator.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

CommandOptions
TopologyCommandOptions()
{
    po::options_description description("Options");
    description.add_options()("output",
                              po::value<std::string>()->value_name("FILE"),
                              "file to write (default: standard output)")("help", "this text");
    return {"topology", "SPEC", {description}};
}

int
TopologyCommand(const Words& words)
{
    const po::options_description description = TopologyCommandOptions().groups.front();
    const po::variables_map values = ParseOptions("topology", words, description, "SPEC");
    if (values.count("help"))
    {
        std::ostringstream help;
        help << "usage: wormhole topology SPEC [--output FILE]\n\nWrites a topology in HPCC's "
                "format, "
                "or SimAI's if it has what only that can say.\n\n"
             << description << "\n"
             << ns3::RdmaTopologyGeneratorHelp();
        PrintText(help.str());
        return EXIT_DONE;
    }
    const ns3::RdmaTopology topology =
        ns3::GenerateRdmaTopology(ArgumentOf(values, "topology", "SPEC"));
    WriteGenerated(TextOption(values, "output"), {}, [&topology](std::ostream& out) {
        ns3::WriteRdmaTopology(out, topology);
    });
    return EXIT_DONE;
}

} // namespace wormhole
