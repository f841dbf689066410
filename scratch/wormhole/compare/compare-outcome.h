/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_OUTCOME_H
#define WORMHOLE_CLI_COMPARE_OUTCOME_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace wormhole
{

/** A completed flow, as fct.txt has it. */
struct CompareFlow
{
    std::string src;
    std::string dst;
    uint32_t dport{0};
    uint64_t bytes{0};
    uint64_t startNs{0};
    uint64_t fctNs{0};

    /** \return what two runs agree on, whatever the times */
    auto Key() const
    {
        return std::tie(src, dst, dport, bytes);
    }
};

/** What flows moved over a link in one direction. */
struct CompareLink
{
    std::string name; ///< "LINK,FROM,TO"
    double bytes{0};
    double seconds{0}; ///< from the first start to the last end
};

/** Round-trip time that an acknowledgement says. */
struct CompareRtt
{
    uint64_t seq{0}; ///< bytes acknowledged
    double ns{0};
};

/** What one run wrote, as far as it is compared. */
struct CompareOutcome
{
    nlohmann::ordered_json summary;
    std::vector<CompareFlow> flows; ///< by key, then by start
    std::vector<CompareLink> links; ///< in the order of their numbers
    std::vector<CompareRtt> rtts;   ///< by sequence number; empty unless recorded
    /** Of workloads from 0 until the last rank has finished, computing included; of flows from the
     * first start to the last end; none if something is left. */
    std::optional<double> makespanNs;
};

/**
 * \param folder that `wormhole run --output` wrote, with --links and maybe --rtts
 * \return what is there
 * \throws InputError if a file is missing or is not what a run writes
 */
CompareOutcome ReadCompareOutcome(const std::string& folder);

/**
 * As ReadCompareOutcome, but files that depend on options and mode, fct.txt and links.csv, may be
 * missing: then there are no flows, or links.
 */
CompareOutcome ReadAnyOutcome(const std::string& folder);

/** \return a run's configuration and inputs, without what a mode or a folder of results changes */
nlohmann::ordered_json ScenarioOf(const nlohmann::ordered_json& summary);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_OUTCOME_H
