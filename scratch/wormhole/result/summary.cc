/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "summary.h"

#include "record/flow-level-files.h"
#include "run/simulator-setup.h"
#include "statistics.h"
#include "summary-parts.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

Json
FlowsPart(const RunResult& result)
{
    Json list = Json::array();
    uint64_t failed = 0;
    for (const UnfinishedFlow& flow : result.unfinished)
    {
        failed += flow.failed;
        list.push_back({{"src", flow.src},
                        {"dst", flow.dst},
                        {"bytes", flow.bytes},
                        {"start_s", flow.startSeconds},
                        {"state", flow.failed ? "failed" : "unfinished"},
                        {"reason", flow.reason}});
    }
    return {{"count", result.flows},
            {"completed", result.fctNs.size()},
            {"failed", failed},
            {"unfinished", result.unfinished.size() - failed},
            {"not_completed", list}};
}

Json
StatisticsPart(const Statistics& s)
{
    return {{"mean", s.mean}, {"p50", s.p50}, {"p99", s.p99}, {"max", s.max}};
}

/** \return how the flow level was set up */
Json
FlowLevelPart(const RunOptions& options, const RunPlan& plan)
{
    return {{"mode", RunModeName(options.mode)},
            {"config", TextOrNull(options.config)},
            {"topology", plan.topology.origin},
            {"traffic", TextOrNull(options.traffic)},
            {"seed", plan.seed},
            {"payload", FlowLevelOptions(plan, options).payloadBytes}};
}

} // namespace

Json
MakeSummary(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    Json summary;
    summary["program"] = ProgramPart(SimulatorName(options));
    summary["command"] = options.words;
    summary["configuration"] = HasPackets(options.mode) ? ConfigurationPart(options, plan, result)
                                                        : FlowLevelPart(options, plan);
    summary["inputs"] = InputsPart(plan.digests);
    summary["network"] = TopologyPart(plan.topology);
    summary["warnings"] = AllWarnings(result);
    AddDisturbed(options, plan.disturbed, summary);
    summary["interrupted"] = result.interrupted;
    summary["simulated_s"] = result.simulatedSeconds;
    summary["last_end_ns"] = result.lastEndNs;
    summary["flows"] = FlowsPart(result);
    summary["fct_ns"] = StatisticsPart(Describe(result.fctNs));
    summary["slowdown"] = StatisticsPart(Describe(result.slowdowns));
    if (HasPackets(options.mode))
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
    summary["outputs"] = OutputsPart(plan.outputFiles);
    return summary;
}

std::string
SummaryText(const Json& summary)
{
    return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace wormhole
