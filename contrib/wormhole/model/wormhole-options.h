/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_OPTIONS_H
#define WORMHOLE_OPTIONS_H

#include "wormhole/controller.h"

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup wormhole Whether the ports that acknowledgements cross belong to the partition of their
 * flow. */
enum class WormholeAcknowledgements : uint8_t
{
    AUTO,    ///< only where their waits there could hold the flow back
    WATCH,   ///< no: they load these ports
    INCLUDE, ///< yes
};

/** \ingroup wormhole What WormholeSimulatorImpl's attributes say. */
struct WormholeOptions
{
    wormhole::ControllerOptions controller;
    bool memo{true};      ///< remember episodes
    std::string memoFile; ///< empty: in memory
    std::string code;     ///< what episodes depend on beside attributes
    WormholeAcknowledgements acknowledgements{WormholeAcknowledgements::AUTO};
    double watchTolerance{0.02}; ///< by how much that load may change, relative to the link's rate
    bool includeBuffers{false};  ///< flows through the same switch belong together
    bool partitions{true};       ///< otherwise the whole network is one
    double sampleRtts{1};      ///< length of a rate sample, in round-trip times without queues; ...
    uint32_t samplePackets{0}; ///< ... but at least so many packets on the slowest link
};

} // namespace ns3

#endif // WORMHOLE_OPTIONS_H
