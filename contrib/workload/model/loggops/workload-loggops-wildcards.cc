/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-wildcards.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return whether a peer or tag of a receive and one of a message agree */
bool
Agree(uint32_t a, uint32_t b)
{
    return a == b || a == WORKLOAD_ANY || b == WORKLOAD_ANY;
}

} // namespace

bool
WorkloadLogGopsWildcards::Fit(uint32_t recv, WorkloadStep send) const
{
    const WorkloadOperation& operation = m_jobs.GetOperation({m_process, recv});
    const uint32_t peer =
        operation.peer == WORKLOAD_ANY ? WORKLOAD_ANY : m_jobs.GetPeer(m_process, operation.peer);
    return Agree(peer, send.process) && Agree(operation.tag, m_jobs.GetOperation(send).tag);
}

uint32_t
WorkloadLogGopsWildcards::TakePosted(WorkloadStep send)
{
    const auto found = std::find_if(m_posted.begin(), m_posted.end(), [&](uint32_t recv) {
        return Fit(recv, send);
    });
    if (found == m_posted.end())
    {
        return WORKLOAD_POOL_NONE;
    }
    const uint32_t recv = *found;
    m_posted.erase(found);
    return recv;
}

bool
WorkloadLogGopsWildcards::TakeArrived(uint32_t recv, Message& message)
{
    const auto found = std::find_if(m_arrived.begin(), m_arrived.end(), [&](const Message& each) {
        return Fit(recv, each.send);
    });
    if (found == m_arrived.end())
    {
        return false;
    }
    message = *found;
    m_arrived.erase(found);
    return true;
}

} // namespace ns3
