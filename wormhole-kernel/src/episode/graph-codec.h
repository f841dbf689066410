/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_GRAPH_CODEC_H
#define WORMHOLE_GRAPH_CODEC_H

#include "wormhole/conflict-graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace wormhole
{

/** As EncodeEpisode, for a graph. */
std::string EncodeGraph(const ConflictGraph& graph);

/** As DecodeEpisode, for a graph. */
std::optional<ConflictGraph> DecodeGraph(std::string_view bytes);

} // namespace wormhole

#endif // WORMHOLE_GRAPH_CODEC_H
