/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_MAP_H
#define WORMHOLE_PARTITION_MAP_H

#include "wormhole/id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** What the start, end or reroute of a flow did to the partitions. */
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

    /** End only: new partitions that were part of #partition, in the order of their smallest flows.
     */
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
 */
class PartitionMap
{
  public:
    PartitionMap();
    ~PartitionMap();
    PartitionMap(PartitionMap&&) noexcept;
    PartitionMap& operator=(PartitionMap&&) noexcept;

    /** \param ports all ports that the flow's data may cross, in the order of its path; duplicates
     * count once
     *  \throws UsageError if \p flow is already there */
    PartitionChange Start(FlowId flow, const std::vector<PortId>& ports);

    /** \throws UsageError if there is no such flow */
    PartitionChange End(FlowId flow);

    /** The end and the start of a flow in one. */
    struct RerouteChange
    {
        PartitionChange end;
        PartitionChange start;
    };

    RerouteChange Reroute(FlowId flow, const std::vector<PortId>& ports);

    bool Contains(FlowId flow) const;
    PartitionId PartitionOf(FlowId flow) const;                // throws UsageError
    std::optional<PartitionId> PartitionOf(PortId port) const; // nullopt: unused
    const std::vector<PortId>& PortsOf(FlowId flow) const; // as given to Start, without duplicates
    std::vector<FlowId> FlowsOn(PortId port) const;        // ascending
    std::vector<FlowId> FlowsOf(PartitionId partition) const; // ascending; throws UsageError
    std::vector<PortId> PortsOf(PartitionId partition) const; // ascending
    std::size_t FlowCount(PartitionId partition) const;       // O(1)
    std::vector<PartitionId> Partitions() const;              // ascending
    const PartitionSearchStatistics& Statistics() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_MAP_H
