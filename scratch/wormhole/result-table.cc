/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "statistics.h"
#include "summary.h"
#include "units-text.h"

namespace wormhole
{

namespace
{

std::string
Row(const std::string& name, const std::string& text)
{
    constexpr size_t WIDTH = 14;
    return name + std::string(name.size() < WIDTH ? WIDTH - name.size() : 1, ' ') + text + "\n";
}

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

std::string
NetworkText(const ns3::RdmaCounters& c)
{
    const uint64_t drops = c.bufferDrops + c.linkErrors + c.linkDownDrops + c.routeDrops;
    return CountText(drops) + " drops, " + CountText(c.pauses) + " pauses, " + CountText(c.marks) +
           " ECN marks, " + CountText(c.timeouts) + " time-outs";
}

std::string
SpeedText(const RunResult& result)
{
    const auto hops = static_cast<double>(result.counters.packetHops);
    const double run = result.runSeconds;
    std::string text =
        TimeText(run * 1e9) + " for " + CountText(result.counters.packetHops) + " packet-hops";
    text += hops > 0 ? ", " + FixedText(run * 1e9 / hops, 0) + " ns each" : "";
    return text + "; set-up " + TimeText(result.setupSeconds * 1e9) + "; " +
           CountText(result.peakMemoryKib / 1024) + " MiB";
}

} // namespace

std::string
ResultTable(const RunPlan& plan, const RunResult& result)
{
    std::string table = Row("flows", FlowsText(result));
    if (!result.fctNs.empty())
    {
        table += Row("FCT", FctText(Describe(result.fctNs)));
        table += Row("slowdown", SlowdownText(Describe(result.slowdowns)));
    }
    table += Row("network", NetworkText(result.counters));
    table += Row("cost", SpeedText(result));
    constexpr size_t MOST = 10; // captures may be many
    for (size_t i = 0; i < plan.outputFiles.size() && i < MOST; ++i)
    {
        table += Row(i ? "" : "written", plan.outputFiles[i].path);
    }
    if (plan.outputFiles.size() > MOST)
    {
        table += Row("", "and " + CountText(plan.outputFiles.size() - MOST) + " more");
    }
    return table;
}

} // namespace wormhole
