/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "disturbance.h"
#include "plan-parts.h"
#include "plugin/plugins.h"
#include "workload/workload-replay.h"

#include "ns3/workload-flow-transport.h"

namespace wormhole
{

RunPlan
MakeRunPlan(const RunOptions& options)
{
    RunPlan plan;
    LoadPlugins(options.plugins);
    for (const std::string& file : options.plugins)
    {
        plan.inputs.push_back({"--load", file});
    }
    plan.seed = options.seed.value_or(1);
    PlanSources(options, plan);
    if (options.mode != RunMode::MESSAGE)
    {
        PlanNetwork(options, plan);
    }
    if (plan.IsFlowList())
    {
        PlanFlows(options, plan);
        DisturbFlows(options.disturbance, plan);
    }
    if (options.mode == RunMode::MESSAGE)
    {
        PlanMessageLevel(options, plan);
    }
    else if (options.mode == RunMode::FLOW)
    {
        PlanFlowLevel(options, plan);
    }
    else
    {
        PlanPacketLevel(options, plan);
    }
    PlanJobs(options, plan);
    PlanOutputs(options, plan);
    for (const NamedFile& input : plan.inputs)
    {
        plan.digests.push_back({input, DigestFile(input.path)});
    }
    return plan;
}

bool
UsesNvSwitches(const RunPlan& plan)
{
    return !plan.IsFlowList() && plan.sources.front().replay &&
           plan.sources.front().replay->UsesNvSwitches();
}

uint32_t
PayloadOf(const RunPlan& plan, const RunOptions& options)
{
    return options.payload ? *options.payload
           : plan.config   ? plan.config->packetPayloadSize
                           : ns3::WorkloadFlowOptions().payloadBytes;
}

ns3::WorkloadConnections
ConnectionsOf(const RunPlan& plan, const RunOptions& options)
{
    const bool fresh = plan.IsFlowList() || plan.sources.front().replay;
    return options.workload.connections.value_or(fresh ? ns3::WorkloadConnections::FRESH
                                                       : ns3::WorkloadConnections::PERSISTENT);
}

} // namespace wormhole
