/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-max-min.h"

#include <algorithm>
#include <functional>

namespace ns3
{

void
WorkloadMaxMin::Fill()
{
    m_work += m_chosen.size();
    ++m_round;
    for (const uint32_t flow : m_chosen)
    {
        Flow& f = m_flows[flow];
        f.filled = false;
        for (const WorkloadAckShare& ack : f.acks)
        {
            Link& link = m_links[ack.link];
            link.acks -= ack.share * f.rate;
            link.rising += ack.share;
        }
    }
    m_heap.clear();
    for (const uint32_t number : m_active)
    {
        Link& link = m_links[number];
        link.left = 0;
        link.count = 0;
        link.kept = false;
        for (const Crossing& c : link.crossings)
        {
            const Flow& f = m_flows[c.flow];
            const bool chosen = f.chosen == m_solve;
            link.count += chosen ? 1 : 0;
            link.left -= chosen ? 0 : f.rate;
            link.kept |= !chosen && f.bottleneck == number;
        }
        // whoever is held back here has been given what there was beside the acknowledgements then
        link.left += link.kept ? link.room : link.GetRoom();
        if (link.count)
        {
            m_heap.emplace_back(std::max(link.left, 0.0) / link.GetClaims(), number);
        }
    }
    std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    double level = 0;
    while (!m_heap.empty())
    {
        const auto [known, number] = m_heap.front();
        const Link& link = m_links[number];
        if (link.count)
        {
            // shares only grow while others are filled, but for rounding
            const double share = std::max(link.left / link.GetClaims(), level);
            if (share > known)
            {
                m_heap.front().first = share;
                SiftDown();
                continue;
            }
            level = share;
        }
        std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        m_heap.pop_back();
        if (link.count)
        {
            FillAt(number, level);
        }
    }
}

/** The first share of the heap has grown. */
void
WorkloadMaxMin::SiftDown()
{
    const Share share = m_heap.front();
    size_t hole = 0;
    for (size_t child = 1; child < m_heap.size(); child = 2 * hole + 1)
    {
        child += child + 1 < m_heap.size() && m_heap[child + 1] < m_heap[child];
        if (!(m_heap[child] < share))
        {
            break;
        }
        m_heap[hole] = m_heap[child];
        hole = child;
    }
    m_heap[hole] = share;
}

void
WorkloadMaxMin::FillAt(uint32_t link, double share)
{
    m_links[link].full = m_round;
    if (m_links[link].reserve > 0 || m_links[link].rising > 0)
    {
        Doubt(link); // what it counts with may turn out wrong
    }
    for (const Crossing& c : m_links[link].crossings)
    {
        Flow& f = m_flows[c.flow];
        if (f.chosen != m_solve || f.filled)
        {
            continue;
        }
        f.filled = true;
        f.rate = share;
        SetBottleneck(f, link);
        for (const Hop& hop : f.hops)
        {
            m_links[hop.link].left -= share;
            --m_links[hop.link].count;
        }
        for (const WorkloadAckShare& ack : f.acks)
        {
            Link& passed = m_links[ack.link];
            passed.acks += ack.share * share;
            passed.left -= passed.kept ? 0 : ack.share * share;
            passed.rising -= ack.share;
            Doubt(ack.link);
        }
    }
}

} // namespace ns3
