/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "summary.h"

#include "fabric/simulator-setup.h"
#include "summary-parts.h"
#include "table-parts.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

Json
MakeSummary(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    Json summary;
    summary["program"] = ProgramPart(SimulatorName(options));
    summary["command"] = options.words;
    summary["configuration"] = ConfigurationPart(options, plan, result);
    summary["inputs"] = InputsPart(plan.digests);
    summary["network"] = options.mode == RunMode::MESSAGE ? Json() : TopologyPart(plan.topology);
    summary["warnings"] = AllWarnings(result);
    AddDisturbed(options,
                 {plan.disturbed.empty() ? result.disturbed : plan.disturbed, plan.disturbedLink},
                 summary);
    summary["interrupted"] = result.interrupted;
    summary["simulated_s"] = result.simulatedSeconds;
    summary.update(result.outcome);
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

std::string
ResultTable(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    std::string table = result.table;
    if (HasPackets(options.mode))
    {
        table += FastRows(result.fast);
        table += TableRow("network", NetworkText(result.counters));
    }
    table += TableRow("cost", HasPackets(options.mode) ? SpeedText(result) : EventCostText(result));
    table += options.threads ? ThreadsRow(result.threads) : OneQueueRow(result);
    table += TwinRow(result);
    table += result.tableEnd;
    table += result.cut.empty() ? "" : TableRow("left out", CutText(result.cut));
    return table + WrittenRows(plan.outputFiles);
}

} // namespace wormhole
