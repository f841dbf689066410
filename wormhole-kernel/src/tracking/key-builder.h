/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_KEY_BUILDER_H
#define WORMHOLE_KEY_BUILDER_H

#include "tracking/flow-record.h"
#include "tracking/packet-state.h"
#include "wormhole/conflict-graph.h"
#include "wormhole/partition-map.h"

#include <vector>

namespace wormhole
{

/** What conflict graphs are made with. */
struct KeyOptions
{
    GraphDetail detail;
    double rateStep;  //!< of the scale for start rates
    double queueStep; //!< of the scale for queues and bytes in flight
    Bytes queueSlack; //!< up to this, queues count as empty
};

/**
 * \brief Makes the keys of episodes: the conflict graph of a partition as it is at the start of a
 * transient.
 *
 * A flow's start rate is its known steady rate, else what its congestion control allows. To be used
 * while the partition stays as it is.
 */
class KeyBuilder
{
  public:
    /** All arguments outlive the object. \param graphs empty, of the detail of \p options */
    KeyBuilder(const Simulator& simulator,
               const PartitionMap& partitions,
               const PacketState& packets,
               const PartitionMembers& members,
               const KeyOptions& options,
               ConflictGraph::Builder& graphs);

    /** \return the key of episodes that end steadily: without what is left of flows */
    ConflictGraph Converged() const;

    /** \return the key of episodes that end in a completion: with what is left of those flows that
     * may be the first to complete */
    ConflictGraph Completed() const;

    /** \return which flows may be the first to complete */
    const std::vector<bool>& MayComplete() const
    {
        return m_mayComplete;
    }

  private:
    /** What of a flow there is to know. */
    struct Start
    {
        FlowAttributes attributes;
        Bytes left;
        double needs; //!< seconds up to its completion at the rate of the start
    };

    Start StartOf(const FlowRecord& flow) const;
    ConflictGraph Build(bool withBytesLeft) const;

    const Simulator& m_simulator;
    const PartitionMap& m_partitions;
    const PacketState& m_packets;
    const PartitionMembers& m_members;
    KeyOptions m_options;
    ConflictGraph::Builder& m_graphs;
    std::vector<Start> m_starts; //!< of the flows, ascending
    std::vector<bool> m_mayComplete;
};

} // namespace wormhole

#endif // WORMHOLE_KEY_BUILDER_H
