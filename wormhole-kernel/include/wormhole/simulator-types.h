/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SIMULATOR_TYPES_H
#define WORMHOLE_SIMULATOR_TYPES_H

#include "wormhole/episode.h"
#include "wormhole/id.h"
#include "wormhole/units.h"

#include <cstdint>
#include <optional>
#include <vector>

/**
 * \file
 * What the controller and a Simulator tell each other of flows and ports.
 */

namespace wormhole
{

/** Flows that are handled as one, and the ports that they cross. Other flows of the same partition
 * may cross these too: evicted ones, or one that starts at this instant. */
struct Members
{
    std::vector<FlowId> flows; //!< ascending
    std::vector<PortId> ports; //!< ascending
};

/** How far a flow is. */
struct FlowProgress
{
    Bytes delivered{0}; //!< since its start, in the sense in which its completion is counted
    Bytes left{0};      //!< still to be delivered, what is in flight included
    Bytes inFlight{0};  //!< sent, but not delivered; 0 if it is evicted
    Rate rate; //!< that its congestion control allows now; while this has a trend, the flow is not
               //!< steady; any if it is evicted
    /** When the last of #delivered came, if the simulator says: samples are then taken from arrival
     * to arrival, so that a packet more or less is no noise. */
    std::optional<Time> deliveredAt;
    std::uint64_t lost{0}; //!< packets of it that were lost so far: what was sampled before one
                           //!< was, and until it no longer recovers, says nothing of a steady state
    bool recovers{false};  //!< delivers again what was lost
    std::uint64_t draws{0}; //!< so far, at random, that may decide how it goes on: others, for a
                            //!< flow that is alike, may decide otherwise. While there are any, no
                            //!< episode is made of it
    std::uint64_t events{
        0}; //!< of the simulator that it has caused so far; 0 if these are not counted
    /** Events that a further byte causes, about; 0: as many as those so far did. To be told where
     * flows may be skipped before packets of them were simulated. */
    double eventsPerByte{0};
};

/** A flow, and where it goes. */
struct FlowPath
{
    FlowId flow;
    std::vector<PortId> ports; //!< that it crosses, in order
};

/** From what a flow goes on that has no packets in the network. */
struct FlowState
{
    FlowId flow;
    Rate rate;         //!< at which it sends
    StateBlob control; //!< as Simulator::CaptureFlow gave it, for a flow with the same attributes
    Bytes inFlight{0}; //!< sent, but not delivered, when it was captured
};

/** From what a port goes on. */
struct PortState
{
    PortId port;
    Bytes queue{0}; //!< bytes queued
    /** As Simulator::CapturePort gave it, for a port with the same attributes. With
     * GraphDetail::Flows, it may be of another port, or empty: nothing is known then. */
    StateBlob state;
};

} // namespace wormhole

#endif // WORMHOLE_SIMULATOR_TYPES_H
