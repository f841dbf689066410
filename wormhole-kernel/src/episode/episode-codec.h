/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_CODEC_H
#define WORMHOLE_EPISODE_CODEC_H

#include "wormhole/conflict-graph.h"
#include "wormhole/episode.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wormhole
{

/** To be raised when the bytes of an episode or of a graph get another meaning. */
constexpr std::uint32_t EPISODE_CODEC_VERSION = 1;

/** State blobs of one episode must take up fewer bytes in all, or it is not decoded. */
constexpr std::uint64_t MAX_STATE_BYTES = std::uint64_t{1} << 26;

/** \name Values to bytes and back
 *
 * Equal values give equal bytes, on every machine. Numbers are written as differences from those
 * before, a state blob that occurs twice is written once, and each further one as what differs from
 * the one before. The decoders take any bytes: those that no encoder wrote give nullopt, or some
 * valid value, in time and memory of O(bytes + MAX_STATE_BYTES).
 * @{ */
std::string EncodeEpisode(const Episode& episode);
std::optional<Episode> DecodeEpisode(std::string_view bytes);

/** @} */

/** What an episode was stored with. */
struct EpisodeRecord
{
    ConflictGraph graph;
    Episode episode;
};

/** Graph and episode as one string of bytes. */
std::string EncodeRecord(const ConflictGraph& graph, const Episode& episode);

/** \return nullopt also if the episode does not fit the graph */
std::optional<EpisodeRecord> DecodeRecord(std::string_view bytes);

/** \return whether \p episode is decoded again once it is encoded (MAX_STATE_BYTES) */
bool FitsCodec(const Episode& episode);

/** \return whether \p episode can be one of \p graph: as many flows, and ports of these */
bool FitsGraph(const Episode& episode, const ConflictGraph& graph);

} // namespace wormhole

#endif // WORMHOLE_EPISODE_CODEC_H
