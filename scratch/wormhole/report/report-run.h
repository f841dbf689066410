/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_REPORT_RUN_H
#define WORMHOLE_CLI_REPORT_RUN_H

#include "compare/compare-errors.h"
#include "compare/compare-outcome.h"
#include "result/files.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** A run that is reported on. */
struct ReportRun
{
    std::string name;   ///< short, and different from the others'
    std::string folder; ///< where its results are
    CompareOutcome outcome;
    std::optional<double> wallSeconds;     ///< as `wormhole compare` measured it
    std::optional<uint64_t> peakMemoryKib; ///< likewise

    /** \return "packet", "fast", "flow" or "message" */
    std::string Mode() const;

    /** \return whether it was run with --record */
    bool IsRecorded() const;

    /** \return the path of a file of --record, or empty if there is none */
    std::string Recorded(const std::string& file) const;

    /** \return the path of a file in the folder, or empty if there is none */
    std::string FileOf(const std::string& file) const;
};

/** \throws InputError that summary.json in the folder is none, and why */
[[noreturn]] void ThrowNoSummary(const std::string& folder, const std::string& why);

/** Tables of a sweep that are shown, in its folder. */
constexpr std::array<const char*, 3> SWEEP_TABLES{"statistics.csv",
                                                  "distributions.csv",
                                                  "over_time.csv"};

/** All that is reported on. */
struct ReportRuns
{
    std::vector<ReportRun> runs;     ///< the first one is the reference for the others
    std::vector<std::string> sweeps; ///< folders of wormhole sweep
    nlohmann::ordered_json seeds = nlohmann::ordered_json::array(); ///< as in compare.json
    nlohmann::ordered_json disturbed;                               ///< likewise; null without
    std::vector<std::string> notes; ///< on what was left out, and why
};

/**
 * \param folders each of a run, of a comparison, or of a sweep
 * \throws InputError if one of them is neither, or something in it cannot be read
 */
ReportRuns ReadReportRuns(const std::vector<std::string>& folders);

/**
 * Does something with a run's summary, which anybody may have edited.
 * \throws InputError that names it, if something in it is not of the type that it should be
 */
template <typename Work>
auto
WithSummaryOf(const ReportRun& run, const Work& work)
{
    try
    {
        return work();
    }
    catch (const nlohmann::ordered_json::exception& error)
    {
        ThrowNoSummary(run.folder, error.what());
    }
}

/** \return the files that the runs wrote, which the report must not overwrite */
std::vector<NamedFile> FilesOf(const ReportRuns& runs);

} // namespace wormhole

#endif // WORMHOLE_CLI_REPORT_RUN_H
