/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controls.h"
#include "disturbance.h"
#include "plan-parts.h"

#include "ns3/input-error.h"
#include "ns3/rdma-topology-generator.h"

namespace wormhole
{

using ns3::InputError;
using ns3::RdmaHpccConfig;

namespace
{

void
ReadConfig(const RunOptions& options, RunPlan& plan)
{
    if (options.config.empty())
    {
        return;
    }
    RejectPipe(options.config);
    plan.config = ns3::ReadRdmaHpccConfig(options.config);
    plan.inputs.push_back({"--config", options.config});
    if (options.payload)
    {
        plan.config->packetPayloadSize = *options.payload;
    }
    if (options.stopSeconds)
    {
        plan.config->simulatorStopTime = *options.stopSeconds;
    }
    if (!options.window.empty())
    {
        plan.config->hasWin = options.window != "none";
        plan.config->globalT = options.window != "pair";
    }
}

void
ReadTopology(const RunOptions& options, RunPlan& plan)
{
    if (!options.topology.empty())
    {
        RejectPipe(options.topology);
        plan.topology = ns3::LoadRdmaTopology(options.topology);
        if (FileExists(options.topology))
        {
            plan.inputs.push_back({"--topology", options.topology});
        }
    }
    else
    {
        const std::string path =
            InputOfConfig(*plan.config, "TOPOLOGY_FILE", plan.config->topologyFile, "--topology");
        plan.topology = ns3::ReadRdmaTopology(path);
        plan.inputs.push_back({"TOPOLOGY_FILE", path});
    }
    const ns3::RdmaTopology& topology = plan.topology;
    WarnOfSurplus(topology.origin, topology.surplusLine, topology.links.size(), "links", plan);
}

} // namespace

std::string
InputOfConfig(const RdmaHpccConfig& config,
              const std::string& key,
              const std::string& value,
              const std::string& option)
{
    if (value.empty())
    {
        throw InputError(config.file,
                         0,
                         key + " is missing; add it, or give " + option + " on the command line");
    }
    std::string path = ResolveInput(value, config.file);
    RejectPipe(path);
    if (!FileExists(path))
    {
        throw InputError(config.file,
                         config.LineOf(key),
                         key + " " + value +
                             ": there is no such file in the working directory, nor next to " +
                             config.file + "; run it in the folder that the path starts from");
    }
    return path;
}

// text may follow, as remarks do in HPCC's files; numbers are rather meant
void
WarnOfSurplus(const std::string& file,
              uint64_t line,
              size_t read,
              const std::string& what,
              RunPlan& plan)
{
    if (line > 0)
    {
        plan.warnings.emplace_back(
            InputError(file,
                       line,
                       "this is not read, since the first line announces " + std::to_string(read) +
                           " " + what +
                           ", which end before; correct the number, or remove the rest")
                .what());
    }
}

void
PlanNetwork(const RunOptions& options, RunPlan& plan)
{
    ReadConfig(options, plan);
    ReadTopology(options, plan);
    DisturbLinks(options.disturbance, options.disturbAllLinks, plan);
}

// what scripts give for all modes may be given here, too
void
PlanMessageLevel(const RunOptions& options, RunPlan& plan)
{
    if (!options.control.empty())
    {
        FindControl(options.control); // a typing error is one in all modes
        plan.warnings.push_back("--cc " + options.control +
                                " has no effect: there is no congestion control with --mode "
                                "message");
    }
}

} // namespace wormhole
