/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_EVENT_HEAP_H
#define WORMHOLE_DETAIL_EVENT_HEAP_H

#include "wormhole/detail/event-key.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace wormhole::detail
{

/**
 * \brief A heap with four children per node, of keys and what they stand for.
 *
 * \tparam Payload trivially copyable
 */
template <class Payload>
class EventHeap
{
  public:
    struct Node
    {
        EventKey key;
        Payload payload;
    };

    bool IsEmpty() const
    {
        return m_nodes.empty();
    }

    std::size_t Size() const
    {
        return m_nodes.size();
    }

    /** \return the first node; only if not IsEmpty() */
    const Node& Root() const
    {
        return m_nodes.front();
    }

    void Push(const Node& node)
    {
        m_nodes.push_back(node);
        SiftUp(m_nodes.size() - 1, node);
    }

    /** Root() goes and \p node comes. */
    void ReplaceRoot(const Node& node)
    {
        SiftDown(0, node);
    }

    /** Root() goes. */
    void PopRoot()
    {
        const Node last = m_nodes.back();
        m_nodes.pop_back();
        if (!m_nodes.empty())
        {
            SiftDown(0, last);
        }
    }

    /** \return all nodes, in no order, which are gone */
    std::vector<Node> Take()
    {
        return std::exchange(m_nodes, {});
    }

    /** Adds nodes in any order. */
    void Append(const std::vector<Node>& nodes)
    {
        if (nodes.size() < m_nodes.size() / 8)
        {
            for (const Node& node : nodes)
            {
                Push(node);
            }
        }
        else
        {
            m_nodes.insert(m_nodes.end(), nodes.begin(), nodes.end());
            Order();
        }
    }

    /** Removes the nodes that are \p gone. \return how many */
    template <class Predicate>
    std::size_t RemoveIf(Predicate gone)
    {
        const auto kept = std::remove_if(m_nodes.begin(), m_nodes.end(), gone);
        const auto count = static_cast<std::size_t>(m_nodes.end() - kept);
        if (count > 0)
        {
            m_nodes.erase(kept, m_nodes.end());
            Order();
        }
        return count;
    }

    /** Calls \p change with each key; it must keep their order. */
    template <class Change>
    void ForEachKey(Change change)
    {
        for (Node& node : m_nodes)
        {
            change(node.key);
        }
    }

  private:
    /** Makes a heap of nodes in any order. */
    void Order()
    {
        if (m_nodes.size() < 2)
        {
            return;
        }
        for (std::size_t i = (m_nodes.size() - 2) / 4 + 1; i-- > 0;)
        {
            SiftDown(i, Node(m_nodes[i]));
        }
    }

    void SiftUp(std::size_t hole, const Node& node)
    {
        while (hole > 0)
        {
            const std::size_t parent = (hole - 1) / 4;
            if (!Before(node.key, m_nodes[parent].key))
            {
                break;
            }
            m_nodes[hole] = m_nodes[parent];
            hole = parent;
        }
        m_nodes[hole] = node;
    }

    void SiftDown(std::size_t hole, const Node& node)
    {
        const std::size_t size = m_nodes.size();
        for (std::size_t child = 4 * hole + 1; child < size; child = 4 * hole + 1)
        {
            const std::size_t first = FirstChild(m_nodes.data(), child, size);
            if (!Before(m_nodes[first].key, node.key))
            {
                break;
            }
            m_nodes[hole] = m_nodes[first];
            hole = first;
        }
        m_nodes[hole] = node;
    }

    std::vector<Node> m_nodes;
};

} // namespace wormhole::detail

#endif // WORMHOLE_DETAIL_EVENT_HEAP_H
