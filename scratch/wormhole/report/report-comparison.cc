/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-comparison.h"

#include "compare/compare-report.h"

#include <algorithm>
#include <set>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return whether all wall times were measured by `wormhole compare`: those of whole processes */
bool
AreMeasured(const std::vector<ReportRun>& runs)
{
    return std::all_of(runs.begin(), runs.end(), [](const ReportRun& run) {
        return run.wallSeconds.has_value();
    });
}

/** \return wall time of a run, seconds: all of the process if measured, else set-up and simulation
 */
double
WallSeconds(const ReportRun& run, bool measured)
{
    const Json cost = run.outcome.summary.value("cost", Json::object());
    return measured ? *run.wallSeconds : cost.value("setup_s", 0.0) + cost.value("run_s", 0.0);
}

/** Collects values by their path: "attributes ns3::RdmaHost PayloadSize". */
void
Flatten(const Json& json, const std::string& path, Json& flat)
{
    if (!json.is_object())
    {
        flat[path] = json;
        return;
    }
    for (const auto& [key, value] : json.items())
    {
        std::string longer = path;
        longer += path.empty() ? "" : " ";
        longer += key;
        Flatten(value, longer, flat);
    }
}

/**
 * \return the settings that both runs have and that differ: then what lies between their results is no
 * error of one of them. A seed of the network makes no other scenario: it shows the noise
 */
Json
ScenarioDifferences(const ReportRun& first, const ReportRun& run)
{
    Json there = Json::object();
    Json here = Json::object();
    Flatten(ScenarioOf(first.outcome.summary), "", there);
    Flatten(ScenarioOf(run.outcome.summary), "", here);
    Json differences = Json::array();
    for (const auto& [name, value] : here.items())
    {
        const Json other = there.value(name, Json());
        if (name != "network_seed" && !value.is_null() && !other.is_null() && value != other)
        {
            differences.push_back(name);
        }
    }
    return differences;
}

Json
RowOf(const ReportRuns& all, const ReportRun& run)
{
    const ReportRun& first = all.runs.front();
    const bool isFirst = &run == &first;
    const bool measured = AreMeasured(all.runs);
    const double wall = WallSeconds(run, measured);
    const double firstWall = WallSeconds(first, measured);
    const Json events = EventsOf(run.outcome.summary);
    const double saved = events.value("skipped", 0.0) + events.value("replayed", 0.0);
    const double total = events.value("run", 0.0) + saved;
    const Json cost = run.outcome.summary.value("cost", Json::object());
    const CompareErrors errors = isFirst ? CompareErrors() : FindErrors(first.outcome, run.outcome);
    const Json differences = ScenarioDifferences(first, run);
    // such as seeds of drawn arrivals: of flows that are others, there is no error
    const bool otherFlows = !isFirst && errors.matched == 0 && !first.outcome.flows.empty() &&
                            !run.outcome.flows.empty();
    const bool comparable = !isFirst && !otherFlows && differences.empty();
    return {{"run", run.name},
            {"mode", run.Mode()},
            {"scenario_differences", differences},
            {"wall_s", wall},
            {"speedup", wall > 0 && firstWall > 0 ? Json(firstWall / wall) : Json()},
            {"errors", comparable ? ErrorsJson(errors) : Json()},
            {"flows", run.outcome.flows.size()},
            {"other_flows", otherFlows},
            {"unmatched_flows", isFirst || otherFlows ? Json() : Json(errors.unmatched)},
            {"makespan_ns", run.outcome.makespanNs ? Json(*run.outcome.makespanNs) : Json()},
            {"events", events},
            {"share_left_out", total > 0 ? Json(saved / total) : Json()},
            {"peak_memory_kib",
             run.peakMemoryKib ? Json(*run.peakMemoryKib) : cost.value("peak_memory_kib", Json())}};
}

/** \return what is not the same in all configurations that have it */
Json
DifferencesOf(const std::vector<ReportRun>& runs)
{
    Json flat = Json::array();
    Json names = Json::object();
    for (const ReportRun& run : runs)
    {
        Json own = Json::object();
        Flatten(run.outcome.summary["configuration"], "", own);
        Flatten(run.outcome.summary.value("program", Json::object()), "program", own);
        names.update(own);
        flat.push_back(own);
    }
    Json differences = Json::array();
    for (const auto& [name, value] : names.items())
    {
        Json values = Json::array();
        std::set<Json> different;
        for (const Json& own : flat)
        {
            values.push_back(own.value(name, Json()));
            if (!values.back().is_null())
            {
                different.insert(values.back());
            }
        }
        if (different.size() > 1)
        {
            differences.push_back({{"name", name}, {"values", values}});
        }
    }
    return differences;
}

} // namespace

Json
ComparisonOf(const ReportRuns& runs)
{
    if (runs.runs.size() < 2)
    {
        return {};
    }
    Json rows = Json::array();
    for (const ReportRun& run : runs.runs)
    {
        rows.push_back(WithSummaryOf(run, [&runs, &run] { return RowOf(runs, run); }));
    }
    Json comparison{
        {"reference", runs.runs.front().name},
        {"wall_is", AreMeasured(runs.runs) ? "the whole process" : "set-up and simulation"},
        {"rows", rows},
        {"seeds", runs.seeds},
        {"differences", DifferencesOf(runs.runs)}};
    if (!runs.disturbed.is_null())
    {
        comparison["disturbed"] = runs.disturbed;
    }
    return comparison;
}

} // namespace wormhole
