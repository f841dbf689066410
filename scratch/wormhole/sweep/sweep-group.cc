/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-group.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

void
AppendTo(std::vector<double>& all, const std::vector<double>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

void
AddToSweepGroup(const Words& seeds, const SweepMeasured& run, SweepGroup& group)
{
    for (const auto& [metric, value] : run.metrics)
    {
        group.samples[metric][seeds] = value;
    }
    for (const auto& [kind, flows] : run.flows)
    {
        AppendTo(group.flows[kind].fctNs, flows.fctNs);
        AppendTo(group.flows[kind].slowdowns, flows.slowdowns);
    }
    for (const auto& [bin, value] : run.overTime)
    {
        group.overTime[bin][seeds] = value;
    }
    for (const auto& [port, ns] : run.pausedNs)
    {
        group.pausedNs[port][seeds] = ns;
    }
    if (run.recordsPauses)
    {
        group.recordsPauses.insert(seeds);
    }
}

void
SetSweepValues(const Words& columns, const Words& values, SweepTable& table)
{
    for (size_t i = 0; i < values.size(); ++i)
    {
        table.Set(SweepColumnName(columns[i]), SweepValue(values[i]));
    }
}

void
SetSweepMean(const StudentMean& mean, const std::string& name, SweepTable& table)
{
    table.Set(name, mean.mean);
    table.Set("ci95_low", mean.half ? Json(mean.mean - *mean.half) : Json());
    table.Set("ci95_high", mean.half ? Json(mean.mean + *mean.half) : Json());
}

void
SetSweepSample(const SweepSample& sample, SweepTable& table)
{
    std::vector<double> values;
    for (const auto& [seeds, value] : sample)
    {
        values.push_back(value);
    }
    table.Set("runs", values.size());
    SetSweepMean(MeanOfSample(values), "mean", table);
}

} // namespace wormhole
