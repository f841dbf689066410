/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-collective.h"

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
LiveCollective::Begin(std::function<void()> over)
{
    m_over = std::move(over);
    RunStep();
}

void
LiveCollective::RunStep()
{
    const std::vector<Item> items = std::move(m_steps[m_step++]);
    if (items.empty()) // the last one
    {
        m_over();
        return;
    }
    m_left = items.size();
    const uint32_t own = m_members[GetRank()];
    const auto over = [self = shared_from_this()] { self->ItemOver(); };
    for (const Item& item : items)
    {
        if (item.send)
        {
            m_messages.Send({{m_context, own, item.peer, 0}, item.bytes, 0},
                            LiveSending::STANDARD,
                            over);
        }
        else
        {
            m_messages.Receive({m_context, item.peer, own, 0}, [over](const LiveSent&) { over(); });
        }
    }
}

void
LiveCollective::ItemOver()
{
    if (--m_left == 0)
    {
        RunStep();
    }
}

} // namespace wormhole
