/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-links.h"

#include "report-picture.h"
#include "report/csv-reader.h"
#include "result/result-file.h"
#include "terminal/units.h"

#include "ns3/rdma-timing.h"
#include "ns3/rdma-topology-generator.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

constexpr size_t MOST_LINKS = 1000; // directed, that are listed

/** \return whether it can be read to its end: what a device or a pipe has none of */
bool
IsFile(const std::string& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);
}

/**
 * \return the network of a run: as it was recorded; or made again from its specification, which always
 * gives the same; or from its file, if that is still what it was
 */
std::optional<ns3::RdmaTopology>
TopologyOf(const ReportRun& run)
{
    const std::string recorded = run.Recorded("topology.txt");
    if (!recorded.empty())
    {
        std::ifstream in = OpenResultFile(recorded);
        return ns3::ReadRdmaTopology(in, recorded);
    }
    const Json& summary = run.outcome.summary;
    for (const Json& input : summary.value("inputs", Json::array()))
    {
        const std::string role = input.value("named_by", "");
        if (role == "--topology" || role == "TOPOLOGY_FILE")
        {
            const std::string path = input.value("path", "");
            return IsFile(path) && DigestFile(path).HashText() == input.value("fnv1a_64", "")
                       ? std::optional(ns3::ReadRdmaTopology(path))
                       : std::nullopt;
        }
    }
    const Json spec = summary["configuration"].value("topology", Json());
    return spec.is_string() ? std::optional(ns3::GenerateRdmaTopology(spec.get<std::string>()))
                            : std::nullopt;
}

/** Reads links.csv. */
void
ReadLoads(const std::string& path, LoadedNetwork& network)
{
    CsvReader csv(path, {"link", "from", "to", "bytes", "begin_ns", "end_ns"});
    bool first = true;
    while (csv.Next())
    {
        const uint64_t number = csv.Integer(0);
        if (number >= network.topology.links.size())
        {
            csv.Fail("link " + csv.Text(0) + ", but the network has " +
                     std::to_string(network.topology.links.size()) + ", from 0 on");
        }
        const ns3::RdmaLinkSpec& link = network.topology.links[number];
        const bool back = csv.Integer(1) == link.b && csv.Integer(2) == link.a;
        if (!back && (csv.Integer(1) != link.a || csv.Integer(2) != link.b))
        {
            csv.Fail("link " + csv.Text(0) + " joins " + csv.Text(1) + " and " + csv.Text(2) +
                     ", but in the network " + std::to_string(link.a) + " and " +
                     std::to_string(link.b));
        }
        const DirectedLoad load{csv.Integer(3), csv.Number(4), csv.Number(5)};
        network.loads[2 * number + (back ? 1 : 0)] = load;
        network.beginNs = first ? load.beginNs : std::min(network.beginNs, load.beginNs);
        network.endNs = std::max(network.endNs, load.endNs);
        first = false;
    }
}

double
Share(const DirectedLoad& load, const ns3::DataRate& rate, double ns)
{
    const double most = static_cast<double>(rate.GetBitRate()) * ns / ns3::RDMA_NS_PER_SECOND;
    return most > 0 ? static_cast<double>(load.bytes) * BITS_PER_BYTE / most : 0;
}

} // namespace

double
LoadedNetwork::Utilisation(size_t directed) const
{
    return Share(loads[directed], topology.links[directed / 2].rate, endNs - beginNs);
}

double
LoadedNetwork::BusyUtilisation(size_t directed) const
{
    const DirectedLoad& load = loads[directed];
    return Share(load, topology.links[directed / 2].rate, load.endNs - load.beginNs);
}

std::optional<LoadedNetwork>
ReadLoadedNetwork(const ReportRun& run, std::string& missing)
{
    const std::string path = run.FileOf("links.csv");
    if (path.empty())
    {
        missing = run.Mode() == "message" ? "The message level has no links."
                                          : "Not recorded: run with --record, or with --links.";
        return {};
    }
    const std::optional<ns3::RdmaTopology> topology = TopologyOf(run);
    if (!topology)
    {
        missing = "The topology file is not there any more, or has changed since: run with "
                  "--record, which keeps it.";
        return {};
    }
    LoadedNetwork network;
    network.topology = *topology;
    network.loads.resize(2 * topology->links.size());
    ReadLoads(path, network);
    return network;
}

Json
LinksJson(const LoadedNetwork& network)
{
    std::vector<size_t> order(network.loads.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&network](size_t a, size_t b) {
        return network.Utilisation(a) > network.Utilisation(b);
    });
    Json list = Json::array();
    uint64_t used = 0;
    for (const size_t directed : order)
    {
        const DirectedLoad& load = network.loads[directed];
        const ns3::RdmaLinkSpec& link = network.topology.links[directed / 2];
        const bool back = directed % 2;
        used += load.bytes > 0;
        if (load.bytes > 0 && list.size() < MOST_LINKS)
        {
            list.push_back({{"link", directed / 2},
                            {"from", back ? link.b : link.a},
                            {"to", back ? link.a : link.b},
                            {"rate_bps", link.rate.GetBitRate()},
                            {"bytes", load.bytes},
                            {"utilisation", network.Utilisation(directed)},
                            {"busy_utilisation", network.BusyUtilisation(directed)}});
        }
    }
    return {{"begin_ns", network.beginNs},
            {"end_ns", network.endNs},
            {"directed_links", network.loads.size()},
            {"used", used},
            {"busiest", list},
            {"picture", PictureJson(network)}};
}

} // namespace wormhole
