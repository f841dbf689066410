/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-overlay.h"

#include "report-sweep.h"
#include "sweep/sweep-metrics.h"
#include "sweep/sweep-statistics.h"

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_CURVES = 200; // of all scenarios together
const std::string SLOWDOWN = "slowdown_";

OverlayValue
ValueOfRun(double value)
{
    return {value, value, value};
}

/** \return what a run recorded, as a curve; without anything if it recorded nothing of that */
OverlayCurve
CurveOfRun(const ReportRun& run, double binNs)
{
    OverlayCurve curve;
    curve.name = run.name;
    if (!run.IsRecorded())
    {
        return curve;
    }
    const double endNs = WithSummaryOf(run, [&run] { return SweepRunEndNs(run.outcome.summary); });
    const SweepDivision division{SWEEP_SIZES, binNs};
    const SweepMeasured measured = MeasureSweepRecord(run.folder, endNs, division);
    for (const auto& [metric, value] : measured.metrics)
    {
        if (metric.bucket > 0 && metric.name.rfind(SLOWDOWN, 0) == 0)
        {
            const SweepSizes sizes = division.SizesIn(metric.bucket);
            curve.bySize[metric.kind.empty() ? "all" : metric.kind]
                        [{static_cast<double>(sizes.over.value_or(0)), sizes.upTo}]
                        [metric.name.substr(SLOWDOWN.size())] = ValueOfRun(value);
        }
    }
    for (const auto& [bin, value] : measured.overTime)
    {
        const double begin = static_cast<double>(bin.first) * binNs;
        curve.overTime[bin.second].push_back({begin, begin + binNs, ValueOfRun(value)});
    }
    return curve;
}

Json
ValueJson(const OverlayValue& value)
{
    return {{"mean", value.mean}, {"low", value.low}, {"high", value.high}};
}

Json
BySizeJson(const OverlayCurve& curve)
{
    Json kinds = Json::array();
    for (const auto& [kind, sizes] : curve.bySize)
    {
        Json list = Json::array();
        for (const auto& [size, percentiles] : sizes)
        {
            Json entry{{"bytes_over", size.over},
                       {"bytes_up_to", size.upTo ? Json(*size.upTo) : Json()}};
            for (const auto& [name, value] : percentiles)
            {
                entry[name] = ValueJson(value);
            }
            list.push_back(entry);
        }
        kinds.push_back({{"kind", kind}, {"sizes", list}});
    }
    return kinds;
}

Json
OverTimeJson(const OverlayCurve& curve)
{
    Json series = Json::object();
    for (const auto& [metric, bins] : curve.overTime)
    {
        Json& columns = series[metric];
        for (const OverlayBin& bin : bins)
        {
            columns["begin_ns"].push_back(bin.beginNs);
            columns["end_ns"].push_back(bin.endNs);
            columns["mean"].push_back(bin.value.mean);
            columns["low"].push_back(bin.value.low);
            columns["high"].push_back(bin.value.high);
        }
    }
    return series;
}

Json
DistributionsJson(const OverlayCurve& curve)
{
    Json kinds = Json::array();
    for (const auto& [kind, points] : curve.distributions)
    {
        Json columns{{"kind", kind}, {"share", points.shares}, {"fct_ns", points.fctNs}};
        columns["slowdown"] = points.slowdowns.empty() ? Json() : Json(points.slowdowns);
        kinds.push_back(columns);
    }
    return kinds;
}

/** \return the scenario of this name, added if it is new */
Json&
ScenarioIn(Json& scenarios, const std::string& name)
{
    for (Json& scenario : scenarios)
    {
        if (scenario["name"] == name)
        {
            return scenario;
        }
    }
    scenarios.push_back({{"name", name}, {"curves", Json::array()}});
    return scenarios.back();
}

} // namespace

Json
OverlayOf(ReportRuns& runs)
{
    std::vector<std::string> folders;
    for (const ReportRun& run : runs.runs)
    {
        if (run.IsRecorded())
        {
            folders.push_back(run.folder);
        }
    }
    const double binNs = SweepBinNs(folders, 0);
    std::vector<OverlayCurve> curves;
    for (const ReportRun& run : runs.runs)
    {
        curves.push_back(CurveOfRun(run, binNs));
    }
    for (const std::string& sweep : runs.sweeps)
    {
        const std::vector<OverlayCurve> more = ReadSweepCurves(sweep);
        curves.insert(curves.end(), more.begin(), more.end());
    }
    if (curves.size() > MOST_CURVES)
    {
        runs.notes.push_back("There are " + std::to_string(curves.size()) + " curves; the first " +
                             std::to_string(MOST_CURVES) +
                             " are shown. Make a page of a part of the sweep.");
        curves.resize(MOST_CURVES);
    }
    Json scenarios = Json::array();
    for (const OverlayCurve& curve : curves)
    {
        if (!curve.IsEmpty())
        {
            ScenarioIn(scenarios, curve.scenario)["curves"].push_back(
                {{"name", curve.name},
                 {"runs", curve.runs},
                 {"slowdown_by_size", BySizeJson(curve)},
                 {"distributions", DistributionsJson(curve)},
                 {"over_time", OverTimeJson(curve)}});
        }
    }
    return scenarios.empty() ? Json() : Json{{"scenarios", scenarios}};
}

} // namespace wormhole
