/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-csv.h"

#include "result/new-file.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** \param what "fct", with its values under "fct_ns", or "slowdown" */
CsvWriter
DistributionTable(const Json& runs, const std::string& what, const std::string& values)
{
    CsvWriter table(what, "run,kind," + values + ",share");
    for (const Json& run : runs)
    {
        for (const Json& kind : run["flows"].value("kinds", Json::array()))
        {
            const Json& points = kind[what + "_distribution"];
            for (size_t i = 0; !points.is_null() && i < points["share"].size(); ++i)
            {
                table.Row({run["name"], kind["kind"], points[values][i], points["share"][i]});
            }
        }
    }
    return table;
}

CsvWriter
RatesTable(const Json& runs)
{
    CsvWriter table("rates", "run,src,dst,time_ns,rate_bps");
    for (const Json& run : runs)
    {
        for (const Json& pair : run["rates"].value("pairs", Json::array()))
        {
            for (size_t i = 0; i < pair["time_ns"].size(); ++i)
            {
                table.Row({run["name"],
                           pair["src"],
                           pair["dst"],
                           pair["time_ns"][i],
                           pair["rate_bps"][i]});
            }
        }
    }
    return table;
}

CsvWriter
StretchesTable(const Json& runs)
{
    CsvWriter table("stretches", "run,src,dst,begin_ns,end_ns,state");
    for (const Json& run : runs)
    {
        for (const Json& pair : run["rates"].value("pairs", Json::array()))
        {
            for (const Json& stretch : pair["stretches"])
            {
                table.Row({run["name"],
                           pair["src"],
                           pair["dst"],
                           stretch["begin_ns"],
                           stretch["end_ns"],
                           stretch["state"]});
            }
        }
    }
    return table;
}

CsvWriter
QueuesTable(const Json& runs)
{
    CsvWriter table("queues", "run,node,port,peer,time_ns,bytes");
    for (const Json& run : runs)
    {
        for (const Json& port : run["queues"].value("ports", Json::array()))
        {
            for (size_t i = 0; i < port["time_ns"].size(); ++i)
            {
                table.Row({run["name"],
                           port["node"],
                           port["port"],
                           port["peer"],
                           port["time_ns"][i],
                           port["bytes"][i]});
            }
        }
    }
    return table;
}

CsvWriter
PartitionsTable(const Json& runs)
{
    CsvWriter table("partitions", "run,time_ns,state,partitions,flows");
    for (const Json& run : runs)
    {
        const Json times = run["partitions"].value("time_ns", Json::array());
        for (size_t i = 0; i < times.size(); ++i)
        {
            for (const Json& state : run["partitions"]["states"])
            {
                table.Row({run["name"],
                           times[i],
                           state["state"],
                           state["partitions"][i],
                           state["flows"][i]});
            }
        }
    }
    return table;
}

CsvWriter
EventsTable(const Json& runs)
{
    CsvWriter table("events", "run,time_ns,run_events,skipped_events,replayed_events");
    for (const Json& run : runs)
    {
        const Json& events = run["events"];
        const Json times = events.value("time_ns", Json::array());
        for (size_t i = 0; i < times.size(); ++i)
        {
            table.Row({run["name"],
                       times[i],
                       events["run"][i],
                       events["skipped"][i],
                       events["replayed"][i]});
        }
    }
    return table;
}

CsvWriter
LinksTable(const Json& runs)
{
    CsvWriter table("links", "run,link,from,to,rate_bps,bytes,utilisation,busy_utilisation");
    for (const Json& run : runs)
    {
        for (const Json& link : run["links"].value("busiest", Json::array()))
        {
            table.Row({run["name"],
                       link["link"],
                       link["from"],
                       link["to"],
                       link["rate_bps"],
                       link["bytes"],
                       link["utilisation"],
                       link["busy_utilisation"]});
        }
    }
    return table;
}

CsvWriter
TimelineTable(const Json& runs)
{
    CsvWriter table("timeline", "run,job,rank,kind,begin_ns,end_ns");
    for (const Json& run : runs)
    {
        for (const Json& rank : run["timeline"].value("ranks", Json::array()))
        {
            for (const char* kind : {"computation", "communication"})
            {
                for (const Json& interval : rank[kind])
                {
                    table.Row(
                        {run["name"], rank["job"], rank["rank"], kind, interval[0], interval[1]});
                }
            }
        }
    }
    return table;
}

/** Adds a line of slowdown_by_size.csv for each statistic of flows of these sizes. */
void
AddSizeRows(const std::vector<Json>& fields, const Json& size, CsvWriter& table)
{
    for (const char* name : {"mean", "p50", "p95", "p99"})
    {
        if (!size.contains(name))
        {
            continue;
        }
        const Json& value = size[name];
        std::vector<Json> row = fields;
        row.insert(row.end(), {name, value["mean"], value["low"], value["high"]});
        table.Row(row);
    }
}

CsvWriter
SlowdownBySizeTable(const Json& scenarios)
{
    CsvWriter table("slowdown_by_size",
                    "run,scenario,kind,bytes_over,bytes_up_to,statistic,mean,ci95_low,ci95_high");
    for (const Json& scenario : scenarios)
    {
        for (const Json& curve : scenario["curves"])
        {
            for (const Json& kind : curve["slowdown_by_size"])
            {
                for (const Json& size : kind["sizes"])
                {
                    AddSizeRows({curve["name"],
                                 scenario["name"],
                                 kind["kind"],
                                 size["bytes_over"],
                                 size["bytes_up_to"]},
                                size,
                                table);
                }
            }
        }
    }
    return table;
}

CsvWriter
OverTimeTable(const Json& scenarios)
{
    CsvWriter table("over_time", "run,scenario,begin_ns,end_ns,metric,mean,ci95_low,ci95_high");
    for (const Json& scenario : scenarios)
    {
        for (const Json& curve : scenario["curves"])
        {
            for (const auto& [metric, bins] : curve["over_time"].items())
            {
                for (size_t i = 0; i < bins["mean"].size(); ++i)
                {
                    table.Row({curve["name"],
                               scenario["name"],
                               bins["begin_ns"][i],
                               bins["end_ns"][i],
                               metric,
                               bins["mean"][i],
                               bins["low"][i],
                               bins["high"][i]});
                }
            }
        }
    }
    return table;
}

/** \return statistics over all flows of a run, "fct_ns" or "slowdown"; without fields if not known
 */
Json
OfAllFlows(const Json& run, const std::string& what)
{
    const Json kinds = run["flows"].value("kinds", Json::array());
    const bool known = !kinds.empty() && kinds[0]["kind"] == "all" && !kinds[0][what].is_null();
    return known ? kinds[0][what] : Json::object();
}

CsvWriter
ComparisonTable(const Json& comparison, const Json& runs)
{
    CsvWriter table("comparison",
                    "run,mode,wall_s,speedup,fct_error_mean,fct_error_p99,fct_error_max,"
                    "makespan_error,flows,unmatched_flows,fct_mean_ns,fct_p99_ns,fct_max_ns,"
                    "slowdown_mean,slowdown_p99,slowdown_max,makespan_ns,events_run,"
                    "events_skipped,events_replayed,share_left_out");
    const Json rows = comparison.value("rows", Json::array());
    for (size_t i = 0; i < rows.size(); ++i)
    {
        const Json& row = rows[i];
        const Json errors = row["errors"].is_null() ? Json::object() : row["errors"];
        const Json fctErrors = errors.value("fct", Json::object());
        const Json fct = OfAllFlows(runs[i], "fct_ns");
        const Json slowdown = OfAllFlows(runs[i], "slowdown");
        table.Row({row["run"],
                   row["mode"],
                   row["wall_s"],
                   row["speedup"],
                   fctErrors.value("mean", Json()),
                   fctErrors.value("p99", Json()),
                   fctErrors.value("max", Json()),
                   errors.value("makespan", Json()),
                   row["flows"],
                   row["unmatched_flows"],
                   fct.value("mean", Json()),
                   fct.value("p99", Json()),
                   fct.value("max", Json()),
                   slowdown.value("mean", Json()),
                   slowdown.value("p99", Json()),
                   slowdown.value("max", Json()),
                   row["makespan_ns"],
                   row["events"]["run"],
                   row["events"]["skipped"],
                   row["events"]["replayed"],
                   row["share_left_out"]});
    }
    return table;
}

} // namespace

std::vector<CsvTable>
ReportTables(const Json& data)
{
    Json runs = data["runs"];
    for (Json& run : runs) // what is missing is as good as empty
    {
        for (const char* chart :
             {"flows", "rates", "queues", "partitions", "events", "links", "timeline"})
        {
            run[chart] = run[chart].is_null() ? Json::object() : run[chart];
        }
    }
    const Json comparison = data["comparison"].is_null() ? Json::object() : data["comparison"];
    const Json overlay = data["overlay"].is_null() ? Json::object() : data["overlay"];
    const Json scenarios = overlay.value("scenarios", Json::array());
    std::vector<CsvTable> tables;
    for (const CsvWriter& table : {DistributionTable(runs, "fct", "fct_ns"),
                                   DistributionTable(runs, "slowdown", "slowdown"),
                                   RatesTable(runs),
                                   StretchesTable(runs),
                                   QueuesTable(runs),
                                   PartitionsTable(runs),
                                   EventsTable(runs),
                                   LinksTable(runs),
                                   TimelineTable(runs),
                                   SlowdownBySizeTable(scenarios),
                                   OverTimeTable(scenarios),
                                   ComparisonTable(comparison, runs)})
    {
        if (!table.IsEmpty())
        {
            tables.push_back(table.Table());
        }
    }
    return tables;
}

namespace
{

/** A folder of tables may hold others that happen to have the same names, such as a run's. */
void
CheckIsTable(const std::string& path)
{
    const std::string first = "run,"; // of all tables here
    std::error_code error;
    std::string begin(first.size(), '\0');
    if (std::filesystem::is_regular_file(path, error) &&
        std::ifstream(path).read(begin.data(), static_cast<std::streamsize>(begin.size())) &&
        begin != first)
    {
        throw ns3::InputError(path + ": is there already, and no table of a report; give "
                                     "--csv another folder");
    }
}

} // namespace

std::vector<NamedFile>
TableFiles(const std::vector<CsvTable>& tables, const std::string& folder)
{
    std::vector<NamedFile> files;
    for (const CsvTable& table : tables)
    {
        const std::string path = (std::filesystem::path(folder) / (table.name + ".csv")).string();
        files.push_back({"--csv", path});
    }
    return files;
}

void
WriteTables(const std::vector<CsvTable>& tables, const std::string& folder)
{
    const std::vector<NamedFile> outputs = TableFiles(tables, folder);
    for (const NamedFile& output : outputs)
    {
        CheckIsTable(output.path);
    }
    MakeFolder(folder);
    for (size_t i = 0; i < tables.size(); ++i)
    {
        NewFile file(outputs[i].path);
        file.Stream() << tables[i].text;
        file.Close();
    }
}

} // namespace wormhole
