/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-statistics.h"

#include "student.h"
#include "sweep-metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

const std::set<std::string> SEEDS{"seed", "network-seed", "disturb"};
const std::string CONTROL = "cc";

/** A number of several runs, by the values of their seeds. */
using Sample = std::map<Words, double>;

/** Runs that differ in nothing but seeds. */
struct SweepGroup
{
    Words values; ///< of the parameters that are no seeds
    std::map<SweepMetric, Sample> samples;
    std::map<std::string, SweepFlows> flows; ///< of all its runs, by kind
};

/** Reads the runs, group by group. */
class Grouping
{
  public:
    Grouping(const Words& parameters,
             const std::vector<SweepResult>& results,
             const std::vector<uint64_t>& edges)
        : m_edges(edges)
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

  private:
    void Add(const Words& parameters, const SweepResult& result);
    void SetValues(const Words& values, SweepTable& table) const;
    void SetMetric(const SweepMetric& metric, SweepTable& table) const;
    void AddPair(const SweepGroup& from,
                 const SweepGroup& to,
                 size_t control,
                 SweepTable& table) const;

    const std::vector<uint64_t>& m_edges;
    Words m_columns; //!< parameters that are no seeds
    std::vector<SweepGroup> m_groups;
};

void
AppendTo(std::vector<double>& all, const std::vector<double>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

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
        m_groups.push_back({values, {}, {}});
        group = m_groups.end() - 1;
    }
    const SweepMeasured run = MeasureSweepRun(result, m_edges);
    for (const auto& [metric, value] : run.metrics)
    {
        group->samples[metric][seeds] = value;
    }
    for (const auto& [kind, flows] : run.flows)
    {
        AppendTo(group->flows[kind].fctNs, flows.fctNs);
        AppendTo(group->flows[kind].slowdowns, flows.slowdowns);
    }
}

void
Grouping::SetValues(const Words& values, SweepTable& table) const
{
    for (size_t i = 0; i < values.size(); ++i)
    {
        table.Set(SweepColumnName(m_columns[i]), SweepValue(values[i]));
    }
}

void
Grouping::SetMetric(const SweepMetric& metric, SweepTable& table) const
{
    const size_t bucket = metric.bucket;
    table.Set("flow_kind", metric.kind.empty() ? "all" : metric.kind);
    table.Set("bytes_over", bucket > 1 ? Json(m_edges[bucket - 2]) : Json());
    table.Set("bytes_up_to",
              bucket > 0 && bucket <= m_edges.size() ? Json(m_edges[bucket - 1]) : Json());
    table.Set("metric", metric.name);
}

/** Sets mean and interval. */
void
SetMean(const StudentMean& mean, const std::string& name, SweepTable& table)
{
    table.Set(name, mean.mean);
    table.Set("ci95_low", mean.half ? Json(mean.mean - *mean.half) : Json());
    table.Set("ci95_high", mean.half ? Json(mean.mean + *mean.half) : Json());
}

SweepTable
Grouping::Statistics() const
{
    SweepTable table;
    for (const SweepGroup& group : m_groups)
    {
        for (const auto& [metric, sample] : group.samples)
        {
            std::vector<double> values;
            for (const auto& [seeds, value] : sample)
            {
                values.push_back(value);
            }
            table.BeginRow();
            SetValues(group.values, table);
            SetMetric(metric, table);
            table.Set("runs", values.size());
            SetMean(MeanOfSample(values), "mean", table);
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
        SetValues(from.values, table);
        table.Set("cc_other", to.values[control]);
        SetMetric(metric, table);
        table.Set("pairs", differences.size());
        SetMean(mean, "difference", table);
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
                SetValues(group.values, table);
                table.Set("flow_kind", kind.empty() ? "all" : kind);
                table.Set("share", share);
                table.Set("fct_ns", ValueAt(fctNs, share));
                table.Set("slowdown", ValueAt(slowdowns, share));
            }
        }
    }
    return table;
}

} // namespace

std::vector<SweepStatisticsTable>
SweepStatistics(const Words& parameters,
                const std::vector<SweepResult>& results,
                const std::vector<uint64_t>& edges)
{
    const Grouping grouping(parameters, results, edges);
    return {{"statistics", grouping.Statistics()},
            {"pairs", grouping.Pairs()},
            {"distributions", grouping.Distributions()}};
}

} // namespace wormhole
