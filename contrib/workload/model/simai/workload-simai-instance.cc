/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-instance.h"

#include <utility>

namespace ns3
{

WorkloadSimAiInstance::WorkloadSimAiInstance(const WorkloadSimAiFlowSet& set,
                                             const WorkloadSimAiReductions& reductions)
    : m_set(set),
      m_reductions(reductions),
      m_waits(set.flows.size()),
      m_states(set.flows.size(), State::WAITING),
      m_ends(set.members + set.switches),
      m_left(set.flows.size())
{
    for (size_t flow = 0; flow < set.flows.size(); ++flow)
    {
        m_waits[flow] = set.parentBegin[flow + 1] - set.parentBegin[flow] +
                        (set.flows[flow].afterSent != UINT32_MAX ? 1 : 0);
    }
    for (uint32_t end = 0; end < m_ends.size(); ++end)
    {
        m_ends[end].active = end >= set.members;
        m_ends[end].sends = set.srcBegin[end + 1] - set.srcBegin[end];
        m_ends[end].receives = set.receives[end];
    }
}

void
WorkloadSimAiInstance::Begin(uint32_t member, std::vector<WorkloadSimAiReady>& ready)
{
    m_ends[member].active = true;
    ReceiveEarly(m_ends[member], ready);
    for (uint32_t i = m_set.srcBegin[member]; i < m_set.srcBegin[member + 1]; ++i)
    {
        if (m_waits[m_set.bySrc[i]] == 0)
        {
            MakeReady(m_set.bySrc[i], ready);
        }
    }
}

void
WorkloadSimAiInstance::Started(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    m_states[flow] = State::STARTED;
    ReceiveEarly(m_ends[m_set.flows[flow].src], ready);
}

bool
WorkloadSimAiInstance::Sent(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    if (m_set.sentNext[flow] != UINT32_MAX)
    {
        Release(m_set.sentNext[flow], ready);
    }
    End& end = m_ends[m_set.flows[flow].src];
    return --end.sends == 0 && end.receives == 0;
}

bool
WorkloadSimAiInstance::Arrived(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    m_states[flow] = State::ARRIVED;
    End& end = m_ends[m_set.flows[flow].dst];
    if (!IsPosted(flow))
    {
        end.early.push_back(flow);
        return false;
    }
    Receive(flow, ready);
    return end.receives == 0 && end.sends == 0;
}

bool
WorkloadSimAiInstance::IsPosted(uint32_t flow) const
{
    const uint32_t by = m_set.flows[flow].postedBy;
    return by == UINT32_MAX ? m_ends[m_set.flows[flow].dst].active : m_states[by] >= State::STARTED;
}

void
WorkloadSimAiInstance::ReceiveEarly(End& end, std::vector<WorkloadSimAiReady>& ready)
{
    if (end.early.empty())
    {
        return;
    }
    std::vector<uint32_t> early;
    early.swap(end.early);
    for (uint32_t flow : early)
    {
        IsPosted(flow) ? Receive(flow, ready) : end.early.push_back(flow);
    }
}

void
WorkloadSimAiInstance::Receive(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    --m_left;
    --m_ends[m_set.flows[flow].dst].receives;
    for (uint32_t i = m_set.childBegin[flow]; i < m_set.childBegin[flow + 1]; ++i)
    {
        Release(m_set.children[i], ready);
    }
}

void
WorkloadSimAiInstance::Release(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    if (--m_waits[flow] == 0 && m_ends[m_set.flows[flow].src].active)
    {
        MakeReady(flow, ready);
    }
}

void
WorkloadSimAiInstance::MakeReady(uint32_t flow, std::vector<WorkloadSimAiReady>& ready)
{
    m_states[flow] = State::READY;
    ready.push_back({flow, m_reductions.Charge(m_set.flows[flow].src, m_set.flows[flow].channel)});
}

} // namespace ns3
