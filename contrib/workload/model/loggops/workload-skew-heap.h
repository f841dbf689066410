/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SKEW_HEAP_H
#define WORKLOAD_SKEW_HEAP_H

#include "workload-pool.h"

#include <cstdint>
#include <utility>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Heaps of numbered values that can be melded, their nodes in one pool. A heap is known by
 * its root; WORKLOAD_POOL_NONE is the empty one.
 *
 * Skew heaps (Sleator and Tarjan, 1986): amortised O(log n) per operation.
 * \tparam T a plain value with a member \c number; the least is first
 */
template <typename T>
class WorkloadSkewHeaps
{
  public:
    /** \return the least value of a heap that is not empty */
    const T& First(uint32_t root) const
    {
        return m_nodes[root].value;
    }

    /** \return the heap with another value */
    uint32_t Add(uint32_t root, const T& value)
    {
        return Meld(root, m_nodes.Add({value, WORKLOAD_POOL_NONE, WORKLOAD_POOL_NONE}));
    }

    /** \return the heap without its least value */
    uint32_t Pop(uint32_t root)
    {
        const uint32_t rest = Meld(m_nodes[root].left, m_nodes[root].next);
        m_nodes.Free(root);
        return rest;
    }

    /** \return both heaps in one */
    uint32_t Meld(uint32_t a, uint32_t b)
    {
        uint32_t root = WORKLOAD_POOL_NONE;
        uint32_t* place = &root;
        while (a != WORKLOAD_POOL_NONE && b != WORKLOAD_POOL_NONE)
        {
            if (m_nodes[b].value.number < m_nodes[a].value.number)
            {
                std::swap(a, b);
            }
            // The lesser one goes here, and its children change sides.
            Node& node = m_nodes[a];
            *place = a;
            a = node.next;
            node.next = node.left;
            place = &node.left;
        }
        *place = a != WORKLOAD_POOL_NONE ? a : b;
        return root;
    }

  private:
    struct Node
    {
        T value;
        uint32_t left;
        uint32_t next; ///< right child; the pool's while free
    };

    WorkloadPool<Node> m_nodes;
};

} // namespace ns3

#endif // WORKLOAD_SKEW_HEAP_H
