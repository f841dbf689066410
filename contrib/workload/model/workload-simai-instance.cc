/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-instance.h"

namespace ns3
{

WorkloadSimAiInstance::WorkloadSimAiInstance(const WorkloadSimAiFlowSet& set)
    : m_set(set),
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
WorkloadSimAiInstance::Begin(uint32_t member, std::vector<uint32_t>& ready)
{
    m_ends[member].active = true;
    for (uint32_t i = m_set.srcBegin[member]; i < m_set.srcBegin[member + 1]; ++i)
    {
        if (m_waits[m_set.bySrc[i]] == 0)
        {
            Start(m_set.bySrc[i], ready);
        }
    }
}

bool
WorkloadSimAiInstance::Sent(uint32_t flow, std::vector<uint32_t>& ready)
{
    if (m_set.sentNext[flow] != UINT32_MAX)
    {
        Release(m_set.sentNext[flow], ready);
    }
    End& end = m_ends[m_set.flows[flow].src];
    return --end.sends == 0 && end.receives == 0;
}

bool
WorkloadSimAiInstance::Received(uint32_t flow, std::vector<uint32_t>& ready)
{
    m_states[flow] = State::OVER;
    --m_left;
    for (uint32_t i = m_set.childBegin[flow]; i < m_set.childBegin[flow + 1]; ++i)
    {
        Release(m_set.children[i], ready);
    }
    End& end = m_ends[m_set.flows[flow].dst];
    return --end.receives == 0 && end.sends == 0;
}

void
WorkloadSimAiInstance::Release(uint32_t flow, std::vector<uint32_t>& ready)
{
    if (--m_waits[flow] == 0 && m_ends[m_set.flows[flow].src].active)
    {
        Start(flow, ready);
    }
}

void
WorkloadSimAiInstance::Start(uint32_t flow, std::vector<uint32_t>& ready)
{
    m_states[flow] = State::STARTED;
    ready.push_back(flow);
}

} // namespace ns3
