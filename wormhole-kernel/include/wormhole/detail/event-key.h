/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_EVENT_KEY_H
#define WORMHOLE_DETAIL_EVENT_KEY_H

#include <cstddef>
#include <cstdint>

namespace wormhole::detail
{

/** What events are ordered by. */
struct EventKey
{
    std::int64_t time; //!< picoseconds; counted from where is up to the user of the key
    std::uint64_t sequence;
};

/** \return whether \p a comes before \p b. Without branches: in a heap they would be guessed
 * wrongly every other time. */
inline bool
Before(const EventKey& a, const EventKey& b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.sequence < b.sequence));
}

/**
 * \brief Which of the nodes \p child, \p child + 1, ... of a heap comes first.
 *
 * \param nodes of the heap, with a member key
 * \param child the first child of some node, which is at most as large as \p size
 * \param size of the heap; only the children below it count, of up to four
 * \return \p size if there is none
 */
template <class Node>
std::size_t
FirstChild(const Node* nodes, std::size_t child, std::size_t size)
{
    if (child + 3 < size)
    {
        const Node* const c = nodes + child;
        const std::size_t left = Before(c[1].key, c[0].key) ? 1 : 0;
        const std::size_t right = Before(c[3].key, c[2].key) ? 3 : 2;
        return child + (Before(c[right].key, c[left].key) ? right : left);
    }
    std::size_t first = child < size ? child : size;
    for (std::size_t i = child + 1; i < size; ++i)
    {
        first = Before(nodes[i].key, nodes[first].key) ? i : first;
    }
    return first;
}

} // namespace wormhole::detail

#endif // WORMHOLE_DETAIL_EVENT_KEY_H
