/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SUMMARY_PARTS_H
#define WORMHOLE_CLI_SUMMARY_PARTS_H

#include "plan/run-plan.h"
#include "run/run-options.h"
#include "run/run-result.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

// Parts of summary.json.

/** \return what the user was to know before and after the run, a line each */
std::vector<std::string> AllWarnings(const RunResult& result);

/** \return what ran */
nlohmann::ordered_json ProgramPart(const std::string& simulator);

/** \return how the run was set up */
nlohmann::ordered_json ConfigurationPart(const RunOptions& options,
                                         const RunPlan& plan,
                                         const RunResult& result);

/** \return the input files */
nlohmann::ordered_json InputsPart(const std::vector<InputDigest>& digests);

/** \return the output files */
nlohmann::ordered_json OutputsPart(const std::vector<NamedFile>& files);

/** \return size of the network */
nlohmann::ordered_json TopologyPart(const ns3::RdmaTopology& topology);

/** \return what happened at packet level */
nlohmann::ordered_json CountersPart(const ns3::RdmaCounters& counters);

/** \return what recordings lack */
nlohmann::ordered_json CutPart(const std::vector<CutFile>& cut);

/** \return what the run cost */
nlohmann::ordered_json CostPart(const RunResult& result);

/** Says what --disturb moved, if it was given; empty texts are left out. */
void AddDisturbed(const RunOptions& options,
                  const std::vector<std::string>& moved,
                  nlohmann::ordered_json& summary);

/** \return the text, or null if it is empty */
nlohmann::ordered_json TextOrNull(const std::string& text);

} // namespace wormhole

#endif // WORMHOLE_CLI_SUMMARY_PARTS_H
