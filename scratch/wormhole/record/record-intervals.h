/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_INTERVALS_H
#define WORMHOLE_CLI_RECORD_INTERVALS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormhole
{

/**
 * Intervals of time of several kinds, in a list that stays short. Those of one kind that touch are
 * one. When there are too many, neighbours with a gap below the resolution are one if they are of
 * one kind, or if one of them is shorter than it; the kind is then that of the longer. The
 * resolution doubles until half of the room is free.
 */
class RecordIntervals
{
  public:
    /** \param most intervals that are kept, at least 2 */
    explicit RecordIntervals(size_t most)
        : m_most(most)
    {
    }

    struct Interval
    {
        int64_t begin;
        int64_t end;
        uint8_t kind;
    };

    /** In the order of the ends; of different kinds, none overlaps another. \param begin ns \param
     * end ns */
    void Add(int64_t begin, int64_t end, uint8_t kind);

    /** \return in order */
    const std::vector<Interval>& Get() const
    {
        return m_intervals;
    }

    /** \return ns; 0 as long as all are kept as they are */
    int64_t GetResolutionNs() const
    {
        return m_resolutionNs;
    }

  private:
    /** Makes one of neighbours, at the resolution. */
    void Merge();

    size_t m_most;
    int64_t m_resolutionNs{0};
    std::vector<Interval> m_intervals;
};

inline void
RecordIntervals::Add(int64_t begin, int64_t end, uint8_t kind)
{
    if (begin >= end)
    {
        return;
    }
    Interval added{begin, end, kind};
    while (!m_intervals.empty() && m_intervals.back().kind == kind &&
           added.begin - m_intervals.back().end <= m_resolutionNs)
    {
        added.begin = std::min(added.begin, m_intervals.back().begin);
        added.end = std::max(added.end, m_intervals.back().end);
        m_intervals.pop_back();
    }
    m_intervals.push_back(added);
    if (m_intervals.size() <= m_most)
    {
        return;
    }
    constexpr int64_t FIRST_NS = 1000;
    m_resolutionNs = std::max(m_resolutionNs, FIRST_NS);
    for (Merge(); m_intervals.size() > std::max<size_t>(m_most / 2, 1); Merge())
    {
        m_resolutionNs *= 2; // at twice the time from the first to the last, all are one
    }
}

inline void
RecordIntervals::Merge()
{
    const auto lengthOf = [](const Interval& interval) { return interval.end - interval.begin; };
    size_t kept = 0;
    for (const Interval& next : m_intervals)
    {
        Interval* last = kept > 0 ? &m_intervals[kept - 1] : nullptr;
        if (last && next.begin - last->end < m_resolutionNs &&
            (last->kind == next.kind || std::min(lengthOf(*last), lengthOf(next)) < m_resolutionNs))
        {
            last->kind = lengthOf(next) > lengthOf(*last) ? next.kind : last->kind;
            last->end = next.end;
            continue;
        }
        m_intervals[kept++] = next;
    }
    m_intervals.resize(kept);
}

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_INTERVALS_H
