/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DECIDING_H
#define WORMHOLE_DECIDING_H

#include "tracking/packet-state.h"
#include "tracking/partition-table.h"
#include "tracking/recorder.h"
#include "wormhole/conflict-graph.h"

namespace wormhole
{

class Following;
class Replaying;
class Sampling;
class Skipping;

/** What is to be done with a partition that has just changed, or comes to a tail. */
class Deciding
{
  public:
    Deciding(const ControllerContext& context,
             PartitionTable& table,
             PacketState& packets,
             Recorder& recorder,
             Account& account,
             Replaying& replaying,
             Following& following,
             Sampling& sampling,
             Skipping& skipping);

    /** \p record is fresh, and all that happens at this time has happened. */
    void Decide(PartitionRecord& record);

    /** Goes on with an episode, if there is one that fits; else with packets, of which a recording
     * is made.
     *  \param tail it is steady, but a flow is about to end */
    void ReplayOrRecord(PartitionRecord& record, bool tail);

    /** Lets \p record run in packets, which are sampled unless it is at a tail. */
    void MayNeedExactness(const PartitionRecord& record);
    void RunUnrecorded(PartitionRecord& record, Reason reason, bool tail);

  private:
    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Recorder& m_recorder;
    Account& m_account;
    Replaying& m_replaying;
    Following& m_following;
    Sampling& m_sampling;
    Skipping& m_skipping;
    ConflictGraph::Builder m_graphs;
};

} // namespace wormhole

#endif // WORMHOLE_DECIDING_H
