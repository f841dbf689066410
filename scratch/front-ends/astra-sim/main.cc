/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * ASTRA-sim above our network: the options of its ns-3 front end, and those of `wormhole run`.
 */

#include "astra-system.h"
#include "command/command-run.h"
#include "command/front-end.h"
#include "command/guarded.h"
#include "command/options.h"
#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-json-text.h"
#include "ns3/input-number.h"
#include "ns3/workload-astra-layout.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <fstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

using ns3::InputError;

const char* const USAGE =
    "usage: wormhole-astra-sim --workload-configuration=PREFIX --system-configuration=FILE\n"
    "         --remote-memory-configuration=FILE --logical-topology-configuration=FILE\n"
    "         (--network-configuration=FILE | --topology SPEC|FILE) [OPTIONS]\n\n"
    "Runs ASTRA-sim on Wormhole's network: packet by packet, or faster (--mode). Results "
    "are those of\nboth.\n\n";

const char* const EXAMPLES = R"(
Example, from the root of an ASTRA-sim tree:
  wormhole-astra-sim --workload-configuration=examples/workload/microbenchmarks/all_gather/16npus_1MB/all_gather \
    --system-configuration=examples/system/native_collectives/Ring_4chunks.json \
    --remote-memory-configuration=examples/remote_memory/analytical/no_memory_expansion.json \
    --logical-topology-configuration=examples/network/ns3/sample_16nodes_1D.json \
    --topology star:hosts=16,rate=400Gbps,delay=500ns --output results

NPU r is host r of the network. ASTRA-sim writes what it finds on standard output, and in log/.
Exit codes: 0 all NPUs finished, 1 a file could not be written, or ASTRA-sim itself rejects its
input, 2 wrong options or input, 3 NPUs are stuck, each named with what it waits for, 130 interrupted.
)";

po::options_description
AstraOptions()
{
    constexpr unsigned COLUMNS = 100;
    po::options_description group("ASTRA-sim's options", COLUMNS, COLUMNS / 2);
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    group.add_options()("workload-configuration",
                        text("PREFIX"),
                        "Chakra traces PREFIX.0.et, PREFIX.1.et... of the NPUs")(
        "system-configuration",
        text("FILE"),
        "system layer, JSON: collectives, chunks, scheduling")(
        "network-configuration",
        text("FILE"),
        "network, config.txt: same as --config; --topology and --cc may replace it or parts of it")(
        "logical-topology-configuration",
        text("FILE"),
        "logical dimensions, JSON: {\"logical-dims\": [\"8\", \"2\"]}; their product is the number "
        "of NPUs")("remote-memory-configuration", text("FILE"), "remote memory, JSON")(
        "comm-group-configuration",
        text("FILE"),
        "communicator groups, JSON; a name with \"empty\" in it for none (default)")(
        "logging-configuration",
        text("FILE"),
        "ASTRA-sim's logging, spdlog's TOML; \"empty\" for its default")(
        "num-queues-per-dim",
        text("N"),
        "queues of each dimension (default 1)")("comm-scale",
                                                text("X"),
                                                "factor of collectives' sizes (default 1)")(
        "injection-scale",
        text("X"),
        "factor of the injection rate (default 1)")(
        "rendezvous-protocol",
        text("BOOL")->implicit_value("true"),
        "a handshake before each message: true or false "
        "(default)");
    return group;
}

po::options_description
OwnOptions()
{
    constexpr unsigned COLUMNS = 100;
    po::options_description group("ASTRA-sim above Wormhole", COLUMNS, COLUMNS / 2);
    group.add_options()(
        "receive-at",
        po::value<std::string>()->value_name("RULE"),
        "when a receiver is told of a message: acknowledgement (when its sender has the last one "
        "back, as with ASTRA-sim's ns-3; default), or delivery (when the bytes are there)")(
        "version",
        "version of Wormhole");
    return group;
}

/** \return the file that an option names \throws InputError if there is none */
std::string
FileOption(const po::variables_map& values, const std::string& name, const std::string& what)
{
    std::string file = TextOption(values, name);
    if (file.empty())
    {
        throw InputError("--" + name + " FILE is missing: " + what);
    }
    RejectPipe(file);
    if (!FileExists(file))
    {
        throw InputError("--" + name + " " + ns3::ShownText(file) +
                         ": there is no such file; give " + what);
    }
    return file;
}

/** \throws InputError if a file is no JSON, with the line: ASTRA-sim would only say that */
void
CheckJson(const std::string& file)
{
    constexpr uint64_t MOST = 1 << 26;
    std::ifstream in(file);
    ns3::ReadJsonText(in, file, MOST);
}

double
ScaleOption(const po::variables_map& values, const std::string& name)
{
    const std::string text = values.count(name) ? TextOption(values, name) : "1";
    double scale = 0;
    if (!ns3::ParseNumber(text, scale) || scale <= 0)
    {
        throw InputError("--" + name + " " + ns3::ShownText(text) + ": must be a number above 0");
    }
    return scale;
}

bool
BoolOption(const po::variables_map& values, const std::string& name)
{
    const std::string text = values.count(name) ? TextOption(values, name) : "false";
    for (const bool value : {false, true})
    {
        for (const char* word : {value ? "true" : "false", value ? "1" : "0", value ? "t" : "f"})
        {
            if (text == word)
            {
                return value;
            }
        }
    }
    throw InputError("--" + name + " " + ns3::ShownText(text) + ": must be true or false");
}

/** \return the trace of an NPU */
std::string
TraceOf(const AstraInputs& inputs, size_t npu)
{
    return inputs.workload + "." + std::to_string(npu) + ".et";
}

/** \throws InputError for what ASTRA-sim would end the process for, with less to say of it */
AstraInputs
ReadInputs(const po::variables_map& values, std::vector<NamedFile>& files)
{
    AstraInputs inputs;
    const auto file = [&](const std::string& name, const std::string& what) {
        files.push_back({"--" + name, FileOption(values, name, what)});
        return files.back().path;
    };
    inputs.workload = TextOption(values, "workload-configuration");
    if (inputs.workload.empty())
    {
        throw InputError("--workload-configuration PREFIX is missing: what stands before .0.et in "
                         "the names of the traces");
    }
    inputs.system = file("system-configuration", "a system layer, JSON");
    CheckJson(inputs.system);
    inputs.memory = file("remote-memory-configuration", "a remote memory, JSON");
    CheckJson(inputs.memory);
    const std::vector<uint32_t> dims =
        ns3::ReadWorkloadAstraDims(file("logical-topology-configuration", "logical dims, JSON"));
    size_t npus = 1;
    for (const uint32_t dim : dims)
    {
        npus *= dim;
        inputs.dims.push_back(static_cast<int>(dim));
    }
    for (size_t npu = 0; npu < npus; ++npu)
    {
        const std::string trace = TraceOf(inputs, npu);
        if (!FileExists(trace))
        {
            throw InputError(trace,
                             0,
                             "there is no such file, but --logical-topology-configuration has " +
                                 std::to_string(npus) +
                                 " NPUs; correct it, or "
                                 "--workload-configuration");
        }
        files.push_back({"--workload-configuration", trace});
    }
    if (values.count("comm-group-configuration"))
    {
        inputs.groups = TextOption(values, "comm-group-configuration");
        if (inputs.groups.find("empty") == std::string::npos)
        {
            ns3::ReadWorkloadAstraGroups(file("comm-group-configuration", "groups, JSON"), npus);
        }
    }
    if (values.count("logging-configuration"))
    {
        inputs.logging = TextOption(values, "logging-configuration");
        if (inputs.logging != "empty")
        {
            file("logging-configuration", "logging, TOML");
        }
    }
    constexpr uint64_t MOST_QUEUES = 1000000;
    if (values.count("num-queues-per-dim"))
    {
        inputs.queuesPerDim =
            static_cast<int>(IntegerOption(values, "num-queues-per-dim", 1, MOST_QUEUES));
    }
    inputs.commScale = ScaleOption(values, "comm-scale");
    inputs.injectionScale = ScaleOption(values, "injection-scale");
    inputs.rendezvous = BoolOption(values, "rendezvous-protocol");
    return inputs;
}

int
RunAstraSim(const Words& words)
{
    FrontEndProgram program{"ASTRA-sim", "astra-sim", USAGE, {}, EXAMPLES};
    program.options.add(AstraOptions()).add(OwnOptions());
    if (PrintAbout(program, words))
    {
        return 0;
    }
    Words rest;
    const po::variables_map values =
        TakeOptions(words, program.options, "(wormhole-astra-sim --help lists the options)", rest);
    std::vector<NamedFile> files;
    const AstraInputs inputs = ReadInputs(values, files);
    if (values.count("network-configuration"))
    {
        rest.push_back("--config=" + FileOption(values, "network-configuration", "a config.txt"));
    }
    const RunOptions options =
        ParseFrontEndRun(program,
                         words,
                         rest,
                         std::filesystem::path(inputs.workload).filename().string());
    ns3::WorkloadFrontEndOptions network;
    network.ranks =
        static_cast<uint32_t>(std::count_if(files.begin(), files.end(), [](const NamedFile& file) {
            return file.role == "--workload-configuration";
        }));
    network.receipt = Choice(values, "receive-at", {"acknowledgement", "delivery"}) == "delivery"
                          ? ns3::WorkloadReceipt::DELIVERED
                          : ns3::WorkloadReceipt::ACKNOWLEDGED;
    network.describeTag = DescribeAstraTag;
    network.beginLast = true;
    AddWorkloadSourceKind(program.kind, [&](WorkloadSource& source) {
        source.inputs = files;
        source.replay = MakeFrontEndReplay(network, false, [&](ns3::WorkloadFrontEnd& frontEnd) {
            return MakeAstraSystem(inputs, frontEnd);
        });
    });
    return RunWith(options);
}

} // namespace

} // namespace wormhole

int
main(int argc, char** argv)
{
    return wormhole::RunProgram(argc, argv, wormhole::RunAstraSim);
}
