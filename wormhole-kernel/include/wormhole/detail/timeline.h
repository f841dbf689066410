/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_DETAIL_TIMELINE_H
#define WORMHOLE_DETAIL_TIMELINE_H

#include "wormhole/detail/event-heap.h"
#include "wormhole/units.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace wormhole::detail
{

/**
 * \brief The events of one timeline, which move in time by one number.
 *
 * Keys in the heap are times less #offset. Of every event and of #latest, both that and the sum
 * with #offset are in the range of Rep.
 *
 * \tparam Payload trivially copyable
 */
template <class Payload>
struct Timeline
{
    using Heap = EventHeap<Payload>;
    using Node = typename Heap::Node;
    using Rep = Duration::rep;

    Heap heap;
    Rep offset{0};
    Rep latest{0}; //!< not before the last of the keys
    bool exists{false};
    bool parked{false};

    /** \return the time of the first event; only if there is one */
    Rep FirstTime() const
    {
        return heap.Root().key.time + offset;
    }

    /** Makes it able to hold times between \p earliest and \p to. */
    void MakeRoom(Rep earliest, Rep to)
    {
        Rep unused = 0;
        if (__builtin_sub_overflow(earliest, offset, &unused) ||
            __builtin_sub_overflow(to, offset, &unused))
        {
            DropOffset();
        }
    }

    /** Moves all events by \p shift; there must be one.
     *  \return whether they are in the range of Rep then; if not, their times are what they were */
    bool Shift(Rep shift)
    {
        bool overflow = false;
        const Rep bound = SumOf(latest, offset, overflow);
        SumOf(bound, shift, overflow);
        const Rep sum = SumOf(offset, shift, overflow);
        const Rep earliest = FirstTime();
        SumOf(earliest, shift, overflow);
        if (!overflow)
        {
            offset = sum;
            return true;
        }
        DropOffset();
        overflow = false;
        SumOf(earliest, shift, overflow);
        SumOf(latest, shift, overflow);
        offset = overflow ? 0 : shift;
        return !overflow;
    }

    /** Adds \p nodes, whose times are less \p theirs. */
    void Add(Rep theirs, std::vector<Node>& nodes)
    {
        if (nodes.empty())
        {
            return;
        }
        Rep first = std::numeric_limits<Rep>::max();
        Rep last = std::numeric_limits<Rep>::min();
        for (Node& node : nodes)
        {
            node.key.time += theirs;
            first = std::min(first, node.key.time);
            last = std::max(last, node.key.time);
        }
        MakeRoom(first, last);
        for (Node& node : nodes)
        {
            node.key.time -= offset;
        }
        heap.Append(nodes);
        latest = std::max(latest, last - offset);
    }

  private:
    /** \return \p a + \p b; sets \p overflow, and returns the wrong sum, if it is not in range */
    static Rep SumOf(Rep a, Rep b, bool& overflow)
    {
        Rep sum = 0;
        overflow |= __builtin_add_overflow(a, b, &sum);
        return sum;
    }

    /** Makes the offset 0. O(n) */
    void DropOffset()
    {
        latest = std::numeric_limits<Rep>::min();
        heap.ForEachKey([&](EventKey& key) {
            key.time += offset;
            latest = std::max(latest, key.time);
        });
        offset = 0;
    }
};

} // namespace wormhole::detail

#endif // WORMHOLE_DETAIL_TIMELINE_H
