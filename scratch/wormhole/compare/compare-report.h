/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMPARE_REPORT_H
#define WORMHOLE_CLI_COMPARE_REPORT_H

#include "compare-disturbed.h"
#include "compare-errors.h"
#include "compare-options.h"
#include "compare-outcome.h"
#include "estimate/child-process.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** One of the things that are compared. */
struct CompareSide
{
    std::string name;                      ///< "packet", "fast", "fast_again", "flow"
    std::vector<double> wallSeconds;       ///< by run
    std::vector<double> cpuSeconds;        ///< by run
    uint64_t peakMemoryKib{0};             ///< of the first run
    int exit{0};                           ///< of the first run
    std::optional<CompareOutcome> outcome; ///< of the first run
    std::optional<CompareErrors> errors;   ///< against the packet level
};

/** The packet level with another seed. */
struct CompareSeed
{
    uint64_t seed{0};
    CompareErrors errors; ///< against the first one
};

/** All that is known so far. */
struct CompareState
{
    std::vector<CompareSide> sides; ///< packet level first
    std::vector<CompareSeed> seeds;
    CompareDisturbed disturbed;
    std::vector<std::string> notes;    ///< what was left out, and why
    std::vector<std::string> failures; ///< what went wrong, lines
    bool complete{false};
    bool interrupted{false};
};

/** \return the middle of the values, the mean of the two middle ones if they are even; 0 if there
 * are none */
double Median(std::vector<double> values);

/**
 * \param summary of a run
 * \return what fast-forward says of events; of the others what is comparable: crossings of links by
 * frames, or, without frames, events
 */
nlohmann::ordered_json EventsOf(const nlohmann::ordered_json& summary);

/** \return compare.json; contrib/rdma/doc/command-line.md lists the fields */
nlohmann::ordered_json CompareJson(const CompareOptions& options, const CompareState& state);

/** \return the same for people */
std::string CompareTable(const CompareOptions& options, const CompareState& state);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMPARE_REPORT_H
