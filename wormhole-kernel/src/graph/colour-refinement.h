/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_COLOUR_REFINEMENT_H
#define WORMHOLE_COLOUR_REFINEMENT_H

#include "wormhole/conflict-graph.h"
#include "wormhole/signature.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormhole
{

/**
 * \brief An ordered partition of the vertices of a graph into cells, made finer until vertices of
 * one cell see the same labels towards every cell.
 *
 * (Colour refinement, or the 1-dimensional Weisfeiler-Leman algorithm, as in the tools for graph
 * isomorphism since McKay, "Practical graph isomorphism", 1981.) The order of the cells depends on
 * the colours and the graph alone, not on the numbering of its vertices: a cell is named by the
 * number of vertices before it. Of a cell that splits, the largest part need not be looked at
 * again (Hopcroft), so that all refinements of one object together cost
 * O((vertices + edges) log vertices).
 */
class ColourRefinement
{
  public:
    /** \param graph outlives the object */
    explicit ColourRefinement(const ConflictGraph& graph);

    /** Begins with a cell for each of the \p colours, by vertex, in their order; and refines. */
    void Start(const std::vector<Signature>& colours);

    /** Begins with the stable colours of the graph. */
    void StartStable();

    /** Takes \p vertex out of its cell, into one of its own behind it; and refines. */
    void Individualise(std::uint32_t vertex);

    bool IsDiscrete() const
    {
        return m_cellCount == m_order.size();
    }

    /** \return a cell with more than one vertex, a small one for there are few choices in it; only
     *          if not IsDiscrete() */
    std::uint32_t SmallOpenCell();

    /** \return number of the vertices before the cell of \p vertex */
    std::uint32_t CellOf(std::uint32_t vertex) const
    {
        return m_cellOf[vertex];
    }

    std::uint32_t SizeOf(std::uint32_t cell) const
    {
        return m_size[cell];
    }

    /** \return the vertices, cell by cell; within a cell in no particular order */
    const std::vector<std::uint32_t>& Order() const
    {
        return m_order;
    }

    /** \return a signature of the cells, of the \p colours of their vertices, and of the edges
     *          between them: the same whatever the numbering. Cost: O(vertices + edges) */
    Signature Sign(const std::vector<Signature>& colours) const;

    /** \return vertices and edges looked at so far */
    std::uint64_t Work() const
    {
        return m_work;
    }

    /** \return colours, by vertex, as ConflictGraph::Colour gives them; leaves the object without
     */
    std::vector<std::uint32_t> TakeColours()
    {
        return std::move(m_cellOf);
    }

  private:
    void Refine();
    void CountEdgesInto(std::uint32_t splitter);
    void Touch(std::uint32_t vertex, std::uint64_t value);
    void Split(std::uint32_t cell);
    void QueueParts(std::uint32_t cell, std::uint32_t end);
    void Queue(std::uint32_t cell);

    const ConflictGraph& m_graph;
    std::size_t m_cellCount{0};
    std::uint32_t m_firstOpen{0}; //!< all cells before it have one vertex
    std::uint64_t m_work{0};

    std::vector<std::uint32_t> m_order;
    std::vector<std::uint32_t> m_place;   //!< by vertex, in m_order
    std::vector<std::uint32_t> m_cellOf;  //!< by vertex
    std::vector<std::uint32_t> m_size;    //!< by cell
    std::vector<std::uint32_t> m_touched; //!< by cell: vertices at its end that see the splitter
    std::vector<std::uint64_t> m_value;   //!< by vertex, if touched: what it sees
    std::vector<std::uint32_t> m_touchedCells;
    std::vector<std::uint32_t> m_splitter; //!< vertices of the cell that others are looked at from
    std::vector<std::uint32_t> m_queue;    //!< cells that are to be splitters, from m_queueHead
    std::size_t m_queueHead{0};
    std::vector<unsigned char> m_queued; //!< by cell
};

} // namespace wormhole

#endif // WORMHOLE_COLOUR_REFINEMENT_H
