/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_INDEX_H
#define WORMHOLE_PARTITION_INDEX_H

#include "partition/euler-tours.h"
#include "partition/partition-graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/**
 * \brief Finds out what the end of a needed flow separates without searching along the skeleton.
 *
 * Of each partition that is indexed, it keeps a spanning tree of the skeleton: the vertices are its
 * ports and needed flows, the edges are the uses that ports list as TIGHT. Other uses of needed
 * flows are LOOSE. As a tree, it falls apart where a needed flow ends, into one piece for each edge
 * that the flow had. The smaller ones are looked through for uses that cross to other pieces, which
 * become edges; what cannot be connected so is separate.
 *
 * The vertices with spare flows or loose uses are found directly, as the tours bear flags for them.
 * Many of these lead back into the piece, and those that did so once will mostly do it again. So
 * the ports of the path come first, then vertices that are fresh, and only then those that are
 * stale: that were looked through in vain, and have had no new use since. A start makes no more
 * vertices fresh than its path has ports, and each is stale after one look.
 */
class PartitionIndex
{
  public:
    using Slot = PartitionGraph::Slot;

    explicit PartitionIndex(PartitionGraph& graph)
        : m_graph(graph)
    {
    }

    /** Begins to index a partition. O(n log n) in its ports and needed flows. */
    void Build(Slot partition);

    /** Ends to index a partition. O(its ports and needed flows) */
    void Drop(Slot partition);

    /** Takes up \p flow, which is listed as SPARE or LOOSE with ports of an indexed partition, or
     * of several ones, which it connects. */
    void Add(Slot flow);

    /** Forgets \p flow, which is in no list any more, but still has its path and the places it had,
     * and the ports that nobody uses now. */
    void Remove(Slot flow);

    /** \param seeds ports, in the different trees that an indexed partition fell apart into
     *  \return how many pieces are separated from the rest of the partition: 0 to seeds - 1 */
    std::size_t Run(const std::vector<Slot>& seeds);

    /** Appends all ports of piece \p piece; its flows are those on the ports. */
    void AppendPorts(std::size_t piece, std::vector<Slot>& ports);

    /** \return flows and ports that all runs have looked at */
    std::uint64_t Visited() const
    {
        return m_visited;
    }

    /** \return the first thing found that breaks an invariant, empty if there is none */
    std::string SelfCheck() const;

  private:
    using Node = EulerTours::Node;

    /** What a vertex bears flags for. */
    enum Flag : std::uint8_t
    {
        FRESH, //!< spare flows or loose uses, some of them new since it was last looked at
        STALE  //!< spare flows or loose uses, all of which have been looked at
    };

    void AddPort(Slot port);
    void RemovePort(Slot port);

    /** Makes \p flow, all of whose uses are loose, a vertex. */
    void Tie(Slot flow);

    /** Makes edges of those loose uses of \p flow that connect different trees.
     *  \return whether there were any */
    bool Tighten(Slot flow);
    void Tighten(Slot flow, std::uint32_t hop);

    /** Updates the flags of a flow and of its ports, which have got new uses. */
    void Refresh(Slot flow);

    /** Sets the flag of \p vertex.
     *  \param crossing whether it has spare flows or loose uses
     *  \param fresh whether some are new; else, it stays what it was */
    void SetFlag(Node vertex, bool crossing, bool fresh);

    /** \return whether it has spare flows or loose uses */
    static bool MayCross(const PartitionGraph::Port& port);
    static bool MayCross(const PartitionGraph::Flow& flow);

    /** \return the first of the nodes of an edge */
    static Node EdgeOf(const PartitionGraph::Flow& flow, std::uint32_t hop)
    {
        return flow.node + 1 + 2 * hop;
    }

    /** Connects the tree of \p port with another one, if it can be.
     *  \return whether it has been */
    bool Reconnect(Slot port);

    // Whether one of these connected the tree of the vertex with another one
    bool LookAt(Node vertex);
    bool LookAtPort(Slot port);
    bool LookAtSpare(Slot flow);
    bool LookAtLoose(Slot flow);

    /** \return whether \p flow uses ports in different trees */
    bool Connects(const PartitionGraph::Flow& flow);

    /** Marks a thing as looked at. \return whether it was already */
    template <class Thing>
    bool Mark(Thing& thing);

    void CheckFlow(Slot flow, Findings& findings) const;
    void CheckPartition(Slot partition, Findings& findings) const;

    PartitionGraph& m_graph;
    EulerTours m_tours;
    std::vector<Slot> m_trees;  //!< a port of each that is not connected with the rest so far
    std::vector<Slot> m_pieces; //!< a port of each
    std::vector<Slot> m_flows;  //!< kept for its memory
    std::uint64_t m_mark{0};    //!< of this run
    std::uint64_t m_visited{0};
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_INDEX_H
