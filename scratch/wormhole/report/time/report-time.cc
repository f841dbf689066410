/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-time.h"

#include "report/csv-reader.h"
#include "step-series.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_STEPS = 24000; // of all curves of a chart
constexpr size_t MOST_POINTS = 1500; // of a chart whose curves share their times

/** Values of several quantities that share their times; each holds until its next one. */
using Rows = std::map<double, std::map<std::string, double>>;

/** Keeps every k-th time, and the last. */
Rows
ThinRows(const Rows& rows)
{
    const size_t every = (rows.size() + MOST_POINTS - 1) / MOST_POINTS;
    if (every <= 1)
    {
        return rows;
    }
    Rows thin;
    std::map<std::string, double> now;
    size_t i = 0;
    for (const auto& [time, values] : rows)
    {
        for (const auto& [name, value] : values)
        {
            now[name] = value;
        }
        if (i++ % every == 0 || i == rows.size())
        {
            thin[time] = now;
        }
    }
    return thin;
}

/** \return the values of a quantity at each time of the rows; 0 before the first */
Json
ColumnJson(const Rows& rows, const std::string& name)
{
    Json column = Json::array();
    double now = 0;
    for (const auto& [time, values] : rows)
    {
        const auto value = values.find(name);
        now = value == values.end() ? now : value->second;
        column.push_back(now);
    }
    return column;
}

Json
TimesJson(const Rows& rows)
{
    Json times = Json::array();
    for (const auto& [time, values] : rows)
    {
        times.push_back(time);
    }
    return times;
}

} // namespace

Json
QueuesOfRun(const ReportRun& run)
{
    const std::string path = run.Recorded("queues.csv");
    if (path.empty())
    {
        return {};
    }
    using Port = std::tuple<uint64_t, uint64_t, uint64_t>; // node, port, peer
    CsvReader csv(path, {"time_ns", "node", "port", "peer", "bytes"});
    std::map<Port, StepSeries> ports;
    while (csv.Next())
    {
        StepSeries& queue = ports[{csv.Integer(1), csv.Integer(2), csv.Integer(3)}];
        if (!queue.times.empty() && csv.Number(0) < queue.times.back())
        {
            csv.Fail("the time is before that of the port's last line");
        }
        queue.Set(csv.Number(0), csv.Number(4));
    }
    Json list = Json::array();
    for (auto& [port, queue] : ports)
    {
        const double peak = *std::max_element(queue.values.begin(), queue.values.end());
        queue.Thin(std::max<size_t>(MOST_STEPS / ports.size(), 3));
        list.push_back({{"node", std::get<0>(port)},
                        {"port", std::get<1>(port)},
                        {"peer", std::get<2>(port)},
                        {"peak_bytes", peak},
                        {"time_ns", queue.times},
                        {"bytes", queue.values}});
    }
    std::stable_sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
        return a["peak_bytes"].get<double>() > b["peak_bytes"].get<double>();
    });
    return {{"ports", list}};
}

Json
PartitionsOfRun(const ReportRun& run)
{
    const std::string path = run.Recorded("partitions.csv");
    if (path.empty())
    {
        return {};
    }
    CsvReader csv(path, {"time_ns", "state", "partitions", "flows"});
    Rows partitions;
    Rows flows;
    std::set<std::string> names;
    while (csv.Next())
    {
        const double time = csv.Number(0);
        partitions[time][csv.Text(1)] = csv.Number(2);
        flows[time][csv.Text(1)] = csv.Number(3);
        names.insert(csv.Text(1));
    }
    partitions = ThinRows(partitions);
    flows = ThinRows(flows);
    Json states = Json::array();
    for (const std::string& name : names)
    {
        states.push_back({{"state", name},
                          {"partitions", ColumnJson(partitions, name)},
                          {"flows", ColumnJson(flows, name)}});
    }
    return {{"time_ns", TimesJson(partitions)}, {"states", states}};
}

Json
EventCurvesOfRun(const ReportRun& run)
{
    const std::string path = run.Recorded("events.csv");
    if (path.empty())
    {
        return {};
    }
    const std::vector<std::string> names{"run", "skipped", "replayed"};
    CsvReader csv(path, {"time_ns", "run", "skipped", "replayed"});
    Rows rows;
    while (csv.Next())
    {
        for (size_t i = 0; i < names.size(); ++i)
        {
            rows[csv.Number(0)][names[i]] = csv.Number(i + 1);
        }
    }
    rows = ThinRows(rows);
    Json json{{"time_ns", TimesJson(rows)}};
    for (const std::string& name : names)
    {
        json[name] = ColumnJson(rows, name);
    }
    return json;
}

} // namespace wormhole
