/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_DISTURBED_H
#define WORMHOLE_CLI_COMPARE_DISTURBED_H

#include "compare-outcome.h"
#include "compare-statistics.h"
#include "welch.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** What is known of pairs of packet level and fast-forward, each pair disturbed in its own way. */
struct CompareDisturbed
{
    std::vector<std::string> moved;          ///< by pair: what was, for people
    std::vector<double> fastErrors;          ///< by pair: mean error of FCT against packet level
    std::vector<double> ownErrors;           ///< likewise, of packet levels against earlier ones
    std::vector<uint64_t> fastUnmatched;     ///< by pair: flows that only one of them completed
    std::vector<uint64_t> ownUnmatched;      ///< likewise, of packet levels
    std::vector<CompareOutcome> packets;     ///< their flows, nothing else
    std::vector<CompareStatistic> names;     ///< statistics of the first pair, in order
    std::vector<std::vector<double>> packet; ///< by statistic: of each run that has it, ns
    std::vector<std::vector<double>> fast;   ///< likewise
};

/** Compares one more pair. \param packet packet level \param fast fast-forward, disturbed alike */
void AddDisturbed(CompareOutcome packet, const CompareOutcome& fast, CompareDisturbed& disturbed);

/** What disturbances make of one statistic. */
struct JudgedStatistic
{
    CompareStatistic statistic; ///< with the mean of the packet levels
    double fastNs{0};           ///< mean
    /** Of fast-forward minus packet level, as a share of the latter; none unless all runs have it.
     */
    std::optional<MeanDifference> bias;
    bool within{false};
};

/** Whether fast-forward is off by no more than packet level moves itself. */
struct DisturbedVerdict
{
    double fastError{0}; ///< of FCT, a share: mean over flows and pairs
    double ownError{0};  ///< likewise, of packet levels against each other
    bool errorWithin{false};
    uint64_t fastUnmatched{0}; ///< flows that only one run of a pair completed, most of all pairs
    uint64_t ownUnmatched{0};  ///< likewise, of packet levels
    std::vector<JudgedStatistic> statistics;
    std::vector<std::string> beyond; ///< what is not within, for people

    bool IsWithin() const
    {
        return beyond.empty();
    }
};

/**
 * Judges all pairs. Single flows may be off by 1.25 times what packet levels are off from each
 * other; a statistic by what its 95 % confidence interval leaves open; both by 1 % in any case.
 * \return the verdict; none for less than 2 pairs
 */
std::optional<DisturbedVerdict> JudgeDisturbed(const CompareDisturbed& disturbed);

/** \return for compare.json */
nlohmann::ordered_json DisturbedJson(const CompareDisturbed& disturbed);

/** \return the same for people; empty for less than 2 pairs */
std::string DisturbedTable(const CompareDisturbed& disturbed);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_DISTURBED_H
