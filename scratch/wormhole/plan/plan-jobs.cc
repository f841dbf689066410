/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "disturbance.h"
#include "plan-parts.h"
#include "workload/workload-replay.h"

#include "ns3/input-error.h"
#include "ns3/workload-placement.h"

#include <algorithm>
#include <set>

namespace wormhole
{

using ns3::InputError;

namespace
{

/** A replay has the network for itself, and places its ranks itself; some schedules need a
 * topology. */
void
CheckModes(const RunOptions& options, const RunPlan& plan)
{
    const WorkloadOptions& workload = options.workload;
    for (const WorkloadSource& source : plan.sources)
    {
        if (options.mode == RunMode::MESSAGE && source.schedule.HasSlowdowns())
        {
            throw InputError("--workload of kind " + source.kind +
                             ": compute.overlap has no effect with --mode message; use packet, "
                             "fast or flow");
        }
        if (!source.replay)
        {
            continue;
        }
        const std::string what = "--workload of kind " + source.kind + ": ";
        if (plan.sources.size() > 1)
        {
            throw InputError(what + "it runs alone; give no other --workload");
        }
        if (options.mode == RunMode::MESSAGE)
        {
            throw InputError(
                what + "it needs a topology; use --mode packet, fast or flow with --topology");
        }
        if (!source.nodes.empty() || !workload.lists.empty() || workload.policyGiven ||
            workload.placement.ranksPerNode > 1)
        {
            throw InputError(what + "its rank r is host r; there is nothing to place");
        }
        if (workload.eagerLimit || workload.handshakeBytes || workload.overheadNs)
        {
            throw InputError(what + "--eager-limit, --handshake and --overhead have no effect");
        }
    }
}

/** \return hosts that ranks may be placed on */
uint32_t
CountNodes(const RunOptions& options,
           const RunPlan& plan,
           const std::vector<ns3::WorkloadPlacementRequest>& requests)
{
    uint32_t nics = 1;
    uint64_t ranks = 0;
    uint32_t listed = 0;
    for (const WorkloadSource& source : plan.sources)
    {
        nics = std::max<uint32_t>(nics, source.schedule.HighestNic() + 1U);
    }
    for (const ns3::WorkloadPlacementRequest& request : requests)
    {
        ranks += request.nodes.empty() ? request.ranks : 0;
        for (uint32_t node : request.nodes)
        {
            listed = std::max(listed, node + 1);
        }
    }
    if (options.mode != RunMode::MESSAGE)
    {
        return plan.topology.Count(ns3::RdmaNodeKind::HOST) / nics;
    }
    const uint32_t perNode = options.workload.placement.ranksPerNode;
    return listed + static_cast<uint32_t>((ranks + perNode - 1) / perNode);
}

void
PlaceJobs(const RunOptions& options, RunPlan& plan)
{
    const WorkloadOptions& workload = options.workload;
    if (!workload.lists.empty() && workload.lists.size() != plan.sources.size())
    {
        throw InputError("--placement: " + std::to_string(workload.lists.size()) + " lists for " +
                         std::to_string(plan.sources.size()) +
                         " jobs; give one per --workload, with commas between");
    }
    std::vector<ns3::WorkloadPlacementRequest> requests;
    bool left = false;
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        const WorkloadSource& source = plan.sources[job];
        if (!source.nodes.empty() && !workload.lists.empty())
        {
            throw InputError("job " + source.name +
                             ": place= and --placement both list its nodes; give one");
        }
        requests.push_back({source.name,
                            static_cast<uint32_t>(source.schedule.ranks.size()),
                            workload.lists.empty() ? source.nodes : workload.lists[job]});
        left |= requests.back().nodes.empty();
    }
    if (!left && (workload.policyGiven || workload.placement.ranksPerNode > 1))
    {
        throw InputError("--placement and --ranks-per-node: no effect, since every job lists "
                         "its nodes");
    }
    plan.nodes =
        ns3::PlaceWorkloadJobs(requests, CountNodes(options, plan, requests), workload.placement);
}

} // namespace

void
PlanSources(const RunOptions& options, RunPlan& plan)
{
    std::set<std::string> names;
    for (const std::string& text : options.workload.specs)
    {
        plan.sources.push_back(ReadWorkloadSource(text, plan.sources.size()));
        const WorkloadSource& source = plan.sources.back();
        plan.inputs.insert(plan.inputs.end(), source.inputs.begin(), source.inputs.end());
        if (!names.insert(source.name).second)
        {
            throw InputError("--workload: two jobs are called " + source.name +
                             "; give one another name by name=");
        }
    }
    if (!options.workload.logGopsFile.empty())
    {
        plan.inputs.push_back({"--loggops", options.workload.logGopsFile});
    }
    CheckModes(options, plan);
    if (!plan.IsFlowList())
    {
        plan.disturbed = DisturbJobs(options.disturbance, plan.sources);
    }
}

void
PlanJobs(const RunOptions& options, RunPlan& plan)
{
    for (const WorkloadSource& source : plan.sources)
    {
        plan.warnings.insert(plan.warnings.end(), source.notes.begin(), source.notes.end());
    }
    if (plan.IsFlowList())
    {
        return;
    }
    if (plan.sources.front().replay)
    {
        plan.replayOutputs = plan.sources.front().replay->GetOutputs();
    }
    else
    {
        PlaceJobs(options, plan);
    }
}

} // namespace wormhole
