/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_PARTITION_TABLE_H
#define WORMHOLE_PARTITION_TABLE_H

#include "tracking/account.h"
#include "tracking/partition-record.h"
#include "wormhole/partition-map.h"

#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormhole
{

/** The partitions with what is known of each of them and of their flows, their alarms, and the
 * time. */
class PartitionTable
{
  public:
    PartitionTable(const ControllerContext& context, Account& account);

    void SetDecisionHandler(DecisionHandler handler);

    Time Now() const
    {
        return m_now;
    }

    /** Time is \p now; it does not go back. */
    void Advance(Time now);

    /** Time is \p at, which is past, until it advances again. \return what it was */
    Time GoBack(Time at)
    {
        return std::exchange(m_now, at);
    }

    const PartitionMap& Map() const
    {
        return m_map;
    }

    /** Adds \p flow to the map; records of partitions do not follow. */
    PartitionChange Start(FlowId flow, const std::vector<PortId>& path);

    /** Makes a record for \p flow. */
    FlowRecord& AddFlow(FlowId flow, std::optional<double> events);

    /** Takes \p flow out of the map; its record, and those of partitions, do not follow. */
    PartitionChange End(FlowId flow);

    void ForgetFlow(FlowId flow);

    FlowRecord& Flow(FlowId flow)
    {
        return m_flows.at(flow);
    }

    std::size_t FlowCount() const
    {
        return m_flows.size();
    }

    /** \return flows and ports that ends of flows have looked at since this was asked last */
    std::uint64_t TakeSearched();

    PartitionRecord& Of(PartitionId partition)
    {
        return *m_records.at(partition);
    }

    const PartitionRecord& Of(PartitionId partition) const
    {
        return *m_records.at(partition);
    }

    /** \return the record of the partition of \p flow
     *  \throws UsageError if there is no such flow */
    PartitionRecord& Of(FlowId flow)
    {
        return Of(m_map.PartitionOf(flow));
    }

    /** \return nullptr if there is none */
    PartitionRecord* Find(PartitionId partition);

    void Add(PartitionId partition);
    void Forget(PartitionId partition);

    /** Forgets all partitions and flows. */
    void Clear();

    StateCounts CountStates() const;

    PartitionMembers CollectMembers(PartitionId partition);

    void Enter(PartitionRecord& record, PartitionState to, Reason reason, Duration span = {});

    void SetAlarm(PartitionRecord& record, Time time, Alarm::Phase phase);
    void ClearAlarm(PartitionRecord& record);

    /** \return the time of the first alarm */
    std::optional<Time> NextAlarm() const;

    /** \return a partition with an alarm of \p phase that is due, and before which none of another
     * phase is; nullptr if there is none */
    PartitionRecord* FirstDue(Alarm::Phase phase);

    /** \return all partitions for which that holds, by the times of their alarms */
    std::vector<PartitionId> AllDue(Alarm::Phase phase) const;

  private:
    void CountTime(const PartitionRecord& record);

    Account& m_account;
    ControllerStatistics& m_statistics;
    DecisionHandler m_onDecision;
    PartitionMap m_map;
    Time m_now;
    std::unordered_map<FlowId, FlowRecord> m_flows;
    std::unordered_map<PartitionId, std::unique_ptr<PartitionRecord>> m_records;
    std::set<Alarm> m_alarms;
    std::uint64_t m_searched{0}; //!< of PartitionSearchStatistics::visited, was told
};

} // namespace wormhole

#endif // WORMHOLE_PARTITION_TABLE_H
