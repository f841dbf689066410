/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/partition-table.h"

#include <algorithm>
#include <utility>

namespace wormhole
{

PartitionTable::PartitionTable(const ControllerContext& context, Account& account)
    : m_account(account),
      m_statistics(context.statistics)
{
}

void
PartitionTable::SetDecisionHandler(DecisionHandler handler)
{
    m_onDecision = std::move(handler);
}

void
PartitionTable::Advance(Time now)
{
    m_now = std::max(m_now, now);
}

PartitionChange
PartitionTable::Start(FlowId flow, const std::vector<PortId>& path)
{
    return m_map.Start(flow, path);
}

FlowRecord&
PartitionTable::AddFlow(FlowId flow, std::optional<double> events)
{
    FlowRecord& record = m_flows[flow];
    record.id = flow;
    record.expected = events.value_or(0);
    m_account.SawFlow(m_flows.size(), events);
    m_account.Await(record.expected);
    return record;
}

PartitionChange
PartitionTable::End(FlowId flow)
{
    return m_map.End(flow);
}

void
PartitionTable::ForgetFlow(FlowId flow)
{
    const auto record = m_flows.find(flow);
    m_account.Await(-record->second.expected);
    m_flows.erase(record);
}

std::uint64_t
PartitionTable::TakeSearched()
{
    const std::uint64_t visited = m_map.Statistics().visited;
    return visited - std::exchange(m_searched, visited);
}

PartitionRecord*
PartitionTable::Find(PartitionId partition)
{
    const auto found = m_records.find(partition);
    return found == m_records.end() ? nullptr : found->second.get();
}

void
PartitionTable::Add(PartitionId partition)
{
    auto record = std::make_unique<PartitionRecord>();
    record->id = partition;
    record->since = m_now;
    m_records.emplace(partition, std::move(record));
}

void
PartitionTable::Forget(PartitionId partition)
{
    PartitionRecord& record = Of(partition);
    CountTime(record);
    ClearAlarm(record);
    m_records.erase(partition);
}

void
PartitionTable::Clear()
{
    for (const auto& [id, record] : m_records)
    {
        CountTime(*record);
    }
    m_alarms.clear();
    m_records.clear();
    for (const auto& [id, flow] : m_flows)
    {
        m_account.Await(-flow.expected);
    }
    m_flows.clear();
    m_map.Clear();
    m_searched = 0;
}

StateCounts
PartitionTable::CountStates() const
{
    StateCounts counts;
    for (const auto& [id, record] : m_records)
    {
        const auto state = static_cast<std::size_t>(record->state);
        ++counts.partitions[state];
        counts.flows[state] += m_map.FlowCount(id);
    }
    return counts;
}

PartitionMembers
PartitionTable::CollectMembers(PartitionId partition)
{
    PartitionMembers members{{m_map.FlowsOf(partition), m_map.PortsOf(partition)}, {}};
    m_account.Spend(MEMBER_WORK *
                    static_cast<double>(members.ids.flows.size() + members.ids.ports.size()));
    members.flows.reserve(members.ids.flows.size());
    for (const FlowId flow : members.ids.flows)
    {
        members.flows.push_back(&m_flows.at(flow));
    }
    return members;
}

void
PartitionTable::Enter(PartitionRecord& record, PartitionState to, Reason reason, Duration span)
{
    CountTime(record);
    const PartitionState from = record.state;
    record.state = to;
    record.since = m_now;
    ++m_statistics.transitions[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
    ++m_statistics.reasons[static_cast<std::size_t>(reason)];
    if (m_onDecision)
    {
        const auto flows = static_cast<std::uint32_t>(m_map.FlowCount(record.id));
        m_onDecision({m_now, record.id, from, to, reason, flows, span});
    }
}

void
PartitionTable::CountTime(const PartitionRecord& record)
{
    const auto flows = static_cast<std::int64_t>(record.members.flows.size());
    m_statistics.flowTime[static_cast<std::size_t>(record.state)] += (m_now - record.since) * flows;
}

void
PartitionTable::SetAlarm(PartitionRecord& record, Time time, Alarm::Phase phase)
{
    ClearAlarm(record);
    record.alarm = Alarm{time, phase, record.id};
    m_alarms.insert(*record.alarm);
}

void
PartitionTable::ClearAlarm(PartitionRecord& record)
{
    if (record.alarm)
    {
        m_alarms.erase(*record.alarm);
        record.alarm.reset();
    }
}

std::optional<Time>
PartitionTable::NextAlarm() const
{
    return m_alarms.empty() ? std::nullopt : std::make_optional(m_alarms.begin()->time);
}

PartitionRecord*
PartitionTable::FirstDue(Alarm::Phase phase)
{
    // At the end of time nothing is: what is to be looked at later would be so at once, for ever.
    const bool isDue = m_now < Time::max() && !m_alarms.empty() &&
                       m_alarms.begin()->time <= m_now && m_alarms.begin()->phase == phase;
    return isDue ? &Of(m_alarms.begin()->partition) : nullptr;
}

std::vector<PartitionId>
PartitionTable::AllDue(Alarm::Phase phase) const
{
    std::vector<PartitionId> partitions;
    for (auto alarm = m_alarms.begin();
         alarm != m_alarms.end() && alarm->time <= m_now && alarm->phase == phase;
         ++alarm)
    {
        partitions.push_back(alarm->partition);
    }
    return partitions;
}

} // namespace wormhole
