/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"
#include "commands.h"
#include "generate.h"
#include "options.h"
#include "run/exit-codes.h"

#include "ns3/input-error.h"
#include "ns3/rdma-flow-file.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

CommandOptions
TrafficCommandOptions()
{
    po::options_description description("Options");
    description.add_options()("topology",
                              po::value<std::string>()->value_name("SPEC|FILE"),
                              "network that the flows are for (required)")(
        "seed",
        po::value<std::string>()->value_name("N"),
        "of the random draws (default 1)")("output",
                                           po::value<std::string>()->value_name("FILE"),
                                           "file to write (default: standard output)")("help",
                                                                                       "this text");
    return {"traffic", "SPEC", {description}};
}

namespace
{

/** \return the files that the generation reads */
std::vector<NamedFile>
InputsOf(const std::string& spec, const std::string& topology)
{
    std::vector<NamedFile> inputs;
    if (FileExists(topology))
    {
        inputs.push_back({"--topology", topology});
    }
    const std::string file = FileOfTraffic(spec);
    if (!file.empty())
    {
        inputs.push_back({"SPEC", file});
    }
    return inputs;
}

} // namespace

int
TrafficCommand(const Words& words)
{
    const po::options_description description = TrafficCommandOptions().groups.front();
    const po::variables_map values = ParseOptions("traffic", words, description, "SPEC");
    if (values.count("help"))
    {
        std::ostringstream help;
        help << "usage: wormhole traffic SPEC --topology SPEC|FILE [--seed N] [--output FILE]\n\n"
                "Writes flows in the format of HPCC's flow.txt. The same words give the same flows "
                "on "
                "any machine.\n\n"
             << description << "\n"
             << ns3::RdmaTrafficGeneratorHelp();
        PrintText(help.str());
        return EXIT_DONE;
    }
    const std::string spec = ArgumentOf(values, "traffic", "SPEC");
    const std::string topologyName = TextOption(values, "topology");
    if (topologyName.empty())
    {
        throw ns3::InputError("traffic needs --topology SPEC|FILE: the hosts and their links");
    }
    const uint64_t seed = values.count("seed") ? IntegerOption(values, "seed", 0, UINT64_MAX) : 1;
    RejectPipe(topologyName);
    const ns3::RdmaTopology topology = ns3::LoadRdmaTopology(topologyName);
    const auto flows = ns3::GenerateRdmaTraffic(spec, topology, seed);
    WriteGenerated(TextOption(values, "output"),
                   InputsOf(spec, topologyName),
                   [&flows](std::ostream& out) { ns3::WriteRdmaFlows(out, flows); });
    return EXIT_DONE;
}

} // namespace wormhole
