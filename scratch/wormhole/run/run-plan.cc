/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-plan.h"

#include "controls.h"
#include "disturbance.h"
#include "run-limits.h"
#include "settings.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/input-units.h"
#include "ns3/rdma-flow-file.h"
#include "ns3/rdma-hpcc-setup.h"
#include "ns3/rdma-topology-generator.h"
#include "ns3/rdma-traffic-generator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>

namespace wormhole
{

using ns3::InputError;
using ns3::RdmaHpccConfig;

namespace
{

/** \return what holds for a run: the option, or what the config says, which must be there */
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

/** Text may follow what a file announces, as remarks do in HPCC's files. Numbers are rather meant.
 */
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

void
ReadFlows(const RunOptions& options, RunPlan& plan)
{
    std::string name = options.traffic;
    if (!options.traffic.empty())
    {
        const std::string distribution = FileOfTraffic(options.traffic);
        RejectPipe(distribution);
        plan.flows = ns3::GenerateRdmaTraffic(options.traffic, plan.topology, plan.seed);
        if (!distribution.empty())
        {
            plan.inputs.push_back({"--traffic", distribution});
        }
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

/** SimAI.conf as it comes asks for a trace of nodes in a file that does not come with it: SimAI
 * then traces none. */
bool
TracesNothing(const RdmaHpccConfig& config)
{
    return config.Flavour() == ns3::RdmaHpccFlavour::SIMAI &&
           !FileExists(ResolveInput(config.traceFile, config.file));
}

/** HPCC takes them for none. */
void
WarnOfMissingNodes(const std::string& file, RunPlan& plan)
{
    const auto exists = [&plan](uint32_t node) { return node < plan.topology.nodes.size(); };
    const auto first = std::find_if_not(plan.traceNodes.begin(), plan.traceNodes.end(), exists);
    if (first != plan.traceNodes.end())
    {
        plan.warnings.push_back(file + ": node " + std::to_string(*first) +
                                " is not traced, since " + plan.topology.origin + " has only " +
                                std::to_string(plan.topology.nodes.size()) +
                                " nodes; nor are others that it lacks, of the " +
                                std::to_string(plan.traceNodes.size()) + " listed");
    }
}

void
ReadTraceNodes(RunPlan& plan)
{
    if (plan.config && plan.config->enableTrace)
    {
        if (TracesNothing(*plan.config))
        {
            plan.config->enableTrace = false;
            plan.warnings.emplace_back(
                ns3::InputError(plan.config->file,
                                plan.config->LineOf("TRACE_FILE"),
                                "TRACE_FILE " + plan.config->traceFile +
                                    ": there is no such file, so no node's packets are traced")
                    .what());
            return;
        }
        const std::string path =
            InputOfConfig(*plan.config, "TRACE_FILE", plan.config->traceFile, "ENABLE_TRACE 0");
        plan.traceNodes = ns3::ReadRdmaTraceNodes(path);
        plan.inputs.push_back({"TRACE_FILE", path});
        WarnOfMissingNodes(path, plan);
    }
}

void
PlanLinkEvents(const RunOptions& options, RunPlan& plan)
{
    if (plan.config && plan.config->linkDown)
    {
        const ns3::Time begin = ns3::Seconds(2); // HPCC counts from there
        const ns3::RdmaHpccLinkDown& down = *plan.config->linkDown;
        ns3::RdmaLinkEvent event;
        event.time = begin + ns3::MicroSeconds(down.microseconds);
        event.a = down.a;
        event.b = down.b;
        event.file = plan.config->file;
        event.line = plan.config->LineOf("LINK_DOWN");
        event.text = "LINK_DOWN";
        plan.events.push_back(event);
    }
    plan.events.insert(plan.events.end(), options.linkEvents.begin(), options.linkEvents.end());
    ns3::RdmaLinkSchedule::Check(plan.events, plan.topology);
}

std::string
TimingOf(const RunPlan& plan)
{
    if (!plan.config)
    {
        return "exact";
    }
    switch (plan.config->Flavour())
    {
    case ns3::RdmaHpccFlavour::ASTRA:
        return "round";
    case ns3::RdmaHpccFlavour::SIMAI:
        return "truncate";
    case ns3::RdmaHpccFlavour::HPCC:
        break;
    }
    return "hpcc";
}

/** What a config.txt says, with another control if asked for. */
void
SetUpFromConfig(const RunOptions& options, RunPlan& plan)
{
    RdmaHpccConfig& config = *plan.config;
    std::string control;
    if (!options.control.empty())
    {
        const ControlChoice choice = FindControl(options.control);
        config.ccMode = choice.ccMode != UINT32_MAX ? choice.ccMode : config.ccMode;
        control = choice.typeId;
    }
    plan.control = control.empty() ? ns3::RdmaControlFromHpcc(config) : control;
    if (plan.control.empty() && config.ccMode > 0)
    {
        plan.warnings.emplace_back(
            InputError(config.file,
                       config.LineOf("CC_MODE"),
                       "CC_MODE " + std::to_string(config.ccMode) +
                           " stands for no congestion control, as in HPCC; 1 is DCQCN, 3 HPCC, 7 "
                           "TIMELY, 8 DCTCP")
                .what());
    }
    plan.flowOptions = ns3::RdmaFlowOptionsFromHpcc(config);
    ns3::SetUpRdmaFromHpcc(config,
                           plan.topology,
                           control,
                           plan.timing,
                           plan.networkSeed,
                           plan.helper);
    // beyond what can be counted: no limit
    plan.stopNs = config.simulatorStopTime * 1e9 > MAX_NS ? 0 : config.simulatorStopTime * 1e9;
}

/** DCTCP's marking: all from a queue length on that grows with the rate. */
void
SetUpEcn(const ControlChoice& choice, RunPlan& plan)
{
    std::set<uint64_t> rates;
    for (const ns3::RdmaLinkSpec& link : plan.topology.links)
    {
        rates.insert(link.rate.GetBitRate());
    }
    for (uint64_t rate : rates)
    {
        const auto bytes =
            static_cast<uint64_t>(static_cast<double>(rate) * choice.ecnNsAtOnce / 8e9);
        plan.helper.SetEcnThresholds(rate, {bytes, bytes, 1});
    }
}

/** Without a config.txt: the defaults of the attributes, and what suits the control. */
void
SetUpFromOptions(const RunOptions& options, RunPlan& plan)
{
    const ControlChoice choice = FindControl(options.control.empty() ? "hpcc" : options.control);
    plan.control = choice.typeId;
    plan.flowOptions.window = options.window.empty() ? choice.window : options.window != "none";
    plan.flowOptions.largest = options.window != "pair";
    plan.stopNs = options.stopSeconds.value_or(0) * 1e9;
    plan.helper.SetNetworkAttribute("Timing", ns3::StringValue(plan.timing));
    plan.helper.SetNetworkAttribute("Seed", ns3::UintegerValue(plan.networkSeed));
    plan.helper.SetHostAttribute("PayloadSize", ns3::UintegerValue(options.payload.value_or(1000)));
    plan.helper.SetHostAttribute("VarWindow", ns3::BooleanValue(choice.window));
    plan.helper.SetCongestionControl(choice.typeId);
    if (choice.ecnNsAtOnce > 0)
    {
        SetUpEcn(choice, plan);
    }
}

/** What scripts give for all modes may be given here, too. */
void
WarnOfIdleControl(const RunOptions& options, std::vector<std::string>& warnings)
{
    if (!options.control.empty())
    {
        FindControl(options.control); // a typing error is one in all modes
        warnings.push_back("--cc " + options.control +
                           " has no effect: there is no congestion "
                           "control with --mode " +
                           RunModeName(options.mode));
    }
}

} // namespace

void
PlanNetwork(const RunOptions& options, RunPlan& plan)
{
    ReadConfig(options, plan);
    ReadTopology(options, plan);
}

void
PlanPacketLevel(const RunOptions& options, RunPlan& plan)
{
    ReadTraceNodes(plan);
    PlanLinkEvents(options, plan);
    plan.networkSeed = options.networkSeed.value_or(plan.seed);
    plan.timing = options.timing.empty() ? TimingOf(plan) : options.timing;
    if (plan.config)
    {
        SetUpFromConfig(options, plan);
    }
    else
    {
        SetUpFromOptions(options, plan);
    }
    for (const std::string& setting : options.settings)
    {
        ApplySetting(setting, plan.control, plan.helper);
    }
    plan.helper.CheckEcn(plan.topology);
}

void
PlanFlowLevel(const RunOptions& options, RunPlan& plan)
{
    WarnOfIdleControl(options, plan.warnings);
    if (plan.config && plan.config->linkDown)
    {
        throw InputError(plan.config->file,
                         plan.config->LineOf("LINK_DOWN"),
                         "LINK_DOWN: links do not fail with --mode flow; it belongs to packet "
                         "and fast");
    }
}

void
DigestInputs(RunPlan& plan)
{
    for (const NamedFile& input : plan.inputs)
    {
        plan.digests.push_back({input, DigestFile(input.path)});
    }
}

std::string
DescribeFlow(const RunPlan& plan, size_t flow)
{
    const ns3::RdmaFlowSpec& spec = plan.flows[flow];
    return plan.flowOrigin + ":" + (spec.line ? std::to_string(spec.line) + ":" : "") +
           " the flow of " + std::to_string(spec.bytes) + " bytes from node " +
           std::to_string(spec.src) + " to node " + std::to_string(spec.dst);
}

RunPlan
MakeRunPlan(const RunOptions& options)
{
    RunPlan plan;
    plan.seed = options.seed.value_or(1);
    PlanNetwork(options, plan);
    ReadFlows(options, plan);
    DisturbFlows(options.disturbance, plan);
    if (HasPackets(options.mode))
    {
        PlanPacketLevel(options, plan);
    }
    else
    {
        PlanFlowLevel(options, plan);
    }
    std::vector<NamedFile> none;
    PlanOutputs(options, plan, none);
    DigestInputs(plan);
    return plan;
}

} // namespace wormhole
