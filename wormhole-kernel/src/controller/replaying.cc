/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/replaying.h"

#include "controller/auditing.h"
#include "controller/deciding.h"
#include "controller/settling.h"
#include "controller/skip/skipping.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

/** By how much what an episode delivers may exceed what its ports can carry: rounding, and frames
 * of which only a part had passed. */
constexpr double CAPACITY_SLACK = 1.02;

/** An episode is an instant if so many of it are shorter than the shortest that is replayed of
 * flows on their way. */
constexpr int INSTANTS = 64;

/** Of an episode, after which it counts as gone by. */
constexpr double PUNCTUAL = 0.9;

} // namespace

Replaying::Replaying(const ControllerContext& context,
                     PartitionTable& table,
                     PacketState& packets,
                     Account& account,
                     Skipping& skipping,
                     Settling& settling,
                     Deciding& deciding,
                     Auditing& auditing)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_account(account),
      m_skipping(skipping),
      m_settling(settling),
      m_deciding(deciding),
      m_auditing(auditing)
{
}

bool
Replaying::Try(PartitionRecord& record,
               const ConflictGraph& graph,
               EpisodeEnd end,
               Time from,
               Reason& why)
{
    const std::vector<Bytes> left = LeftOf(record);
    auto hit = m_context.store->Find(graph, end, left);
    if (!hit)
    {
        return false;
    }
    if (!m_auditing.Trusts({graph.GetSignature(), end}, record) ||
        !Suffice(left, *hit->episode, hit->flows) || !Fits(record, *hit, from))
    {
        why = Reason::EpisodeUnfit;
        return false;
    }
    const Time over = Later(from, hit->episode->duration);
    const auto events = static_cast<double>(hit->episode->events);
    if (!m_account.PaysOff(events))
    {
        why = Reason::SavesLittle;
        // Packets are not as punctual as the episode.
        record.replaying.unused =
            UnusedEpisode{events, Later(from, Scale(hit->episode->duration, PUNCTUAL))};
        return false;
    }
    m_account.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    if (from == m_table.Now())
    {
        m_packets.Pause(record.members);
    }
    for (std::size_t i = 0; i < hit->flows.size(); ++i)
    {
        const Bytes bytes = hit->episode->flows[hit->flows[i]].bytes;
        m_context.simulator.AssumeRate(record.members.ids.flows[i],
                                       RateOf(bytes, hit->episode->duration));
    }
    record.replaying.hit = std::move(*hit);
    record.replaying.key = graph.GetSignature();
    record.stoppedAt = from;
    m_table.Enter(record, PartitionState::Replaying, Reason::EpisodeFound, over - m_table.Now());
    m_table.SetAlarm(record, over, Alarm::Phase::End);
    return true;
}

bool
Replaying::Jump(PartitionRecord& record, const EpisodeHit& hit, const Signature& key)
{
    if (!m_auditing.Trusts({key, hit.episode->end}, record) ||
        !Suffice(LeftOf(record), *hit.episode, hit.flows) || !Fits(record, hit, record.stoppedAt) ||
        !m_account.PaysOff(static_cast<double>(hit.episode->events)) || IsRefuted(record, hit, key))
    {
        return false;
    }
    m_account.Spend(LEAP_WORK * static_cast<double>(record.members.flows.size()));
    Apply(record, hit);
    return true;
}

std::vector<Bytes>
Replaying::LeftOf(const PartitionRecord& record) const
{
    std::vector<Bytes> left;
    for (const FlowId flow : record.members.ids.flows)
    {
        left.push_back(m_context.simulator.Observe(flow).left);
    }
    return left;
}

bool
Replaying::Fits(const PartitionRecord& record, const EpisodeHit& hit, Time from) const
{
    if (!IsPossible(record, hit, from))
    {
        return false;
    }
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const FlowOutcome& outcome = hit.episode->flows[hit.flows[i]];
        const Bytes sent = outcome.bytes + (outcome.completed ? 0 : outcome.inFlight);
        if (m_context.simulator.UndisturbedBytes(record.members.ids.flows[i], sent) < sent)
        {
            return false;
        }
    }
    const Time over = Later(from, hit.episode->duration);
    const auto disturbance = m_context.simulator.NextDisturbance(record.members.ids);
    return over >= m_table.Now() && !(disturbance && *disturbance < over);
}

bool
Replaying::CanRestore(const PartitionRecord& record, const EpisodeHit& hit) const
{
    if (m_restorable.count(hit.episode) > 0)
    {
        return true;
    }
    const Episode& episode = *hit.episode;
    std::vector<FlowId> byIndex(hit.flows.size());
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const FlowOutcome& outcome = episode.flows[hit.flows[i]];
        const FlowId flow = record.members.ids.flows[i];
        byIndex[hit.flows[i]] = flow;
        if (!(outcome.completed ? m_context.simulator.CanComplete(outcome.control)
                                : m_context.simulator.CanRestore(flow, outcome.control)))
        {
            return false;
        }
    }
    for (const PortOutcome& outcome : episode.ports)
    {
        const auto& path = m_table.Map().PortsOf(byIndex[outcome.flow]);
        if (outcome.hop < path.size() &&
            !m_context.simulator.CanRestore(path[outcome.hop], outcome.state))
        {
            return false;
        }
    }
    if (m_restorable.size() >= 2 * m_checked)
    {
        for (auto it = m_restorable.begin(); it != m_restorable.end();)
        {
            it = it->expired() ? m_restorable.erase(it) : std::next(it);
        }
        m_checked = m_restorable.size() + 1;
    }
    m_restorable.insert(hit.episode);
    return true;
}

bool
Replaying::IsExact(const PartitionRecord& record, Time at) const
{
    return std::all_of(record.members.flows.begin(),
                       record.members.flows.end(),
                       [this, at](const FlowRecord* flow) {
                           return flow->exactAt == at ||
                                  m_context.simulator.Observe(flow->id).delivered == 0;
                       });
}

bool
Replaying::IsPossible(const PartitionRecord& record, const EpisodeHit& hit, Time from) const
{
    const Episode& episode = *hit.episode;
    Duration known{1}; // how long one must be at least where flows are known to a frame or so
    for (const FlowId flow : record.members.ids.flows)
    {
        known = std::max(known, m_context.simulator.ShortestReplay(flow));
    }
    if (episode.duration < (IsExact(record, from) ? Duration{1} : known))
    {
        return false;
    }

    struct Use
    {
        double bytes{0};   // that came from before the port
        double endRate{0}; // bytes per second
        int flows{0};
    };

    std::unordered_map<PortId, Use> uses;
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const FlowOutcome& outcome = episode.flows[hit.flows[i]];
        const FlowRecord& flow = *record.members.flows[i];
        const Bytes inFlight = flow.episode ? flow.episode->flows[flow.index].inFlight
                                            : m_context.simulator.Observe(flow.id).inFlight;
        const auto& path = m_table.Map().PortsOf(flow.id);
        const std::size_t hops = std::min(path.size(), m_context.simulator.DataPortsOf(flow.id));
        for (std::size_t hop = 0; hop < hops; ++hop)
        {
            Use& use = uses[path[hop]];
            use.bytes += static_cast<double>(outcome.bytes - std::min(inFlight, outcome.bytes));
            use.endRate += outcome.endRate.InBytesPerSecond();
            ++use.flows;
        }
    }
    // Several instants in a row would leave those that take turns at a port in another order: more
    // than one that ends, and one that begins.
    const bool isInstant = episode.duration < known / INSTANTS; // stores may say any duration
    const auto isShared = [](const auto& item) { return item.second.flows > 2; };
    if ((isInstant && std::any_of(uses.begin(), uses.end(), isShared)) || !CanRestore(record, hit))
    {
        return false;
    }
    const double perByte = RateOf(1, episode.duration).InBytesPerSecond();
    return std::all_of(uses.begin(), uses.end(), [&](const auto& item) {
        const double most =
            CAPACITY_SLACK * m_context.simulator.CapacityOf(item.first).InBytesPerSecond();
        return item.second.bytes * perByte <= most &&
               (episode.end == EpisodeEnd::Completed || item.second.endRate <= most);
    });
}

void
Replaying::End(PartitionRecord& record)
{
    if (IsRefuted(record, record.replaying.hit, record.replaying.key))
    {
        m_settling.CatchUp(record, record.stoppedAt, Reason::Audited);
        return;
    }
    const EpisodeHit hit = std::move(record.replaying.hit);
    const Episode& episode = *hit.episode;
    Apply(record, hit);
    if (episode.end == EpisodeEnd::Completed)
    {
        CompleteFlows(record, hit);
        return;
    }
    std::vector<Rate> rates;
    for (const std::uint32_t index : hit.flows)
    {
        rates.push_back(episode.flows[index].endRate);
    }
    if (!m_skipping.StartFromEpisode(record, std::move(rates), episode.verified))
    {
        m_deciding.RunUnrecorded(record, Reason::EpisodeOver, false);
    }
}

void
Replaying::Apply(PartitionRecord& record, const EpisodeHit& hit)
{
    std::optional<Time> exactAt;
    if (IsExact(record, record.stoppedAt))
    {
        exactAt = Later(record.stoppedAt, hit.episode->duration);
    }
    for (std::size_t i = 0; i < hit.flows.size(); ++i)
    {
        const Bytes bytes = hit.episode->flows[hit.flows[i]].bytes;
        m_packets.Credit(*record.members.flows[i], bytes);
        m_context.statistics.bytesReplayed += bytes;
    }
    m_context.statistics.eventsReplayed += hit.episode->events;
    m_packets.EvictTo(record.members, hit.episode, hit.flows);
    for (FlowRecord* flow : record.members.flows)
    {
        flow->exactAt = exactAt;
    }
}

bool
Replaying::IsRefuted(PartitionRecord& record, const EpisodeHit& hit, const Signature& key)
{
    const Auditing::Subject subject{key, hit.episode->end};
    const auto events = static_cast<double>(hit.episode->events);
    if (!m_auditing.DrawReplay(subject, events))
    {
        return false;
    }
    LeftOut what{record.stoppedAt, events, {}, false};
    for (const std::uint32_t index : hit.flows)
    {
        what.bytes.push_back(hit.episode->flows[index].bytes);
    }
    return m_auditing.Refutes(record, what, subject);
}

void
Replaying::CompleteFlows(const PartitionRecord& record, const EpisodeHit& hit)
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
        const PartitionChange change = m_table.End(flow);
        m_table.ForgetFlow(flow);
        m_settling.Left(change, Reason::EpisodeOver);
    }
    m_packets.ForgetUnused(ports);
    // Last, for who waits for them may start others at once.
    for (const auto& [flow, end] : completed)
    {
        m_context.simulator.CompleteWith(flow, m_table.Now(), *end);
    }
}

bool
Replaying::IsOver(const PartitionRecord& record) const
{
    return m_table.Now() - record.stoppedAt >= record.replaying.hit.episode->duration;
}

Bytes
Replaying::DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const
{
    const EpisodeHit& hit = record.replaying.hit;
    const Bytes bytes = hit.episode->flows[hit.flows[index]].bytes;
    const Duration elapsed = now - record.stoppedAt;
    return elapsed < hit.episode->duration ? BytesIn(RateOf(bytes, hit.episode->duration), elapsed)
                                           : bytes;
}

void
Replaying::CountUnused(PartitionRecord& record)
{
    std::optional<UnusedEpisode>& unused = record.replaying.unused;
    if (unused && m_table.Now() >= unused->by)
    {
        m_account.Miss(unused->events);
        unused.reset();
    }
}

void
Replaying::CountUnusedNow(PartitionRecord& record)
{
    if (record.replaying.unused)
    {
        record.replaying.unused->by = m_table.Now();
        CountUnused(record);
    }
}

void
Replaying::Forget(PartitionRecord& record)
{
    CountUnused(record);
    record.replaying = {};
}

} // namespace wormhole
