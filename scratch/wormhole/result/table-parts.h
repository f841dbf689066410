/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_TABLE_PARTS_H
#define WORMHOLE_CLI_TABLE_PARTS_H

#include "files.h"
#include "run/run-result.h"

#include <string>
#include <vector>

namespace wormhole
{

// Parts of the table for people.

/** \return a line: a name, and what it is */
std::string TableRow(const std::string& name, const std::string& text);

/** \return what happened at packet level */
std::string NetworkText(const ns3::RdmaCounters& counters);

/** \return what a run at packet level cost */
std::string SpeedText(const RunResult& result);

/** \return why all events were in one queue, a line; empty if they were not, or if ThreadsRow says
 * so */
std::string OneQueueRow(const RunResult& result);

/** \return how many threads ran, a line; empty if \p threads, what is reported of them, is null */
std::string ThreadsRow(const nlohmann::ordered_json& threads);

/** \return how many events --twin found to be the same, a line; empty if none, or not all */
std::string TwinRow(const RunResult& result);

/** \return what a run without packets cost */
std::string EventCostText(const RunResult& result);

/** \return what fast-forward saved, lines; empty if \p fast, its report, is null */
std::string FastRows(const nlohmann::ordered_json& fast);

/** \return that recordings lack something, and what to do about it */
std::string CutText(const std::vector<CutFile>& cut);

/** \return a size in a unit that suits it: "1.84 GiB" */
std::string BytesText(double bytes);

/** \return lines that name the files written */
std::string WrittenRows(const std::vector<NamedFile>& files);

} // namespace wormhole

#endif // WORMHOLE_CLI_TABLE_PARTS_H
