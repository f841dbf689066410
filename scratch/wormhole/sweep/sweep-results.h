/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SWEEP_RESULTS_H
#define WORMHOLE_CLI_SWEEP_RESULTS_H

#include "sweep-plan.h"
#include "sweep-table.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormhole
{

/** A run that has ended, and what it found. */
struct SweepResult
{
    const SweepRun* run;
    std::string folder;
    nlohmann::ordered_json summary; ///< summary.json
};

/** Names and numbers. */
using SweepNumbers = std::vector<std::pair<std::string, nlohmann::ordered_json>>;

/** A table that is made of several runs, and its name. */
using SweepStatisticsTable = std::pair<std::string, SweepTable>;

/** \return all numbers of a summary that are results, each named by where it stands */
SweepNumbers NumbersOfSummary(const nlohmann::ordered_json& summary);

/** \return the value of a parameter: a number, if the text is one */
nlohmann::ordered_json SweepValue(const std::string& text);

/** Reads what runs have found; each input is read once, however many runs it has. */
class SweepSummaryReader
{
  public:
    /**
     * \param folder of a run
     * \return its summary; nullopt if the run is not there, has not reached its end, or if one of
     * its inputs has another content now
     */
    std::optional<nlohmann::ordered_json> Read(const std::string& folder);

  private:
    const std::string& HashOf(const std::string& path);

    std::map<std::string, std::string> m_hashes; //!< of inputs, by path
};

/**
 * Writes one line per run: its hash, the values of the sweep's parameters, and every number of its
 * summary, as results.csv and as table "runs" of results.db (SQLite), where the table
 * "configurations" has all that determines a run, as JSON. Statistics are
 * written beside, as NAME.csv and as tables of results.db.
 * \throws OutputError if a file cannot be written
 */
void WriteSweepResults(const std::string& folder,
                       const Words& parameters,
                       const std::vector<SweepResult>& results,
                       const std::vector<SweepStatisticsTable>& statistics);

} // namespace wormhole

#endif // WORMHOLE_CLI_SWEEP_RESULTS_H
