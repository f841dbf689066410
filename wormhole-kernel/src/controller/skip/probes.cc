/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/probes.h"

#include "controller/skip/skip-plan.h"
#include "controller/skip/skipping.h"

namespace wormhole
{

Probes::Probes(const ControllerContext& context, PartitionTable& table)
    : m_context(context),
      m_table(table)
{
}

std::optional<Time>
Probes::NextLook(const PartitionRecord& record)
{
    if (!m_context.options.follow || !record.skipping.source)
    {
        return std::nullopt;
    }
    PartitionId& probe =
        m_probes.try_emplace(record.skipping.source->GetSignature(), record.id).first->second;
    const PartitionRecord* const found = m_table.Find(probe);
    if (probe != record.id && found != nullptr)
    {
        const PartitionRecord& other = *found;
        const bool same =
            !other.fresh && other.skipping.source &&
            other.skipping.source->GetSignature() == record.skipping.source->GetSignature() &&
            other.skipping.steadySince <= record.skipping.steadySince;
        // One that looks for longer does not know whether it may go on.
        if (same && other.state == PartitionState::Waking &&
            m_table.Now() - other.since <=
                WindowsOf(m_context, m_table.Map(), other.members, Skipping::WAKING_WINDOWS))
        {
            return Later(m_table.Now(), WindowsOf(m_context, m_table.Map(), record.members, 1));
        }
        if (same && other.state == PartitionState::Skipping && other.alarm->time > m_table.Now())
        {
            return Later(other.alarm->time, WindowsOf(m_context, m_table.Map(), record.members, 1));
        }
    }
    probe = record.id;
    return std::nullopt;
}

void
Probes::Forget()
{
    m_probes.clear();
}

} // namespace wormhole
