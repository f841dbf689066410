/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FLOW_RESULTS_H
#define WORMHOLE_CLI_FLOW_RESULTS_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** A flow that did not complete. */
struct UnfinishedFlow
{
    uint32_t src{0};
    uint32_t dst{0};
    uint64_t bytes{0};
    double startSeconds{0};
    bool failed{false}; ///< given up, as opposed to under way or not begun when the run ended
    std::string reason;
};

/** What came out of a list of flows. */
struct FlowResults
{
    uint64_t count{0};             ///< of flows, in all
    std::vector<uint64_t> fctNs;   ///< of the completed flows, in that order
    std::vector<double> slowdowns; ///< of those, completion time over the time alone
    std::vector<UnfinishedFlow> unfinished;
    int64_t lastEndNs{0}; ///< when the last flow ended; 0 if none did

    /** \return flows that have completed or are known not to */
    uint64_t CountEnded() const
    {
        return fctNs.size() + unfinished.size();
    }
};

/** \return what summary.json has of flows; contrib/rdma/doc/command-line.md lists the fields */
nlohmann::ordered_json FlowsSummary(const FlowResults& results);

/** \return rows of the table for people */
std::string FlowsTable(const FlowResults& results, bool interrupted);

/** \return the first flows that did not complete, and why, lines for people */
std::vector<std::string> UnfinishedLines(const FlowResults& results);

} // namespace wormhole

#endif // WORMHOLE_CLI_FLOW_RESULTS_H
