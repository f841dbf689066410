/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/following.h"

#include "controller/replaying.h"
#include "controller/sample/sampling.h"
#include "controller/skip/skipping.h"
#include "wormhole/isomorphism.h"
#include "wormhole/signature.h"

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

Following::Following(const ControllerContext& context,
                     PartitionTable& table,
                     PacketState& packets,
                     Recorder& recorder,
                     Account& account,
                     Replaying& replaying,
                     Sampling& sampling,
                     Skipping& skipping)
    : m_context(context),
      m_table(table),
      m_packets(packets),
      m_recorder(recorder),
      m_account(account),
      m_replaying(replaying),
      m_sampling(sampling),
      m_skipping(skipping)
{
}

void
Following::StartRecording(PartitionRecord& record, std::unique_ptr<Recording> recording, Reason why)
{
    record.following.recording = std::move(recording);
    m_leaders[record.following.recording->Key().GetSignature()].insert(record.id);
    m_table.Enter(record, PartitionState::Recording, why);
}

std::unique_ptr<Recording>
Following::EndRecording(PartitionRecord& record, bool again)
{
    const auto place = m_leaders.find(record.following.recording->Key().GetSignature());
    place->second.erase(record.id);
    if (place->second.empty())
    {
        m_leaders.erase(place);
    }
    for (const PartitionId id : std::exchange(record.following.followers, {}))
    {
        PartitionRecord& follower = m_table.Of(id);
        follower.following.leader->partition.reset();
        follower.following.leader->again = again;
        m_table.SetAlarm(follower, m_table.Now(), Alarm::Phase::Follow);
    }
    return std::move(record.following.recording);
}

void
Following::GiveUpChance(PartitionRecord& record)
{
    if (IsRecording(record) && m_recorder.IsByChance(*record.following.recording))
    {
        ++m_context.statistics.recordingsByChance;
        EndRecording(record, true);
        m_table.Enter(record, PartitionState::Running, Reason::DecidedByChance);
    }
}

void
Following::FlowEnded(PartitionRecord& record, FlowId flow, Time at)
{
    m_anyEnded = true;
    if (IsRecording(record))
    {
        m_recorder.Completed(EndRecording(record, true), flow, at);
    }
    else
    {
        m_recorder.AlsoCompleted(flow, at);
    }
}

bool
Following::TryFollow(PartitionRecord& record, std::unique_ptr<Recording>& own)
{
    // As for a replay, whose end is not known here: so any disturbance may come before.
    const Simulator& simulator = m_context.simulator;
    const auto& flows = record.members.ids.flows;
    const auto isDisturbed = [&simulator](FlowId flow) {
        const Bytes left = simulator.Observe(flow).left;
        return simulator.UndisturbedBytes(flow, left) < left;
    };
    if (!m_context.options.follow || simulator.NextDisturbance(record.members.ids) ||
        !simulator.MayWait(record.members.ids) ||
        std::any_of(flows.begin(), flows.end(), isDisturbed))
    {
        return false;
    }
    Leader leader;
    leader.own = std::move(own);
    // Others are as far as their leader by classes of their rates only, and a simulator may have to
    // tidy up after flows that have ended before it can pause those that are there: an error.
    const bool exact = !m_anyEnded && HasJustBegun(*leader.own) && m_account.IsAnything(0);
    if (!(exact || m_account.PaysOff(0)) || !FindLeader(leader))
    {
        own = std::move(leader.own);
        return false;
    }
    ++m_context.statistics.followers;
    m_packets.Pause(record.members);
    for (const FlowId flow : flows)
    {
        m_context.simulator.AssumeRate(
            flow,
            Rate::BytesPerSecond(std::numeric_limits<double>::infinity()));
    }
    record.stoppedAt = m_table.Now();
    record.following.leader = std::move(leader);
    Follow(record);
    m_table.Enter(record, PartitionState::Following, Reason::EpisodeAwaited);
    return true;
}

bool
Following::FindLeader(Leader& leader) const
{
    const Recording& own = *leader.own;
    const auto place = m_leaders.find(own.Key().GetSignature());
    if (place == m_leaders.end())
    {
        return false;
    }
    std::size_t tried = 0;
    for (const PartitionId id : place->second)
    {
        const Recording& recording = *m_table.Of(id).following.recording;
        auto counterparts = Counterparts(own, recording);
        if (!counterparts.empty() && IsAhead(recording, own, counterparts) &&
            !m_context.simulator.NextDisturbance(m_table.Of(id).members.ids))
        {
            leader.partition = id;
            leader.flows = std::move(counterparts);
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
Following::Follow(PartitionRecord& record)
{
    m_table.ClearAlarm(record);
    m_table.Of(*record.following.leader->partition).following.followers.insert(record.id);
}

void
Following::TellFollowers(const PartitionRecord& record, const RateSampler& sampler)
{
    for (const PartitionId id : record.following.followers)
    {
        const PartitionRecord& follower = m_table.Of(id);
        const std::vector<std::uint32_t>& leaders = follower.following.leader->flows;
        for (std::size_t i = 0; i < leaders.size(); ++i)
        {
            m_context.simulator.AssumeRate(follower.members.ids.flows[i],
                                           sampler.Latest(leaders[i]));
        }
    }
}

std::unique_ptr<Recording>
Following::StopFollowing(PartitionRecord& record)
{
    if (record.following.leader->partition)
    {
        m_table.Of(*record.following.leader->partition).following.followers.erase(record.id);
    }
    std::unique_ptr<Recording> own = std::move(record.following.leader->own);
    record.following.leader.reset();
    return own;
}

void
Following::EndFollowing()
{
    // The earliest first: if it is to be recorded after all, the others can follow it.
    std::vector<std::pair<Time, PartitionId>> followers;
    for (const PartitionId partition : m_table.AllDue(Alarm::Phase::Follow))
    {
        followers.emplace_back(m_table.Of(partition).stoppedAt, partition);
    }
    std::sort(followers.begin(), followers.end());
    for (const auto& [from, partition] : followers)
    {
        EndFollowing(m_table.Of(partition));
    }
}

void
Following::EndFollowing(PartitionRecord& record)
{
    m_table.ClearAlarm(record);
    Reason why = Reason::EpisodeUnknown;
    const bool replays = TryReplay(record, why);
    m_replaying.CountUnusedNow(record);
    if (replays)
    {
        ++m_context.statistics.followersReplayed;
        StopFollowing(record);
    }
    else if (TrySeeming(record))
    {
        return;
    }
    else if (record.following.leader->again && FindLeader(*record.following.leader))
    {
        Follow(record);
    }
    else
    {
        CatchUpRecording(record, why);
    }
}

bool
Following::TryReplay(PartitionRecord& record, Reason& why)
{
    Recording& own = *record.following.leader->own;
    if (own.converged &&
        m_replaying.Try(record, *own.converged, EpisodeEnd::Converged, own.start, why))
    {
        m_skipping.SetSource(record, std::move(*own.converged));
        return true;
    }
    return m_replaying.Try(record, own.completed, EpisodeEnd::Completed, own.start, why);
}

void
Following::CatchUpRecording(PartitionRecord& record, Reason why)
{
    const PartitionId id = record.id;
    const Time from = record.stoppedAt;
    const PartitionMembers members = record.members;
    StartRecording(record, StopFollowing(record), why);
    if (from == m_table.Now())
    {
        m_packets.Run(members, m_table.Now());
    }
    else
    {
        ++m_context.statistics.followersCaughtUp;
        m_packets.CatchUp(members, from, m_table.Now());
    }
    // Flows that ended within have taken the record apart.
    PartitionRecord* const left = m_table.Find(id);
    if (left != nullptr && IsRecording(*left) && left->following.recording->converged)
    {
        m_sampling.Start(*left);
    }
}

void
Following::Forget(PartitionRecord& record)
{
    if (IsRecording(record))
    {
        ++m_context.statistics.recordingsDisturbed;
        TellSoFar(record);
        EndRecording(record, true);
    }
    if (IsFollowing(record))
    {
        StopFollowing(record);
    }
}

} // namespace wormhole
