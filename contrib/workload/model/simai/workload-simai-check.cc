/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-check.h"

#include "workload-simai-choice.h"

#include "ns3/input-error.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr int64_t MAX_LATENCY = 1'000'000'000;

/** More flows of one collective than this are not held in memory: some 3 GB. */
constexpr uint64_t MAX_FLOWS = 1U << 26;

} // namespace

void
CheckWorkloadSimAiOptions(const WorkloadSimAiOptions& options)
{
    for (const auto& [name, value] :
         {std::pair<const char*, int64_t>{"send latency", options.sendLatency},
          {"memory delay", options.memoryDelayNs},
          {"reduction delay", options.reduceDelayNs}})
    {
        const int64_t min = name == std::string("send latency") ? -1 : 0;
        if (value < min || value > MAX_LATENCY)
        {
            throw InputError(std::string(name) + " " + std::to_string(value) +
                             ", but must be 0 to " + std::to_string(MAX_LATENCY));
        }
    }
}

void
CheckWorkloadSimAiSizes(const WorkloadSimAiFile& file,
                        const WorkloadSimAiProgram& program,
                        const WorkloadSimAiGroups& groups,
                        const WorkloadSimAiServers& servers)
{
    for (const WorkloadSimAiOperation& operation : program.operations)
    {
        const uint64_t members = groups.GetSize(operation.group);
        const bool reduces = operation.kind == WorkloadSimAiKind::ALL_REDUCE;
        const bool rings = operation.kind != WorkloadSimAiKind::ALL_TO_ALL;
        const uint64_t channels =
            rings ? servers.ShapeOf(groups.GetRanks(operation.group, 0)).Channels() : 1;
        const uint64_t flows = members * (members - 1) * (reduces ? 2 : 1) * channels;
        if (flows > MAX_FLOWS)
        {
            throw InputError(file.origin,
                             file.layers[operation.layer].line,
                             "a collective of " + std::to_string(members) + " ranks on " +
                                 std::to_string(channels) + " channels has " +
                                 std::to_string(flows) + " flows, and " +
                                 std::to_string(MAX_FLOWS) +
                                 " is the most; take a topology with fewer hosts");
        }
    }
}

std::string
WarningOfWorkloadSimAiNvls(const WorkloadSimAiOptions& options,
                           const WorkloadSimAiProgram& program,
                           const WorkloadSimAiGroups& groups,
                           const WorkloadSimAiServers& servers)
{
    bool missed = options.nvls;
    for (const WorkloadSimAiOperation& operation : program.operations)
    {
        missed &= ChooseWorkloadSimAi(options,
                                      options.gpuType,
                                      operation.kind,
                                      operation.group,
                                      operation.bytes,
                                      servers.ShapeOf(groups.GetRanks(operation.group, 0)))
                      .algorithm != WorkloadSimAiAlgorithm::NVLS;
    }
    return !missed ? ""
                   : "NVLS is asked for, but no collective can use it: it takes an all-reduce of a "
                     "tensor group of 8 or more on one server with an NVSwitch, and GPUs that have "
                     "it (GPU type " +
                         (options.gpuType.empty() ? "not given" : options.gpuType) +
                         "); rings are used";
}

} // namespace ns3
