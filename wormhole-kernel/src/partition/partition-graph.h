/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_GRAPH_H
#define WORMHOLE_PARTITION_GRAPH_H

#include "partition/slot-table.h"
#include "wormhole/id.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/**
 * \brief The bipartite graph of flows and ports, and which partition each of them is in.
 *
 * Storage with elementary changes; what they add up to is up to PartitionMap. Flows and partitions
 * live in slots that are used again, ports at the index that their id is. No call but those that
 * say so keeps memory from being allocated again; what was allocated is kept for the next flow.
 *
 * A flow is *needed* or *spare*. The skeleton of a partition is its ports and its needed flows.
 * Invariant, whenever no call of PartitionMap is under way: the skeleton of each partition is
 * connected. So the end of a spare flow separates nothing.
 */
class PartitionGraph
{
  public:
    using Slot = std::uint32_t;
    static constexpr Slot NONE = SlotTable::NONE;

    /** A place in the list of a partition's flows, or of its ports: a ring. */
    struct Membership
    {
        Slot partition{NONE}; //!< NONE: the port is unused, or the slot of the flow is free
        Slot previous{NONE};
        Slot next{NONE};
    };

    /** Which of its flows a port lists together. */
    enum List : std::uint8_t
    {
        SPARE,
        NEEDED,
    };

    /** One flow on one port, seen from the port. */
    struct Use
    {
        Slot flow;
        std::uint32_t hop; //!< index of the port in Flow::ports
    };

    /** The same, seen from the flow. */
    struct Place
    {
        std::uint32_t index : 31; //!< in the list
        std::uint32_t list : 1;
    };

    struct Flow
    {
        Membership member;
        std::uint64_t mark{0};
        FlowId id;
        std::vector<PortId> ports; //!< its path without duplicates
        std::vector<Place> uses;   //!< by hop: where the port lists this flow

        bool Needed() const
        {
            return !uses.empty() && uses[0].list != SPARE;
        }
    };

    struct Port
    {
        Membership member;
        std::uint64_t mark{0};
        std::array<std::vector<Use>, 2> uses; //!< by List, in any order

        bool Unused() const
        {
            return uses[NEEDED].empty() && uses[SPARE].empty();
        }
    };

    /** Head of a list, and its length. */
    struct Members
    {
        Slot first{NONE}; //!< of no meaning if the list is empty
        std::uint32_t count{0};
    };

    struct Partition
    {
        PartitionId id;
        Members flows; //!< empty: the slot is free
        Members ports;
        std::uint64_t mark{0};

        std::uint64_t Size() const
        {
            return std::uint64_t{flows.count} + ports.count;
        }
    };

    /** \return \p count marks that nothing bears yet, consecutive, the first of them */
    std::uint64_t NewMarks(std::uint64_t count);

    // Flows

    Slot FindFlow(FlowId flow) const;

    /** \return slot of a new spare flow in no partition and on no port
     *  \param ports that exist (ReservePort), each at most once */
    Slot AddFlow(FlowId flow, const std::vector<PortId>& ports);

    /** Frees the slot of a flow that is in no partition and on no port. Its path stays readable
     * until the next AddFlow. */
    void RemoveFlow(Slot flow);

    /** Lists \p flow with its ports. */
    void Attach(Slot flow, List list);

    /** Takes \p flow from the lists of its ports. */
    void Detach(Slot flow);

    /** Detaches, and attaches again. */
    void Relist(Slot flow, List list);

    // Ports

    /** Makes sure that \p port exists. */
    void ReservePort(PortId port);

    // Partitions

    Slot FindPartition(PartitionId partition) const;

    /** \return slot of a new partition without members or id */
    Slot AddPartition();

    /** Names no partition as \p other, which goes, has. */
    void NameAfter(const PartitionGraph& other)
    {
        m_nextPartition = other.m_nextPartition;
    }

    /** Gives it an id that no partition has had. */
    PartitionId NamePartition(Slot partition);

    /** Gives it the id \p id, which belonged to another one. */
    void NamePartition(Slot partition, PartitionId id);

    /** Frees the slot of a partition without members. */
    void RemovePartition(Slot partition);

    void JoinFlow(Slot flow, Slot partition);
    void LeaveFlow(Slot flow);
    void JoinPort(Slot port, Slot partition);
    void LeavePort(Slot port);

    /** Moves all members of \p from to \p into; both have flows and ports. O(members of \p from).
     */
    void Merge(Slot into, Slot from);

    // Slots of Partition::flows and Partition::ports, in no order that means anything
    std::vector<Slot> FlowSlotsOf(Slot partition) const;
    std::vector<Slot> PortSlotsOf(Slot partition) const;

    /** \return the smallest id of the partition's flows; O(flows) */
    FlowId SmallestFlow(Slot partition) const;

    /** \return the first thing found that breaks an invariant, empty if there is none */
    std::string SelfCheck() const;

    std::vector<Flow> flows;
    std::vector<Port> ports; //!< by PortId
    std::vector<Partition> partitions;

  private:
    void AddUse(Slot slot, Flow& flow, std::uint32_t hop, List list);
    void RemoveUse(const Flow& flow, std::uint32_t hop);

    std::vector<Slot> m_freeFlows;
    std::vector<Slot> m_freePartitions;
    SlotTable m_flowSlots;
    SlotTable m_partitionSlots;
    std::uint64_t m_nextMark{1};
    std::uint64_t m_nextPartition{0};
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_GRAPH_H
