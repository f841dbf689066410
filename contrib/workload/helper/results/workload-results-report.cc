/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-results-report.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>

namespace ns3
{

using Json = nlohmann::ordered_json;

namespace
{

/** Mean and most of a time over the ranks of a job, ps. */
struct Spread
{
    double mean{0};
    int64_t max{0};

    void Add(int64_t ps, double ranks)
    {
        mean += static_cast<double>(ps) / ranks;
        max = std::max(max, ps);
    }
};

/** Where the time of a job's ranks went. */
struct JobTimes
{
    uint64_t operations{0};
    int64_t uncertainty{0};
    Spread finish;
    Spread computation;
    Spread communication;
    Spread exposed;
    Spread moving;
    Spread waiting;
    Spread idle;
};

JobTimes
SumUp(const WorkloadResults& results, uint32_t job)
{
    JobTimes sum;
    const double ranks = results.GetJobs()[job].ranks;
    for (uint32_t rank = 0; rank < results.GetJobs()[job].ranks; ++rank)
    {
        const WorkloadRankTimes times = results.GetRank(results.GetFirst(job) + rank);
        sum.operations += times.operations;
        sum.uncertainty = std::max(sum.uncertainty, times.uncertainty);
        sum.finish.Add(times.finish, ranks);
        sum.computation.Add(times.computation, ranks);
        sum.communication.Add(times.communication, ranks);
        sum.exposed.Add(times.exposed, ranks);
        sum.moving.Add(times.moving, ranks);
        sum.waiting.Add(times.waiting, ranks);
        sum.idle.Add(times.idle, ranks);
    }
    return sum;
}

Json
MeanJson(double ps)
{
    return ps / 1000;
}

Json
SpreadJson(const Spread& spread)
{
    return {{"mean", MeanJson(spread.mean)}, {"max", WorkloadNsJson(spread.max)}};
}

Json
OrNull(bool known, const Spread& spread)
{
    return known ? SpreadJson(spread) : Json();
}

Json
CategoryJson(const WorkloadCategoryTimes& times)
{
    Json json{{"category", times.name},
              {"kind", times.communication ? "communication" : "computation"},
              {"operations", times.operations},
              {"ranks", times.ranks},
              {"time_ns", SpreadJson({times.mean, times.max})},
              {"end_ns", WorkloadNsJson(times.end)}};
    if (times.communication)
    {
        json["exposed_ns"] = SpreadJson({times.exposedMean, times.exposedMax});
    }
    return json;
}

Json
JobJson(const WorkloadResults& results, uint32_t number)
{
    const WorkloadResultsJob& job = results.GetJobs()[number];
    const JobTimes times = SumUp(results, number);
    const bool known = results.KnowsTransfers();
    Json json{{"job", job.name},
              {"ranks", job.ranks},
              {"operations", times.operations},
              {"finish_ns",
               results.IsComplete() ? SpreadJson(times.finish) : Json{{"mean", {}}, {"max", {}}}},
              {"computation_ns", SpreadJson(times.computation)},
              {"communication_ns", SpreadJson(times.communication)},
              {"exposed_communication_ns", SpreadJson(times.exposed)},
              {"transfers_alone_ns", OrNull(known, times.moving)},
              {"waiting_ns", OrNull(known, times.waiting)},
              {"idle_ns", SpreadJson(times.idle)},
              {"uncertainty_ns", WorkloadNsJson(times.uncertainty)}};
    json["categories"] = Json::array();
    for (const WorkloadCategoryTimes& category : results.GetCategories(number))
    {
        json["categories"].push_back(CategoryJson(category));
    }
    json["messages"] = Json::array();
    for (size_t i = 0; i < job.volumes.size(); ++i)
    {
        if (job.volumes[i].messages > 0)
        {
            json["messages"].push_back({{"category", job.categories[i]},
                                        {"count", job.volumes[i].messages},
                                        {"bytes", job.volumes[i].bytes}});
        }
    }
    return json;
}

std::string
LabelName(const std::vector<std::string>& labels, size_t label)
{
    return label < labels.size() ? labels[label] : "label " + std::to_string(label);
}

// --- for people ---

std::string
TimeText(double ps)
{
    struct Unit
    {
        double ps;
        const char* name;
    };

    char text[64];
    for (const Unit& unit : {Unit{1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}})
    {
        if (ps >= unit.ps)
        {
            std::snprintf(text, sizeof(text), "%.2f %s", ps / unit.ps, unit.name);
            return text;
        }
    }
    return ps > 0 ? "< 1 ns" : "0";
}

std::string
BytesText(double bytes)
{
    struct Unit
    {
        double bytes;
        const char* name;
    };

    char text[64];
    for (const Unit& unit : {Unit{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}})
    {
        if (bytes >= unit.bytes)
        {
            std::snprintf(text, sizeof(text), "%.2f %s", bytes / unit.bytes, unit.name);
            return text;
        }
    }
    std::snprintf(text, sizeof(text), "%.0f B", bytes);
    return text;
}

std::string
ShareText(double part, double whole)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%.1f %%", whole > 0 ? 100 * part / whole : 0);
    return text;
}

/** \return words as a line: the first to the left, the others to the right of their columns */
std::string
Line(const std::vector<std::string>& words)
{
    constexpr size_t FIRST = 34;
    constexpr size_t OTHER = 13;
    std::string line = "  " + words[0];
    line += std::string(line.size() < FIRST ? FIRST - line.size() : 0, ' ');
    for (size_t i = 1; i < words.size(); ++i)
    {
        const size_t width = words[i].size() < OTHER ? OTHER - words[i].size() : 1;
        line += std::string(width, ' ') + words[i];
    }
    return line + "\n";
}

std::string
SpreadLine(const std::string& name, const Spread& spread, double whole)
{
    return Line({name,
                 TimeText(spread.mean),
                 ShareText(spread.mean, whole),
                 TimeText(static_cast<double>(spread.max))});
}

std::string
JobTable(const WorkloadResults& results, uint32_t number)
{
    const WorkloadResultsJob& job = results.GetJobs()[number];
    const JobTimes times = SumUp(results, number);
    const double whole = times.finish.mean;
    std::string table = job.name + ": " + std::to_string(job.ranks) + " ranks, " +
                        std::to_string(times.operations) + " operations, " +
                        (results.IsComplete() ? "finished at " : "some left; the last one at ") +
                        TimeText(static_cast<double>(times.finish.max)) + "\n";
    table += Line({"time of a rank", "mean", "share", "most"});
    table += SpreadLine("computation", times.computation, whole);
    if (results.KnowsTransfers())
    {
        table += SpreadLine("transfers alone", times.moving, whole);
        table += SpreadLine("waiting for other ranks", times.waiting, whole);
    }
    else
    {
        table += SpreadLine("communication alone", times.exposed, whole);
    }
    table += SpreadLine("nothing", times.idle, whole);
    table += Line({"by kind", "mean", "share", "most", "exposed"});
    for (const WorkloadCategoryTimes& category : results.GetCategories(number))
    {
        table += Line({category.name,
                       TimeText(category.mean),
                       ShareText(category.mean, whole),
                       TimeText(static_cast<double>(category.max)),
                       category.communication ? TimeText(category.exposedMean) : "-"});
    }
    if (times.uncertainty > 0)
    {
        table += "  (each within " + TimeText(static_cast<double>(times.uncertainty)) + ")\n";
    }
    return table;
}

std::string
FlowsTable(const WorkloadResults& results, const std::vector<std::string>& labels)
{
    std::string table = Line({"flows", "number", "bytes", "mean", "p50", "p99", "max"});
    for (size_t label = 0; label < results.GetFlows().size(); ++label)
    {
        const WorkloadResults::Flows& flows = results.GetFlows()[label];
        const auto quantile = [&flows](double share) {
            return TimeText(static_cast<double>(flows.times.GetQuantile(share)));
        };
        if (flows.times.GetCount() > 0)
        {
            table += Line({LabelName(labels, label),
                           std::to_string(flows.times.GetCount()),
                           BytesText(static_cast<double>(flows.bytes)),
                           TimeText(flows.times.GetMean()),
                           quantile(0.5),
                           quantile(0.99),
                           TimeText(static_cast<double>(flows.times.GetMax()))});
        }
    }
    return table;
}

bool
HasFlows(const WorkloadResults& results)
{
    return std::any_of(results.GetFlows().begin(),
                       results.GetFlows().end(),
                       [](const WorkloadResults::Flows& f) { return f.times.GetCount() > 0; });
}

} // namespace

Json
WorkloadNsJson(int64_t ps)
{
    return ps % 1000 == 0 ? Json(ps / 1000) : Json(static_cast<double>(ps) / 1000);
}

std::string
WorkloadNsText(int64_t ps)
{
    char text[64];
    std::snprintf(text, sizeof(text), "%" PRId64 ".%03d", ps / 1000, static_cast<int>(ps % 1000));
    std::string shortened = text;
    shortened.erase(shortened.find_last_not_of('0') + 1);
    return shortened.back() == '.' ? shortened.substr(0, shortened.size() - 1) : shortened;
}

Json
WorkloadResultsJson(const WorkloadResults& results, const std::vector<std::string>& labels)
{
    Json json;
    json["finish_ns"] = results.IsComplete() ? WorkloadNsJson(results.GetFinish()) : Json();
    json["jobs"] = Json::array();
    for (uint32_t job = 0; job < results.GetJobs().size(); ++job)
    {
        json["jobs"].push_back(JobJson(results, job));
    }
    json["flows"] = Json::array();
    for (size_t label = 0; label < results.GetFlows().size(); ++label)
    {
        const WorkloadResults::Flows& flows = results.GetFlows()[label];
        if (flows.times.GetCount() > 0)
        {
            json["flows"].push_back({{"category", LabelName(labels, label)},
                                     {"count", flows.times.GetCount()},
                                     {"bytes", flows.bytes},
                                     {"fct_ns",
                                      {{"mean", MeanJson(flows.times.GetMean())},
                                       {"p50", WorkloadNsJson(flows.times.GetQuantile(0.5))},
                                       {"p90", WorkloadNsJson(flows.times.GetQuantile(0.9))},
                                       {"p99", WorkloadNsJson(flows.times.GetQuantile(0.99))},
                                       {"max", WorkloadNsJson(flows.times.GetMax())}}},
                                     {"exact_quantiles", flows.times.IsExact()}});
        }
    }
    return json;
}

std::string
WorkloadResultsTable(const WorkloadResults& results, const std::vector<std::string>& labels)
{
    std::string table;
    for (uint32_t job = 0; job < results.GetJobs().size(); ++job)
    {
        table += JobTable(results, job);
    }
    return table + (HasFlows(results) ? FlowsTable(results, labels) : "");
}

std::string
WorkloadRanksHeader()
{
    return "job,rank,node,finish_ns,computation_ns,communication_ns,exposed_communication_ns,"
           "transfers_alone_ns,waiting_ns,idle_ns,operations\n";
}

std::string
WorkloadRankLine(const WorkloadResults& results, uint32_t job, uint32_t rank, uint32_t node)
{
    const WorkloadRankTimes times = results.GetRank(results.GetFirst(job) + rank);
    // a name may hold what separates columns
    std::string name = results.GetJobs()[job].name;
    if (name.find_first_of(",\"\r\n") != std::string::npos)
    {
        for (size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2)
        {
            name.insert(at, 1, '"');
        }
        name = '"' + name + '"';
    }
    std::string line = name + "," + std::to_string(rank) + "," + std::to_string(node);
    for (int64_t ps : {times.finish, times.computation, times.communication, times.exposed})
    {
        line += "," + WorkloadNsText(ps);
    }
    const bool known = results.KnowsTransfers();
    line += known ? "," + WorkloadNsText(times.moving) + "," + WorkloadNsText(times.waiting) : ",,";
    line += "," + WorkloadNsText(times.idle);
    return line + "," + std::to_string(times.operations) + "\n";
}

} // namespace ns3
