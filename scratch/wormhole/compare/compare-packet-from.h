/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_PACKET_FROM_H
#define WORMHOLE_CLI_COMPARE_PACKET_FROM_H

#include "compare-outcome.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** The packet level of an earlier comparison or run. */
struct EarlierPacketLevel
{
    CompareOutcome outcome;
    std::vector<double> wallSeconds;
    std::vector<double> cpuSeconds; ///< empty if unknown
    uint64_t peakMemoryKib{0};
    std::vector<std::string> notes;
};

/**
 * \param folder --output of a comparison or of a run
 * \throws InputError if there is neither
 */
EarlierPacketLevel ReadEarlierPacketLevel(const std::string& folder);

/** \throws InputError naming the first difference in configuration or inputs, unless it is one
 * that the mode makes */
void CheckSameScenario(const CompareOutcome& earlier,
                       const CompareOutcome& now,
                       const std::string& folder);

/** \throws InputError likewise, or if its flows do not complete at the same times, so that its
 * other runs are of no use */
void CheckSamePacketLevel(const CompareOutcome& now, const std::string& folder);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_PACKET_FROM_H
