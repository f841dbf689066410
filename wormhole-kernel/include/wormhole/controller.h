/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_CONTROLLER_H
#define WORMHOLE_CONTROLLER_H

#include "wormhole/conflict-graph.h"
#include "wormhole/controller-statistics.h"
#include "wormhole/decision.h"
#include "wormhole/episode-store.h"
#include "wormhole/error.h"
#include "wormhole/partition-map.h"
#include "wormhole/simulator.h"
#include "wormhole/steady-state.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace wormhole
{

/** How the Controller decides. */
struct ControllerOptions
{
    /** Skip steady states. Without, partitions that are steady are simulated on. */
    bool skip{true};

    /** Wake skipped partitions now and then, to see whether their rates still hold. */
    bool guard{true};

    /** A partition counts as steady only if all that its samples show bounds the error of a skip
     * (SteadyStateDetector::Judge). Else it is enough, after some windows, that it seems so
     * (SteadyStateDetector::Expect) and that flows which share their only full port have equal
     * shares of it, for looks tell; without \c skip and \c guard, which make them, it is always
     * strict. A flow that shares no port and was steady under the same conditions before is only
     * looked at. Episodes are recorded of what counts strictly, or comes to such a rate that is
     * sure. */
    bool strict{true};

    /** \return whether what seems steady counts as steady */
    bool Expects() const
    {
        return skip && guard && !strict;
    }

    /** What the simulator foresees takes the place of packets (Simulator::Foresee), where what
     * seems steady counts (Expects). Single flows may come out as by other draws. */
    bool foresee{false};

    /** Let partitions wait for the recording of an equal one. Without, each is recorded. No effect
     * without a store. */
    bool follow{true};

    /** What counts as steady. */
    SteadyStateOptions steady;

    /** Of the conflict graphs that episodes are found by. */
    GraphDetail detail{GraphDetail::Ports};

    /** Of the logarithmic scale on which start rates are compared; at least 1.000001. */
    double rateStep{1.05};

    /** Of the logarithmic scale on which queues and bytes in flight are compared at the start of a
     * transient; at least 1.000001. */
    double queueStep{1.2};

    /** The first skip of a partition, in windows of rate samples (steady.window times the longest
     * Simulator::SampleInterval of its flows); at least shortestSkip. */
    double firstStretch{4};

    /** By which each further skip is longer, as long as the rates hold; at least 1. */
    double stretchGrowth{2};

    /** What the Controller may cost, relative to the events that were run, by its own estimate; of
     * the events that it has saved it may cost 50 times this share. Keys and recordings are given
     * up for a while when they would cost more; if all else does, the Controller *suspends* its
     * work. Counts only if the simulator counts its events (Simulator::TotalEvents); 0 or more,
     * infinity: as much as it likes. */
    double overhead{0.01};

    /** What it may cost on top of that, in events' worth: the processor time of so many events; 0
     * or more, and finite. Unless it is 0, it is also free to watch the greatest number of flows
     * that were there at one time, once; and of the events that long ones of them are to cause,
     * the share above may be spent in advance; three times, where it is 50,000 or more. */
    double freeWork{10'000};

    /** Nothing is skipped or replayed before this share of the events could have been saved, those
     * included that are about to be: where packets are in chaos, whatever is left out changes all
     * that follows, and should be worth that. Costs no more than that share of the events that must
     * be run anyway. Counts only if the simulator counts its events; 0 to 1, 0: no matter. */
    double minSaving{0.1};

    /** Flows that come this near to their tails when the first one reaches its own are taken to
     * reach them too, relative to what they were credited: rates are not known better, and tails
     * that are exactly alike are found in the store. 0 or more. */
    double tailAlignment{2e-4};

    /** The share of what is skipped or replayed that is simulated after all, and compared
     * (self-audit); no more than five times that share of what was run, and 4 million events times
     * it in any case, where a copy to look at counts for 20,000 events. 0 to 1, 0: nothing, 1:
     * everything. */
    double audit{0.01};

    /** Episodes that are wrong by more than this are not replayed again; > 0. */
    double auditBound{0.02};

    /** Draws what is audited, and shares that wander. */
    std::uint64_t seed{1};

    /** Shorter skips are not worth it; in windows of rate samples; > 0. */
    double shortestSkip{1};
};

/** How many partitions are in each state, and how many flows are in these. */
struct StateCounts
{
    std::array<std::size_t, PARTITION_STATES> partitions{};
    std::array<std::size_t, PARTITION_STATES> flows{};
};

/**
 * \brief Decides for each partition whether its packets are simulated, skipped or replayed.
 *
 * Something that happens to a partition (a flow starts, ends or moves; a port changes) begins a
 * *transient*. At the end of that instant the partition's conflict graph is looked up. If an
 * episode is known for it, the partition is *replaying*: no packet is simulated, and at the end of
 * the episode each flow is credited with its bytes. If an episode is just being recorded for it, of
 * another partition that started no later, it is *following* that one, its *leader*: its packets
 * wait, and it is replaying as from its start as soon as the episode is there. Otherwise packets
 * are simulated and an episode is *recorded*. Once all flows are steady the partition is
 * *skipping*: no packet is simulated, and each flow is credited with its rate times the time, until
 * one is so near its end that its packets matter (which may be an episode again), or until it is
 * time to look whether the rates still hold
 * (*waking*). What happens to a partition in the middle of a skip ends it there (skip-back), with a
 * whole number of samples: packets catch up from then; in the middle of a replay, or while it
 * follows, from its start up to now; also where the leader comes to nothing. (Wormhole, NSDI 2026,
 * sections 4 to 6.)
 *
 * Where nothing is steady for long and nothing repeats, all of this costs more than it saves. So
 * the Controller keeps account of what it costs (ControllerOptions::overhead). When that is too
 * much, it *suspends* its work: all packets are simulated, and it knows of no flow or partition,
 * until what was run meanwhile has earned a look at the flows that are then there
 * (Simulator::RunningFlows). Where long flows are beside short ones that share no port with them,
 * it may come to know of the long ones alone, sooner (Simulator::LongFlows), for as long as there
 * are any.
 *
 * The bytes of a flow always add up: what packets delivered and what was credited is what it had to
 * deliver. While the rates hold, a skip that is used for time T is wrong by less than
 * theta / (1 - theta) times T (Theorem 2); the time spent in packets counts fully.
 *
 * Costs: a start, end or reroute costs what PartitionMap says of it, and O(size of the partition)
 * for its conflict graph, twice, and up to two lookups; a sample, a skip or a replay costs O(flows
 * and their ports).
 *
 * Errors: members throw UsageError, before anything is changed, where the simulator contradicts
 * itself (a flow that starts twice, or ends while it is paused); nothing else is thrown. That no
 * alarm is missed, and that time does not go back, is not checked; while it is suspended, nothing
 * is.
 *
 * Thread safety: none; one thread at a time. The simulator is called from within the members.
 */
class Controller
{
  public:
    /** \param simulator outlives the controller
     *  \param store of episodes, which outlives it too; nullptr: nothing is memoized
     *  \throws UsageError if an option is out of range */
    Controller(Simulator& simulator, EpisodeStore* store, const ControllerOptions& options = {});
    ~Controller();
    Controller(const Controller&) = delete;
    Controller& operator=(const Controller&) = delete;

    /** \param handler is told of each change of a partition's state, as it happens; empty: nobody.
     * It may call const members, must call no others, and must not throw. */
    void SetDecisionHandler(DecisionHandler handler);

    /** \param handler is told, once, if state cannot be captured; empty: nobody */
    void SetWarningHandler(WarningHandler handler);

    /** \name What the simulator tells
     *
     * Each member may call back for the partitions that it concerns. Afterwards the flow or port
     * that it names, and all that are connected with it, are running; but after FlowStarted and
     * FlowRerouted those that the flow comes to may still be evicted, until RunAlarms decides. Time
     * never decreases from one call to the next, except for FlowEnded within Simulator::CatchUp,
     * and for FlowStartedLate and what ends because of it.
     *
     * Nothing is looked up before RunAlarms at the same time: it sees what several such calls, and
     * what the simulator did after them, came to. Flows may end late within any of these members,
     * but for FlowEnded: also the one that is named, which then is there no more.
     * @{ */

    /** \p flow is about to start on \p path: before its first packet leaves.
     *  \param path the ports that its data crosses, in order; with several paths, all of them */
    void FlowStarted(FlowId flow, const std::vector<PortId>& path, Time now);

    /** \return whether \p partition, of which nothing is simulated now, can go on from \p at, which
     * is past: it has been skipped since then, or since before. O(1)
     *  \throws UsageError if there is no such partition */
    bool MayGoBack(PartitionId partition, Time at) const;

    /**
     * As FlowStarted, but at \p at, which is past. Each partition that it comes to must be one that
     * MayGoBack: the skip ends there (skip-back), and its packets run from that time on. So the
     * simulator's clock is at \p at during the call, and it lets all that comes of it happen, up to
     * the time that it was set back from, before it calls another member but FlowEnded (late
     * simulation).
     */
    void FlowStartedLate(FlowId flow, const std::vector<PortId>& path, Time at);

    /** \p flow, running, has delivered its last byte at \p at. It is observed once more (nothing is
     * left) before this returns, and not afterwards. */
    void FlowEnded(FlowId flow, Time at);

    /** \p flow is about to take \p path: before its first packet there. It may turn out to have
     * ended. */
    void FlowRerouted(FlowId flow, const std::vector<PortId>& path, Time now);

    /** \p port is about to fail, to recover, or to change its attributes: before the first packet
     * meets the change, which must be in Simulator::Describe by the time of RunAlarms. */
    void PortChanged(PortId port, Time now);

    /** The flows at \p port come near a limit that others share with them (a buffer, that may pause
     * them or lose their packets): partitions that wait for what is recorded of them (Following) go
     * on in packets, as those at their ports come near theirs. */
    void LimitNear(PortId port, Time now);

    /** \return whether partitions wait for what is recorded of the flows at \p port */
    bool IsFollowed(PortId port) const;

    /** PortAttributes::backgroundClass of \p port may have changed: what crosses it besides the
     * flows of its partition. If it has by the time of RunAlarms, the partition is looked at again,
     * after what ends at that time has ended. */
    void LoadChanged(PortId port, Time now);

    /** Something else is about to happen to \p flow or to those that it shares ports with. It may
     * turn out to have ended. */
    void Disturbed(FlowId flow, Time now);

    /** @} */

    /** \return when RunAlarms must be called next, which may be now; nullopt: not before another
     * member is. To be asked again after each call of another member. O(1) */
    std::optional<Time> NextAlarm() const;

    /** To be called when all events of the simulator up to and including \p now, which is
     * NextAlarm(), have happened. Afterwards there may be another alarm at the same time: events at
     * that time come first. Flows may have ended, and others may have been started by who waited
     * for them (Simulator::Complete). */
    void RunAlarms(Time now);

    /** Brings all partitions to \p now, and lets them run: to be called before the simulation is
     * stopped there. Nothing is skipped or replayed any more, but in partitions to which something
     * happens afterwards. */
    void Finish(Time now);

    /** \return whether it is suspended: there are no partitions, but Simulator::RunningFlows will
     * be asked for all flows before there are any again. What the simulator tells is of no concern
     * but that a flow starts, for which any path will do. */
    bool IsSuspended() const;

    /** \return events that a flow must stand for at least to be told of when it starts, unless it
     * shares ports with one that is known: then it is told of, and so are those before it that it
     * shares ports with, directly or through others, as flows that start now; 0: all are */
    double LeastEvents() const;

    /** \p events were left out elsewhere, by whoever knew what they would come to: they count as
     * replayed. */
    void AddReplayed(std::uint64_t events);

    /** \return whether so much has been saved so far that errors are worth it
     * (ControllerOptions::minSaving): before, a simulator that would be exact without the
     * Controller should be so with it */
    bool PaysOff() const;

    /** \return whether it is suspended, or so little has been saved so far, half of what it takes
     * to pay off, that whatever is not exact is to be exact again */
    bool SavesLittle() const;

    /** \return the partitions as they are now; none while it is suspended */
    const PartitionMap& Partitions() const;

    /** \return what is done with \p partition now
     *  \throws UsageError if there is no such partition */
    PartitionState StateOf(PartitionId partition) const;

    /** \return what is done with all partitions now; nothing while it is suspended. O(partitions)
     */
    StateCounts CountStates() const;

    /** \return what \p flow has delivered at \p now, not before the last call, with its share of a
     * skip or replay that is under way, or what its counterpart in the leader has: an estimate,
     * which for packets that catch up may turn out to have been too high
     *  \throws UsageError if there is no such flow */
    Bytes DeliveredBy(FlowId flow, Time now) const;

    /** \return counters of what was done up to the last change of each partition's state */
    const ControllerStatistics& Statistics() const;

  private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace wormhole

#endif // WORMHOLE_CONTROLLER_H
