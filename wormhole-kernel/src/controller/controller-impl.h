/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_IMPL_H
#define WORMHOLE_CONTROLLER_IMPL_H

#include "controller/flow-record.h"
#include "controller/packet-state.h"
#include "controller/partition-record.h"
#include "controller/recorder.h"
#include "controller/work-budget.h"
#include "wormhole/controller.h"

#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

namespace wormhole
{

/** \return \p options
 *  \throws UsageError if one is out of range */
const ControllerOptions& Validated(const ControllerOptions& options);

/**
 * \brief The state machine of the partitions.
 *
 *     fresh --Decide--> Replaying, Following, Recording, or Running (nothing to record)
 *     Following --EndFollowing--> Replaying or Recording
 *     Recording, Running, Waking --Sample--> Skipping, once steady
 *     Skipping --EndSkip--> Waking, or at a tail: Replaying, Following, Recording, Running
 *     Replaying --EndReplay--> Skipping (converged), or fresh (completed)
 *     any --Settle--> fresh, when something happens to the partition
 *
 * Its members are in seven files: what the simulator tells (controller-impl.cc), what that does to
 * partitions (partition-events.cc), what is decided for a partition, and replays
 * (partition-states.cc), sampling and skipping (partition-skipping.cc), how partitions follow
 * others (partition-following.cc), what skips and replays are worth (partition-worth.cc), and how
 * all of this rests (controller-rest.cc).
 */
class Controller::Impl
{
  public:
    Impl(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options);

    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now);
    void FlowEnded(FlowId flow, Time at);
    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now);
    void PortChanged(PortId port, Time now);
    void LoadChanged(PortId port, Time now);
    void Disturbed(FlowId flow, Time now);
    std::optional<Time> NextAlarm() const;
    void RunAlarms(Time now);
    void Finish(Time now);
    PartitionState StateOf(PartitionId partition) const;
    StateCounts CountStates() const;
    Bytes DeliveredBy(FlowId flow, Time now) const;
    bool IsResting() const;
    /** \return whether so much could have been saved so far, with \p gain (events), that it is
     * worth its error (ControllerOptions::leastSaving) */
    bool PaysOff(double gain) const;
    /** Brings those statistics up to date that change all the time. */
    void Count();

    DecisionHandler m_onDecision;
    PartitionMap m_map;
    ControllerStatistics m_statistics;
    Recorder m_recorder;

  private:
    PartitionRecord& RecordOf(PartitionId partition);
    const PartitionRecord& RecordOf(PartitionId partition) const;
    PartitionMembers CollectMembers(PartitionId partition);

    /** \p flow is there, with all partitions on its \p path fresh. */
    void Register(FlowId flow, const std::vector<PortId>& path, Reason reason);

    /** Time is \p now; it does not go back. */
    void Advance(Time now);

    /** \name What has happened to partitions
     * @{ */

    /** Makes all partitions on \p ports fresh. */
    void SettlePorts(const std::vector<PortId>& ports, Reason reason);

    /** Makes partitions fresh whose ports carry another load than when this was looked at last. */
    void SettleReloaded();

    /** Makes the partition of \p flow fresh. */
    void SettleFlow(FlowId flow, Reason reason);

    /** Lets the packets of the partition of \p flow, which is fresh, run now: they are about to be
     * touched. */
    void RunFresh(FlowId flow);

    /** Brings \p record to the current time, where something is about to happen to it. It may be
     * gone or not yet fresh afterwards, if flows end on the way. */
    void Settle(PartitionRecord& record, Reason reason);
    void InterruptSkip(PartitionRecord& record, Reason reason);
    /** The same for a partition that follows. */
    void InterruptReplay(PartitionRecord& record, Reason reason);

    /** Keeps the records in step with the map. */
    void Joined(const PartitionChange& change, Reason reason);
    void Left(const PartitionChange& change, Reason reason);
    void AddRecord(PartitionId partition);
    void Refresh(PartitionRecord& record, Reason reason);
    void Forget(PartitionId partition);

    /** @} */

    /** \name States
     * @{ */

    void Enter(PartitionRecord& record, PartitionState to, Reason reason, Duration span = {});
    void CountTime(const PartitionRecord& record);
    void SetAlarm(PartitionRecord& record, Time time, Alarm::Phase phase);
    void ClearAlarm(PartitionRecord& record);
    void RunAlarm(PartitionRecord& record);

    void Decide(PartitionRecord& record);
    /** Goes on with an episode, if there is one that fits; else with packets, of which a recording
     * is made.
     *  \param tail it is steady, but a flow is about to end */
    void ReplayOrRecord(PartitionRecord& record, bool tail);
    /** \param from when the episode would have started: now, or when packets stopped
     *  \param why set if there is one, but it does not fit
     *  \return whether it does; then it is being replayed */
    bool TryReplay(PartitionRecord& record,
                   const ConflictGraph& graph,
                   EpisodeEnd end,
                   Time from,
                   Reason& why);
    bool Fits(const PartitionRecord& record, const EpisodeHit& hit, Time from) const;
    void EndReplay(PartitionRecord& record);
    void CompleteFlows(const PartitionRecord& record, const EpisodeHit& hit);

    /** Lets \p record run in packets, which are sampled unless it is at a tail. */
    void RunUnrecorded(PartitionRecord& record, Reason reason, bool tail);

    void StartSampling(PartitionRecord& record);
    void Sample(PartitionRecord& record);
    /** \p record is steady, for as long as its trend allows. */
    void LookAtTrend(PartitionRecord& record, SteadyRates& steady);
    /** \p record is waking, to the rates that it was skipped with. */
    void KeepOn(PartitionRecord& record, SteadyRates& steady);
    /** \p record is steady at rates that it has not been skipped with. */
    void TakeRates(PartitionRecord& record, const SteadyRates& steady);
    /** \return the slowest period of the controls of the flows of \p record */
    Duration SlowestPeriod(const PartitionRecord& record) const;
    /** \p record is waking, but not to the rates that it was skipped with. */
    void GiveUpRates(PartitionRecord& record);
    /** \return whether all \p rates are within theta of those that were \p used */
    bool AreClose(const std::vector<Rate>& rates, const std::vector<Rate>& used) const;
    /** \p record has come to \p rates since it was steady first: so far, the episode's held, or
     * not. */
    void ConfirmSource(PartitionRecord& record, const std::vector<Rate>& rates);

    /** \p record is steady: goes on by a skip or, if a flow is about to end, without.
     *  \return whether it does; not if the rates are not good for long enough */
    bool GoOnSteadily(PartitionRecord& record, const SteadyRates& steady, Reason reason);
    /** What is to be remembered of how \p record came to \p rates, whose packets are simulated. */
    void NoteSteady(PartitionRecord& record, const SteadyRates& steady);
    void CreditSkip(PartitionRecord& record);
    void Credit(FlowRecord& flow, Bytes bytes);
    void EndSkip(PartitionRecord& record);
    /** \return until when \p record, at the end of a stretch, may leave it to another one to look
     * whether its rates hold; nullopt if it must look itself: it is then the one for others that
     * came from the same episode, no earlier */
    std::optional<Time> NextLook(const PartitionRecord& record);
    /** \return whether \p record goes on skipping without a look */
    bool SkipOn(PartitionRecord& record);
    Duration FirstStretch(const PartitionRecord& record) const;
    Duration Windows(const PartitionRecord& record, double count) const;

    /** @} */

    /** \name Worth and cost
     * @{ */

    /** \return the same for a skip of \p record, which is steady, for \p span; if not, it goes on
     * in packets, and what that misses counts */
    bool IsWorthSkipping(PartitionRecord& record, const SteadyRates& steady, Duration span);
    /** \return events that \p record would need for \p time at \p rates */
    double EventsIn(const PartitionRecord& record,
                    const std::vector<Rate>& rates,
                    Duration time) const;
    /** Counts as missed what an episode could have saved that was not replayed, if \p record was
     * left alone for long enough. */
    void CountUnused(PartitionRecord& record);

    /** What was run, skipped and replayed so far may be spent from.
     *  \param wanted what is saved up for */
    void Earn(double wanted = 0);
    /** \return whether \p work, in events' worth, is within the bounds of
     * ControllerOptions::overhead; it is spent then */
    bool Affords(double work);
    /** \return whether all that may be spent is, and more */
    bool IsSpent();

    /** @} */

    /** \name Rest
     * @{ */

    /** Since when, and what for. */
    struct Nap
    {
        Time since;
        std::uint64_t events;     //!< run until then
        std::uint64_t seen;       //!< run until the last look
        std::uint64_t counted;    //!< run until #Count was called
        double wanted;            //!< that a waking costs, as far as is known
        double target;            //!< events run in all when it will be affordable
        std::optional<Time> look; //!< whether that is affordable; nullopt: nobody is there
    };

    /** Brings all partitions to the current time, and lets them run. */
    void SettleAll(Reason reason);
    /** Forgets all partitions, until it can be afforded to know of them. */
    void Rest();
    /** Has rested so far: looks whether it is for long enough. */
    void Look();
    /** Something happens while it rests. */
    void Stir();
    /** Sets the time of the next look.
     *  \param run events so far, in all */
    void Await(std::uint64_t run);
    void Wake(std::vector<FlowPath> flows);
    double WakingWork(std::size_t flows) const;
    double WorkPerFlow() const;

    /** @} */

    /** \name Recordings, and who follows them
     * @{ */

    void StartRecording(PartitionRecord& record, std::unique_ptr<Recording> recording, Reason why);
    /** Sees to those that follow \p record.
     *  \param again whether another leader may do for them
     *  \return its recording */
    std::unique_ptr<Recording> EndRecording(PartitionRecord& record, bool again);

    /** \param own what \p record records otherwise; taken if it follows
     *  \return whether it follows */
    bool TryFollow(PartitionRecord& record, std::unique_ptr<Recording>& own);
    /** \param following whose leader is to be found
     *  \return whether there is one */
    bool FindLeader(Following& following) const;
    void Follow(PartitionRecord& record);
    /** Those that follow \p record, which has been sampled, are assumed to be as fast. */
    void TellFollowers(const PartitionRecord& record);
    /** \return what \p record records otherwise, which follows nobody now */
    std::unique_ptr<Recording> StopFollowing(PartitionRecord& record);

    /** The leaders of those with an alarm to Follow have ended. */
    void EndFollowing();
    void EndFollowing(PartitionRecord& record);
    /** \return whether \p record, which follows, goes on by an episode, as from its start */
    bool TryReplayLate(PartitionRecord& record, Reason& why);
    void RecordLate(PartitionRecord& record, Reason why);

    /** \return an estimate of what flow \p index of \p record, which follows, has delivered since
     * its packets stopped */
    Bytes FollowedBytes(const PartitionRecord& record, std::size_t index, Time now) const;

    /** @} */

    Simulator& m_simulator;
    EpisodeStore* m_store;
    ControllerOptions m_options;
    PacketState m_packets;
    Time m_now;
    std::unordered_map<FlowId, FlowRecord> m_flows;
    std::unordered_map<PartitionId, std::unique_ptr<PartitionRecord>> m_records;
    std::set<Alarm> m_alarms;
    std::vector<PortId> m_reloaded; //!< LoadChanged
    std::unordered_map<PortId, std::int32_t>
        m_loads; //!< PortAttributes::backgroundClass; others: 0
    WorkBudget m_budget;
    bool m_anyEnded{false};      //!< a flow has, as far as is known
    std::size_t m_mostFlows{0};  //!< that were there at one time
    std::uint64_t m_searched{0}; //!< of PartitionSearchStatistics::visited, was paid for
    std::optional<Nap> m_nap;    //!< while it rests
    std::unordered_map<Signature, PartitionId>
        m_sentinels; //!< by signature of the key of their episodes: who looks for all
    std::unordered_map<Signature, std::set<PartitionId>>
        m_leaders; //!< Recording, by Recording::Key
};

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_IMPL_H
