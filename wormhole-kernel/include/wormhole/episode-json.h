/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_JSON_H
#define WORMHOLE_EPISODE_JSON_H

#include "wormhole/episode.h"

#include <nlohmann/json.hpp>

namespace wormhole
{

/**
 * \return \p episode for people to read, with these members: "durationPs", "end" ("converged" or
 *         "completed"), "verifiedPs", "events", "flows": [{"bytes", "endRateBps" (bit/s),
 *         "completed", "control"}], "ports": [{"flow", "hop", "queueBytes", "state"}]. State blobs
 *         are hexadecimal. A rate that is not finite is null.
 *
 * Thread safety: a function of its argument.
 */
nlohmann::ordered_json ToJson(const Episode& episode);

} // namespace wormhole

#endif // WORMHOLE_EPISODE_JSON_H
