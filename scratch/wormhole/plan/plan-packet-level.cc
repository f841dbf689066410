/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "controls.h"
#include "plan-parts.h"
#include "run-limits.h"
#include "settings.h"

#include "ns3/boolean.h"
#include "ns3/input-error.h"
#include "ns3/rdma-hpcc-setup.h"
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
                           "TIMELY, 8 DCTCP, 10 HPCC-PINT")
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

/** Marking that suits the control, from queue lengths on that grow with the rate. */
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
        if (const auto marks = EcnOf(choice, rate))
        {
            plan.helper.SetEcnThresholds(rate, *marks);
        }
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
    SetUpEcn(choice, plan);
}

/** Flows that are to be carried on without packets, where none can be. */
void
RejectIdleForesee(const RunOptions& options, const RunPlan& plan)
{
    if (!IsSet(options.fast.attributes, "Foresee", false))
    {
        return;
    }
    const auto reject = [](const std::string& why) {
        throw InputError("--fast Foresee=true: no effect, since " + why + ", or leave it out");
    };
    bool paced = false;
    bool paceAlone = false;
    const auto look = [&](const std::string& control, bool window) {
        const bool isPaced = !control.empty() && IsPaced(control);
        paced = paced || isPaced;
        paceAlone = paceAlone || (isPaced && !window);
    };
    look(plan.control, plan.flowOptions.window);
    for (const auto& [priority, control] : plan.classControls)
    {
        look(control, plan.flowOptions.HasWindow(priority));
    }
    if (!paced)
    {
        reject("no flow is under a control that can be carried on without packets; choose --cc "
               "dcqcn");
    }
    if (!paceAlone)
    {
        reject("flows under such a control have windows, which need acknowledgements; give "
               "--window none (in a config.txt: HAS_WIN 0)");
    }
    const std::vector<ns3::RdmaLinkSpec>& links = plan.topology.links;
    if ((plan.config && plan.config->errorRatePerLink > 0) ||
        std::any_of(links.begin(), links.end(), [](const ns3::RdmaLinkSpec& link) {
            return link.errorRate > 0;
        }))
    {
        reject("links lose frames, each of which needs its packet; take links without an error "
               "rate");
    }
}

/** Attributes, timing, windows and the congestion control. */
void
PlanAttributes(const RunOptions& options, RunPlan& plan)
{
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
    PlanFabric(options, plan);
    RejectIdleForesee(options, plan);
    for (const std::string& setting : options.settings)
    {
        if (options.payload && setting.rfind("ns3::RdmaHost::PayloadSize=", 0) == 0)
        {
            throw InputError("--set " + setting + ": --payload " +
                             std::to_string(*options.payload) +
                             " says the same; leave one of them out");
        }
        const ns3::RdmaPacketCosts before = plan.helper.GetPacketCosts();
        ApplySetting(setting, plan.helper, options.native);
        // scripts that run all modes give it for all
        if (options.mode == RunMode::FLOW && plan.helper.GetPacketCosts() == before)
        {
            plan.warnings.push_back("--set " + setting +
                                    " changes nothing with --mode flow, which only knows what "
                                    "packets take of links");
        }
    }
    plan.helper.CheckEcn(plan.topology);
}

} // namespace

void
PlanPacketLevel(const RunOptions& options, RunPlan& plan)
{
    ReadTraceNodes(plan);
    PlanLinkEvents(options, plan);
    PlanAttributes(options, plan);
}

void
PlanFlowLevel(const RunOptions& options, RunPlan& plan)
{
    if (plan.config && plan.config->linkDown)
    {
        throw InputError(plan.config->file,
                         plan.config->LineOf("LINK_DOWN"),
                         "LINK_DOWN: links do not fail with --mode flow; it belongs to packet "
                         "and fast");
    }
    PlanAttributes(options, plan);
    plan.stopNs = 0; // flow level runs to its end
}

} // namespace wormhole
