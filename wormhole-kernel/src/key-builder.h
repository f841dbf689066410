/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_KEY_BUILDER_H
#define WORMHOLE_KEY_BUILDER_H

#include "flow-record.h"
#include "packet-state.h"
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
    double queueStep; //!< of the scale for queues
    Bytes queueSlack; //!< up to this, queues count as empty
};

/** A partition at the start of a transient, as keys under which episodes are stored. */
struct EpisodeKeys
{
    ConflictGraph converged; //!< without what is left
    ConflictGraph completed; //!< with what is left of those flows that may be the first to complete
    std::vector<bool> mayComplete; //!< which flows these are
};

/** \return the keys of the partition of \p members as it is now; a flow's start rate is its known
 * steady rate, else what its congestion control allows */
EpisodeKeys BuildKeys(const Simulator& simulator,
                      const PartitionMap& partitions,
                      const PacketState& packets,
                      const PartitionMembers& members,
                      const KeyOptions& options);

} // namespace wormhole

#endif // WORMHOLE_KEY_BUILDER_H
