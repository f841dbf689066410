/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_SEARCH_H
#define WORMHOLE_PARTITION_SEARCH_H

#include "partition/partition-graph.h"

#include <cstdint>
#include <vector>

namespace wormhole
{

/**
 * \brief Finds out into which pieces the end of a needed flow separates its partition.
 *
 * The ports that are left of the flow's path are the *seeds*. Two steps:
 *
 * 1. Along the skeleton: breadth-first searches from all seeds take turns, one flow at a time.
 *    Those that meet form a group. As soon as only one group can still go on, the searches stop:
 *    that group is the *rest*, never looked at as a whole, and each other group has found all of
 *    its component of the skeleton. So the cost is that of the pieces but the largest.
 * 2. Across: the spare flows on the ports of each finished group are looked at. One that reaches
 *    another group joins the two, and becomes needed. A group that has been joined to the rest
 * needs no further look. The groups that are left beside the rest are the pieces.
 *
 * The skeleton of each piece, and that of the rest, is connected then. For the skeleton as it was
 * is connected, and the flow that ended connected nothing but its ports; of these, a port that it
 * used alone hung on it only and is gone. So without that flow each port still is connected, by
 * needed flows, to a seed. And the seeds of a piece are connected with each other by the needed
 * flows through which the searches met and by those that became needed in step 2.
 *
 * A needed flow is, when it becomes one, the only connection between parts of the skeleton. So
 * there are hardly more of them than ports, however many flows share these: that is why step 1
 * keeps to the skeleton. If it searched all flows, those along the paths where searches meet would
 * have to become needed, and after some time nearly all would be.
 */
class PartitionSearch
{
  public:
    using Slot = PartitionGraph::Slot;

    explicit PartitionSearch(PartitionGraph& graph)
        : m_graph(graph)
    {
    }

    /** \param seeds ports in one partition, two or more
     *  \return how many pieces are separated from the rest of the partition: 0 to seeds - 1 */
    std::size_t Run(const std::vector<Slot>& seeds);

    /** Appends all ports of piece \p piece; its flows are those on the ports. */
    void AppendPorts(std::size_t piece, std::vector<Slot>& ports);

    /** \return flows and ports that all runs have looked at */
    std::uint64_t Visited() const
    {
        return m_visited;
    }

  private:
    /** The search from one seed. */
    struct Search
    {
        std::vector<Slot> reached; //!< ports, in the order in which they were reached
        std::size_t port{0};       //!< index in #reached where the search goes on
        std::size_t use{0};        //!< index of the needed flow on that port where it goes on
        std::size_t parent{0};     //!< in the forest of groups; itself: it stands for its group
        std::size_t unfinished{1}; //!< if it stands for its group: searches that can go on
    };

    void Begin(const std::vector<Slot>& seeds);
    void AlongSkeleton();
    void AcrossSkeleton();

    /** Searches one more flow. */
    void Advance(std::size_t search);
    void Reach(std::size_t search, Slot flow);

    /** Looks at the spare flows on the ports of a search until its group joins the rest. */
    void Cross(std::size_t search);
    /** \return whether \p flow connected the search's group to another one */
    bool Connects(std::size_t search, Slot flow);

    /** \return what stands for the group of \p search */
    std::size_t GroupOf(std::size_t search);
    void Join(std::size_t a, std::size_t b);

    /** \return whether this run has marked the thing */
    template <class Thing>
    bool Marked(const Thing& thing) const
    {
        return thing.mark >= m_firstMark;
    }

    template <class Thing>
    void Mark(Thing& thing, std::size_t search)
    {
        thing.mark = m_firstMark + search;
        ++m_visited;
    }

    PartitionGraph& m_graph;
    std::vector<Search> m_searches; //!< kept for their memory; the first #m_count are in use
    std::size_t m_count{0};
    std::size_t m_unfinishedGroups{0};
    std::size_t m_rest{0};             //!< a search of the rest
    std::vector<std::size_t> m_pieces; //!< what stands for each group that is a piece
    std::uint64_t m_firstMark{0};      //!< of this run: the mark of what search i reached is + i
    std::uint64_t m_visited{0};
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_SEARCH_H
