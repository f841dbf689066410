/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_EULER_TOURS_H
#define WORMHOLE_EULER_TOURS_H

#include "partition/findings.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormhole
{

/**
 * \brief A forest whose trees are linked and cut in O(log n) amortised.
 *
 * Each tree is kept as its Euler tour: a cyclic sequence with one node per vertex and two per edge,
 * one for either direction (Henzinger and King, 1999). The sequences are splay trees (Sleator and
 * Tarjan, 1985). So no random numbers are needed, and what is used together is found near the top.
 *
 * Vertices bear two kinds of flags; the next vertex with one of them is found in O(log n)
 * amortised.
 */
class EulerTours
{
  public:
    using Node = std::uint32_t;
    static constexpr Node NONE = UINT32_MAX;

    /** Adds a vertex, and nodes for the edges that it will have.
     *  \param count nodes in a row, the vertex included
     *  \param owner what the vertex stands for
     *  \return the first of the nodes, which is the vertex, alone in its tree */
    Node Add(std::uint32_t owner, std::uint32_t count);

    /** Frees the nodes that Add returned, when the vertex has no edges, or when all vertices of its
     * tree are removed before anything else is done. */
    void Remove(Node vertex, std::uint32_t count);

    /** Connects two vertices in different trees.
     *  \param edge it and the node after it will be the edge; neither is in use */
    void Link(Node a, Node b, Node edge);

    void Cut(Node edge);

    /** \return whether two different vertices are in one tree */
    bool Connected(Node a, Node b);

    /** \return number of vertices in the tree of \p vertex */
    std::size_t Size(Node vertex);

    /** Sets what flags the vertex bears, kind i being bit i. O(1) if there is no change. */
    void SetFlags(Node vertex, std::uint8_t flags);

    /** \return the first vertex with flag \p flag in the tree of \p vertex, NONE if there is
     * none */
    Node First(Node vertex, unsigned flag);

    /** \return the next one after \p vertex, until all have been returned since First, if no edge
     * changed since */
    Node Next(Node vertex, unsigned flag);

    std::uint32_t OwnerOf(Node vertex) const
    {
        return m_nodes[vertex].owner;
    }

    /** Appends the owners of all vertices in the tree of \p vertex. O(their number) */
    void AppendOwners(Node vertex, std::vector<std::uint32_t>& owners);

    /** \return the same for all vertices of a tree, without changing anything; O(depth) */
    Node RootOf(Node node) const;

    /** \return number of vertices in the tree with root \p root */
    std::size_t SizeBelow(Node root) const
    {
        return m_nodes[root].counts.vertices;
    }

    /** \return flags of the vertex */
    std::uint8_t FlagsOf(Node vertex) const
    {
        return m_nodes[vertex].flags;
    }

    void SelfCheck(Findings& findings) const;

  private:
    /** Of the vertices in a subtree. Sums, since these can be updated from what is at hand. */
    struct Counts
    {
        std::uint32_t vertices{0};
        std::array<std::uint32_t, 2> flagged{}; //!< by flag

        Counts& operator+=(const Counts& other);
        Counts& operator-=(const Counts& other);
    };

    /** Half a cache line. */
    struct alignas(32) Item
    {
        Node parent{NONE};
        Node left{NONE};
        Node right{NONE};
        std::uint32_t owner{NONE}; //!< NONE: not a vertex
        Counts counts;             //!< in its subtree
        std::uint8_t flags{0};     //!< its own
    };

    /** \return what \p node is itself */
    Counts Own(Node node) const;

    void Rotate(Node node);
    void Splay(Node node);

    /** Makes \p node the first of its sequence, cut off from those before it. \return their root */
    Node SplitBefore(Node node);
    /** The same for the last and those after it. */
    Node SplitAfter(Node node);
    /** The same for what is on \p side of it: what both do. */
    Node Detach(Node node, Node Item::*side);

    /** \return the root of the sequence \p a, \p b, both roots, either may be NONE */
    Node Join(Node a, Node b);

    /** \return the first in the subtree of \p node with flag \p flag */
    Node FirstBelow(Node node, unsigned flag) const;

    std::vector<Item> m_nodes;
    std::vector<std::vector<Node>> m_free; //!< by count
};

} // namespace wormhole

#endif // WORMHOLE_EULER_TOURS_H
