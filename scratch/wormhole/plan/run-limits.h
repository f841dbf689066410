/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_LIMITS_H
#define WORMHOLE_CLI_RUN_LIMITS_H

#include <cstdint>

namespace wormhole
{

/** Latest simulated time that may be asked for, ns: what 64 bits of picoseconds hold, with some
 * room. */
constexpr double MAX_NS = 9e15;

/** Nodes that a range may name. */
constexpr uint32_t MAX_NODES = 1 << 20;

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_LIMITS_H
