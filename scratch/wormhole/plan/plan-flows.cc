/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "plan-parts.h"
#include "run-limits.h"

#include "ns3/input-error.h"
#include "ns3/input-units.h"
#include "ns3/rdma-flow-file.h"
#include "ns3/rdma-traffic-generator.h"

namespace wormhole
{

using ns3::InputError;

namespace
{

void
CheckStarts(const RunPlan& plan, const std::string& name)
{
    if (!plan.flows.empty() && ns3::RdmaTimeIn(plan.flows.back().start, ns3::Time::NS) > MAX_NS)
    {
        throw InputError(name,
                         plan.flows.back().line,
                         "a flow starts later than the " +
                             std::to_string(static_cast<uint64_t>(MAX_NS / 1e9)) +
                             " s of simulated time that can be counted; let it start earlier");
    }
}

} // namespace

void
PlanFlows(const RunOptions& options, RunPlan& plan)
{
    std::string name;
    if (!options.traffic.empty())
    {
        for (const std::string& spec : options.traffic)
        {
            name += (name.empty() ? "" : " + ") + spec;
            const std::string file = FileOfTraffic(spec);
            RejectPipe(file);
            if (!file.empty())
            {
                plan.inputs.push_back({"--traffic", file});
            }
        }
        ns3::RdmaTrafficMix mix = ns3::MixRdmaTraffic(options.traffic, plan.topology, plan.seed);
        plan.flows = std::move(mix.flows);
        plan.flowKinds = std::move(mix.names);
    }
    else
    {
        const bool option = !options.flows.empty();
        name = option ? options.flows
                      : InputOfConfig(*plan.config,
                                      "FLOW_FILE",
                                      plan.config->flowFile,
                                      "--flows or --traffic");
        RejectPipe(name);
        uint64_t surplus = 0;
        plan.flows = ns3::ReadRdmaFlows(name, nullptr, &surplus);
        WarnOfSurplus(name, surplus, plan.flows.size(), "flows", plan);
        plan.inputs.push_back({option ? "--flows" : "FLOW_FILE", name});
    }
    plan.flowOrigin = name;
    ns3::RdmaFlowSource::Check(plan.flows, plan.topology, name);
    CheckStarts(plan, name);
}

std::string
DescribeFlow(const RunPlan& plan, size_t flow)
{
    const ns3::RdmaFlowSpec& spec = plan.flows[flow];
    return plan.flowOrigin + ":" + (spec.line ? std::to_string(spec.line) + ":" : "") +
           " the flow of " + std::to_string(spec.bytes) + " bytes from node " +
           std::to_string(spec.src) + " to node " + std::to_string(spec.dst);
}

} // namespace wormhole
