/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-max-min.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/** What two rates that are equal but for rounding may differ by. */
constexpr double ROUNDING = 1e-11;

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

} // namespace ns3
