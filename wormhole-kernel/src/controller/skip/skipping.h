/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SKIPPING_H
#define WORMHOLE_SKIPPING_H

#include "tracking/known-rates.h"
#include "tracking/packet-state.h"
#include "tracking/partition-table.h"
#include "tracking/recorder.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace wormhole
{

class Auditing;
class Deciding;
class Following;
class Replaying;
class Sampling;
class Settling;
class Wandering;

/** Partitions that are steady, and whose rates take the place of packets. */
class Skipping
{
  public:
    /** Windows of samples within which a partition that has been woken must be steady again. */
    static constexpr std::uint32_t WAKING_WINDOWS = 4;

    Skipping(const ControllerContext& context,
             PartitionTable& table,
             PacketState& packets,
             Recorder& recorder,
             Account& account,
             Sampling& sampling,
             Wandering& wandering,
             Following& following,
             Replaying& replaying,
             Deciding& deciding,
             Settling& settling,
             Auditing& auditing);

    /** \p record goes on by the episode that \p key is of. */
    void SetSource(PartitionRecord& record, ConflictGraph key);

    /** \p record has come to \p rates by an episode, and they are good for \p verified at first.
     *  \return whether it goes on steadily */
    bool StartFromEpisode(PartitionRecord& record, std::vector<Rate> rates, Duration verified);

    /** \return whether \p rates are those that \p record, which is waking, was skipped with */
    bool HasHeld(const PartitionRecord& record,
                 const std::vector<Rate>& rates,
                 double shortness = 1) const;

    /** \p record is waking, to the rates that it was skipped with. */
    bool KeepOn(PartitionRecord& record, SteadyRates& steady);

    /** \p found are rates of \p record, which is waking, in one window, and those that it was
     * skipped with in others: their mean. */
    void Average(PartitionRecord& record, SteadyRates& found) const;

    /** \p record is waking, but not to the rates that it was skipped with. */
    void GiveUpRates(PartitionRecord& record);

    /** \p record is steady at rates that it has not been skipped with. */
    void TakeRates(PartitionRecord& record, const SteadyRates& steady);

    /** \p record is not steady now. */
    void NotSteady(PartitionRecord& record);

    /** \p record, which is being skipped, is at the end of a stretch or at a tail. */
    void End(PartitionRecord& record);

    /** Something that may not matter has happened to \p record, which was skipped or waking. */
    void LookAgain(PartitionRecord& record);

    /** The packets of \p record are simulated from now on: where its rate is known (KnownRates), a
     * look is enough that tells whether it is there. \return whether that is so */
    bool Recall(PartitionRecord& record);

    /** \return whether \p rates, of a look, are those that were recalled of \p record, or that it
     * was skipped with */
    bool IsThere(const PartitionRecord& record, const std::vector<Rate>& rates) const;

    /** \p record, whose rates are recalled, is there. \return whether it is skipped */
    bool GoOnRecalled(PartitionRecord& record);

    /** \return samples after which \p record is looked at whose rates are known */
    std::uint32_t SamplesOfLook(const PartitionRecord& record) const;

    /** Something happens to \p record, which is being skipped (skip-back). */
    void Interrupt(PartitionRecord& record);

    /** \return what flow \p index of \p record has delivered of its skip by \p now */
    Bytes DeliveredBy(const PartitionRecord& record, std::size_t index, Time now) const;

    /** Something has happened to \p record. */
    void Forget(PartitionRecord& record);

    /** All partitions are gone. */
    void ForgetProbes();

  private:
    /** \p record is steady: goes on by a skip or, if a flow is about to end, without.
     *  \return whether it does; not if the rates are not good for long enough */
    bool GoOn(PartitionRecord& record, const SteadyRates& steady, Reason reason);

    /** \return whether a skip of \p record, which is steady, for \p span is worth it; if not, it
     * goes on in packets, and what that misses counts */
    bool IsWorthIt(PartitionRecord& record, const SteadyRates& steady, Duration span);

    /** \return events that \p record would need for \p time at \p rates */
    double EventsIn(const PartitionRecord& record,
                    const std::vector<Rate>& rates,
                    Duration time) const;

    /** \return whether \p record is one flow that is looked at where no transient should be */
    static bool IsShortLook(const PartitionRecord& record);

    /** \return the rate that \p record is known to come to; nullptr if none is */
    const KnownRate* KnownOf(const PartitionRecord& record) const;

    /** \p record is steady at \p rates, which are to be remembered if they only depend on what is
     * known; \p proven as in KnownRate */
    void NoteKnown(const PartitionRecord& record, const SteadyRates& rates, bool proven);

    /** What is to be remembered of how \p record came to \p rates, whose packets are simulated. */
    void NoteSteady(PartitionRecord& record, const SteadyRates& steady);

    /** \p record is skipped with the means of rates that are on their way.
     * \return for how long: \p span, or less if a flow is at its tail by then */
    Duration TakeMeans(PartitionRecord& record, Duration span);

    /** The same of shares that wander. */
    Duration TakeShares(PartitionRecord& record, Duration span);

    /** \return \p span of a skip of \p record, or less if a flow is at its tail by then */
    Duration UpToTail(PartitionRecord& record, Duration span) const;

    void CreditSkip(PartitionRecord& record);

    /** \p record, which has been skipped, is running: rates that were on their way have moved. */
    void Carry(PartitionRecord& record);

    /** \return whether an audit says that the skip of \p record, at its end, has gone otherwise */
    bool IsRefuted(PartitionRecord& record);

    /** \p record has come to \p rates since it was steady first: so far, the episode's held, or
     * not. */
    void ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates);

    /** \return whether all \p rates are within theta of those that were \p used */
    bool AreClose(const std::vector<Rate>& rates, const std::vector<Rate>& used) const;

    /** \return until when \p record, at the end of a stretch, may leave it to another one to look
     * whether its rates hold; nullopt if it must look itself: it is then the probe for others that
     * came from the same episode, no earlier */
    std::optional<Time> NextLook(const PartitionRecord& record);

    /** \return whether \p record goes on skipping without a look */
    bool SkipOn(PartitionRecord& record);

    Duration FirstStretch(const PartitionRecord& record) const;
    Duration Windows(const PartitionRecord& record, double count) const;

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Recorder& m_recorder;
    Account& m_account;
    Sampling& m_sampling;
    Wandering& m_wandering;
    Following& m_following;
    Replaying& m_replaying;
    Deciding& m_deciding;
    Settling& m_settling;
    Auditing& m_auditing;
    KnownRates m_known;
    std::unordered_map<Signature, PartitionId>
        m_probes; //!< by signature of the key of their episodes: who looks for all
};

} // namespace wormhole

#endif // WORMHOLE_SKIPPING_H
