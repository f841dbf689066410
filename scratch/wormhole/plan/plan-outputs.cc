/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-parts.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"

#include <filesystem>

namespace wormhole
{

using ns3::InputError;
using ns3::RdmaHpccConfig;

namespace
{

std::string
OutputPath(const RunOptions& options, const std::string& path)
{
    const bool moved = !options.output.empty() || options.config.empty();
    const std::string folder = options.output.empty() ? "wormhole-out" : options.output;
    return moved && !path.empty() ? InFolder(folder, path) : path;
}

/** \return where a file that an option names goes: a name into the output folder, a path as it is
 */
std::string
NamedPath(const RunOptions& options, const std::string& path)
{
    return std::filesystem::path(path).has_parent_path() ? path : OutputPath(options, path);
}

/** Renames the outputs that a config.txt names to where they go. */
void
PlanConfigOutputs(const RunOptions& options, RunPlan& plan)
{
    RdmaHpccConfig& config = *plan.config;
    const std::vector<std::pair<std::string, std::string*>> files{
        {"FCT_OUTPUT_FILE", &config.fctOutputFile},
        {"PFC_OUTPUT_FILE", &config.pfcOutputFile},
        {"QLEN_MON_FILE", &config.qlenMonFile},
        {"BW_MON_FILE", &config.bwMonFile},
        {"RATE_MON_FILE", &config.rateMonFile},
        {"CNP_MON_FILE", &config.cnpMonFile},
        {"TRACE_OUTPUT_FILE", &config.traceOutputFile},
    };
    for (const auto& [key, path] : files)
    {
        *path = OutputPath(options, *path);
        // only completion times mean something without packets
        const bool used = HasPackets(options.mode)
                              ? key != "TRACE_OUTPUT_FILE" || config.enableTrace
                              : key == "FCT_OUTPUT_FILE";
        if (!path->empty() && used)
        {
            plan.outputFiles.push_back({key, *path});
        }
    }
    plan.outputs.fct = config.fctOutputFile;
    plan.outputs.pfc = config.pfcOutputFile;
}

/** Names the files of a capture, as RdmaPcap does. */
void
PlanCapture(const RunOptions& options, RunPlan& plan)
{
    plan.outputs.capture = NamedPath(options, options.capture.prefix);
    if (plan.outputs.capture.empty())
    {
        return;
    }
    const size_t nodes = plan.topology.nodes.size();
    std::vector<uint32_t> interfaces(nodes);
    for (const ns3::RdmaLinkSpec& link : plan.topology.links)
    {
        ++interfaces[link.a];
        ++interfaces[link.b];
    }
    std::vector<bool> wanted(nodes, options.capture.nodes.empty());
    for (uint32_t node : options.capture.nodes)
    {
        if (node >= nodes)
        {
            throw InputError("--pcap: " + plan.topology.origin + " has no node " +
                             std::to_string(node));
        }
        wanted[node] = true;
    }
    for (uint32_t node = 0; node < nodes; ++node)
    {
        if (!wanted[node])
        {
            continue;
        }
        plan.captureNodes.push_back(node);
        for (uint32_t i = 1; i <= interfaces[node]; ++i)
        {
            plan.outputFiles.push_back({"--pcap",
                                        plan.outputs.capture + "-" + std::to_string(node) + "-" +
                                            std::to_string(i) + ".pcap"});
        }
    }
}

/** Names what --links and --rtts write. */
void
PlanMeasurements(const RunOptions& options, RunPlan& plan)
{
    const bool beside = plan.config && options.output.empty();
    const auto name = [&](const std::string& option, const std::string& file, std::string& path) {
        path = beside ? plan.outputs.fct + "." + file : OutputPath(options, file);
        plan.outputFiles.push_back({option, path});
    };
    if (options.links)
    {
        name("--links", "links.csv", plan.outputs.links);
    }
    if (options.rtts)
    {
        name("--rtts", "rtts.csv", plan.outputs.rtts);
    }
}

/** Names what a workload writes. */
void
PlanWorkloadOutputs(const RunOptions& options, RunPlan& plan)
{
    const bool beside = plan.config && options.output.empty();
    plan.outputs.ranks =
        beside ? plan.outputs.fct + ".ranks.csv" : OutputPath(options, "ranks.csv");
    plan.outputFiles.push_back({"ranks", plan.outputs.ranks});
    plan.outputs.chromeTrace = NamedPath(options, options.workload.chromeTrace);
    if (!plan.outputs.chromeTrace.empty())
    {
        plan.outputFiles.push_back({"--chrome-trace", plan.outputs.chromeTrace});
    }
    for (NamedFile& file : plan.replayOutputs)
    {
        file.path = OutputPath(options, file.path);
        plan.outputFiles.push_back(file);
    }
}

/** \return the store of episodes, and what SQLite keeps beside it; nothing without --memo */
std::vector<NamedFile>
FilesOfMemo(const RunOptions& options)
{
    std::vector<NamedFile> files;
    if (!options.fast.memo.empty())
    {
        for (const char* suffix : {"", "-wal", "-shm", "-journal"})
        {
            files.push_back({"--memo", options.fast.memo + suffix});
        }
    }
    return files;
}

/** \return inputs that the config.txt names, but another option replaces */
std::vector<NamedFile>
UnusedInputs(const RunPlan& plan)
{
    std::vector<NamedFile> files;
    if (plan.config)
    {
        const RdmaHpccConfig& config = *plan.config;
        for (const std::string& path : {config.topologyFile, config.flowFile, config.traceFile})
        {
            const std::string found = ResolveInput(path, config.file);
            if (FileExists(found))
            {
                files.push_back({"of " + config.file, found});
            }
        }
    }
    return files;
}

} // namespace

void
PlanOutputs(const RunOptions& options, RunPlan& plan)
{
    plan.outputs.limit = options.outputLimit;
    if (plan.config)
    {
        PlanConfigOutputs(options, plan);
    }
    else if (options.mode != RunMode::MESSAGE)
    {
        plan.outputs.fct = OutputPath(options, "fct.txt");
        plan.outputFiles = {{"completion times", plan.outputs.fct}};
        if (HasPackets(options.mode))
        {
            plan.outputs.pfc = OutputPath(options, "pfc.txt");
            plan.outputFiles.push_back({"PFC frames", plan.outputs.pfc});
        }
    }
    PlanMeasurements(options, plan);
    if (!plan.IsFlowList())
    {
        PlanWorkloadOutputs(options, plan);
    }
    const bool beside = plan.config && options.output.empty();
    plan.outputs.summary =
        beside ? SummaryBeside(plan.outputs.fct) : OutputPath(options, "summary.json");
    plan.outputFiles.push_back({"summary", plan.outputs.summary});
    PlanCapture(options, plan);
    PlanRecord(options, plan);
    std::vector<NamedFile> inputs = plan.inputs;
    const std::vector<NamedFile> unused = UnusedInputs(plan);
    inputs.insert(inputs.end(), unused.begin(), unused.end());
    const std::vector<NamedFile> memo = FilesOfMemo(options);
    CheckOverwrite(inputs, memo);
    inputs.insert(inputs.end(), memo.begin(), memo.end());
    CheckOverwrite(inputs, plan.outputFiles);
}

} // namespace wormhole
