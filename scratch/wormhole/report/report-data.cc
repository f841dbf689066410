/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-data.h"

#include "report-comparison.h"
#include "report-flows.h"
#include "report-overlay.h"
#include "report/network/report-links.h"
#include "report/time/report-time.h"
#include "report/time/report-timeline.h"
#include "result/summary-parts.h"

#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_LISTED = 100; // entries of a list in a summary

/** Shortens the lists of a summary that have no bound. */
Json
Shortened(Json summary)
{
    for (const char* path : {"/flows/not_completed", "/operations/stalled", "/warnings", "/inputs"})
    {
        const Json::json_pointer pointer(path);
        if (!summary.contains(pointer) || summary[pointer].size() <= MOST_LISTED)
        {
            continue;
        }
        Json& list = summary[pointer];
        list.erase(list.begin() + MOST_LISTED, list.end());
    }
    return summary;
}

/** \return why a chart over time is empty */
std::string
WhyMissing(const ReportRun& run, const std::string& chart)
{
    const std::string mode = run.Mode();
    if (mode == "message")
    {
        return "The message level has no network: there is nothing to show.";
    }
    if (mode == "flow" && chart != "rates")
    {
        return "The flow level has no packets: there is nothing to show.";
    }
    if (mode == "packet" && chart == "partitions")
    {
        return "The packet level has no partitions: only runs with --mode fast have.";
    }
    return run.IsRecorded() ? "There is none in the folder record of this run."
                            : "Not recorded: run with --record.";
}

std::string
WhyNoTimeline(const ReportRun& run)
{
    return !run.outcome.summary.contains("operations")
               ? "Only workloads have ranks: see wormhole run --workload."
           : run.IsRecorded() ? "There is none in the folder record of this run."
                              : "Not recorded: run with --record.";
}

Json
RunJson(const ReportRun& run)
{
    std::string noLinks;
    const std::optional<LoadedNetwork> network = ReadLoadedNetwork(run, noLinks);
    Json json{{"name", run.name},
              {"folder", run.folder},
              {"mode", run.Mode()},
              {"recorded", run.IsRecorded()},
              {"summary", Shortened(run.outcome.summary)},
              {"flows", FlowsOfRun(run)},
              {"rates", RatesOfRun(run)},
              {"queues", QueuesOfRun(run)},
              {"partitions", PartitionsOfRun(run)},
              {"events", EventCurvesOfRun(run)},
              {"links", network ? LinksJson(*network) : Json()},
              {"timeline", TimelineOfRun(run)}};
    Json missing = Json::object();
    for (const char* chart : {"rates", "queues", "partitions", "events"})
    {
        if (json[chart].is_null())
        {
            missing[chart] = WhyMissing(run, chart);
        }
    }
    if (json["flows"].is_null())
    {
        missing["flows"] = "No flow was completed, or this mode does not write completion times.";
    }
    if (json["links"].is_null())
    {
        missing["links"] = noLinks;
    }
    if (json["timeline"].is_null())
    {
        missing["timeline"] = WhyNoTimeline(run);
    }
    json["missing"] = missing;
    return json;
}

/** \return "gpt-7b-64 on rail-optimized:gpus=64" */
std::string
TitleOf(const Json& configuration)
{
    std::string what;
    for (const Json& job : configuration.value("jobs", Json::array()))
    {
        what += (what.empty() ? "" : ", ") + job.value("job", "");
    }
    for (const char* key : {"traffic", "config"})
    {
        const Json value = configuration.value(key, Json());
        for (const Json& part : what.empty() ? (value.is_array() ? value : Json{value}) : Json())
        {
            const std::string text = part.is_string() ? part.get<std::string>() : "";
            what += (what.empty() || text.empty() ? "" : " + ") + text;
        }
    }
    const Json topology = configuration.value("topology", Json());
    what = what.empty() ? "flows" : what;
    return topology.is_string() ? what + " on " + topology.get<std::string>() : what;
}

/** \return what the first run ran; of sweeps alone, their folders */
std::string
TitleOfAll(const ReportRuns& runs)
{
    if (!runs.runs.empty())
    {
        const ReportRun& first = runs.runs.front();
        return WithSummaryOf(first,
                             [&first] { return TitleOf(first.outcome.summary["configuration"]); });
    }
    std::string title = "Sweep";
    for (const std::string& sweep : runs.sweeps)
    {
        title += (&sweep == &runs.sweeps.front() ? " " : ", ") + sweep;
    }
    return title;
}

} // namespace

Json
ReportData(ReportRuns& runs, const std::string& title)
{
    const Json overlay = OverlayOf(runs);
    Json data{{"title", title.empty() ? TitleOfAll(runs) : title},
              {"program", ProgramPart("")},
              {"notes", runs.notes},
              {"comparison", ComparisonOf(runs)},
              {"overlay", overlay},
              {"runs", Json::array()}};
    for (const ReportRun& run : runs.runs)
    {
        data["runs"].push_back(WithSummaryOf(run, [&run] { return RunJson(run); }));
    }
    return data;
}

} // namespace wormhole
