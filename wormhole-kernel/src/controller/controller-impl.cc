/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/controller-impl.h"

#include "wormhole/error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace wormhole
{
Controller::Impl::Impl(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options)
    : m_options(Validated(options)),
      m_context{simulator, store, m_options, m_statistics},
      m_account(m_context),
      m_table(m_context, m_account),
      m_wandering(m_context, m_table, m_account),
      m_recalling(m_context),
      m_packets(simulator, m_table.Map()),
      m_recorder(simulator, m_table.Map(), store, m_statistics),
      m_replaying(m_context,
                  m_table,
                  m_packets,
                  m_account,
                  m_skipping,
                  m_settling,
                  m_deciding,
                  m_auditing),
      m_following(m_context,
                  m_table,
                  m_packets,
                  m_recorder,
                  m_account,
                  m_replaying,
                  m_sampling,
                  m_skipping),
      m_sampling(m_context, m_table, m_account, m_following, m_wandering, m_recalling, m_skipping),
      m_skipping(m_context,
                 m_table,
                 m_packets,
                 m_recorder,
                 m_account,
                 m_sampling,
                 m_wandering,
                 m_recalling,
                 m_following,
                 m_replaying,
                 m_deciding,
                 m_settling,
                 m_auditing),
      m_deciding(m_context,
                 m_table,
                 m_packets,
                 m_recorder,
                 m_account,
                 m_replaying,
                 m_following,
                 m_sampling,
                 m_skipping),
      m_settling(m_context, m_table, m_packets, m_account, m_replaying, m_skipping, m_following),
      m_auditing(m_context, m_table, m_settling),
      m_suspending(m_context, m_table, m_account, m_settling, m_skipping, m_following)
{
}

void
Controller::Impl::SetDecisionHandler(DecisionHandler handler)
{
    m_table.SetDecisionHandler(std::move(handler));
}

void
Controller::Impl::SetWarningHandler(WarningHandler handler)
{
    m_recorder.SetWarningHandler(std::move(handler));
}

void
Controller::Impl::FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    if (!m_suspending.IsSuspended() && m_table.Map().Contains(flow))
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " has started already: each flow needs a number of its own");
    }
    m_table.Advance(now);
    SuspendIfSpent(m_account.LargestDebt()); // what starts at one time is not to be paid at once
    if (m_suspending.IsSuspended())
    {
        m_suspending.FlowStarted();
        return;
    }
    m_suspending.MayKnowAll();
    m_settling.SettlePorts(path, Reason::FlowStarted);
    m_settling.Register(flow, path, Reason::FlowStarted);
}

bool
Controller::Impl::MayGoBack(PartitionId partition, Time at) const
{
    m_table.Map().FlowCount(partition); // throws if there is no such partition
    const PartitionRecord& record = m_table.Of(partition);
    // Rates that are on their way are known at the end of a skip alone.
    return record.state == PartitionState::Skipping && !record.fresh && record.since <= at &&
           record.skipping.approaches.empty();
}

void
Controller::Impl::FlowStartedLate(FlowId flow, const std::vector<PortId>& path, Time at)
{
    if (m_suspending.IsSuspended())
    {
        m_suspending.FlowStarted();
        return;
    }
    const Time now = m_table.GoBack(at);
    m_settling.SettlePorts(path, Reason::FlowStarted);
    m_settling.Register(flow, path, Reason::FlowStarted);
    m_settling.RunFresh(flow); // also those without packets, as of that time
    m_table.Advance(now);
}

void
Controller::Impl::SuspendIfSpent(double debt)
{
    if (!m_suspending.IsSuspended() && m_account.IsSpent(debt) &&
        m_context.simulator.CountRunningFlows())
    {
        m_suspending.Suspend();
    }
}

void
Controller::Impl::FlowEnded(FlowId flow, Time at)
{
    if (m_suspending.IsSuspended())
    {
        return;
    }
    PartitionRecord& record = m_table.Of(flow); // throws if there is no such flow
    if (m_table.Flow(flow).condition != Condition::Running)
    {
        throw UsageError("flow " + std::to_string(flow.Value()) +
                         " has ended, but its packets are not being simulated");
    }
    m_table.Advance(at);
    m_following.FlowEnded(record, flow, at);
    m_auditing.FlowEnded(flow, at);
    const PartitionChange change = m_table.End(flow);
    m_table.ForgetFlow(flow);
    m_settling.Left(change, Reason::FlowEnded);
    m_account.Spend(END_WORK + SEARCH_WORK * static_cast<double>(m_table.TakeSearched()));
}

void
Controller::Impl::FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now)
{
    if (m_suspending.IsSuspended())
    {
        return;
    }
    m_table.Map().PartitionOf(flow); // throws if there is no such flow
    m_table.Advance(now);
    std::vector<PortId> touched = path;
    const auto& old = m_table.Map().PortsOf(flow);
    touched.insert(touched.end(), old.begin(), old.end());
    m_settling.SettlePorts(touched, Reason::FlowRerouted);
    m_settling.SettleFlow(flow, Reason::FlowRerouted); // which may have no ports
    if (!m_table.Map().Contains(flow))
    {
        return; // it has ended, late
    }
    m_settling.RunFresh(flow);
    // One after the other, so that records and map agree whenever a decision is told.
    // The path may be that of the flow in the map, which goes when it ends.
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const std::vector<PortId> next = path;
    m_settling.Left(m_table.End(flow), Reason::FlowRerouted);
    m_settling.Joined(m_table.Start(flow, next), Reason::FlowRerouted);
}

void
Controller::Impl::PortChanged(PortId port, Time now)
{
    if (m_suspending.IsSuspended())
    {
        return;
    }
    m_table.Advance(now);
    m_settling.SettlePorts({port}, Reason::PortChanged);
    const std::vector<FlowId> flows = m_table.Map().FlowsOn(port);
    if (!flows.empty())
    {
        m_settling.RunFresh(flows.front());
    }
}

void
Controller::Impl::LimitNear(PortId port, Time now)
{
    if (IsFollowed(port))
    {
        m_table.Advance(now);
        m_settling.SettleFollowers(*m_table.Map().PartitionOf(port), Reason::PortChanged);
    }
}

bool
Controller::Impl::IsFollowed(PortId port) const
{
    const auto partition = m_table.Map().PartitionOf(port);
    return partition && !m_table.Of(*partition).following.followers.empty();
}

void
Controller::Impl::LoadChanged(PortId port, Time now)
{
    if (m_suspending.IsSuspended())
    {
        m_settling.NoteLoad(port);
        return;
    }
    m_table.Advance(now);
    m_settling.LoadChanged(port);
}

void
Controller::Impl::Disturbed(FlowId flow, Time now)
{
    if (m_suspending.IsSuspended())
    {
        return;
    }
    m_table.Map().PartitionOf(flow); // throws if there is no such flow
    m_table.Advance(now);
    m_settling.SettleFlow(flow, Reason::Disturbed);
    if (m_table.Map().Contains(flow))
    {
        m_settling.RunFresh(flow);
    }
}

std::optional<Time>
Controller::Impl::NextAlarm() const
{
    if (m_suspending.IsSuspended())
    {
        return m_suspending.NextLook();
    }
    return m_settling.IsReloaded() ? m_table.Now() : m_table.NextAlarm();
}

void
Controller::Impl::RunAlarms(Time now)
{
    m_table.Advance(now);
    m_recorder.Flush();
    if (m_suspending.IsSuspended())
    {
        m_suspending.Look();
        return;
    }
    SuspendIfSpent(0);
    if (m_suspending.IsSuspended())
    {
        return;
    }
    if (m_table.FirstDue(Alarm::Phase::Follow) != nullptr)
    {
        m_following.EndFollowing();
        return; // flows may have ended late, and who waits for them is next
    }
    // After ends, the simulator's turn is next: they may have started flows at the same time.
    const bool ends = m_table.FirstDue(Alarm::Phase::End) != nullptr;
    const Alarm::Phase phase = ends ? Alarm::Phase::End : Alarm::Phase::Decide;
    if (phase == Alarm::Phase::Decide)
    {
        m_settling.SettleReloaded();
    }
    while (PartitionRecord* const record = m_table.FirstDue(phase))
    {
        m_table.ClearAlarm(*record);
        RunAlarm(*record);
    }
}

void
Controller::Impl::RunAlarm(PartitionRecord& record)
{
    if (record.fresh)
    {
        m_deciding.Decide(record);
        return;
    }
    switch (record.state)
    {
    case PartitionState::Replaying:
        m_replaying.End(record);
        break;
    case PartitionState::Skipping:
        m_skipping.End(record);
        break;
    default:
        m_sampling.Sample(record);
    }
}

void
Controller::Impl::Finish(Time now)
{
    m_table.Advance(now);
    m_settling.SettleAll(Reason::Finished);
    m_recorder.Flush();
}

PartitionState
Controller::Impl::StateOf(PartitionId partition) const
{
    m_table.Map().FlowCount(partition); // throws if there is no such partition
    return m_table.Of(partition).state;
}

StateCounts
Controller::Impl::CountStates() const
{
    return m_table.CountStates();
}

Bytes
Controller::Impl::DeliveredBy(FlowId flow, Time now) const
{
    const PartitionRecord& record = m_table.Of(m_table.Map().PartitionOf(flow));
    const Bytes delivered = m_context.simulator.Observe(flow).delivered;
    const auto& flows = record.members.ids.flows;
    const auto index = static_cast<std::size_t>(std::lower_bound(flows.begin(), flows.end(), flow) -
                                                flows.begin());
    switch (record.state)
    {
    case PartitionState::Skipping:
        return delivered + m_skipping.DeliveredBy(record, index, now);
    case PartitionState::Replaying:
        return delivered + m_replaying.DeliveredBy(record, index, now);
    case PartitionState::Following:
        return delivered + m_following.DeliveredBy(record, index, now);
    default:
        return delivered;
    }
}

bool
Controller::Impl::IsSuspended() const
{
    return m_suspending.IsSuspended();
}

double
Controller::Impl::LeastEvents() const
{
    return m_suspending.LeastEvents();
}

void
Controller::Impl::AddReplayed(std::uint64_t events)
{
    m_statistics.eventsReplayed += events;
}

bool
Controller::Impl::PaysOff() const
{
    return m_account.PaysOff(0);
}

bool
Controller::Impl::SavesLittle() const
{
    return IsSuspended() || m_account.SavesLittle();
}

const PartitionMap&
Controller::Impl::Map() const
{
    return m_table.Map();
}

const ControllerStatistics&
Controller::Impl::Statistics()
{
    m_statistics.work = m_account.Spent();
    m_suspending.Count();
    return m_statistics;
}

} // namespace wormhole
