/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_REPLAYING_H
#define WORMHOLE_REPLAYING_H

#include "tracking/packet-state.h"
#include "tracking/partition-table.h"

#include <memory>
#include <set>
#include <vector>

namespace wormhole
{

class Auditing;
class Deciding;
class Settling;
class Skipping;

/** Partitions that an episode takes the place of. */
class Replaying
{
  public:
    Replaying(const ControllerContext& context,
              PartitionTable& table,
              PacketState& packets,
              Account& account,
              Skipping& skipping,
              Settling& settling,
              Deciding& deciding,
              Auditing& auditing);

    /** \param from when the episode would have started: now, or when packets stopped
     *  \param why set if there is one, but it does not fit
     *  \return whether there is one that fits; then \p record is being replayed */
    bool Try(PartitionRecord& record,
             const ConflictGraph& graph,
             EpisodeEnd end,
             Time from,
             Reason& why);

    /** The packets of \p record, which stopped when \p hit would have started, are now where it
     * ends: no flow of it completes.
     *  \param key that audits know it by
     *  \return whether they can be; else nothing has changed */
    bool Jump(PartitionRecord& record, const EpisodeHit& hit, const Signature& key);

    /** \p record, which is being replayed, is at the end of its episode. */
    void End(PartitionRecord& record);

    /** \return whether the episode of \p record has come to its end */
    bool IsOver(const PartitionRecord& record) const;

    /** \return what flow \p index of \p record has delivered of its episode by \p now */
    Bytes DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const;

    /** Counts as missed what an episode could have saved that was not replayed, if \p record was
     * left alone for long enough. */
    void CountUnused(PartitionRecord& record);

    /** The same where what has not disturbed \p record so far is past. */
    void CountUnusedNow(PartitionRecord& record);

    /** Something has happened to \p record. */
    void Forget(PartitionRecord& record);

    /** The flows of \p record, all of which have stopped, are at the end of \p hit. */
    void Apply(PartitionRecord& record, const EpisodeHit& hit);

  private:
    /** \return bytes that the flows of \p record have left, ascending by flow */
    std::vector<Bytes> LeftOf(const PartitionRecord& record) const;

    bool Fits(const PartitionRecord& record, const EpisodeHit& hit, Time from) const;
    /** \return whether the states that the episode ends with can be; looked at once for each */
    bool CanRestore(const PartitionRecord& record, const EpisodeHit& hit) const;

    /** \return whether keys tell to the frame where the flows of \p record were \p at that time:
     * each began then, or was at the end of a replay of flows that had begun */
    bool IsExact(const PartitionRecord& record, Time at) const;

    /** \return whether the episode delivers no more than the ports can carry, can be gone on from,
     * and is long enough for a frame more or less not to matter */
    bool IsPossible(const PartitionRecord& record, const EpisodeHit& hit, Time from) const;

    /** \return whether an audit says that \p record, at the end of \p hit, has gone otherwise */
    bool IsRefuted(PartitionRecord& record, const EpisodeHit& hit, const Signature& key);
    void CompleteFlows(const PartitionRecord& record, const EpisodeHit& hit);

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Account& m_account;
    Skipping& m_skipping;
    Settling& m_settling;
    Deciding& m_deciding;
    Auditing& m_auditing;
    mutable std::set<std::weak_ptr<const Episode>, std::owner_less<>>
        m_restorable;                 //!< episodes with states that can be
    mutable std::size_t m_checked{1}; //!< of these, when they were last looked through
};

} // namespace wormhole

#endif // WORMHOLE_REPLAYING_H
