/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "instant-transport.h"

namespace wormhole
{

void
InstantTransport::Run()
{
    m_stopped = false;
    while (!m_stopped && !(m_moved.empty() && m_timers.empty()))
    {
        if (!m_moved.empty())
        {
            const uint64_t id = m_moved.front();
            m_moved.pop_front();
            m_client->Delivered(id);
            m_client->Acknowledged(id);
            continue;
        }
        const auto first = m_timers.begin();
        const uint64_t timer = first->second;
        m_now = first->first.first;
        m_timers.erase(first);
        m_client->Due(timer);
    }
}

} // namespace wormhole
