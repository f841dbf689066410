/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * SimAI above our network: the options of its ns-3 front end, and those of `wormhole run`.
 */

#include "command/command-run.h"
#include "command/front-end.h"
#include "command/guarded.h"
#include "command/options.h"
#include "result/files.h"
#include "simai-check.h"
#include "simai-environment.h"
#include "simai-system.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/rdma-topology-generator.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

using ns3::InputError;

const char* const USAGE =
    "usage: wormhole-simai -w FILE -n SPEC|FILE -c FILE [-t N] [OPTIONS]\n\n"
    "Runs SimAI on Wormhole's network: packet by packet, or faster (--mode).\n\n";

const char* const EXAMPLES = R"(
SimAI's environment: AS_SEND_LAT (here in us, and 6000 without it, as in SimAI), AS_NVLS_ENABLE,
AS_PXN_ENABLE, AS_LOG_LEVEL. Its CSVs go into the folder of --output, else the working directory.

Example:
  AS_SEND_LAT=2 wormhole-simai -w workload.txt -n Spectrum-X_8g_8gps_400Gbps_H100 -c SimAI.conf --output results

Exit codes: 0 done, 1 a file could not be written, or SimAI itself rejects its input, 2 wrong options
or input, 3 nodes are stuck, each named with what it waits for, 130 interrupted.
)";

po::options_description
SimAiOptions()
{
    constexpr unsigned COLUMNS = 100;
    po::options_description group("SimAI's options", COLUMNS, COLUMNS / 2);
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    group.add_options()("workload-file,w", text("FILE"), "workload, as AICB makes them")(
        "network-topology,n",
        text("SPEC|FILE"),
        "topology, as gen_Topo_Template.py makes them: same as --topology")(
        "network-configuration,c",
        text("FILE"),
        "SimAI.conf: same as --config")("thread-count,t",
                                        text("N"),
                                        "most threads: same as --threads")("version",
                                                                           "version of Wormhole");
    return group;
}

/** \return the value of an option that must be there */
std::string
Needed(const po::variables_map& values, const std::string& name, const std::string& what)
{
    std::string text = TextOption(values, name);
    if (text.empty())
    {
        throw InputError(what + " is missing (wormhole-simai --help lists the options)");
    }
    return text;
}

/** \throws InputError if the nodes do not come in SimAI's order: GPUs, then NVSwitches */
void
ReadTopology(const std::string& text, SimAiInputs& inputs)
{
    const ns3::RdmaTopology topology = ns3::LoadRdmaTopology(text);
    inputs.gpus = topology.Count(ns3::RdmaNodeKind::HOST);
    inputs.nvSwitches = topology.Count(ns3::RdmaNodeKind::NVSWITCH);
    for (uint32_t node = 0; node < inputs.gpus + inputs.nvSwitches; ++node)
    {
        const ns3::RdmaNodeKind kind =
            node < inputs.gpus ? ns3::RdmaNodeKind::HOST : ns3::RdmaNodeKind::NVSWITCH;
        if (topology.nodes[node] != kind)
        {
            throw InputError(topology.origin,
                             0,
                             "node " + std::to_string(node) +
                                 " must be a GPU, or an NVSwitch after the last GPU: SimAI numbers "
                                 "them so");
        }
    }
    inputs.gpusPerServer = std::max<uint32_t>(topology.gpusPerServer, 1);
    inputs.gpuType = topology.gpuType;
}

int
RunSimAi(const Words& words)
{
    const FrontEndProgram program{"SimAI", "simai-itself", USAGE, SimAiOptions(), EXAMPLES};
    if (PrintAbout(program, words))
    {
        return 0;
    }
    Words rest;
    const po::variables_map values =
        TakeOptions(words, program.options, "(wormhole-simai --help lists the options)", rest);
    SimAiInputs inputs;
    inputs.workload = Needed(values, "workload-file", "-w FILE, the workload,");
    RejectPipe(inputs.workload);
    if (!FileExists(inputs.workload))
    {
        throw InputError("-w " + ns3::ShownText(inputs.workload) + ": there is no such file");
    }
    const std::string topology = Needed(values, "network-topology", "-n FILE, the topology,");
    ReadTopology(topology, inputs);
    const SimAiEnvironment environment = ReadSimAiEnvironment();
    const SimAiFindings findings =
        CheckSimAiWorkload(inputs.workload,
                           {inputs.gpus, inputs.gpusPerServer, inputs.nvSwitches, inputs.gpuType},
                           environment);
    inputs.corrections = findings.corrections;
    inputs.sendLatencyNs = environment.sendLatencyNs;
    rest.push_back("--topology=" + topology);
    rest.push_back("--config=" +
                   Needed(values, "network-configuration", "-c FILE, the SimAI.conf,"));
    if (values.count("thread-count"))
    {
        rest.push_back("--threads=" + TextOption(values, "thread-count"));
    }
    const RunOptions options =
        ParseFrontEndRun(program,
                         words,
                         rest,
                         std::filesystem::path(inputs.workload).stem().string());
    inputs.results =
        options.output.empty() ? "./ncclFlowModel_" : InFolder(options.output, "ncclFlowModel_");
    ns3::WorkloadFrontEndOptions network;
    network.ranks = inputs.gpus + inputs.nvSwitches;
    network.receipt = ns3::WorkloadReceipt::ACKNOWLEDGED;
    network.sent = ns3::WorkloadReceipt::DELIVERED;
    network.leastLatencyNs = inputs.sendLatencyNs;
    AddWorkloadSourceKind(program.kind, [&](WorkloadSource& source) {
        source.inputs = {{"-w", inputs.workload}};
        source.notes = findings.warnings;
        source.replay = MakeFrontEndReplay(network, inputs.nvSwitches > 0, [&](auto& frontEnd) {
            return MakeSimAiSystem(inputs, frontEnd);
        });
    });
    return RunWith(options);
}

} // namespace

} // namespace wormhole

int
main(int argc, char** argv)
{
    return wormhole::RunProgram(argc, argv, wormhole::RunSimAi);
}
