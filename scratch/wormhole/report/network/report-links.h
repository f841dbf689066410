/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_LINKS_H
#define WORMHOLE_CLI_REPORT_LINKS_H

#include "report/report-run.h"

#include "ns3/rdma-topology.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace wormhole
{

/** What completed flows moved over a link in one direction. */
struct DirectedLoad
{
    uint64_t bytes{0}; ///< payload
    double beginNs{0}; ///< of the first of these flows
    double endNs{0};   ///< of the last
};

/** A network and what its links carried. */
struct LoadedNetwork
{
    ns3::RdmaTopology topology;
    std::vector<DirectedLoad> loads; ///< by number of the link, times 2, plus 1 from its end b to a
    double beginNs{0};               ///< of the first flow on any link
    double endNs{0};                 ///< of the last

    /** \return share of its rate that a directed link carried, over the time of all flows */
    double Utilisation(size_t directed) const;

    /** \return the same, over the time of its own flows */
    double BusyUtilisation(size_t directed) const;
};

/**
 * \return the run's network with the loads of links.csv; nothing if there is none
 * \param missing set to why there is nothing
 * \throws InputError if a file is not what a run writes
 */
std::optional<LoadedNetwork> ReadLoadedNetwork(const ReportRun& run, std::string& missing);

/** \return the busiest links, and the network as a picture (report-picture.h) */
nlohmann::ordered_json LinksJson(const LoadedNetwork& network);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_LINKS_H
