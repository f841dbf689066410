/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_MODE_H
#define WORMHOLE_CLI_RUN_MODE_H

#include <boost/program_options.hpp>
#include <cstdint>
#include <string>

namespace wormhole
{

/** In how much detail a run is simulated. */
enum class RunMode : uint8_t
{
    PACKET, ///< every packet
    FAST,   ///< packets, but for what is skipped or known
    FLOW,   ///< max-min fair rates on the same topology
    MESSAGE ///< LogGOPS, without topology
};

/** \return "packet", "fast", "flow" or "message" */
std::string RunModeName(RunMode mode);

/** \return whether packets are simulated */
inline bool
HasPackets(RunMode mode)
{
    return mode == RunMode::PACKET || mode == RunMode::FAST;
}

/** \return the value of --mode. \throws InputError for any other text */
RunMode ParseRunMode(const boost::program_options::variables_map& values);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_MODE_H
