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
    // of the program that ran
    const char* items{"flows"};          ///< or "operations"
    uint64_t count{0};                   ///< of them, in all; 0 if that is not known
    uint64_t completed{0};               ///< of them
    bool complete{false};                ///< whether all have completed
    std::vector<std::string> unfinished; ///< what did not complete, and why, lines for people
    nlohmann::ordered_json outcome;      ///< of the summary, what is the program's own
    std::string disturbed;               ///< by the program itself, for people
    std::string table;                   ///< rows for people: the results
    std::string tableEnd;                ///< rows for people: what its files lack
    int64_t largestRttNs{0};             ///< of all pairs of hosts; 0 unless windows need it
    uint64_t largestBdp{0};              ///< bytes

    // of the network
    ns3::RdmaCounters counters;
    std::vector<std::pair<std::string, AttributeList>> attributes; ///< by type
    nlohmann::ordered_json fast;       ///< what fast-forward reports; null without it
    nlohmann::ordered_json record;     ///< what was recorded; null without --record
    std::vector<std::string> warnings; ///< about inputs and network, before the run
    std::vector<std::string> losses;   ///< that the network was not to have, lines for people
    std::vector<CutFile> cut;          ///< recordings that lack something

    // of the run
    bool interrupted{false};
    uint64_t events{0};
    double simulatedSeconds{0};
    double setupSeconds{0}; ///< wall clock
    double runSeconds{0};   ///< wall clock
    uint64_t peakMemoryKib{0};
    std::string oneQueueBecause;    ///< why no windows were run, for people; empty if some were
    uint64_t twinEvents{0};         ///< that were the same in the other run of --twin
    std::string twinDifference;     ///< the first one that was not, for people; empty if none
    nlohmann::ordered_json threads; ///< what --threads did; null without it
    nlohmann::ordered_json ranks;   ///< what several ranks did; null if there was one
    std::string lostRank;           ///< which is lost, and why, for people; empty if none
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_RESULT_H
