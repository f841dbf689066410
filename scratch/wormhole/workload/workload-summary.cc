/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-summary.h"

#include "result/summary-parts.h"
#include "result/table-parts.h"
#include "run/simulator-setup.h"
#include "terminal/units-text.h"

#include "ns3/workload-results-report.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

template <typename T>
Json
NumberOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

std::string
PlacementName(const WorkloadOptions& options)
{
    using Policy = ns3::WorkloadPlacementPolicy;
    const Policy policy = options.placement.policy;
    return !options.lists.empty()          ? "list"
           : policy == Policy::ROUND_ROBIN ? "round-robin"
           : policy == Policy::RANDOM      ? "random"
                                           : "packed";
}

Json
WorkloadPart(const RunOptions& options, const WorkloadPlan& plan)
{
    const WorkloadOptions& workload = options.workload;
    Json part{{"mode", RunModeName(options.mode)}};
    part["jobs"] = Json::array();
    for (size_t job = 0; job < plan.sources.size(); ++job)
    {
        const WorkloadSource& source = plan.sources[job];
        part["jobs"].push_back(
            {{"job", source.name}, {"kind", source.kind}, {"workload", workload.specs[job]}});
    }
    if (!plan.sources.front().replay)
    {
        part["placement"] = {{"policy", PlacementName(workload)},
                             {"ranks_per_node", workload.placement.ranksPerNode},
                             {"seed", workload.placement.seed}};
    }
    if (options.mode == RunMode::MESSAGE)
    {
        const ns3::WorkloadLogGops& p = workload.logGops;
        part["loggops"] = {{"L", p.L},
                           {"o", p.o},
                           {"g", p.g},
                           {"G", p.G},
                           {"O", p.O},
                           {"S", p.S},
                           {"exact", p.exact}};
    }
    else
    {
        part["eager_limit"] = NumberOrNull(workload.eagerLimit);
        part["handshake_bytes"] = NumberOrNull(workload.handshakeBytes);
        part["overhead_ns"] = NumberOrNull(workload.overheadNs);
        part["connections"] = ConnectionsOf(plan, options) == ns3::WorkloadConnections::PERSISTENT
                                  ? "persistent"
                                  : "fresh";
    }
    return part;
}

Json
TracePart(const ns3::WorkloadChromeTrace* trace)
{
    return trace ? Json{{"spans", trace->GetWritten()}, {"left_out", trace->GetLeftOut()}} : Json();
}

Json
Configuration(const RunOptions& options, const WorkloadPlan& plan, const RunResult& result)
{
    Json part = WorkloadPart(options, plan);
    if (HasPackets(options.mode))
    {
        part.update(ConfigurationPart(options, plan.run, result));
    }
    else
    {
        part["topology"] = TextOrNull(plan.run.topology.origin);
        part["payload"] = NumberOrNull(options.payload);
    }
    return part;
}

/** \return what the Chrome trace lacks, if anything */
std::string
TraceRows(const ns3::WorkloadChromeTrace* trace)
{
    if (!trace)
    {
        return "";
    }
    const std::string total =
        " of " + CountText(trace->GetLeftOut() + trace->GetWritten()) + " spans are left out";
    const uint64_t crowded = trace->GetCrowded();
    const uint64_t cut = trace->GetLeftOut() - crowded;
    std::string rows;
    if (cut > 0)
    {
        rows += TableRow("trace", CountText(cut) + total + "; --chrome-trace-spans allows more");
    }
    if (crowded > 0)
    {
        rows += TableRow("trace",
                         CountText(crowded) + total + ": their ranks have more than " +
                             std::to_string(ns3::WorkloadChromeTrace::MOST_LANES) +
                             " messages under way at once");
    }
    return rows;
}

} // namespace

Json
MakeWorkloadSummary(const RunOptions& options, const WorkloadPlan& plan, const WorkloadRun& run)
{
    const WorkloadOutcome& outcome = run.GetOutcome();
    const RunResult& result = outcome.network;
    const bool packet = HasPackets(options.mode);
    Json summary;
    summary["program"] = ProgramPart(SimulatorName(options));
    summary["command"] = options.words;
    summary["configuration"] = Configuration(options, plan, result);
    summary["inputs"] = InputsPart(plan.run.digests);
    summary["network"] =
        options.mode == RunMode::MESSAGE ? Json() : TopologyPart(plan.run.topology);
    summary["warnings"] = AllWarnings(result);
    AddDisturbed(options,
                 plan.run.disturbed.empty() ? run.GetProgram().GetDisturbed() : plan.run.disturbed,
                 summary);
    summary["interrupted"] = result.interrupted;
    summary["simulated_s"] = result.simulatedSeconds;
    summary["operations"] = {{"count", outcome.total},
                             {"completed", outcome.completed},
                             {"stalled", outcome.stall}};
    summary["results"] = ns3::WorkloadResultsJson(run.GetResults(), run.GetProgram().GetLabels());
    const Json own = run.GetProgram().GetSummary();
    if (!own.is_null())
    {
        summary["results"][plan.sources.front().kind] = own;
    }
    summary["chrome_trace"] = TracePart(run.GetTrace());
    if (packet)
    {
        summary["counters"] = CountersPart(result.counters);
        summary["fast"] = result.fast;
        summary["left_out"] = CutPart(result.cut);
    }
    if (!result.record.is_null())
    {
        summary["record"] = result.record;
    }
    summary["cost"] = CostPart(result);
    summary["outputs"] = OutputsPart(plan.run.outputFiles);
    return summary;
}

std::string
WorkloadTable(const RunOptions& options, const WorkloadPlan& plan, const WorkloadRun& run)
{
    const WorkloadOutcome& outcome = run.GetOutcome();
    const RunResult& result = outcome.network;
    std::string table =
        ns3::WorkloadResultsTable(run.GetResults(), run.GetProgram().GetLabels()) + "\n";
    if (HasPackets(options.mode))
    {
        table += FastRows(result.fast);
        table += TableRow("network", NetworkText(result.counters));
        table += TableRow("cost", SpeedText(result));
    }
    else
    {
        table += TableRow("cost", EventCostText(result));
    }
    table += TraceRows(run.GetTrace());
    table += result.cut.empty() ? "" : TableRow("left out", CutText(result.cut));
    return table + WrittenRows(plan.run.outputFiles);
}

} // namespace wormhole
