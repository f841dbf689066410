/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-busy-time.h"

#include <algorithm>

namespace ns3
{

void
WorkloadBusyTime::Add(int64_t begin, int64_t end)
{
    if (begin >= end)
    {
        return;
    }
    if (m_stretches.empty() || m_stretches.back().end < begin)
    {
        m_stretches.push_back({begin, end, end - begin});
        m_total += end - begin;
    }
    else if (Stretch& newest = m_stretches.back();
             newest.begin <= begin && newest.busy == newest.end - newest.begin)
    {
        // by far the most common: what ends last touches what ended before
        const int64_t growth = std::max<int64_t>(end - newest.end, 0);
        newest.end += growth;
        newest.busy += growth;
        m_total += growth;
    }
    else
    {
        const auto first =
            std::lower_bound(m_stretches.begin(),
                             m_stretches.end(),
                             begin,
                             [](const Stretch& s, int64_t time) { return s.end < time; });
        const auto last =
            std::upper_bound(first, m_stretches.end(), end, [](int64_t time, const Stretch& s) {
                return time < s.begin;
            });
        Join(first - m_stretches.begin(), last - m_stretches.begin(), begin, end);
    }
    if (m_stretches.size() > MAX)
    {
        Coarsen();
    }
}

void
WorkloadBusyTime::Cut(int64_t end)
{
    while (!m_stretches.empty() && m_stretches.back().end > end)
    {
        Stretch& last = m_stretches.back();
        const bool all = last.begin >= end;
        const int64_t after = all ? last.busy : Outside(last, last.begin, end);
        m_total -= after;
        if (!all)
        {
            last.busy -= after;
            last.end = end;
            return;
        }
        m_stretches.pop_back();
    }
}

/** \return busy time of a stretch before \p begin and after \p end, where they lie within it */
int64_t
WorkloadBusyTime::Outside(const Stretch& stretch, int64_t begin, int64_t end)
{
    const int64_t outside =
        std::max<int64_t>(begin - stretch.begin, 0) + std::max<int64_t>(stretch.end - end, 0);
    const int64_t length = stretch.end - stretch.begin;
    const int64_t idle = length - stretch.busy;
    if (outside == 0 || idle == 0)
    {
        return outside;
    }
    // at most all of its idle time lies outside, at least what does not fit inside
    const int64_t max = std::min(outside, stretch.busy);
    const int64_t min = std::max<int64_t>(outside - idle, 0);
    const auto guess =
        static_cast<int64_t>(static_cast<double>(stretch.busy) * static_cast<double>(outside) /
                             static_cast<double>(length));
    const int64_t busy = std::clamp(guess, min, max);
    m_uncertainty += std::max(max - busy, busy - min);
    return busy;
}

/** Replaces the stretches from \p first to before \p last by one that a span has joined. */
void
WorkloadBusyTime::Join(size_t first, size_t last, int64_t begin, int64_t end)
{
    Stretch joined{begin, end, end - begin};
    int64_t before = 0;
    for (size_t i = first; i < last; ++i)
    {
        const Stretch& stretch = m_stretches[i];
        before += stretch.busy;
        joined.begin = std::min(joined.begin, stretch.begin);
        joined.end = std::max(joined.end, stretch.end);
        joined.busy += Outside(stretch, begin, end);
    }
    m_total += joined.busy - before;
    const auto place = m_stretches.begin() + static_cast<std::ptrdiff_t>(first);
    if (first == last)
    {
        m_stretches.insert(place, joined);
        return;
    }
    *place = joined;
    m_stretches.erase(place + 1, m_stretches.begin() + static_cast<std::ptrdiff_t>(last));
}

/** Joins the oldest three quarters in pairs: later spans mostly begin late. */
void
WorkloadBusyTime::Coarsen()
{
    const size_t pairs = m_stretches.size() * 3 / 8;
    for (size_t i = 0; i < pairs; ++i)
    {
        const Stretch& a = m_stretches[2 * i];
        const Stretch& b = m_stretches[2 * i + 1];
        m_stretches[i] = {a.begin, b.end, a.busy + b.busy};
    }
    m_stretches.erase(m_stretches.begin() + static_cast<std::ptrdiff_t>(pairs),
                      m_stretches.begin() + static_cast<std::ptrdiff_t>(2 * pairs));
}

} // namespace ns3
