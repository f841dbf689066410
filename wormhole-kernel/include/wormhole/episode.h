/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EPISODE_H
#define WORMHOLE_EPISODE_H

#include "wormhole/units.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** What a congestion control or a port has to say of itself; only the simulator knows what it
 * means. */
using StateBlob = std::string;

/** How a transient ended. */
enum class EpisodeEnd : std::uint8_t
{
    Converged = 0, //!< all flows had become steady
    Completed = 1, //!< one flow or more had delivered its last byte
};

/** What an episode did to one flow. */
struct FlowOutcome
{
    Bytes bytes{0};        //!< delivered during the episode
    Rate endRate;          //!< Converged: the steady rate
    bool completed{false}; //!< it delivered its last byte at the end of the episode
    StateBlob control;     //!< Simulator::CaptureFlow at the end; CaptureEnd if completed
    Bytes inFlight{0};     //!< sent, but not delivered, at the end
};

/** What an episode did to one port, which is named by a flow that crosses it. */
struct PortOutcome
{
    std::uint32_t flow{0}; //!< index into Episode::flows
    std::uint32_t hop{0};  //!< position of the port in the path of that flow
    Bytes queue{0};        //!< bytes queued at the end
    StateBlob state;       //!< whatever else the simulator needs to go on from there
};

/**
 * \brief A transient of a partition, remembered: how its flows came from where they started to
 * where they became steady, or to where one of them was done.
 *
 * A plain value: the cost of a copy is that of its vectors and blobs; thread safety is that of a
 * struct. Times are relative to the start of the transient. Nothing here checks it; a store does
 * (EpisodeStore::Insert).
 *
 * (Wormhole, NSDI 2026, section 5.)
 */
struct Episode
{
    Duration duration{0}; //!< from the start of the transient to its end
    EpisodeEnd end{EpisodeEnd::Converged};
    Duration verified{0};    //!< Converged: for how long after it the rates are known to have held
    std::uint64_t events{0}; //!< that the simulator needed for it, for the statistics
    std::vector<FlowOutcome> flows; //!< in the order of the conflict graph's flows
    std::vector<PortOutcome> ports; //!< each port of the partition at most once, in any order
};

} // namespace wormhole

#endif // WORMHOLE_EPISODE_H
