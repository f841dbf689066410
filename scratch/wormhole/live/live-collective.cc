/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-collective.h"

#include <algorithm>
#include <utility>

namespace wormhole
{

LiveCollective::LiveCollective(LiveMessages& messages,
                               uint64_t context,
                               std::vector<uint32_t> members,
                               uint32_t rank)
    : WorkloadMpiPart(static_cast<uint32_t>(members.size()), rank),
      m_messages(messages),
      m_context(context),
      m_members(std::move(members))
{
}

void
LiveCollective::Send(uint32_t to, uint64_t bytes)
{
    m_steps.back().push_back({true, m_members[to], bytes});
}

void
LiveCollective::Receive(uint32_t from, uint64_t bytes)
{
    m_steps.back().push_back({false, m_members[from], bytes});
}

void
LiveCollective::Next()
{
    if (!m_steps.back().empty())
    {
        m_steps.emplace_back();
    }
}

void
LiveCollective::Begin(int64_t ps, LiveMessages::Action over)
{
    m_ps = ps;
    m_over = std::move(over);
    RunStep();
}

void
LiveCollective::RunStep()
{
    const std::vector<Item> items = std::move(m_steps[m_step++]);
    if (items.empty()) // the last one
    {
        m_over(m_ps);
        return;
    }
    m_left = items.size();
    const int64_t ps = m_ps; // items that are over at once may change it
    const uint32_t own = m_members[GetRank()];
    const auto over = [self = shared_from_this()](int64_t at) { self->ItemOver(at); };
    for (const Item& item : items)
    {
        if (item.send)
        {
            m_messages.Send({{m_context, own, item.peer, 0}, item.bytes, 0},
                            LiveSending::STANDARD,
                            ps,
                            over);
        }
        else
        {
            m_messages.Receive({m_context, item.peer, own, 0},
                               ps,
                               [over](const LiveSent&, int64_t at) { over(at); });
        }
    }
}

void
LiveCollective::ItemOver(int64_t ps)
{
    m_ps = std::max(m_ps, ps);
    if (--m_left == 0)
    {
        RunStep();
    }
}

} // namespace wormhole
