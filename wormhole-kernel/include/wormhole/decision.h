/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DECISION_H
#define WORMHOLE_DECISION_H

#include "wormhole/id.h"
#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace wormhole
{

/** What is done with a partition. */
enum class PartitionState : std::uint8_t
{
    Running,   //!< its packets are simulated
    Recording, //!< they are, and an episode is made of it
    Replaying, //!< an episode that is known takes the place of its packets
    Following, //!< its packets wait for the episode that is being made of an equal partition
    Skipping,  //!< it is steady: its rates take the place of its packets
    Waking,    //!< its packets are simulated after a skip, to see whether the rates still hold
};

constexpr std::size_t PARTITION_STATES = 6; //!< how many there are

/** Why. */
enum class Reason : std::uint8_t
{
    FlowStarted,    //!< on one of its ports
    FlowEnded,      //!< in it
    FlowRerouted,   //!< out of it, into it or within it
    PortChanged,    //!< a failure, a recovery, or new attributes
    LoadChanged,    //!< of what crosses its ports besides its flows
    Disturbed,      //!< from outside, as the simulator says
    EpisodeFound,   //!< its conflict graph is known
    EpisodeUnknown, //!< its conflict graph is not known
    EpisodeUnfit, //!< it is, but a flow would end within the episode, or a disturbance is known to
                  //!< come
    EpisodeAwaited,  //!< it is not, but an equal partition is being recorded
    EpisodeOver,     //!< the replay is at its end
    Steady,          //!< all flows are
    TailReached,     //!< a flow is so near its end that its packets matter
    StretchOver,     //!< no skip goes on for longer without a look at the packets
    RatesHeld,       //!< after a skip
    RatesChanged,    //!< after a skip
    NothingToRecord, //!< there is no store, or the state cannot be saved
    OverBudget,      //!< keys and recordings would cost more than they may, for what was saved
    SavesLittle,     //!< it is steady or known, but too little could have been saved so far
    Suspended,       //!< the controller has cost more than it may, and suspends its work
    Resumed,         //!< it has been suspended for long enough
    Finished,        //!< the simulation is
    DecidedByChance, //!< what is recorded would not happen again
    Audited,         //!< what was left out is simulated after all, to see whether it was right
    Foreseen,        //!< the simulator knows what comes without packets
};

constexpr std::size_t REASONS = 25; //!< how many there are

/** \return the name, as above */
const char* ToString(PartitionState state);
/** \return the name, as above */
const char* ToString(Reason reason);

/** One change of what is done with a partition. From Running to Running: something happened to it,
 * or it is new, or its packets are simulated for another reason than before. */
struct Decision
{
    Time time;             //!< at which it is taken
    PartitionId partition; //!< whose ids change as partitions merge and split (PartitionChange)
    PartitionState from{PartitionState::Running}; //!< may be the same as #to
    PartitionState to{PartitionState::Running};   //!< from now on
    Reason reason{Reason::FlowStarted};           //!< for leaving #from, or for entering #to
    std::uint32_t flows{0};                       //!< in the partition
    Duration span{0}; //!< Replaying: up to the end of the episode; Skipping: up to the next look;
                      //!< else 0
};

/** Told of each decision, in order. */
using DecisionHandler = std::function<void(const Decision& decision)>;

} // namespace wormhole

#endif // WORMHOLE_DECISION_H
