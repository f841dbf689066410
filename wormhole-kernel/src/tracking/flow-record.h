/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FLOW_RECORD_H
#define WORMHOLE_FLOW_RECORD_H

#include "wormhole/episode.h"
#include "wormhole/id.h"
#include "wormhole/simulator.h"
#include "wormhole/units.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** Where a flow's packets are (wormhole/simulator.h). */
enum class Condition : std::uint8_t
{
    Running,
    Paused,
    Evicted,
};

/** What the Controller knows of a flow. */
struct FlowRecord
{
    FlowId id;
    Condition condition{Condition::Running};
    double expected{0};            //!< events that it stands for, since it is known; 0: unknown
    Bytes credited{0};             //!< delivered without packets since it is known, ...
    Bytes deliveredBefore{0};      //!< ... before which it had delivered this, ...
    std::uint64_t eventsBefore{0}; //!< ... with so many events
    std::optional<Time> exactAt;   //!< when it was where a replay of flows that began has left it
    std::optional<Rate> steady; //!< known from a skip or an episode; none after a transient began
    std::shared_ptr<const Episode> episode; //!< Evicted: at the end of which it is...
    std::uint32_t index{0};                 //!< ... as this flow of it
};

/** The flows of a partition, ascending, and its ports. */
struct PartitionMembers
{
    Members ids;
    std::vector<FlowRecord*> flows; //!< the same as ids.flows
};

} // namespace wormhole

#endif // WORMHOLE_FLOW_RECORD_H
