/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-plan.h"

#include "plan/run-plan.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace wormhole
{

using ns3::InputError;

namespace
{

/** All files that there may be. */
const std::vector<std::string> ALL_FILES{"topology.txt",
                                         "flows.csv",
                                         "rates.csv",
                                         "queues.csv",
                                         "events.csv",
                                         "pauses.csv",
                                         "over-time.csv",
                                         "stretches.csv",
                                         "partitions.csv",
                                         "decisions.csv",
                                         "timeline.csv"};

std::vector<std::string>
FilesOf(RunMode mode, bool workload)
{
    const auto isWritten = [&](const std::string& name) {
        const bool fast =
            name == "stretches.csv" || name == "partitions.csv" || name == "decisions.csv";
        const bool packets = fast || name == "queues.csv" || name == "events.csv" ||
                             name == "pauses.csv" || name == "over-time.csv";
        return name == "timeline.csv" ? workload
               : fast                 ? mode == RunMode::FAST
               : packets              ? HasPackets(mode)
                                      : mode != RunMode::MESSAGE;
    };
    std::vector<std::string> files;
    std::copy_if(ALL_FILES.begin(), ALL_FILES.end(), std::back_inserter(files), isWritten);
    return files;
}

void
CheckPairs(const RunOptions& options, const RunPlan& plan)
{
    for (const RecordPair& pair : options.record.pairs)
    {
        const std::string shown =
            "--record-pairs " + std::to_string(pair.src) + "-" + std::to_string(pair.dst) + ": ";
        for (const uint32_t node : {pair.src, pair.dst})
        {
            if (node >= plan.topology.nodes.size() ||
                plan.topology.nodes[node] != ns3::RdmaNodeKind::HOST)
            {
                throw InputError(shown + plan.topology.origin + " has no host " +
                                 std::to_string(node));
            }
        }
        const auto isOf = [&pair](const ns3::RdmaFlowSpec& flow) {
            return flow.src == pair.src && flow.dst == pair.dst;
        };
        if (plan.IsFlowList() && std::none_of(plan.flows.begin(), plan.flows.end(), isOf))
        {
            throw InputError(shown + "no flow goes from host " + std::to_string(pair.src) +
                             " to host " + std::to_string(pair.dst));
        }
    }
}

} // namespace

void
PlanRecord(const RunOptions& options, RunPlan& plan)
{
    if (!options.record.on)
    {
        return;
    }
    CheckPairs(options, plan);
    const fs::path summary(plan.outputs.summary);
    const bool beside = plan.config && options.output.empty();
    RecordPlan& record = plan.record;
    record.shown = beside ? fs::path(plan.outputs.fct).filename().string() + ".record" : "record";
    record.folder = (summary.parent_path() / record.shown).string();
    record.files = FilesOf(options.mode, !plan.IsFlowList());
    record.pairs = options.record.pairs;
    record.kinds = plan.flowKinds;
    std::vector<NamedFile> all;
    all.reserve(ALL_FILES.size());
    for (const std::string& name : ALL_FILES)
    {
        all.push_back({"--record", record.PathOf(name)});
    }
    CheckOverwrite(plan.inputs, all); // also what is removed
    for (const std::string& name : record.files)
    {
        plan.outputFiles.push_back({"--record", record.PathOf(name)});
    }
}

void
PrepareRecordFolder(const RecordPlan& plan)
{
    if (!plan.IsOn())
    {
        return;
    }
    MakeFolder(plan.folder);
    for (const std::string& name : ALL_FILES)
    {
        std::error_code error;
        if (std::find(plan.files.begin(), plan.files.end(), name) == plan.files.end())
        {
            fs::remove(plan.PathOf(name), error);
        }
        if (error)
        {
            throw ns3::OutputError(plan.PathOf(name) +
                                   ": an earlier run's, but cannot be "
                                   "removed: " +
                                   error.message());
        }
    }
}

} // namespace wormhole
