/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/following.h"
#include "controller/replaying.h"
#include "controller/skip/skipping.h"
#include "wormhole/signature.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

// Where the leader of a partition that follows is now, for what cannot wait until it has ended.

namespace wormhole
{
namespace
{

/** \return whether flows of \p own, which started together with those of \p leader, have sent as
 * much as their counterparts in \p soFar: one with more left goes on where the other had no more
 * to send */
bool
HaveSentAsMuch(const Recording& own, const Recording& leader, const EpisodeHit& soFar)
{
    for (std::size_t i = 0; i < soFar.flows.size(); ++i)
    {
        const FlowOutcome& outcome = soFar.episode->flows[soFar.flows[i]];
        const Bytes left = leader.progress[soFar.flows[i]].left;
        if (own.progress[i].left != left && left <= outcome.bytes + outcome.inFlight)
        {
            return false;
        }
    }
    return true;
}

/** \return what audits know a part of an episode by, of which \p own has the key: not as the
 * episode itself, of which they would have seen the beginning only */
Signature
KeySoFar(const Recording& own)
{
    const Signature& key = own.Key().GetSignature();
    return SignatureBuilder().Add(key.high).Add(key.low).Get();
}

} // namespace

Bytes
Following::DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const
{
    const Leader& leader = *record.following.leader;
    if (!leader.partition)
    {
        return 0; // until the alarm of this time
    }
    const Recording& recording = *m_table.Of(*leader.partition).following.recording;
    const std::uint32_t counterpart = leader.flows[index];
    const Bytes bytes = m_context.simulator.Observe(recording.flows[counterpart]).delivered -
                        recording.progress[counterpart].delivered;
    const Duration ahead = now - recording.start;
    return record.stoppedAt == recording.start
               ? bytes
               : BytesIn(RateOf(bytes, ahead), now - record.stoppedAt);
}

void
Following::TellSoFar(const PartitionRecord& leader)
{
    const Recording& recording = *leader.following.recording;
    std::shared_ptr<const Episode> soFar;
    for (const PartitionId id : leader.following.followers)
    {
        PartitionRecord& follower = m_table.Of(id);
        if (follower.stoppedAt != recording.start || recording.start == m_table.Now())
        {
            continue;
        }
        soFar = soFar ? soFar : m_recorder.SoFar(recording, m_table.Now());
        if (!soFar)
        {
            return;
        }
        const EpisodeHit hit{soFar, follower.following.leader->flows};
        if (HaveSentAsMuch(*follower.following.leader->own, recording, hit))
        {
            follower.following.leader->soFar = hit;
        }
    }
}

std::unique_ptr<Recording>
Following::EndSeeming(PartitionRecord& record, const SteadyRates& rates)
{
    const Recording& recording = *record.following.recording;
    const bool stay = rates.approaches.empty() && !record.wandering.wander &&
                      rates.noise.size() == rates.rates.size();
    const bool areToFollow = m_context.options.skip && !record.following.followers.empty() &&
                             recording.converged && stay;
    const auto soFar = areToFollow ? m_recorder.SoFar(recording, m_table.Now()) : nullptr;
    for (const PartitionId id : record.following.followers)
    {
        const PartitionRecord& follower = m_table.Of(id);
        const Duration behind = follower.stoppedAt - recording.start;
        if (!soFar || behind > record.sampling.sampler.Interval())
        {
            continue;
        }
        auto own = std::make_shared<Episode>(*soFar);
        own->duration -= behind;
        for (std::size_t i = 0; i < rates.rates.size(); ++i)
        {
            own->flows[i].bytes -= std::min(own->flows[i].bytes, BytesIn(rates.rates[i], behind));
        }
        Leader& leader = *m_table.Of(id).following.leader;
        EpisodeHit hit{std::move(own), leader.flows};
        if (leader.own->converged && HaveSentAsMuch(*leader.own, recording, hit))
        {
            leader.soFar = std::move(hit);
            leader.seems = rates;
        }
    }
    return EndRecording(record, true);
}

bool
Following::TrySeeming(PartitionRecord& record)
{
    const Leader& leader = *record.following.leader;
    if (!leader.seems || !JumpToLeader(record))
    {
        return false;
    }
    const SteadyRates own = OfCounterparts(*leader.seems, leader.flows);
    const std::unique_ptr<Recording> recording = StopFollowing(record);
    m_skipping.StartWith(record, own, std::move(*recording->converged));
    return true;
}

bool
Following::JumpToLeader(PartitionRecord& record)
{
    const Leader& leader = *record.following.leader;
    const auto isOfNow = [&]() {
        return leader.soFar &&
               Later(record.stoppedAt, leader.soFar->episode->duration) == m_table.Now();
    };
    if (leader.partition && !isOfNow())
    {
        TellSoFar(m_table.Of(*leader.partition));
    }
    if (!isOfNow() || !m_replaying.Jump(record, *leader.soFar, KeySoFar(*leader.own)))
    {
        return false;
    }
    ++m_context.statistics.followersReplayed;
    return true;
}

} // namespace wormhole
