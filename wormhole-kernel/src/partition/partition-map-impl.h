/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_MAP_IMPL_H
#define WORMHOLE_PARTITION_MAP_IMPL_H

#include "partition/partition-graph.h"
#include "partition/partition-search.h"
#include "wormhole/partition-map.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/** What changes a PartitionMap; its queries read the graph. */
class PartitionMap::Impl
{
  public:
    using Slot = PartitionGraph::Slot;

    PartitionChange Start(FlowId flow, const std::vector<PortId>& ports);
    PartitionChange End(Slot flow);

    /** \throws UsageError if there is no such flow */
    Slot SlotOf(FlowId flow) const;
    /** \throws UsageError if there is no such partition */
    Slot SlotOf(PartitionId partition) const;

    PartitionGraph graph;
    PartitionSearchStatistics statistics;

  private:
    /** Makes the ports exist, and #m_path their list without duplicates. */
    void SetPath(const std::vector<PortId>& ports);

    /** Sets #m_touched to the partitions of the ports in #m_path.
     *  \return number of these ports that are unused */
    std::size_t Touch();

    /** \return which of #m_touched has most members; among equals, the lowest id */
    Slot Largest() const;

    /** Adds the members of \p other to \p partition. */
    void Merge(Slot partition, Slot other);

    /** Puts a new flow with the path #m_path into \p partition, which all its used ports are in. */
    void Add(FlowId flow, bool needed, Slot partition);

    /** Takes \p flow out of the graph and of its partition, with the ports that it alone used. If
     * it was needed, #m_seeds are the ports on which its end may have separated something. */
    void Remove(Slot flow);

    /** Makes partitions of what the end of a needed flow has separated in \p partition. */
    void Separate(Slot partition, PartitionChange& change);

    /** Makes partitions of the pieces that the search found in \p partition. */
    void Split(Slot partition, std::size_t pieces, PartitionChange& change);

    /** Moves piece \p piece that the search found into a new partition without id. \return its slot
     */
    Slot CutOff(std::size_t piece);

    PartitionSearch m_search{graph};

    // Kept for their memory
    std::vector<PortId> m_path;
    std::vector<Slot> m_touched;
    std::vector<Slot> m_seeds;
    std::vector<Slot> m_cut;
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_MAP_IMPL_H
