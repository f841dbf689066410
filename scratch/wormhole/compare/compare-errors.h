/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_ERRORS_H
#define WORMHOLE_CLI_COMPARE_ERRORS_H

#include "compare-outcome.h"
#include "result/statistics.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

namespace wormhole
{

/** How far one run is from another, as shares: 0.01 is 1 %. */
struct CompareErrors
{
    Statistics fct;        ///< |FCT - FCT there| / FCT there, over the flows that both have
    uint64_t matched{0};   ///< such flows
    uint64_t unmatched{0}; ///< flows that only one of them completed

    std::optional<double> makespan; ///< likewise; none unless both completed everything

    Statistics links;       ///< likewise, of the throughput of links
    uint64_t linkCount{0};  ///< that both used
    uint64_t linksApart{0}; ///< used by one of them only

    /** Root of the mean square difference of round-trip times over their mean there. */
    std::optional<double> rttNrmse;
    uint64_t rtts{0}; ///< acknowledgements compared
};

/**
 * Flows are matched by source, destination, destination port and size, and among those by the order
 * of their starts: so it does not matter in which order they complete.
 * \param there the reference
 * \param here what is compared with it
 */
CompareErrors FindErrors(const CompareOutcome& there, const CompareOutcome& here);

/** \return for compare.json */
nlohmann::ordered_json ErrorsJson(const CompareErrors& errors);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_ERRORS_H
