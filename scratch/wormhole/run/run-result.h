/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_RESULT_H
#define WORMHOLE_CLI_RUN_RESULT_H

#include "ns3/rdma-context.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
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

/** A recording that has reached its limit. */
struct CutFile
{
    std::string path;
    uint64_t leftOut{0}; ///< bytes that it lacks
};

/** Names of attributes and their values. */
using AttributeList = std::vector<std::pair<std::string, std::string>>;

/** What came out of a run. */
struct RunResult
{
    uint64_t flows{0};             ///< in all
    std::vector<uint64_t> fctNs;   ///< of the completed flows, in that order
    std::vector<double> slowdowns; ///< of those, completion time over the time alone
    std::vector<UnfinishedFlow> unfinished;
    ns3::RdmaCounters counters;
    std::vector<std::pair<std::string, AttributeList>> attributes; ///< by type
    int64_t largestRttNs{0}; ///< of all pairs of hosts; 0 unless windows need it
    uint64_t largestBdp{0};  ///< bytes
    int64_t lastEndNs{0};    ///< when the last flow ended; 0 if none did
    uint64_t events{0};      ///< of the network
    double simulatedSeconds{0};
    double setupSeconds{0}; ///< wall clock
    double runSeconds{0};   ///< wall clock
    uint64_t peakMemoryKib{0};
    nlohmann::ordered_json fast;       ///< what fast-forward reports; null without it
    nlohmann::ordered_json record;     ///< what was recorded; null without --record
    std::vector<std::string> warnings; ///< about the network, before the run
    std::vector<std::string> losses;   ///< that the network was not to have, lines for people
    std::vector<CutFile> cut;          ///< recordings that lack something
    bool interrupted{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_RESULT_H
