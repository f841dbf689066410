/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WALL_CLOCK_H
#define WORMHOLE_CLI_WALL_CLOCK_H

#include <chrono>

namespace wormhole
{

/** What wall time is measured with: steps of the system's clock do not move it. */
using WallClock = std::chrono::steady_clock;

/** \return seconds of wall time since \p begin */
inline double
SecondsSince(WallClock::time_point begin)
{
    return std::chrono::duration<double>(WallClock::now() - begin).count();
}

} // namespace wormhole

#endif // WORMHOLE_CLI_WALL_CLOCK_H
