/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_UNITS_H
#define WORMHOLE_CLI_UNITS_H

namespace wormhole
{

constexpr double BITS_PER_BYTE = 8;

} // namespace wormhole

#endif // WORMHOLE_CLI_UNITS_H
