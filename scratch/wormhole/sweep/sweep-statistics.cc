/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-statistics.h"

#include "sweep-group.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wormhole
{

using Json = nlohmann::ordered_json;

const std::set<std::string> SWEEP_COLUMNS{
    "hash",    "commit_id", "flow_kind", "bytes_over", "bytes_up_to", "begin_ns",
    "end_ns",  "node",      "port",      "peer",       "metric",      "runs",
    "mean",    "ci95_low",  "ci95_high", "cc_other",   "pairs",       "difference",
    "p_value", "share",     "fct_ns",    "slowdown"};

namespace
{

const std::set<std::string> SEEDS{"seed", "network-seed", "disturb"};
const std::string CONTROL = "cc";

/** Reads the runs, group by group. */
class Grouping
{
  public:
    Grouping(const Words& parameters,
             const std::vector<SweepResult>& results,
             const SweepDivision& division)
        : m_division(division)
    {
        for (const std::string& parameter : parameters)
        {
            if (!SEEDS.count(parameter))
            {
                m_columns.push_back(parameter);
            }
        }
        for (const SweepResult& result : results)
        {
            Add(parameters, result);
        }
    }

    SweepTable Statistics() const;
    SweepTable Pairs() const;
    SweepTable Distributions() const;
    SweepTable OverTime() const;
    SweepTable Pauses() const;

  private:
    void Add(const Words& parameters, const SweepResult& result);
    void SetMetric(const SweepMetric& metric, SweepTable& table) const;
    void AddPair(const SweepGroup& from,
                 const SweepGroup& to,
                 size_t control,
                 SweepTable& table) const;

    const SweepDivision m_division;
    Words m_columns; //!< parameters that are no seeds
    std::vector<SweepGroup> m_groups;
};

void
Grouping::Add(const Words& parameters, const SweepResult& result)
{
    Words values;
    Words seeds;
    for (size_t i = 0; i < parameters.size(); ++i)
    {
        (SEEDS.count(parameters[i]) ? seeds : values).push_back(result.run->values[i]);
    }
    auto group = std::find_if(m_groups.begin(), m_groups.end(), [&](const SweepGroup& other) {
        return other.values == values;
    });
    if (group == m_groups.end())
    {
        m_groups.emplace_back();
        m_groups.back().values = values;
        group = m_groups.end() - 1;
    }
    AddToSweepGroup(seeds, MeasureSweepRun(result, m_division), *group);
}

void
Grouping::SetMetric(const SweepMetric& metric, SweepTable& table) const
{
    const SweepSizes sizes = m_division.SizesIn(metric.bucket);
    table.Set("flow_kind", metric.kind.empty() ? "all" : metric.kind);
    table.Set("bytes_over", sizes.over ? Json(*sizes.over) : Json());
    table.Set("bytes_up_to", sizes.upTo ? Json(*sizes.upTo) : Json());
    table.Set("metric", metric.name);
}

SweepTable
Grouping::Statistics() const
{
    SweepTable table;
    for (const SweepGroup& group : m_groups)
    {
        for (const auto& [metric, sample] : group.samples)
        {
            table.BeginRow();
            SetSweepValues(m_columns, group.values, table);
            SetMetric(metric, table);
            SetSweepSample(sample, table);
        }
    }
    return table;
}

void
Grouping::AddPair(const SweepGroup& from,
                  const SweepGroup& to,
                  size_t control,
                  SweepTable& table) const
{
    for (const auto& [metric, sample] : from.samples)
    {
        const auto other = to.samples.find(metric);
        std::vector<double> differences;
        for (const auto& [seeds, value] : sample)
        {
            if (other != to.samples.end() && other->second.count(seeds))
            {
                differences.push_back(other->second.at(seeds) - value);
            }
        }
        if (differences.empty())
        {
            continue;
        }
        const StudentMean mean = MeanOfSample(differences);
        table.BeginRow();
        SetSweepValues(m_columns, from.values, table);
        table.Set("cc_other", to.values[control]);
        SetMetric(metric, table);
        table.Set("pairs", differences.size());
        SetSweepMean(mean, "difference", table);
        table.Set("p_value", mean.p ? Json(*mean.p) : Json());
    }
}

SweepTable
Grouping::Pairs() const
{
    SweepTable table;
    const auto column = std::find(m_columns.begin(), m_columns.end(), CONTROL);
    if (column == m_columns.end())
    {
        return table;
    }
    const auto control = static_cast<size_t>(column - m_columns.begin());
    for (auto from = m_groups.begin(); from != m_groups.end(); ++from)
    {
        for (auto to = from + 1; to != m_groups.end(); ++to)
        {
            Words values = to->values;
            values[control] = from->values[control];
            if (values == from->values)
            {
                AddPair(*from, *to, control, table);
            }
        }
    }
    return table;
}

/** \return the least value that this share of the sorted list does not exceed; null of none */
Json
ValueAt(const std::vector<double>& sorted, double share)
{
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted.empty() ? Json() : Json(sorted[std::max<size_t>(rank, 1) - 1]);
}

SweepTable
Grouping::Distributions() const
{
    constexpr int STEPS = 200;
    SweepTable table;
    for (const SweepGroup& group : m_groups)
    {
        for (const auto& [kind, flows] : group.flows)
        {
            std::vector<double> fctNs = flows.fctNs;
            std::vector<double> slowdowns = flows.slowdowns;
            std::sort(fctNs.begin(), fctNs.end());
            std::sort(slowdowns.begin(), slowdowns.end());
            for (int step = 0; step <= STEPS; ++step)
            {
                const double share = static_cast<double>(step) / STEPS;
                table.BeginRow();
                SetSweepValues(m_columns, group.values, table);
                table.Set("flow_kind", kind.empty() ? "all" : kind);
                table.Set("share", share);
                table.Set("fct_ns", ValueAt(fctNs, share));
                table.Set("slowdown", ValueAt(slowdowns, share));
            }
        }
    }
    return table;
}

SweepTable
Grouping::OverTime() const
{
    SweepTable table;
    for (const SweepGroup& group : m_groups)
    {
        for (const auto& [bin, sample] : group.overTime)
        {
            const auto number = static_cast<double>(bin.first);
            table.BeginRow();
            SetSweepValues(m_columns, group.values, table);
            table.Set("begin_ns", number * m_division.binNs);
            table.Set("end_ns", (number + 1) * m_division.binNs);
            table.Set("metric", bin.second);
            SetSweepSample(sample, table);
        }
    }
    return table;
}

SweepTable
Grouping::Pauses() const
{
    SweepTable table;
    for (const SweepGroup& group : m_groups)
    {
        for (const auto& [port, paused] : group.pausedNs)
        {
            SweepSample sample = paused;
            for (const Words& seeds : group.recordsPauses)
            {
                sample.emplace(seeds, 0); // unless it was paused there
            }
            table.BeginRow();
            SetSweepValues(m_columns, group.values, table);
            table.Set("node", std::get<0>(port));
            table.Set("port", std::get<1>(port));
            table.Set("peer", std::get<2>(port));
            table.Set("metric", "paused_ns");
            SetSweepSample(sample, table);
        }
    }
    return table;
}

} // namespace

std::vector<SweepStatisticsTable>
SweepStatistics(const Words& parameters,
                const std::vector<SweepResult>& results,
                const std::vector<uint64_t>& edges,
                double binNs)
{
    std::vector<std::string> folders;
    folders.reserve(results.size());
    for (const SweepResult& result : results)
    {
        folders.push_back(result.folder);
    }
    const Grouping grouping(parameters, results, {edges, SweepBinNs(folders, binNs)});
    return {{"statistics", grouping.Statistics()},
            {"pairs", grouping.Pairs()},
            {"distributions", grouping.Distributions()},
            {"over_time", grouping.OverTime()},
            {"pauses", grouping.Pauses()}};
}

} // namespace wormhole
