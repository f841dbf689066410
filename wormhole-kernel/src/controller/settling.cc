/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/settling.h"

#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/skip/held-rates.h"
#include "controller/skip/skipping.h"

#include <cassert>
#include <set>
#include <utility>

namespace wormhole
{

Settling::Settling(const ControllerContext& context,
                   PartitionTable& table,
                   PacketState& packets,
                   Account& account,
                   Replaying& replaying,
                   Skipping& skipping,
                   Following& following)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_account(account),
      m_replaying(replaying),
      m_skipping(skipping),
      m_following(following)
{
}

void
Settling::SettlePorts(const std::vector<PortId>& ports, Reason reason)
{
    // Again from the start after each, for flows that end on the way take partitions apart.
    for (bool settled = false; !settled;)
    {
        settled = true;
        for (const PortId port : ports)
        {
            const auto partition = m_table.Map().PartitionOf(port);
            if (partition && !m_table.Of(*partition).fresh)
            {
                Settle(m_table.Of(*partition), reason);
                settled = false;
            }
        }
    }
}

void
Settling::SettleFlow(FlowId flow, Reason reason)
{
    while (m_table.Map().Contains(flow) && !m_table.Of(flow).fresh)
    {
        Settle(m_table.Of(flow), reason);
    }
}

void
Settling::SettleAll(Reason reason)
{
    for (bool settled = false; !settled;)
    {
        settled = true;
        for (const PartitionId partition : m_table.Map().Partitions())
        {
            // Flows that end on the way may take partitions with them.
            PartitionRecord* const record = m_table.Find(partition);
            if (record != nullptr && !record->fresh)
            {
                settled = false;
                Settle(*record, reason);
            }
        }
    }
    for (const PartitionId partition : m_table.Map().Partitions())
    {
        PartitionRecord& record = m_table.Of(partition);
        record.members = m_table.CollectMembers(partition);
        record.fresh = false;
        m_table.ClearAlarm(record);
        m_packets.Run(record.members, m_table.Now());
    }
}

void
Settling::SettleFollowers(PartitionId leader, Reason reason)
{
    for (const PartitionId follower : std::set(m_table.Of(leader).following.followers))
    {
        // Flows that end on the way may take partitions with them.
        PartitionRecord* const record = m_table.Find(follower);
        if (record != nullptr && m_following.IsFollowing(*record))
        {
            Settle(*record, reason);
        }
    }
}

void
Settling::RunFresh(FlowId flow)
{
    m_packets.Run(m_table.CollectMembers(m_table.Map().PartitionOf(flow)), m_table.Now());
}

void
Settling::LoadChanged(PortId port)
{
    m_reloaded.push_back(port);
}

void
Settling::NoteLoad(PortId port)
{
    m_loads[port] = m_context.simulator.Describe(port).backgroundClass;
}

void
Settling::SettleReloaded()
{
    for (const PortId port : std::exchange(m_reloaded, {}))
    {
        const std::int32_t load = m_context.simulator.Describe(port).backgroundClass;
        if (std::exchange(m_loads[port], load) != load)
        {
            Reload(port);
        }
    }
}

void
Settling::Reload(PortId port)
{
    const auto partition = m_table.Map().PartitionOf(port);
    if (!partition || m_table.Of(*partition).fresh)
    {
        return;
    }
    PartitionRecord& record = m_table.Of(*partition);
    const PartitionState state = record.state;
    const bool isSampled = record.alarm.has_value();
    Settle(record, Reason::LoadChanged);
    if (!m_context.options.Expects())
    {
        return;
    }
    switch (state)
    {
    case PartitionState::Skipping:
        LookAgain(record.skipping);
        break;
    case PartitionState::Waking:
        LookAgain(record.skipping);
        [[fallthrough]];
    case PartitionState::Running:
    case PartitionState::Recording:
        record.sampling.keeps = isSampled; // not at a tail
        break;
    default:
        break;
    }
}

void
Settling::Register(FlowId flow, const std::vector<PortId>& path, Reason reason)
{
    m_account.Spend(START_WORK);
    const PartitionChange change = m_table.Start(flow, path);
    const FlowProgress progress = m_context.simulator.Observe(flow);
    FlowRecord& record = m_table.AddFlow(
        flow,
        progress.eventsPerByte > 0
            ? std::optional(static_cast<double>(progress.left) * progress.eventsPerByte)
            : std::nullopt);
    record.deliveredBefore = progress.delivered;
    record.eventsBefore = progress.events;
    Joined(change, reason);
}

void
Settling::Settle(PartitionRecord& record, Reason reason)
{
    switch (record.state)
    {
    case PartitionState::Skipping:
        Interrupt(record, reason);
        break;
    case PartitionState::Replaying:
        if (m_replaying.IsOver(record))
        {
            m_replaying.End(record);
        }
        else
        {
            CatchUp(record, reason);
        }
        break;
    case PartitionState::Following:
        CatchUp(record, reason);
        break;
    default:
        Refresh(record, reason);
    }
}

void
Settling::Interrupt(PartitionRecord& record, Reason reason)
{
    const Time from = m_skipping.Interrupt(record);
    if (from == m_table.Now())
    {
        Refresh(record, reason);
        return;
    }
    CatchUp(record, from, reason, from - record.since);
}

void
Settling::CatchUp(PartitionRecord& record, Reason reason)
{
    if (m_table.Now() == record.stoppedAt)
    {
        m_packets.Resume(record.members, Duration{0});
        Refresh(record, reason);
        return;
    }
    if (m_following.IsFollowing(record) && m_following.JumpToLeader(record))
    {
        Refresh(record, reason);
        return;
    }
    ++(m_following.IsFollowing(record) ? m_context.statistics.followersCaughtUp
                                       : m_context.statistics.replaysInterrupted);
    CatchUp(record, record.stoppedAt, reason);
}

void
Settling::CatchUp(PartitionRecord& record, Time from, Reason reason, Duration shift)
{
    const PartitionMembers members = record.members;
    Refresh(record, reason);
    // Last, for flows that end within take the record apart.
    m_packets.CatchUp(members, from, m_table.Now(), shift);
}

void
Settling::Joined(const PartitionChange& change, Reason reason)
{
    for (const PartitionId partition : change.merged)
    {
        Forget(partition);
    }
    if (change.created)
    {
        m_table.Add(change.partition);
    }
    Refresh(m_table.Of(change.partition), reason);
}

void
Settling::Left(const PartitionChange& change, Reason reason)
{
    if (change.vanished)
    {
        Forget(change.partition);
        return;
    }
    // First, for who is told of a decision may ask for any partition.
    for (const PartitionId partition : change.split)
    {
        m_table.Add(partition);
    }
    Refresh(m_table.Of(change.partition), reason);
    for (const PartitionId partition : change.split)
    {
        Refresh(m_table.Of(partition), reason);
    }
}

void
Settling::Refresh(PartitionRecord& record, Reason reason)
{
    m_following.Forget(record);
    if (!record.fresh)
    {
        m_table.Enter(record, PartitionState::Running, reason);
    }
    m_replaying.Forget(record);
    m_skipping.Forget(record);
    record.sampling.keeps = false;
    record.fresh = true;
    record.members = {};
    m_table.SetAlarm(record, m_table.Now(), Alarm::Phase::Decide);
}

void
Settling::Forget(PartitionId partition)
{
    assert(!m_following.IsRecording(m_table.Of(partition)) &&
           !m_following.IsFollowing(m_table.Of(partition)));
    m_table.Forget(partition);
}

} // namespace wormhole
