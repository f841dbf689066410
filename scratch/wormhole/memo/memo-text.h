/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_MEMO_TEXT_H
#define WORMHOLE_CLI_MEMO_TEXT_H

#include "wormhole/sqlite-episode-store.h"

#include <nlohmann/json.hpp>
#include <string>

namespace wormhole
{

/** \return a row of `wormhole memo list`. \param number of the episode in its file, from 1 */
std::string EpisodeRowText(uint64_t number, const StoredEpisode& stored);

/** \return the row that names the columns */
std::string EpisodeHeadText();

/** \return the same and more, for programs */
nlohmann::ordered_json EpisodeSummaryJson(uint64_t number, const StoredEpisode& stored);

/** \return all that became of it, for programs: see wormhole/episode-json.h */
nlohmann::ordered_json EpisodeDetailJson(const StoredEpisode& stored);

/** \return the graph and what became of it, for people */
std::string EpisodeText(uint64_t number, const StoredEpisode& stored);

/** \return the graph for Graphviz: circles are flows, boxes ports; an edge says the hop, or how
 * many ports two flows share */
std::string EpisodeDot(const StoredEpisode& stored);

} // namespace wormhole

#endif // WORMHOLE_CLI_MEMO_TEXT_H
