/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-max-min.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ns3
{

namespace
{

/** What two rates that are equal but for rounding may differ by. */
constexpr double ROUNDING = 1e-11;

/** What a full link's flows may leave of it by rounding. */
constexpr double LEFT_OVER = 1e-13;

/** Rates that differ by less have not changed. */
constexpr double UNCHANGED = 1e-12;

/** Rounds after which the whole connected component is taken in. */
constexpr int LOCAL_ROUNDS = 12;

/** Rounds that acknowledgements may ask for: what is left shrinks by their share in each. */
constexpr int ACK_ROUNDS = 5;

std::vector<WorkloadLinkCapacity>
Fixed(const std::vector<double>& capacities)
{
    std::vector<WorkloadLinkCapacity> fixed;
    fixed.reserve(capacities.size());
    for (const double capacity : capacities)
    {
        fixed.push_back({capacity, 0, capacity});
    }
    return fixed;
}

} // namespace

WorkloadMaxMin::WorkloadMaxMin(const std::vector<double>& capacities)
    : WorkloadMaxMin(Fixed(capacities))
{
}

WorkloadMaxMin::WorkloadMaxMin(const std::vector<WorkloadLinkCapacity>& capacities)
    : m_tolerance(ROUNDING)
{
    m_links.reserve(capacities.size());
    for (const WorkloadLinkCapacity& capacity : capacities)
    {
        NS_ASSERT_MSG(capacity.least > 0, "a link without capacity");
        NS_ASSERT_MSG(capacity.each >= 0 && capacity.most >= capacity.least,
                      "a capacity that falls with the number of flows");
        m_links.emplace_back();
        m_links.back().capacity = capacity;
    }
}

uint32_t
WorkloadMaxMin::Add(const std::vector<uint32_t>& links, const std::vector<WorkloadAckShare>& acks)
{
    NS_ASSERT_MSG(!links.empty(), "a flow that crosses no link has no rate");
    auto flow = static_cast<uint32_t>(m_flows.size());
    if (m_free.empty())
    {
        m_flows.emplace_back();
    }
    else
    {
        flow = m_free.back();
        m_free.pop_back();
    }
    Flow& f = m_flows[flow];
    f.rate = 0;
    for (const uint32_t link : links)
    {
        std::vector<Crossing>& crossings = m_links[link].crossings;
        crossings.push_back({flow, static_cast<uint32_t>(f.hops.size())});
        f.hops.push_back({link, static_cast<uint32_t>(crossings.size() - 1)});
        MarkDirty(link);
    }
    f.acks = acks;
    for (const WorkloadAckShare& ack : acks)
    {
        ++m_links[ack.link].ackers;
        m_tolerance = RATE_TOLERANCE;
    }
    m_added.push_back(flow);
    return flow;
}

void
WorkloadMaxMin::Remove(uint32_t flow)
{
    Flow& f = m_flows[flow];
    for (const Hop& hop : f.hops)
    {
        std::vector<Crossing>& crossings = m_links[hop.link].crossings;
        const Crossing last = crossings.back();
        crossings[hop.index] = last;
        m_flows[last.flow].hops[last.hop].index = hop.index;
        crossings.pop_back();
        MarkDirty(hop.link);
    }
    SetBottleneck(f, NONE);
    f.hops.clear();
    for (const WorkloadAckShare& ack : f.acks)
    {
        Link& link = m_links[ack.link];
        link.acks -= ack.share * f.rate;
        if (--link.ackers == 0)
        {
            link.acks = link.rising = link.reserve = 0; // rounding ends here
        }
        Doubt(ack.link);
    }
    f.acks.clear();
    f.rate = 0;
    m_free.push_back(flow);
}

/** What acknowledgements take of a link changes. */
void
WorkloadMaxMin::Doubt(uint32_t link)
{
    if (!m_links[link].doubtful)
    {
        m_links[link].doubtful = true;
        m_doubtful.push_back(link);
    }
}

void
WorkloadMaxMin::MarkDirty(uint32_t link)
{
    if (!m_links[link].dirty)
    {
        m_links[link].dirty = true;
        m_dirty.push_back(link);
    }
}

void
WorkloadMaxMin::SetBottleneck(Flow& flow, uint32_t link)
{
    if (flow.bottleneck != NONE)
    {
        --m_links[flow.bottleneck].held;
    }
    if (link != NONE)
    {
        ++m_links[link].held;
    }
    flow.bottleneck = link;
}

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

const std::vector<uint32_t>&
WorkloadMaxMin::Solve()
{
    if (++m_solve == 0) // the marks have come round
    {
        m_solve = 1;
        for (Flow& flow : m_flows)
        {
            flow.chosen = 0;
        }
        for (Link& link : m_links)
        {
            link.active = 0;
        }
    }
    m_chosen.clear();
    m_active.clear();
    for (const uint32_t flow : m_added)
    {
        if (!m_flows[flow].hops.empty())
        {
            Choose(flow);
        }
    }
    for (const uint32_t link : m_dirty)
    {
        m_links[link].dirty = false;
        ChooseHeld(link);
    }
    m_added.clear();
    m_dirty.clear();
    ChooseMisjudged(false); // by those that have gone
    for (int ackRound = 0;; ++ackRound)
    {
        int round = 0;
        do
        {
            if (++round == LOCAL_ROUNDS)
            {
                ChooseComponent();
            }
            Fill();
        } while (ChooseUnfair());
        if (ackRound == ACK_ROUNDS || !ChooseMisjudged(true))
        {
            break; // what is left is looked at next time
        }
    }
    m_chosen.erase(std::remove_if(m_chosen.begin(),
                                  m_chosen.end(),
                                  [this](uint32_t flow) {
                                      const Flow& f = m_flows[flow];
                                      return std::abs(f.rate - f.before) <= f.before * UNCHANGED;
                                  }),
                   m_chosen.end());
    return m_chosen;
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
