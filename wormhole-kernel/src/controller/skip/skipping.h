/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SKIPPING_H
#define WORMHOLE_SKIPPING_H

#include "controller/skip/foreseeing.h"
#include "controller/skip/leaping.h"
#include "controller/skip/probes.h"
#include "tracking/packet-state.h"
#include "tracking/partition-table.h"
#include "tracking/recorder.h"

#include <vector>

namespace wormhole
{

class Auditing;
class Deciding;
class Following;
class Recalling;
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
             Recalling& recalling,
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

    /** \p record has no packets, and is steady at \p steady, as its leader seems to be, with which
     * it has \p key in common: it is skipped, or else goes on in packets */
    void StartWith(PartitionRecord& record, const SteadyRates& steady, ConflictGraph key);

    /** \p record is waking, to the rates that it was skipped with. */
    bool KeepOn(PartitionRecord& record, SteadyRates& steady);

    /** \p record is waking, but not to the rates that it was skipped with. */
    void GiveUpRates(PartitionRecord& record);

    /** \p record is steady at rates that it has not been skipped with. \return whether it is
     * skipped
     */
    bool TakeRates(PartitionRecord& record, const SteadyRates& steady);

    /** \p record is not steady now. */
    void NotSteady(PartitionRecord& record);

    /** \p record, which is being skipped, is at the end of a stretch or at a tail. */
    void End(PartitionRecord& record);

    /** \return whether \p record, whose packets are simulated, is skipped: the simulator foresees
     * what it comes to */
    bool Foresee(PartitionRecord& record);

    /** \p record, whose rates are recalled, is there. \return whether it is skipped */
    bool GoOnRecalled(PartitionRecord& record);

    /** Something happens to \p record, which is being skipped (skip-back). \return when its packets
     * go on: if that is not now, they are yet to catch up from then */
    Time Interrupt(PartitionRecord& record);

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

    /** What is to be remembered of how \p record came to \p rates, whose packets are simulated. */
    void NoteSteady(PartitionRecord& record, const SteadyRates& steady);

    /** \p record has come to \p rates since it was steady first: so far, the episode's held, or
     * not. */
    void ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates);

    /** \p record, at the end of a stretch, is looked at. */
    void Wake(PartitionRecord& record);

    /** \return whether \p record goes on skipping without a look */
    bool SkipOn(PartitionRecord& record);

    /** Those that wait for \p look, which \p probe has had, and are where that was when it began,
     * take it over, and go on at \p rates, those of the probe.
     *  \return whose skips an audit contradicts, and who are as they were */
    std::vector<PartitionId> BringAlong(const PartitionRecord& probe,
                                        const SharedLook& look,
                                        const SteadyRates& rates);

    /** The same of \p record. \return whether no audit contradicts its skip */
    bool Join(PartitionRecord& record,
              const PartitionRecord& probe,
              const SharedLook& look,
              const SteadyRates& rates);

    /** The packets of \p refuted catch up with their skips. */
    void CatchUpRefuted(const std::vector<PartitionId>& refuted);

    Duration FirstStretch(const PartitionRecord& record) const;

    const ControllerContext& m_context;
    PartitionTable& m_table;
    PacketState& m_packets;
    Recorder& m_recorder;
    Account& m_account;
    Sampling& m_sampling;
    Recalling& m_recalling;
    Following& m_following;
    Replaying& m_replaying;
    Deciding& m_deciding;
    Settling& m_settling;
    Leaping m_leaping;
    Probes m_probes;
    Foreseeing m_foreseeing;
};

} // namespace wormhole

#endif // WORMHOLE_SKIPPING_H
