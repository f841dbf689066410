/*
 * SPDX-License-Identifier: MIT
 */
// What the simulator tells: the first part of Controller::Impl.

#include "controller/controller-impl.h"

#include "controller/skip-plan.h"
#include "wormhole/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wormhole
{

Controller::Impl::Impl(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options)
    : m_recorder(simulator, m_map, store, m_statistics),
      m_simulator(simulator),
      m_store(store),
      m_options(Validated(options)),
      m_packets(simulator, m_map),
      m_budget(options.overhead, options.freeWork)
{
}

PartitionRecord&
Controller::Impl::RecordOf(PartitionId partition)
{
    return *m_records.at(partition);
}

const PartitionRecord&
Controller::Impl::RecordOf(PartitionId partition) const
{
    return *m_records.at(partition);
}

PartitionMembers
Controller::Impl::CollectMembers(PartitionId partition)
{
    PartitionMembers members{{m_map.FlowsOf(partition), m_map.PortsOf(partition)}, {}};
    m_budget.Spend(MEMBER_WORK *
                   static_cast<double>(members.ids.flows.size() + members.ids.ports.size()));
    members.flows.reserve(members.ids.flows.size());
    for (const FlowId flow : members.ids.flows)
    {
        members.flows.push_back(&m_flows.at(flow));
    }
    return members;
}

void
Controller::Impl::Advance(Time now)
{
    m_now = std::max(m_now, now);
}

void
Controller::Impl::FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    if (m_nap)
    {
        Advance(now);
        Stir();
        return;
    }
    if (m_map.Contains(flow))
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " has started already: each flow needs a number of its own");
    }
    Advance(now);
    SettlePorts(path, Reason::FlowStarted);
    Register(flow, path, Reason::FlowStarted);
}

void
Controller::Impl::FlowEnded(FlowId flow, Time at)
{
    if (m_nap)
    {
        return;
    }
    PartitionRecord& record = RecordOf(m_map.PartitionOf(flow)); // throws if there is no such flow
    if (m_flows.at(flow).condition != Condition::Running)
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " has ended, but its packets are not being simulated");
    }
    Advance(at);
    m_anyEnded = true;
    if (record.recording)
    {
        m_recorder.Completed(EndRecording(record, true), flow, at);
    }
    else
    {
        m_recorder.AlsoCompleted(flow, at);
    }
    const PartitionChange change = m_map.End(flow);
    m_flows.erase(flow);
    Left(change, Reason::FlowEnded);
    const std::uint64_t searched = m_map.Statistics().visited;
    m_budget.Spend(END_WORK + SEARCH_WORK * static_cast<double>(searched - m_searched));
    m_searched = searched;
}

void
Controller::Impl::Register(FlowId flow, const std::vector<PortId>& path, Reason reason)
{
    m_budget.Spend(START_WORK);
    const PartitionChange change = m_map.Start(flow, path);
    m_flows[flow].id = flow;
    if (m_flows.size() > m_mostFlows)
    {
        // So that as many can be watched once, however large the network is.
        m_mostFlows = m_flows.size();
        m_budget.Grant(m_options.freeWork > 0 ? WorkPerFlow() : 0);
    }
    Joined(change, reason);
}

void
Controller::Impl::FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    if (m_nap)
    {
        return;
    }
    m_map.PartitionOf(flow); // throws if there is no such flow
    Advance(now);
    std::vector<PortId> touched = path;
    const auto& old = m_map.PortsOf(flow);
    touched.insert(touched.end(), old.begin(), old.end());
    SettlePorts(touched, Reason::FlowRerouted);
    SettleFlow(flow, Reason::FlowRerouted); // which may have no ports
    if (!m_map.Contains(flow))
    {
        return; // it has ended, late
    }
    RunFresh(flow);
    // One after the other, so that records and map agree whenever a decision is told.
    // The path may be that of the flow in the map, which goes when it ends.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const std::vector<PortId> next = path;
    Left(m_map.End(flow), Reason::FlowRerouted);
    Joined(m_map.Start(flow, next), Reason::FlowRerouted);
}

void
Controller::Impl::PortChanged(PortId port, Time now)
{
    if (m_nap)
    {
        return;
    }
    Advance(now);
    SettlePorts({port}, Reason::PortChanged);
    const std::vector<FlowId> flows = m_map.FlowsOn(port);
    if (!flows.empty())
    {
        RunFresh(flows.front());
    }
}

void
Controller::Impl::LoadChanged(PortId port, Time now)
{
    if (m_nap)
    {
        m_loads[port] = m_simulator.Describe(port).backgroundClass;
        return;
    }
    Advance(now);
    m_reloaded.push_back(port);
}

void
Controller::Impl::Disturbed(FlowId flow, Time now)
{
    if (m_nap)
    {
        return;
    }
    m_map.PartitionOf(flow); // throws if there is no such flow
    Advance(now);
    SettleFlow(flow, Reason::Disturbed);
    if (m_map.Contains(flow))
    {
        RunFresh(flow);
    }
}

std::optional<Time>
Controller::Impl::NextAlarm() const
{
    if (m_nap)
    {
        return m_nap->look;
    }
    if (!m_reloaded.empty())
    {
        return m_now;
    }
    return m_alarms.empty() ? std::nullopt : std::make_optional(m_alarms.begin()->time);
}

void
Controller::Impl::RunAlarms(Time now)
{
    Advance(now);
    m_recorder.Flush();
    if (m_nap)
    {
        Look();
        return;
    }
    if (IsSpent() && m_simulator.RunningFlows())
    {
        Rest();
        return;
    }
    const auto isDue = [&](Alarm::Phase phase) {
        return !m_alarms.empty() && m_alarms.begin()->time <= now &&
               m_alarms.begin()->phase == phase;
    };
    if (isDue(Alarm::Phase::Follow))
    {
        EndFollowing();
        return; // flows may have ended late, and who waits for them is next
    }
    // After ends, the simulator's turn is next: they may have started flows at the same time.
    const Alarm::Phase phase = isDue(Alarm::Phase::End) ? Alarm::Phase::End : Alarm::Phase::Decide;
    if (phase == Alarm::Phase::Decide)
    {
        SettleReloaded();
    }
    while (isDue(phase))
    {
        PartitionRecord& record = RecordOf(m_alarms.begin()->partition);
        ClearAlarm(record);
        RunAlarm(record);
    }
}

void
Controller::Impl::Finish(Time now)
{
    Advance(now);
    SettleAll(Reason::Finished);
    m_recorder.Flush();
}

PartitionState
Controller::Impl::StateOf(PartitionId partition) const
{
    m_map.FlowCount(partition); // throws if there is no such partition
    return RecordOf(partition).state;
}

StateCounts
Controller::Impl::CountStates() const
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

Bytes
Controller::Impl::DeliveredBy(FlowId flow, Time now) const
{
    const PartitionRecord& record = RecordOf(m_map.PartitionOf(flow));
    const Bytes delivered = m_simulator.Observe(flow).delivered;
    const auto& flows = record.members.ids.flows;
    const auto indexOf = [&] {
        return static_cast<std::size_t>(std::lower_bound(flows.begin(), flows.end(), flow) -
                                        flows.begin());
    };
    if (record.state == PartitionState::Skipping)
    {
        const Rate rate = record.rates[indexOf()];
        return delivered +
               SkipCredit(SkipBudget(m_simulator, flow, rate), rate, now - record.since);
    }
    if (record.state == PartitionState::Replaying)
    {
        const Episode& episode = *record.replay.episode;
        const Bytes bytes = episode.flows[record.replay.flows[indexOf()]].bytes;
        const Duration elapsed = now - record.from;
        return delivered + (elapsed < episode.duration
                                ? BytesIn(RateOf(bytes, episode.duration), elapsed)
                                : bytes);
    }
    if (record.state == PartitionState::Following)
    {
        return delivered + FollowedBytes(record, indexOf(), now);
    }
    return delivered;
}

} // namespace wormhole
