/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-link-schedule.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

std::vector<uint32_t>
LinksBetween(const RdmaTopology& topology, uint32_t a, uint32_t b)
{
    std::vector<uint32_t> links;
    for (size_t i = 0; i < topology.links.size(); ++i)
    {
        const RdmaLinkSpec& link = topology.links[i];
        if ((link.a == a && link.b == b) || (link.a == b && link.b == a))
        {
            links.push_back(static_cast<uint32_t>(i));
        }
    }
    return links;
}

/** \return what asks for \p event, for messages */
std::string
NameOf(const RdmaLinkEvent& event)
{
    std::ostringstream name;
    name << "RdmaLinkEvent at " << event.time.As(Time::NS);
    return event.text.empty() ? name.str() : event.text;
}

} // namespace

RdmaLinkSchedule::RdmaLinkSchedule(Ptr<RdmaNetwork> network,
                                   const RdmaTopology& topology,
                                   const std::vector<RdmaLinkEvent>& events)
    : m_network(network),
      m_due(this)
{
    for (const RdmaLinkEvent& event : events)
    {
        m_entries.push_back({network->GetContext().clock.Duration(event.time),
                             event.up,
                             LinksBetween(topology, event.a, event.b)});
    }
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& x, const Entry& y) {
        return x.time < y.time;
    });
}

void
RdmaLinkSchedule::Check(const std::vector<RdmaLinkEvent>& events, const RdmaTopology& topology)
{
    for (const RdmaLinkEvent& event : events)
    {
        if (LinksBetween(topology, event.a, event.b).empty())
        {
            throw InputError(event.file,
                             event.line,
                             NameOf(event) + ": " + topology.origin + " has no link between node " +
                                 std::to_string(event.a) + " and node " + std::to_string(event.b) +
                                 "; name the two ends of a link");
        }
    }
    std::vector<RdmaLinkEvent> ordered = events;
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& x, const auto& y) {
        return x.time < y.time;
    });
    std::set<std::pair<uint32_t, uint32_t>> down;
    for (const RdmaLinkEvent& event : ordered)
    {
        const auto ends = std::minmax(event.a, event.b);
        if (event.up ? down.erase(ends) == 0 : !down.insert(ends).second)
        {
            throw InputError(event.file,
                             event.line,
                             NameOf(event) + ": the links between node " + std::to_string(event.a) +
                                 " and node " + std::to_string(event.b) + " are " +
                                 (event.up ? "up" : "down") +
                                 " at that time anyway; leave it out, or correct the time");
        }
    }
}

void
RdmaLinkSchedule::Start()
{
    m_network->Sync();
    if (m_next < m_entries.size())
    {
        RdmaEventQueue& eventQueue = *m_network->GetContext().eventQueue;
        eventQueue.Schedule(m_due, std::max(m_entries[m_next].time, eventQueue.Now()));
    }
}

void
RdmaLinkSchedule::ApplyDue()
{
    RdmaEventQueue& eventQueue = *m_network->GetContext().eventQueue;
    for (; m_next < m_entries.size() && m_entries[m_next].time <= eventQueue.Now(); ++m_next)
    {
        for (uint32_t link : m_entries[m_next].links)
        {
            m_network->SetLinkUp(link, m_entries[m_next].up);
        }
    }
    if (m_next < m_entries.size())
    {
        eventQueue.Schedule(m_due, m_entries[m_next].time);
    }
}

} // namespace ns3
