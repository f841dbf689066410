/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-flows.h"

#include "csv-reader.h"
#include "result/statistics.h"

#include <algorithm>
#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_QUANTILES = 400; // of a distribution
constexpr size_t MOST_KINDS = 24;      // all others are one

/** Flows of one kind. */
struct FlowKind
{
    std::string name;
    uint64_t bytes{0};
    std::vector<double> fctNs;
    std::vector<double> slowdowns; ///< of those whose time alone is known

    void Add(uint64_t size, double fct)
    {
        bytes += size;
        fctNs.push_back(fct);
    }
};

/**
 * \param values in any order
 * \param name of the values
 * \return points of the distribution: shares of the flows that do not exceed a value. The least and
 * the greatest value are among them
 */
Json
Distribution(std::vector<double> values, const std::string& name)
{
    std::sort(values.begin(), values.end());
    Json points = Json::array();
    Json shares = Json::array();
    const auto count = static_cast<double>(values.size());
    const size_t steps = std::min(values.size(), MOST_QUANTILES);
    size_t after = 0; // how many values the points so far stand for
    for (size_t step = 0; step < steps; ++step)
    {
        const size_t rank = steps == 1 ? 0 : step * (values.size() - 1) / (steps - 1);
        if (rank < after)
        {
            continue;
        }
        // the share of equal values is that of the last of them
        after = std::upper_bound(values.begin(), values.end(), values[rank]) - values.begin();
        points.push_back(values[rank]);
        shares.push_back(static_cast<double>(after) / count);
    }
    return {{name, points}, {"share", shares}};
}

Json
StatisticsJson(const std::vector<double>& values)
{
    const Statistics statistics = Describe(values);
    return {{"mean", statistics.mean},
            {"p50", statistics.p50},
            {"p99", statistics.p99},
            {"max", statistics.max}};
}

Json
KindJson(const FlowKind& kind)
{
    Json json{{"kind", kind.name},
              {"flows", kind.fctNs.size()},
              {"bytes", kind.bytes},
              {"fct_ns", StatisticsJson(kind.fctNs)},
              {"fct_distribution", Distribution(kind.fctNs, "fct_ns")},
              {"slowdown", nullptr},
              {"slowdown_distribution", nullptr}};
    if (!kind.slowdowns.empty())
    {
        json["slowdown"] = StatisticsJson(kind.slowdowns);
        json["slowdown_distribution"] = Distribution(kind.slowdowns, "slowdown");
    }
    return json;
}

/** \return the kind of this name, added if it is new and there are not too many */
FlowKind&
KindOf(std::vector<FlowKind>& kinds, const std::string& name)
{
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&name](const FlowKind& kind) {
        return kind.name == name;
    });
    if (found != kinds.end())
    {
        return *found;
    }
    if (kinds.size() + 1 >= MOST_KINDS && name != "others")
    {
        return KindOf(kinds, "others");
    }
    kinds.emplace_back().name = name;
    return kinds.back();
}

std::vector<FlowKind>
ReadKinds(const std::string& path)
{
    enum Column : size_t
    {
        KIND = 0,
        BYTES = 3,
        FCT = 5,
        ALONE = 6
    };

    CsvReader csv(path, {"kind", "src", "dst", "bytes", "start_ns", "fct_ns", "standalone_ns"});
    std::vector<FlowKind> kinds;
    while (csv.Next())
    {
        FlowKind& kind = KindOf(kinds, csv.Text(KIND));
        const double fct = csv.Number(FCT);
        kind.Add(csv.Integer(BYTES), fct);
        if (csv.Has(ALONE) && csv.Number(ALONE) > 0)
        {
            kind.slowdowns.push_back(fct / csv.Number(ALONE));
        }
    }
    return kinds;
}

} // namespace

Json
FlowsOfRun(const ReportRun& run)
{
    FlowKind all{"all", 0, {}, {}};
    for (const CompareFlow& flow : run.outcome.flows)
    {
        all.Add(flow.bytes, static_cast<double>(flow.fctNs));
    }
    std::vector<FlowKind> kinds;
    const std::string recorded = run.Recorded("flows.csv");
    if (!recorded.empty())
    {
        kinds = ReadKinds(recorded);
    }
    for (const FlowKind& kind : kinds)
    {
        all.slowdowns.insert(all.slowdowns.end(), kind.slowdowns.begin(), kind.slowdowns.end());
    }
    if (all.fctNs.empty() && kinds.empty())
    {
        return {};
    }
    Json json{
        {"by_kind", !recorded.empty()},
        {"sampled_every",
         run.IsRecorded() ? run.outcome.summary["record"].value("flows_sampled_every", 1U) : 1U},
        {"kinds", Json::array()}};
    if (!all.fctNs.empty())
    {
        json["kinds"].push_back(KindJson(all));
        if (all.slowdowns.empty() && run.outcome.summary.contains("slowdown"))
        {
            json["kinds"].back()["slowdown"] = run.outcome.summary["slowdown"];
        }
    }
    for (const FlowKind& kind : kinds)
    {
        json["kinds"].push_back(KindJson(kind));
    }
    return json;
}

} // namespace wormhole
