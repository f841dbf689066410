/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "statistics.h"
#include "summary.h"
#include "table-parts.h"
#include "terminal/units-text.h"

namespace wormhole
{

namespace
{

std::string
FlowsText(const RunResult& result)
{
    std::string text =
        CountText(result.fctNs.size()) + " of " + CountText(result.flows) + " completed";
    text += result.lastEndNs > 0
                ? ", the last ended at " + TimeText(static_cast<double>(result.lastEndNs))
                : "";
    return text + (result.interrupted ? "; interrupted" : "");
}

std::string
FctText(const Statistics& s)
{
    return "mean " + TimeText(s.mean) + ", p50 " + TimeText(s.p50) + ", p99 " + TimeText(s.p99) +
           ", max " + TimeText(s.max);
}

std::string
SlowdownText(const Statistics& s)
{
    return "mean " + FixedText(s.mean, 2) + ", p50 " + FixedText(s.p50, 2) + ", p99 " +
           FixedText(s.p99, 2) + ", max " + FixedText(s.max, 2);
}

} // namespace

std::string
ResultTable(const RunOptions& options, const RunPlan& plan, const RunResult& result)
{
    std::string table = TableRow("flows", FlowsText(result));
    if (!result.fctNs.empty())
    {
        table += TableRow("FCT", FctText(Describe(result.fctNs)));
    }
    if (!result.slowdowns.empty())
    {
        table += TableRow("slowdown", SlowdownText(Describe(result.slowdowns)));
    }
    if (HasPackets(options.mode))
    {
        table += FastRows(result.fast);
        table += TableRow("network", NetworkText(result.counters));
    }
    table += TableRow("cost", HasPackets(options.mode) ? SpeedText(result) : EventCostText(result));
    table += result.cut.empty() ? "" : TableRow("left out", CutText(result.cut));
    return table + WrittenRows(plan.outputFiles);
}

} // namespace wormhole
