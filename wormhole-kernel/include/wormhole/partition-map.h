/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_MAP_H
#define WORMHOLE_PARTITION_MAP_H

#include "wormhole/id.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wormhole
{

/** What the start or the end of a flow did to the partitions. */
struct PartitionChange
{
    /** Start: the partition that the flow is in now. End: the one it left, which may be gone. */
    PartitionId partition;

    /** Start only: the partition is new. */
    bool created{false};

    /** End only: the flow was the last of its partition, which is gone. */
    bool vanished{false};

    /** Start only: partitions that became part of #partition and are gone, ascending. */
    std::vector<PartitionId> merged;

    /** End only: new partitions that were part of #partition, in the order of their smallest
     * flows, which is also that of their ids. */
    std::vector<PartitionId> split;
};

/** How much work the ends of flows have been. */
struct PartitionSearchStatistics
{
    std::uint64_t ends{0};     //!< flows that ended or were rerouted
    std::uint64_t searches{0}; //!< of these, those after which connections had to be searched for
    std::uint64_t splits{0};   //!< of these, those after which the partition was split
    std::uint64_t visited{0};  //!< flows and ports that all searches have looked at
};

/**
 * \brief The partitions of a network: flows connected through shared ports, with those ports.
 *
 * The connected components of the bipartite graph of flows and ports, kept up as flows come and go
 * (Wormhole, NSDI 2026, section 4, Algorithms 1 and 2). A port that no flow uses is in no
 * partition; a flow without ports is a partition of its own.
 *
 * The *size* of a partition is the number of its flows plus that of its ports. Which id lives on:
 * - when a start merges partitions, that of the largest; among equals, the lowest;
 * - when an end splits a partition, the largest part keeps it; among equals, the one with the
 *   smallest flow.
 *
 * Cost, where paths are short and fixed in length:
 * - A start is O(path), plus the sizes of the partitions merged but the largest.
 * - An end is O(path) if the partition did not need the flow for being connected. Enough flows are
 *   kept track of that do connect their partition, hardly more than it has ports; the end of
 *   any other one never searches, nor does one that leaves at most one port of its path in use.
 * - Otherwise, searches from all ports of the path take turns along those flows, until at most one
 *   of them can still go on; then the other flows on the ports of all the others are looked at for
 *   one that still connects them. That is O(path x size of all parts but the largest) where it
 *   splits, and at worst O(flows + links) of the partition. It is that much where a partition is
 *   one long chain or cycle: ending a flow in the middle searches up to as far as its nearer end.
 *
 * Memory: O(highest port + greatest number of links of flows at one time), kept until destruction.
 *
 * All results, and the order in them, depend on the sequence of calls only.
 *
 * Errors: UsageError, before anything is changed. A map that was moved from can only be destroyed
 * or assigned to.
 *
 * Thread safety: distinct maps may be used by distinct threads; one map, by several threads that
 * only call const functions.
 */
class PartitionMap
{
  public:
    PartitionMap();
    ~PartitionMap();
    PartitionMap(PartitionMap&&) noexcept;
    PartitionMap& operator=(PartitionMap&&) noexcept;

    /** Adds a flow.
     *  \param flow may be one that has ended, although simulators should not use an id again
     *  \param ports all ports that the flow's data may cross, in the order of its path, several
     * paths one after another; duplicates count once; may be empty
     *  \throws UsageError if \p flow is already there */
    PartitionChange Start(FlowId flow, const std::vector<PortId>& ports);

    /** Removes a flow.
     *  \throws UsageError if there is no such flow */
    PartitionChange End(FlowId flow);

    /** The end and the start of a flow in one. */
    struct RerouteChange
    {
        PartitionChange end;
        PartitionChange start;
    };

    /** Gives a flow other ports: End, then Start. A partition that only this flow keeps together is
     * split, and merged again if the new ports do so too; one that it is alone in gets another id.
     *  \throws UsageError if there is no such flow */
    RerouteChange Reroute(FlowId flow, const std::vector<PortId>& ports);

    /** Removes all flows, and counts anew; ids of partitions are not used again. O(all) */
    void Clear();

    /** \return whether the flow has started and not ended; O(1) */
    bool Contains(FlowId flow) const;

    /** \return whether the partition exists, that is, did not vanish or merge into another; O(1) */
    bool Contains(PartitionId partition) const;

    /** O(1).
     *  \throws UsageError if there is no such flow */
    PartitionId PartitionOf(FlowId flow) const;

    /** \return nothing if no flow uses \p port; O(1) */
    std::optional<PartitionId> PartitionOf(PortId port) const;

    /** \return as given to Start, without duplicates; valid until the next change of the map; O(1)
     *  \throws UsageError if there is no such flow */
    const std::vector<PortId>& PortsOf(FlowId flow) const;

    /** \return ascending; empty if no flow uses \p port; O(n log n) in their number */
    std::vector<FlowId> FlowsOn(PortId port) const;

    /** \return ascending; O(n log n) in their number
     *  \throws UsageError if there is no such partition */
    std::vector<FlowId> FlowsOf(PartitionId partition) const;

    /** \return ascending; O(n log n) in their number
     *  \throws UsageError if there is no such partition */
    std::vector<PortId> PortsOf(PartitionId partition) const;

    /** O(1).
     *  \throws UsageError if there is no such partition */
    std::size_t FlowCount(PartitionId partition) const;

    /** O(1).
     *  \throws UsageError if there is no such partition */
    std::size_t PortCount(PartitionId partition) const;

    /** \return ascending; O(n log n) in the greatest number of partitions at one time */
    std::vector<PartitionId> Partitions() const;

    /** Counted since construction, or the last Clear. */
    const PartitionSearchStatistics& Statistics() const;

    /** Checks everything that must hold inside, for tests; O(all).
     *  \return the first thing found that does not hold, in words; empty if all does */
    std::string SelfCheck() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_MAP_H
