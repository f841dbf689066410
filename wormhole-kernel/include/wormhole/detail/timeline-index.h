/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_TIMELINE_INDEX_H
#define WORMHOLE_DETAIL_TIMELINE_INDEX_H

#include "wormhole/detail/event-key.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace wormhole::detail
{

/** Which of some numbered things comes first by its key: a heap with four children per node that
 * knows where each number is. */
class TimelineIndex
{
  public:
    struct Node
    {
        EventKey key;
        std::uint32_t number;
    };

    bool IsEmpty() const
    {
        return m_nodes.empty();
    }

    std::size_t Size() const
    {
        return m_nodes.size();
    }

    /** \return the first; only if not IsEmpty() */
    const Node& Root() const
    {
        return m_nodes.front();
    }

    /** From now on, numbers up to \p number may be used. */
    void Admit(std::uint32_t number)
    {
        if (number >= m_positions.size())
        {
            m_positions.resize(number + std::size_t{1}, NOWHERE);
        }
    }

    bool Contains(std::uint32_t number) const
    {
        return m_positions[number] != NOWHERE;
    }

    /** \p number has \p key from now on, whether it was there or not. */
    void Set(std::uint32_t number, const EventKey& key)
    {
        if (Contains(number))
        {
            Place(m_positions[number], {key, number});
            return;
        }
        m_nodes.push_back({key, number});
        SiftUp(m_nodes.size() - 1, {key, number});
    }

    /** \p number, which may be there or not, is not from now on. */
    void Remove(std::uint32_t number)
    {
        if (!Contains(number))
        {
            return;
        }
        const std::size_t hole = m_positions[number];
        m_positions[number] = NOWHERE;
        const Node last = m_nodes.back();
        m_nodes.pop_back();
        if (hole < m_nodes.size())
        {
            Place(hole, last);
        }
    }

    static constexpr std::size_t BytesPerNumber()
    {
        return sizeof(Node) + sizeof(std::uint32_t);
    }

  private:
    static constexpr std::uint32_t NOWHERE = std::numeric_limits<std::uint32_t>::max();

    void Put(std::size_t position, const Node& node)
    {
        m_nodes[position] = node;
        m_positions[node.number] = static_cast<std::uint32_t>(position);
    }

    void Place(std::size_t hole, const Node& node)
    {
        if (hole > 0 && Before(node.key, m_nodes[(hole - 1) / 4].key))
        {
            SiftUp(hole, node);
        }
        else
        {
            SiftDown(hole, node);
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
            Put(hole, m_nodes[parent]);
            hole = parent;
        }
        Put(hole, node);
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
            Put(hole, m_nodes[first]);
            hole = first;
        }
        Put(hole, node);
    }

    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_positions; //!< by number
};

} // namespace wormhole::detail

#endif // WORMHOLE_DETAIL_TIMELINE_INDEX_H
