/*
 * SPDX-License-Identifier: MIT
 */
// What happens to partitions from outside: the second part of Controller::Impl.

#include "controller/controller-impl.h"

#include <cassert>
#include <memory>
#include <utility>

namespace wormhole
{

void
Controller::Impl::SettlePorts(const std::vector<PortId>& ports, Reason reason)
{
    // Again from the start after each, for flows that end on the way take partitions apart.
    for (bool settled = false; !settled;)
    {
        settled = true;
        for (const PortId port : ports)
        {
            const auto partition = m_map.PartitionOf(port);
            if (partition && !RecordOf(*partition).fresh)
            {
                Settle(RecordOf(*partition), reason);
                settled = false;
            }
        }
    }
}

void
Controller::Impl::SettleReloaded()
{
    for (const PortId port : std::exchange(m_reloaded, {}))
    {
        const std::int32_t load = m_simulator.Describe(port).backgroundClass;
        if (std::exchange(m_loads[port], load) != load)
        {
            SettlePorts({port}, Reason::LoadChanged);
        }
    }
}

void
Controller::Impl::SettleFlow(FlowId flow, Reason reason)
{
    while (m_map.Contains(flow) && !RecordOf(m_map.PartitionOf(flow)).fresh)
    {
        Settle(RecordOf(m_map.PartitionOf(flow)), reason);
    }
}

void
Controller::Impl::RunFresh(FlowId flow)
{
    m_packets.Run(CollectMembers(m_map.PartitionOf(flow)), m_now);
}

void
Controller::Impl::Settle(PartitionRecord& record, Reason reason)
{
    switch (record.state)
    {
    case PartitionState::Skipping:
        InterruptSkip(record, reason);
        break;
    case PartitionState::Replaying:
        if (m_now - record.from < record.replay.episode->duration)
        {
            InterruptReplay(record, reason);
        }
        else
        {
            EndReplay(record);
        }
        break;
    case PartitionState::Following:
        InterruptReplay(record, reason);
        break;
    default:
        Refresh(record, reason);
    }
}

void
Controller::Impl::InterruptSkip(PartitionRecord& record, Reason reason)
{
    ++m_statistics.skipsInterrupted;
    CreditSkip(record);
    m_packets.Resume(record.members, m_now - record.since);
    Refresh(record, reason);
}

void
Controller::Impl::InterruptReplay(PartitionRecord& record, Reason reason)
{
    if (m_now == record.from)
    {
        m_packets.Resume(record.members, Duration{0});
        Refresh(record, reason);
        return;
    }
    ++(record.following ? m_statistics.followersRunLate : m_statistics.replaysInterrupted);
    const Time from = record.from;
    const PartitionMembers members = record.members;
    Refresh(record, reason);
    // Last, for flows that end within take the record apart.
    m_packets.RunLate(members, from, m_now);
}

void
Controller::Impl::Joined(const PartitionChange& change, Reason reason)
{
    for (const PartitionId partition : change.merged)
    {
        Forget(partition);
    }
    if (change.created)
    {
        AddRecord(change.partition);
    }
    Refresh(RecordOf(change.partition), reason);
}

void
Controller::Impl::Left(const PartitionChange& change, Reason reason)
{
    if (change.vanished)
    {
        Forget(change.partition);
        return;
    }
    // First, for who is told of a decision may ask for any partition.
    for (const PartitionId partition : change.split)
    {
        AddRecord(partition);
    }
    Refresh(RecordOf(change.partition), reason);
    for (const PartitionId partition : change.split)
    {
        Refresh(RecordOf(partition), reason);
    }
}

void
Controller::Impl::AddRecord(PartitionId partition)
{
    auto record = std::make_unique<PartitionRecord>();
    record->id = partition;
    record->since = m_now;
    m_records.emplace(partition, std::move(record));
}

void
Controller::Impl::Refresh(PartitionRecord& record, Reason reason)
{
    if (record.recording)
    {
        ++m_statistics.recordingsDisturbed;
        EndRecording(record, true);
    }
    if (record.following)
    {
        StopFollowing(record);
    }
    if (!record.fresh)
    {
        Enter(record, PartitionState::Running, reason);
    }
    CountUnused(record);
    record.unused.reset();
    record.waits.reset();
    record.fresh = true;
    record.members = {};
    record.replay = {};
    record.source.reset();
    SetAlarm(record, m_now, Alarm::Phase::Decide);
}

void
Controller::Impl::Forget(PartitionId partition)
{
    PartitionRecord& record = RecordOf(partition);
    assert(!record.recording && !record.following);
    CountTime(record);
    ClearAlarm(record);
    m_records.erase(partition);
}

} // namespace wormhole
