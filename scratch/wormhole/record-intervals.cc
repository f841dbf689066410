/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record-intervals.h"

#include <algorithm>

namespace wormhole
{

namespace
{

int64_t
LengthOf(const RecordIntervals::Interval& interval)
{
    return interval.end - interval.begin;
}

} // namespace

void
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
    while (m_intervals.size() > m_most)
    {
        Coarsen();
    }
}

void
RecordIntervals::Coarsen()
{
    constexpr int64_t FIRST_NS = 1000;
    m_resolutionNs = m_resolutionNs ? 2 * m_resolutionNs : FIRST_NS;
    size_t kept = 0;
    for (const Interval& next : m_intervals)
    {
        Interval* last = kept > 0 ? &m_intervals[kept - 1] : nullptr;
        if (last && next.begin - last->end < m_resolutionNs &&
            (last->kind == next.kind || std::min(LengthOf(*last), LengthOf(next)) < m_resolutionNs))
        {
            last->kind = LengthOf(next) > LengthOf(*last) ? next.kind : last->kind;
            last->end = next.end;
            continue;
        }
        m_intervals[kept++] = next;
    }
    m_intervals.resize(kept);
}

} // namespace wormhole
