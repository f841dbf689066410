/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-metrics.h"

#include "report/csv-reader.h"
#include "result/files.h"
#include "result/statistics.h"
#include "sweep-queues.h"

#include "ns3/input-text-reader.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>

namespace wormhole
{

namespace
{

/** Parts of a summary that say what a run took, not what came of it. */
const std::set<std::string> NOT_MEASURED{"cost", "record", "interrupted"};

/** Flows of one kind and size. */
struct FlowGroup
{
    std::vector<double> fctNs;
    std::vector<double> slowdowns;
    std::vector<double> shares; ///< of the rate alone: 1 / slowdown
};

void
AddSummary(const nlohmann::ordered_json& summary, SweepMeasured& run)
{
    nlohmann::ordered_json results;
    for (const auto& [key, part] : summary.items())
    {
        if (!NOT_MEASURED.count(key))
        {
            results[key] = part;
        }
    }
    for (const auto& [name, value] : NumbersOfSummary(results))
    {
        run.metrics[{"", 0, name}] = value.get<double>();
    }
}

/** Payload of the completed flows over the time from the first start to the last end. */
void
AddGoodput(const std::string& path, SweepMeasured& run)
{
    constexpr uint64_t MOST = std::numeric_limits<int64_t>::max();
    std::ifstream in = ns3::OpenInput(path);
    ns3::TextReader reader(in, path);
    double bytes = 0;
    uint64_t begin = MOST;
    uint64_t end = 0;
    for (std::string address; reader.Next(address);)
    {
        for (const char* what : {"DIP", "SPORT", "DPORT"})
        {
            reader.Word(what);
        }
        bytes += static_cast<double>(reader.Integer("BYTES", 0, MOST));
        const uint64_t start = reader.Integer("START", 0, MOST);
        begin = std::min(begin, start);
        end = std::max(end, start + reader.Integer("FCT", 0, MOST));
        reader.Word("STANDALONE");
    }
    if (end > begin)
    {
        constexpr double BITS_PER_BYTE = 8;
        run.metrics[{"", 0, "goodput_bps"}] =
            bytes * BITS_PER_BYTE * 1e9 / static_cast<double>(end - begin);
    }
}

/** \param pausedNs by port */
template <typename Port>
void
SetPauses(const std::map<Port, double>& pausedNs, SweepMeasured& run)
{
    double sum = 0;
    double longest = 0;
    for (const auto& [port, ns] : pausedNs)
    {
        sum += ns;
        longest = std::max(longest, ns);
    }
    run.metrics[{"", 0, "pfc_pause_ns"}] = sum;
    run.metrics[{"", 0, "pfc_pause_ns_of_port_max"}] = longest;
    run.metrics[{"", 0, "pfc_paused_ports"}] = static_cast<double>(pausedNs.size());
}

/** How long ports were paused: from a pause to the next resume, or to the end of the run. */
void
AddPauses(const std::string& path, double endNs, SweepMeasured& run)
{
    constexpr uint64_t MOST = std::numeric_limits<int64_t>::max();
    std::ifstream in = ns3::OpenInput(path);
    ns3::TextReader reader(in, path);
    std::map<std::pair<uint64_t, uint64_t>, double> since; // of those paused, by node and interface
    std::map<std::pair<uint64_t, uint64_t>, double> pausedNs;
    for (std::string word; reader.Next(word);)
    {
        const double time = reader.ToNumber("TIME", word, 0, static_cast<double>(MOST));
        const uint64_t node = reader.Integer("NODE", 0, UINT32_MAX);
        reader.Word("KIND_OF_NODE");
        const std::pair<uint64_t, uint64_t> port{node, reader.Integer("INTERFACE", 0, UINT32_MAX)};
        const auto begun = since.find(port);
        if (reader.Integer("PAUSE", 0, 1) == 1)
        {
            since.emplace(port, time);
        }
        else if (begun != since.end())
        {
            pausedNs[port] += time - begun->second;
            since.erase(begun);
        }
    }
    for (const auto& [port, begin] : since)
    {
        pausedNs[port] += std::max(endNs - begin, 0.0);
    }
    SetPauses(pausedNs, run);
}

/** The same as it was recorded, port by port. */
void
AddRecordedPauses(const std::string& path, SweepMeasured& run)
{
    CsvReader csv(path, {"node", "port", "peer", "pauses", "paused_ns"});
    run.recordsPauses = true;
    while (csv.Next())
    {
        run.pausedNs[{csv.Integer(0), csv.Integer(1), csv.Integer(2)}] = csv.Number(4);
    }
    SetPauses(run.pausedNs, run);
}

/** Adds what \p flows are like. */
void
DescribeFlows(const std::string& kind, size_t bucket, const FlowGroup& flows, SweepMeasured& run)
{
    const auto set = [&](const std::string& name, double value) {
        run.metrics[{kind, bucket, name}] = value;
    };
    const Statistics fct = Describe(flows.fctNs);
    set("fct_ns_mean", fct.mean);
    set("fct_ns_p50", fct.p50);
    set("fct_ns_p95", fct.p95);
    set("fct_ns_p99", fct.p99);
    set("flows_recorded", static_cast<double>(flows.fctNs.size()));
    if (flows.slowdowns.empty())
    {
        return;
    }
    const Statistics slowdown = Describe(flows.slowdowns);
    set("slowdown_mean", slowdown.mean);
    set("slowdown_p50", slowdown.p50);
    set("slowdown_p95", slowdown.p95);
    set("slowdown_p99", slowdown.p99);
    if (bucket == 0)
    {
        set("jain", JainIndex(flows.shares));
    }
}

void
AddRecordedFlows(const std::string& path, const std::vector<uint64_t>& edges, SweepMeasured& run)
{
    CsvReader csv(path, {"kind", "src", "dst", "bytes", "start_ns", "fct_ns", "standalone_ns"});
    std::map<std::pair<std::string, size_t>, FlowGroup> groups; // by kind and bucket
    while (csv.Next())
    {
        const auto edge = std::lower_bound(edges.begin(), edges.end(), csv.Integer(3));
        const size_t bucket = static_cast<size_t>(edge - edges.begin()) + 1;
        const double fctNs = csv.Number(5);
        const double aloneNs = csv.Has(6) ? csv.Number(6) : 0;
        for (const std::string& kind : {std::string(), csv.Text(0)})
        {
            for (const size_t which : {size_t{0}, bucket})
            {
                FlowGroup& group = groups[{kind, which}];
                group.fctNs.push_back(fctNs);
                if (aloneNs > 0 && fctNs > 0)
                {
                    group.slowdowns.push_back(fctNs / aloneNs);
                    group.shares.push_back(aloneNs / fctNs);
                }
            }
        }
    }
    for (auto& [key, group] : groups)
    {
        DescribeFlows(key.first, key.second, group, run);
        if (key.second == 0)
        {
            run.flows[key.first] = {std::move(group.fctNs), std::move(group.slowdowns)};
        }
    }
}

} // namespace

SweepSizes
SweepDivision::SizesIn(size_t bucket) const
{
    SweepSizes sizes;
    if (bucket > 1)
    {
        sizes.over = edges[bucket - 2];
    }
    if (bucket > 0 && bucket <= edges.size())
    {
        sizes.upTo = edges[bucket - 1];
    }
    return sizes;
}

double
SweepRunEndNs(const nlohmann::ordered_json& summary)
{
    return summary.value("last_end_ns", 1e9 * summary.value("simulated_s", 0.0));
}

SweepMeasured
MeasureSweepRecord(const std::string& folder, double endNs, const SweepDivision& division)
{
    SweepMeasured run;
    const auto find = [&folder](const char* name) {
        const std::string path = folder + "/record/" + name;
        return FileExists(path) ? path : std::string();
    };
    if (const std::string path = find("flows.csv"); !path.empty())
    {
        AddRecordedFlows(path, division.edges, run);
    }
    if (const std::string path = find("queues.csv"); !path.empty() && endNs > 0)
    {
        for (const auto& [name, bytes] : SweepQueuePercentiles(ReadSweepQueues(path, endNs)))
        {
            run.metrics[{"", 0, name}] = bytes;
        }
    }
    if (const std::string path = find("pauses.csv"); !path.empty())
    {
        AddRecordedPauses(path, run);
    }
    if (division.binNs > 0 && !find("over-time.csv").empty())
    {
        run.overTime = MeasureSweepOverTime(folder, endNs, division.binNs);
    }
    return run;
}

SweepMeasured
MeasureSweepRun(const SweepResult& result, const SweepDivision& division)
{
    const double endNs = SweepRunEndNs(result.summary);
    SweepMeasured run = MeasureSweepRecord(result.folder, endNs, division);
    const auto find = [&result](const char* name) {
        const std::string path = result.folder + "/" + name;
        return FileExists(path) ? path : std::string();
    };
    if (const std::string path = find("fct.txt"); !path.empty())
    {
        AddGoodput(path, run);
    }
    if (const std::string path = find("pfc.txt"); !path.empty() && !run.recordsPauses)
    {
        AddPauses(path, endNs, run);
    }
    AddSummary(result.summary, run); // of all flows, also where records are thinned
    return run;
}

} // namespace wormhole
