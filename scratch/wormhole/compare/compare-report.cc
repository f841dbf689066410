/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-report.h"

#include "result/summary-parts.h"
#include "result/table-parts.h"
#include "terminal/units-text.h"

#include <algorithm>
#include <cstdio>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \return how much less time than the packet level; none if either is unknown */
std::optional<double>
SpeedupOf(const CompareState& state, const CompareSide& side)
{
    const double packet = Median(state.sides.front().wallSeconds);
    const double own = Median(side.wallSeconds);
    return packet > 0 && own > 0 ? std::optional<double>(packet / own) : std::nullopt;
}

Json
SideJson(const CompareState& state, const CompareSide& side)
{
    const std::optional<double> speedup = SpeedupOf(state, side);
    Json part{{"wall_s", Median(side.wallSeconds)},
              {"cpu_s", side.cpuSeconds.empty() ? Json() : Json(Median(side.cpuSeconds))},
              {"speedup", speedup ? Json(*speedup) : Json()},
              {"walls_s", side.wallSeconds},
              {"cpus_s", side.cpuSeconds},
              {"peak_memory_kib", side.peakMemoryKib},
              {"exit", side.exit}};
    if (side.outcome)
    {
        const CompareOutcome& outcome = *side.outcome;
        const Json cost = outcome.summary.value("cost", Json::object());
        const Json fast = outcome.summary.value("fast", Json());
        part["flows"] = outcome.flows.size();
        part["makespan_ns"] = outcome.makespanNs ? Json(*outcome.makespanNs) : Json();
        part["run_s"] = cost.value("run_s", 0.0);
        part["events"] = EventsOf(outcome.summary);
        part["fast"] = fast;
    }
    part["errors"] = side.errors ? ErrorsJson(*side.errors) : Json();
    return part;
}

std::string
Column(const std::string& text, size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

std::string
PercentOrDash(const std::optional<double>& share)
{
    return share ? PercentText(*share) : "-";
}

/** \return a row of the table of errors */
std::string
ErrorRow(const std::string& name, const CompareErrors& errors, bool rtts)
{
    constexpr size_t WIDTH = 11;
    std::string row = name + Column(PercentText(errors.fct.mean), 28 - name.size());
    for (const double share : {errors.fct.p50, errors.fct.p99, errors.fct.max})
    {
        row += Column(PercentText(share), WIDTH);
    }
    row += Column(PercentOrDash(errors.makespan), WIDTH) +
           Column(PercentText(errors.links.mean), WIDTH) +
           Column(PercentText(errors.links.max), WIDTH);
    if (rtts)
    {
        row += Column(PercentOrDash(errors.rttNrmse), WIDTH);
    }
    row += "\n";
    if (errors.unmatched > 0)
    {
        row += "  " + CountText(errors.unmatched) + " flows were completed by one of them only\n";
    }
    return row;
}

std::string
CostRow(const CompareState& state, const CompareSide& side)
{
    constexpr size_t WIDTH = 12;
    const std::optional<double> speedup = SpeedupOf(state, side);
    return side.name + Column(TimeText(Median(side.wallSeconds) * 1e9), 28 - side.name.size()) +
           Column(side.cpuSeconds.empty() ? "-" : TimeText(Median(side.cpuSeconds) * 1e9), WIDTH) +
           Column(speedup ? FixedText(*speedup, *speedup < 10 ? 2 : 0) + "x" : "-", WIDTH) +
           Column(CountText(side.peakMemoryKib / 1024) + " MiB", WIDTH) + "\n";
}

} // namespace

double
Median(std::vector<double> values)
{
    if (values.empty())
    {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Json
EventsOf(const Json& summary)
{
    const Json fast = summary.value("fast", Json());
    if (fast.is_object() && fast.contains("events"))
    {
        return fast["events"];
    }
    const Json counters = summary.value("counters", Json());
    const uint64_t run =
        counters.is_object()
            ? counters.value("packet_hops", uint64_t{0}) + counters.value("ack_hops", uint64_t{0})
            : summary.value("cost", Json::object()).value("events", uint64_t{0});
    return {{"run", run}, {"skipped", 0}, {"replayed", 0}};
}

Json
CompareJson(const CompareOptions& options, const CompareState& state)
{
    Json report;
    report["program"] = ProgramPart("");
    report["command"] = options.words;
    report["complete"] = state.complete;
    report["interrupted"] = state.interrupted;
    report["failures"] = state.failures;
    report["notes"] = state.notes;
    report["runs"] = options.runs;
    report["modes"] = Json::object();
    for (const CompareSide& side : state.sides)
    {
        if (side.outcome || !side.wallSeconds.empty())
        {
            report["modes"][side.name] = SideJson(state, side);
        }
    }
    report["seeds"] = Json::array();
    for (const CompareSeed& seed : state.seeds)
    {
        report["seeds"].push_back({{"seed", seed.seed}, {"errors", ErrorsJson(seed.errors)}});
    }
    if (options.disturbances > 0)
    {
        report["disturbed"] = DisturbedJson(state.disturbed);
    }
    return report;
}

std::string
CompareTable(const CompareOptions& options, const CompareState& state)
{
    std::string table = options.runs > 1
                            ? "Times are medians of " + std::to_string(options.runs) + " runs.\n\n"
                            : "";
    table += "time                        wall   processor     speedup      memory\n";
    for (const CompareSide& side : state.sides)
    {
        table += side.wallSeconds.empty() ? "" : CostRow(state, side);
    }
    table += "\nerror                   FCT mean        p50        p99        max   makespan"
             "  link mean   link max";
    table += options.rtts ? "  RTT NRMSE\n" : "\n";
    for (const CompareSide& side : state.sides)
    {
        table += side.errors ? ErrorRow(side.name, *side.errors, options.rtts) : "";
    }
    for (const CompareSeed& seed : state.seeds)
    {
        table += ErrorRow("packet, seed " + std::to_string(seed.seed), seed.errors, options.rtts);
    }
    const std::string disturbed = DisturbedTable(state.disturbed);
    table += disturbed;
    const auto isAgain = [](const CompareSide& side) { return side.name == "fast_again"; };
    if (!disturbed.empty() && std::any_of(state.sides.begin(), state.sides.end(), isAgain))
    {
        table += "fast_again, which knows the episodes of the first run, is not judged\n";
    }
    for (const CompareSide& side : state.sides)
    {
        const Json fast = side.outcome ? side.outcome->summary.value("fast", Json()) : Json();
        table += fast.is_object() ? "\n" + side.name + "\n" + FastRows(fast) : "";
    }
    table += "\n";
    for (const std::string& note : state.notes)
    {
        table += TableRow("note", note);
    }
    return table + TableRow("written", options.json);
}

} // namespace wormhole
