/*
 * SPDX-License-Identifier: MIT
 */
// Partitions that follow the recordings of others: the fifth part of Controller::Impl.
//
// Nothing is late because a partition follows. A leader started no later than its followers, so at
// any time it is at least as far in the transient that they have in common: what a flow of a
// follower does now, its counterpart has done, at the latest now. No flow of a follower has less
// left than its counterpart. As long as the leader is being recorded, none of its flows has
// completed, so no flow of a follower would have. When its recording ends, its followers go on at
// that same time, when all events of it have happened: by the episode, if there is one now, which
// is as long as the leader was on its way, so that it ends now or later for who started now or
// later; or in packets, up to now. If they started together, the episode ends now: hence
// Alarm::Phase::Follow is before End.
//
// All of this is as exact as the key: rates at the start differ by less than
// ControllerOptions::rateStep, and so on, as with any replay.
//
// No follower waits for ever, but where it would run for ever: its leader completes a flow, becomes
// steady or is disturbed, or else nothing ever happens to either. What it costs to have waited in
// vain is that its rates are sampled from then on only.

#include "controller/controller-impl.h"
#include "wormhole/isomorphism.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

namespace wormhole
{
namespace
{

/** Leaders with the same signature that are tried; the next may be too far behind, too. */
constexpr std::size_t LEADERS_TRIED = 8;

/** That a comparison of two graphs may take: as stores do. */
constexpr std::uint64_t COMPARISON_WORK = EpisodeMemoryLimits().comparisonWork;

/** \return for each flow of \p own its counterpart in \p leader; empty: no isomorphism, or too much
 * work to tell */
std::vector<std::uint32_t>
Counterparts(const Recording& own, const Recording& leader)
{
    Isomorphism found = FindIsomorphism(own.completed, leader.completed, COMPARISON_WORK);
    if (found.outcome != Isomorphism::Outcome::Match && own.converged && leader.converged)
    {
        // It does as long as the leader becomes steady before a flow completes.
        found = FindIsomorphism(*own.converged, *leader.converged, COMPARISON_WORK);
    }
    if (found.outcome != Isomorphism::Outcome::Match)
    {
        return {};
    }
    found.vertices.resize(own.flows.size());
    return std::move(found.vertices);
}

/** \return whether no packet has left so far of any flow of \p recording */
bool
HasJustBegun(const Recording& recording)
{
    return std::all_of(
        recording.progress.begin(),
        recording.progress.end(),
        [](const FlowProgress& flow) { return flow.delivered == 0 && flow.inFlight == 0; });
}

/** \return whether \p leader is never behind \p own, as said above */
bool
IsAhead(const Recording& leader,
        const Recording& own,
        const std::vector<std::uint32_t>& counterparts)
{
    if (own.start < leader.start)
    {
        return false;
    }
    for (std::size_t i = 0; i < counterparts.size(); ++i)
    {
        if (own.progress[i].left < leader.progress[counterparts[i]].left)
        {
            return false;
        }
    }
    return true;
}

} // namespace

void
Controller::Impl::StartRecording(PartitionRecord& record,
                                 std::unique_ptr<Recording> recording,
                                 Reason why)
{
    record.recording = std::move(recording);
    m_leaders[record.recording->Key().GetSignature()].insert(record.id);
    Enter(record, PartitionState::Recording, why);
}

std::unique_ptr<Recording>
Controller::Impl::EndRecording(PartitionRecord& record, bool again)
{
    const auto place = m_leaders.find(record.recording->Key().GetSignature());
    place->second.erase(record.id);
    if (place->second.empty())
    {
        m_leaders.erase(place);
    }
    for (const PartitionId id : std::exchange(record.followers, {}))
    {
        PartitionRecord& follower = RecordOf(id);
        follower.following->leader.reset();
        follower.following->again = again;
        SetAlarm(follower, m_now, Alarm::Phase::Follow);
    }
    return std::move(record.recording);
}

bool
Controller::Impl::TryFollow(PartitionRecord& record, std::unique_ptr<Recording>& own)
{
    // As for a replay, whose end is not known here: so any disturbance may come before.
    if (!m_options.follow || m_simulator.NextDisturbance(record.members.ids))
    {
        return false;
    }
    Following following;
    following.own = std::move(own);
    // Others are as far as their leader by classes of their rates only, and a simulator may have to
    // tidy up after flows that have ended before it can pause those that are there: an error.
    const bool exact = !m_anyEnded && HasJustBegun(*following.own);
    if (!(exact || PaysOff(0)) || !FindLeader(following))
    {
        own = std::move(following.own);
        return false;
    }
    ++m_statistics.followers;
    m_packets.Pause(record.members);
    for (const FlowId flow : record.members.ids.flows)
    {
        m_simulator.AssumeRate(flow, Rate::BytesPerSecond(std::numeric_limits<double>::infinity()));
    }
    record.from = m_now;
    record.following = std::move(following);
    Follow(record);
    Enter(record, PartitionState::Following, Reason::EpisodeAwaited);
    return true;
}

bool
Controller::Impl::FindLeader(Following& following) const
{
    const Recording& own = *following.own;
    const auto place = m_leaders.find(own.Key().GetSignature());
    if (place == m_leaders.end())
    {
        return false;
    }
    std::size_t tried = 0;
    for (const PartitionId id : place->second)
    {
        const Recording& leader = *RecordOf(id).recording;
        auto counterparts = Counterparts(own, leader);
        if (!counterparts.empty() && IsAhead(leader, own, counterparts))
        {
            following.leader = id;
            following.flows = std::move(counterparts);
            return true;
        }
        if (++tried == LEADERS_TRIED)
        {
            break;
        }
    }
    return false;
}

void
Controller::Impl::Follow(PartitionRecord& record)
{
    ClearAlarm(record);
    RecordOf(*record.following->leader).followers.insert(record.id);
}

void
Controller::Impl::TellFollowers(const PartitionRecord& record)
{
    for (const PartitionId id : record.followers)
    {
        const PartitionRecord& follower = RecordOf(id);
        const std::vector<std::uint32_t>& leaders = follower.following->flows;
        for (std::size_t i = 0; i < leaders.size(); ++i)
        {
            m_simulator.AssumeRate(follower.members.ids.flows[i],
                                   record.sampler.Latest(leaders[i]));
        }
    }
}

std::unique_ptr<Recording>
Controller::Impl::StopFollowing(PartitionRecord& record)
{
    if (record.following->leader)
    {
        RecordOf(*record.following->leader).followers.erase(record.id);
    }
    std::unique_ptr<Recording> own = std::move(record.following->own);
    record.following.reset();
    return own;
}

void
Controller::Impl::EndFollowing()
{
    // The earliest first: if it is to be recorded after all, the others can follow it.
    std::vector<std::pair<Time, PartitionId>> followers;
    for (auto alarm = m_alarms.begin();
         alarm != m_alarms.end() && alarm->time <= m_now && alarm->phase == Alarm::Phase::Follow;
         ++alarm)
    {
        followers.emplace_back(RecordOf(alarm->partition).from, alarm->partition);
    }
    std::sort(followers.begin(), followers.end());
    for (const auto& [from, partition] : followers)
    {
        EndFollowing(RecordOf(partition));
    }
}

void
Controller::Impl::EndFollowing(PartitionRecord& record)
{
    ClearAlarm(record);
    Reason why = Reason::EpisodeUnknown;
    const bool replays = TryReplayLate(record, why);
    if (record.unused)
    {
        // What has not disturbed it so far is past.
        record.unused->by = m_now;
        CountUnused(record);
    }
    if (replays)
    {
        ++m_statistics.followersReplayed;
        StopFollowing(record);
    }
    else if (record.following->again && FindLeader(*record.following))
    {
        Follow(record);
    }
    else
    {
        RecordLate(record, why);
    }
}

bool
Controller::Impl::TryReplayLate(PartitionRecord& record, Reason& why)
{
    Recording& own = *record.following->own;
    if (own.converged && TryReplay(record, *own.converged, EpisodeEnd::Converged, own.start, why))
    {
        record.source = std::move(own.converged);
        return true;
    }
    return TryReplay(record, own.completed, EpisodeEnd::Completed, own.start, why);
}

void
Controller::Impl::RecordLate(PartitionRecord& record, Reason why)
{
    const PartitionId id = record.id;
    const Time from = record.from;
    const PartitionMembers members = record.members;
    StartRecording(record, StopFollowing(record), why);
    if (from == m_now)
    {
        m_packets.Run(members, m_now);
    }
    else
    {
        ++m_statistics.followersRunLate;
        m_packets.RunLate(members, from, m_now);
    }
    // Flows that ended within have taken the record apart.
    const auto found = m_records.find(id);
    if (found != m_records.end() && found->second->recording && found->second->recording->converged)
    {
        StartSampling(*found->second);
    }
}

Bytes
Controller::Impl::FollowedBytes(const PartitionRecord& record, std::size_t index, Time now) const
{
    const Following& following = *record.following;
    if (!following.leader)
    {
        return 0; // until the alarm of this time
    }
    const Recording& leader = *RecordOf(*following.leader).recording;
    const std::uint32_t counterpart = following.flows[index];
    const Bytes bytes = m_simulator.Observe(leader.flows[counterpart]).delivered -
                        leader.progress[counterpart].delivered;
    const Duration ahead = now - leader.start;
    return record.from == leader.start ? bytes : BytesIn(RateOf(bytes, ahead), now - record.from);
}

} // namespace wormhole
