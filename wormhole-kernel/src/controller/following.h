/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_FOLLOWING_H
#define WORMHOLE_FOLLOWING_H

#include "tracking/packet-state.h"
#include "tracking/partition-table.h"
#include "tracking/recorder.h"

#include <memory>
#include <set>
#include <unordered_map>

namespace wormhole
{

class Replaying;
class Sampling;
class Skipping;

/**
 * \brief Partitions that are being recorded, and those that wait for what comes of it.
 *
 * Nothing is late because a partition follows. A leader started no later than its followers, so at
 * any time it is at least as far in the transient that they have in common: what a flow of a
 * follower does now, its counterpart has done, at the latest now. No flow of a follower has less
 * left than its counterpart. As long as the leader is being recorded, none of its flows has
 * completed, so no flow of a follower would have. When its recording ends, its followers go on at
 * that same time, when all events of it have happened: by the episode, if there is one now, which
 * is as long as the leader was on its way, so that it ends now or later for who started now or
 * later; or in packets, up to now. If they started together, the episode ends now: hence
 * Alarm::Phase::Follow is before End.
 *
 * All of this is as exact as the key: rates at the start differ by less than
 * ControllerOptions::rateStep, and so on, as with any replay.
 *
 * What happens to one often happens to its like at the same time: flows of the same collective
 * start. A follower to which it does goes on from the state that its leader is in just then, or was
 * in just before it happened to it, if they started together; else its packets catch up.
 *
 * No follower waits for ever, but where it would run for ever: its leader completes a flow, becomes
 * steady or is disturbed, or else nothing ever happens to either. What it costs to have waited in
 * vain is that its rates are sampled from then on only.
 */
class Following
{
  public:
    Following(const ControllerContext& context,
              PartitionTable& table,
              PacketState& packets,
              Recorder& recorder,
              Account& account,
              Replaying& replaying,
              Sampling& sampling,
              Skipping& skipping);

    void StartRecording(PartitionRecord& record, std::unique_ptr<Recording> recording, Reason why);

    /** Sees to those that follow \p record.
     *  \param again whether another leader may do for them
     *  \return its recording */
    std::unique_ptr<Recording> EndRecording(PartitionRecord& record, bool again);

    /** Ends the recording of \p record, if random draws have decided what is in it: so that none of
     * its followers waits for what it cannot use. */
    void GiveUpChance(PartitionRecord& record);

    bool IsRecording(const PartitionRecord& record) const
    {
        return record.following.recording != nullptr;
    }

    bool IsFollowing(const PartitionRecord& record) const
    {
        return record.following.leader.has_value();
    }

    /** \p flow, of \p record, has delivered its last byte, and may still be observed. */
    void FlowEnded(PartitionRecord& record, FlowId flow, Time at);

    /** From now on, flows may have ended without anybody's knowledge. */
    void MayHaveEnded()
    {
        m_anyEnded = true;
    }

    /** \param own what \p record records otherwise; taken if it follows
     *  \return whether it follows */
    bool TryFollow(PartitionRecord& record, std::unique_ptr<Recording>& own);

    /** Those that follow \p record, which has been sampled, are assumed to be as fast. */
    void TellFollowers(const PartitionRecord& record, const RateSampler& sampler);

    /** \p record seems steady at \p rates, and is recorded no longer: those that follow it, and
     * started with it or less than a sample later, go on from where it is.
     *  \return its recording */
    std::unique_ptr<Recording> EndSeeming(PartitionRecord& record, const SteadyRates& rates);

    /** The leaders of those with an alarm to Follow have ended. */
    void EndFollowing();

    /** Something happens now to \p record, which follows: its packets are where those of its leader
     * are, or were when something happened to that, now too.
     *  \return whether they can be: not if they started at different times, for example */
    bool JumpToLeader(PartitionRecord& record);

    /** Something has happened to \p record, which may be recorded or follow. */
    void Forget(PartitionRecord& record);

    /** \return an estimate of what flow \p index of \p record, which follows, has delivered since
     * its packets stopped */
    Bytes DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const;

  private:
    /** \param leader to be found
     *  \return whether there is one */
    bool FindLeader(Leader& leader) const;
    void Follow(PartitionRecord& record);

    /** Those that follow \p leader, and started together with it, learn what it has done by now, if
     * that can be gone on from. */
    void TellSoFar(const PartitionRecord& leader);

    /** \return what \p record records otherwise, which follows nobody now */
    std::unique_ptr<Recording> StopFollowing(PartitionRecord& record);

    void EndFollowing(PartitionRecord& record);

    /** \return whether \p record, whose leader seems steady, is skipped from where that is */
    bool TrySeeming(PartitionRecord& record);

    /** \return whether \p record, which follows, goes on by an episode, as from its start */
    bool TryReplay(PartitionRecord& record, Reason& why);

    /** Records \p record from its start, with packets that catch up. */
    void CatchUpRecording(PartitionRecord& record, Reason why);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Recorder& m_recorder;
    Account& m_account;
    Replaying& m_replaying;
    Sampling& m_sampling;
    Skipping& m_skipping;
    bool m_anyEnded{false}; //!< a flow has, as far as is known
    std::unordered_map<Signature, std::set<PartitionId>>
        m_leaders; //!< being recorded, by Recording::Key
};

} // namespace wormhole

#endif // WORMHOLE_FOLLOWING_H
