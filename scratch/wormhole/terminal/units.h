/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_UNITS_H
#define WORMHOLE_CLI_UNITS_H

#include <cstdint>

namespace wormhole
{

constexpr double BITS_PER_BYTE = 8;
constexpr int64_t PS_PER_NS = 1000;

} // namespace wormhole

#endif // WORMHOLE_CLI_UNITS_H
