/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-max-min.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** What a full link's flows may leave of it by rounding. */
constexpr double LEFT_OVER = 1e-13;

} // namespace

void
WorkloadMaxMin::ChooseHeld(uint32_t link)
{
    if (!m_links[link].held)
    {
        return; // it holds nobody back, however many have gone; those who came are chosen anyway
    }
    for (const Crossing& c : m_links[link].crossings)
    {
        if (m_flows[c.flow].bottleneck == link)
        {
            Choose(c.flow);
        }
    }
}

void
WorkloadMaxMin::Choose(uint32_t flow)
{
    Flow& f = m_flows[flow];
    if (f.chosen == m_solve)
    {
        return;
    }
    f.chosen = m_solve;
    f.before = f.rate;
    m_chosen.push_back(flow);
    for (const Hop& hop : f.hops)
    {
        Activate(hop.link);
    }
}

void
WorkloadMaxMin::Activate(uint32_t link)
{
    if (m_links[link].active != m_solve)
    {
        m_links[link].active = m_solve;
        m_active.push_back(link);
    }
}

void
WorkloadMaxMin::ChooseComponent()
{
    for (size_t i = 0; i < m_active.size(); ++i) // grows meanwhile
    {
        const std::vector<Crossing>& crossings = m_links[m_active[i]].crossings;
        for (const Crossing& c : crossings)
        {
            Choose(c.flow);
        }
    }
}

bool
WorkloadMaxMin::ChooseUnfair()
{
    const size_t before = m_chosen.size();
    const size_t active = m_active.size();
    for (size_t i = 0; i < active; ++i)
    {
        Link& link = m_links[m_active[i]];
        if (!link.held)
        {
            continue;
        }
        link.load = 0;
        link.fastest = 0;
        for (const Crossing& c : link.crossings)
        {
            link.load += m_flows[c.flow].rate;
            link.fastest = std::max(link.fastest, m_flows[c.flow].rate);
        }
        if (link.full == m_round)
        {
            link.room = link.load;
        }
    }
    for (size_t i = 0; i < active; ++i)
    {
        const uint32_t number = m_active[i];
        const Link& link = m_links[number];
        if (!link.held)
        {
            continue;
        }
        double slowest = link.capacity.most; // of the chosen flows whose bottleneck is here
        for (const Crossing& c : link.crossings)
        {
            const Flow& f = m_flows[c.flow];
            if (f.bottleneck != number)
            {
                continue;
            }
            if (f.chosen == m_solve)
            {
                slowest = std::min(slowest, f.rate);
            }
            else if (link.room - link.load >
                         std::max(f.rate * m_tolerance, link.capacity.most * LEFT_OVER) ||
                     link.fastest > f.rate * (1 + m_tolerance))
            {
                Choose(c.flow);
            }
        }
        if (link.fastest <= slowest * (1 + m_tolerance))
        {
            continue;
        }
        for (const Crossing& c : link.crossings)
        {
            if (m_flows[c.flow].rate > slowest * (1 + m_tolerance))
            {
                Choose(c.flow); // does nothing for those that are chosen already
            }
        }
    }
    return m_chosen.size() > before;
}

/**
 * Chooses the flows of links that were filled with another load of acknowledgements in mind than
 * there is, and of those that it overloads.
 * \param filled whether all that has happened since is a round of Fill()
 * \return whether there are any
 */
bool
WorkloadMaxMin::ChooseMisjudged(bool filled)
{
    bool any = false;
    for (const uint32_t number : m_doubtful)
    {
        Link& link = m_links[number];
        link.doubtful = false;
        double load = link.room;
        if (!link.held)
        {
            load = 0;
            for (const Crossing& c : link.crossings)
            {
                load += m_flows[c.flow].rate;
            }
        }
        const double capacity = link.GetCapacity();
        const double excess = link.acks + load - capacity;
        if (excess <= capacity * ACK_TOLERANCE &&
            !(link.held && excess < -capacity * ACK_TOLERANCE))
        {
            continue;
        }
        if (filled && (link.full == m_round || !link.held))
        {
            link.reserve = std::max(link.reserve + excess, 0.0);
        }
        for (const Crossing& c : link.crossings)
        {
            if (!link.held || m_flows[c.flow].bottleneck == number)
            {
                Choose(c.flow);
                any = true;
            }
        }
    }
    m_doubtful.clear();
    return any;
}

} // namespace ns3
