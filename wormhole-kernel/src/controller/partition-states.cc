/*
 * SPDX-License-Identifier: MIT
 */
// What is decided for partitions, and replays: the third part of Controller::Impl.

#include "controller/controller-impl.h"
#include "controller/key-builder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace wormhole
{
namespace
{

/** Of an episode, after which it counts as gone by. */
constexpr double PUNCTUAL = 0.9;

} // namespace

void
Controller::Impl::Enter(PartitionRecord& record, PartitionState to, Reason reason, Duration span)
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
Controller::Impl::CountTime(const PartitionRecord& record)
{
    const auto flows = static_cast<std::int64_t>(record.members.flows.size());
    m_statistics.flowTime[static_cast<std::size_t>(record.state)] += (m_now - record.since) * flows;
}

void
Controller::Impl::SetAlarm(PartitionRecord& record, Time time, Alarm::Phase phase)
{
    ClearAlarm(record);
    record.alarm = Alarm{time, phase, record.id};
    m_alarms.insert(*record.alarm);
}

void
Controller::Impl::ClearAlarm(PartitionRecord& record)
{
    if (record.alarm)
    {
        m_alarms.erase(*record.alarm);
        record.alarm.reset();
    }
}

void
Controller::Impl::RunAlarm(PartitionRecord& record)
{
    if (record.fresh)
    {
        Decide(record);
        return;
    }
    switch (record.state)
    {
    case PartitionState::Replaying:
        EndReplay(record);
        break;
    case PartitionState::Skipping:
        EndSkip(record);
        break;
    default:
        Sample(record);
    }
}

void
Controller::Impl::Decide(PartitionRecord& record)
{
    m_budget.Spend(ALARM_WORK);
    record.fresh = false;
    record.undisturbedSince = m_now;
    record.trend.reset();
    record.members = CollectMembers(record.id);
    const std::uint64_t flows = record.members.flows.size();
    ++m_statistics.decisions;
    m_statistics.flowsDecided += flows;
    m_statistics.largestPartition = std::max(m_statistics.largestPartition, flows);
    ReplayOrRecord(record, false);
}

void
Controller::Impl::ReplayOrRecord(PartitionRecord& record, bool tail)
{
    const auto flows = static_cast<double>(record.members.flows.size());
    if (!m_store)
    {
        RunUnrecorded(record, tail ? Reason::TailReached : Reason::NothingToRecord, tail);
        return;
    }
    if (!Affords(KEY_WORK * flows))
    {
        RunUnrecorded(record, Reason::OverBudget, tail);
        return;
    }
    const KeyBuilder keys(
        m_simulator,
        m_map,
        m_packets,
        record.members,
        {m_options.detail, m_options.rateStep, m_options.queueStep, m_options.steady.queueSlack});
    Reason why = Reason::EpisodeUnknown;
    // A partition that is steady already does not become so.
    std::optional<ConflictGraph> converged;
    if (!tail)
    {
        converged = keys.Converged();
        if (TryReplay(record, *converged, EpisodeEnd::Converged, m_now, why))
        {
            record.source = std::move(converged);
            return;
        }
    }
    ConflictGraph completed = keys.Completed();
    if (TryReplay(record, completed, EpisodeEnd::Completed, m_now, why))
    {
        return;
    }
    if (why == Reason::SavesLittle)
    {
        RunUnrecorded(record, why, tail);
        return;
    }
    auto recording = m_recorder.Start(record.members, m_now);
    recording->converged = std::move(converged);
    recording->completed = std::move(completed);
    recording->mayComplete = keys.MayComplete();
    if (TryFollow(record, recording))
    {
        return;
    }
    if (!Affords(RECORDING_WORK * flows))
    {
        RunUnrecorded(record, Reason::OverBudget, tail);
        return;
    }
    m_packets.Run(record.members, m_now);
    StartRecording(record, std::move(recording), why);
    if (!tail)
    {
        StartSampling(record);
    }
}

void
Controller::Impl::RunUnrecorded(PartitionRecord& record, Reason reason, bool tail)
{
    m_packets.Run(record.members, m_now);
    Enter(record, PartitionState::Running, reason);
    if (!tail)
    {
        StartSampling(record);
    }
}

bool
Controller::Impl::TryReplay(PartitionRecord& record,
                            const ConflictGraph& graph,
                            EpisodeEnd end,
                            Time from,
                            Reason& why)
{
    auto hit = m_store->Find(graph, end);
    if (!hit)
    {
        return false;
    }
    if (!Fits(record, *hit, from))
    {
        why = Reason::EpisodeUnfit;
        return false;
    }
    const Time over = Later(from, hit->episode->duration);
    const auto events = static_cast<double>(hit->episode->events);
    if (!PaysOff(events))
    {
        why = Reason::SavesLittle;
        // Packets are not as punctual as the episode.
        record.unused = UnusedEpisode{events, Later(from, Scale(hit->episode->duration, PUNCTUAL))};
        return false;
    }
    m_budget.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    m_packets.Pause(record.members);
    for (std::size_t i = 0; i < hit->flows.size(); ++i)
    {
        const Bytes bytes = hit->episode->flows[hit->flows[i]].bytes;
        m_simulator.AssumeRate(record.members.ids.flows[i], RateOf(bytes, hit->episode->duration));
    }
    record.replay = std::move(*hit);
    record.from = from;
    Enter(record, PartitionState::Replaying, Reason::EpisodeFound, over - m_now);
    SetAlarm(record, over, Alarm::Phase::End);
    return true;
}

bool
Controller::Impl::Fits(const PartitionRecord& record, const EpisodeHit& hit, Time from) const
{
    const Time over = Later(from, hit.episode->duration);
    const auto disturbance = m_simulator.NextDisturbance(record.members.ids);
    if (over < m_now || (disturbance && *disturbance < over))
    {
        return false;
    }
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const FlowOutcome& outcome = hit.episode->flows[hit.flows[i]];
        const Bytes left = m_simulator.Observe(record.members.ids.flows[i]).left;
        if (outcome.completed ? left != outcome.bytes : left <= outcome.bytes)
        {
            return false;
        }
    }
    return true;
}

void
Controller::Impl::EndReplay(PartitionRecord& record)
{
    const EpisodeHit hit = std::move(record.replay);
    const Episode& episode = *hit.episode;
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const Bytes bytes = episode.flows[hit.flows[i]].bytes;
        Credit(*record.members.flows[i], bytes);
        m_statistics.bytesReplayed += bytes;
    }
    m_statistics.eventsReplayed += episode.events;
    m_packets.LiftTo(record.members, hit.episode, hit.flows);

    if (episode.end == EpisodeEnd::Completed)
    {
        CompleteFlows(record, hit);
        return;
    }
    SteadyRates steady{{}, Duration::max(), Duration{0}};
    for (const std::uint32_t index : hit.flows)
    {
        steady.rates.push_back(episode.flows[index].endRate);
    }
    record.held = Duration{0};
    record.steadySince = m_now;
    record.trend.emplace().Start(steady.rates);
    record.stretch = episode.verified;
    record.sourceRates = steady.rates;
    if (!m_options.skip || !GoOnSteadily(record, steady, Reason::EpisodeOver))
    {
        m_packets.Run(record.members, m_now);
        Enter(record, PartitionState::Running, Reason::EpisodeOver);
        StartSampling(record);
    }
}

void
Controller::Impl::CompleteFlows(const PartitionRecord& record, const EpisodeHit& hit)
{
    std::vector<std::pair<FlowId, const StateBlob*>> completed;
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const FlowOutcome& outcome = hit.episode->flows[hit.flows[i]];
        if (outcome.completed)
        {
            completed.emplace_back(record.members.ids.flows[i], &outcome.control);
        }
    }
    const std::vector<PortId> ports = record.members.ids.ports;
    for (const auto& [flow, end] : completed)
    {
        const PartitionChange change = m_map.End(flow);
        m_flows.erase(flow);
        Left(change, Reason::EpisodeOver);
    }
    m_packets.ForgetUnused(ports);
    // Last, for who waits for them may start others at once.
    for (const auto& [flow, end] : completed)
    {
        m_simulator.CompleteWith(flow, m_now, *end);
    }
}

} // namespace wormhole
