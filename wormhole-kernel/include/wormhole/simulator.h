/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_SIMULATOR_H
#define WORMHOLE_SIMULATOR_H

#include "wormhole/conflict-graph.h"
#include "wormhole/episode.h"
#include "wormhole/foresight.h"
#include "wormhole/id.h"
#include "wormhole/simulator-types.h"
#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace wormhole
{

/**
 * \brief What a packet-level simulator does for the kernel.
 *
 * The simulator tells the Controller of what happens (its members FlowStarted, FlowEnded, ...) and
 * obeys the members below, which only the Controller calls. The *packet state* of a flow is all
 * that the simulator holds for it between events: frames queued and in flight, pending events, the
 * time stamps in all of these, its congestion control. A flow is in one of three conditions:
 *
 * - *running*: its events happen; that is how it starts;
 * - *paused*: its packet state stays as it is, and no event of it happens (packet pausing);
 * - *evicted*: it has no packet state; only what was delivered and what is left are kept.
 *
 * Whenever time advances, either all flows of a partition are running or none is.
 *
 * No member may throw. Members may be called while the simulator is in one of the Controller's
 * members. They do not call the Controller back, with two exceptions: CatchUp reports flows that
 * end, and Complete may start flows that waited for that end. A \c const Members& may be the
 * Controller's own, which change when it is called back: CatchUp must copy what it still needs
 * then.
 *
 * Ports have no condition of their own. After a start or reroute, until time advances, a port may
 * be crossed by evicted flows and by one that runs. Without a store, no state
 * is captured and no flow is evicted or completed.
 */
class Simulator : public Foreseer
{
  public:
    /** \name Observation; any condition; O(1) each
     *
     * What is paused is as it was at the time of the pause, but for what was credited.
     * @{ */

    /** \return how far \p flow is */
    virtual FlowProgress Observe(FlowId flow) const = 0;

    /** \return bytes queued at \p port; 0 if its flows are evicted */
    virtual Bytes QueueOf(PortId port) const = 0;

    /** \return attributes of \p flow, the same until it is rerouted; the Controller fills in
     * startRateClass, inFlightClass and bytesLeft. With which step the others are quantised is up
     * to the simulator. */
    virtual FlowAttributes Describe(FlowId flow) const = 0;

    /** \return attributes of \p port now; the Controller fills in queueClass, and is to be told
     * of changes (Controller::PortChanged, LoadChanged) */
    virtual PortAttributes Describe(PortId port) const = 0;

    /** \return bytes on the wire that can leave \p port at most; infinite if that is no bound */
    virtual Rate CapacityOf(PortId port) const
    {
        (void)port;
        return Rate::BytesPerSecond(std::numeric_limits<double>::infinity());
    }

    /** \return bytes that links carry for each byte of \p flow, with headers; at least 1 */
    virtual double WireBytesPerByte(FlowId flow) const
    {
        (void)flow;
        return 1;
    }

    /** \return how many of the ports of \p flow its data cross: the first ones; the others are its
     * own for another reason */
    virtual std::size_t DataPortsOf(FlowId flow) const
    {
        (void)flow;
        return std::numeric_limits<std::size_t>::max();
    }

    /** \return how many of the ports of \p flow, the first ones, would be its own after
     * SetApart */
    virtual std::size_t PortsApartOf(FlowId flow) const
    {
        (void)flow;
        return std::numeric_limits<std::size_t>::max();
    }

    /** The flows of \p members, which are running, share ports that they need not: those after the
     * first PortsApartOf(). So they are to be rerouted, at the current time but not before the call
     * returns (Controller::FlowRerouted), to these. */
    virtual void SetApart(const Members& members)
    {
        (void)members;
    }

    /** \p flows, which have not sent anything yet, are to be simulated exactly, if the simulator
     * takes them for simpler than they are in order to have smaller partitions (PortsApartOf): to
     * be rerouted as after SetApart, by all of their ports. */
    virtual void SetExact(const std::vector<FlowId>& flows)
    {
        (void)flows;
    }

    /** \return how long one rate sample of \p flow should be, e.g. some base round-trip times;
     * positive. A packet more or less is noise that keeps skips short, so it should hold some
     * hundred packets. */
    virtual Duration SampleInterval(FlowId flow) const = 0;

    /** \return how long an episode must last to be replayed for \p flow while it is on its way: so
     * long that it does not matter where in a packet it is, which keys do not tell. Flows that
     * begin, or are where a replay of such flows has left them, may be replayed for any time */
    virtual Duration ShortestReplay(FlowId flow) const
    {
        (void)flow;
        return Duration{0};
    }

    /** \return packets that are under way of \p flow at the rate of its slowest link, in a round
     * trip without queues; 0 if that is not known */
    virtual double PacketsInFlight(FlowId flow) const
    {
        (void)flow;
        return 0;
    }

    /** \return for how long the congestion control of \p flow may leave its rate alone now, and
     * then change it by itself: the interval of the slowest of its timers that run; 0 if none does.
     * No window of rate samples that is shorter, or longer by less than two samples, says that it
     * is steady. */
    virtual Duration SlowestPeriod(FlowId flow) const
    {
        (void)flow;
        return Duration{0};
    }

    /** \return whether what \p flow seems to do may count as what it does
     * (ControllerOptions::strict): not if its control goes on to move for longer than it shows */
    virtual bool IsAsItSeems(FlowId flow) const
    {
        (void)flow;
        return true;
    }

    /** \return whether paths of flows collide by chance, so that the order of events at one time
     * decides much of what follows: then nothing is left out while all of it is a trifle */
    virtual bool PathsCollide() const
    {
        return false;
    }

    /** \return whether any flow of \p members would come to more than its rate of \p rates (one for
     * each): no port on its way is as full as its control lets it become */
    virtual bool MayRise(const Members& members, const std::vector<Rate>& rates) const
    {
        (void)members;
        (void)rates;
        return false;
    }

    /** \return whether timers have raised what any flow of \p members may send, at \p rates (one
     * for each), for \p time, and go on to: no port on its way is full */
    virtual bool IsRising(const Members& members,
                          const std::vector<Rate>& rates,
                          Duration time) const
    {
        (void)members;
        (void)rates;
        (void)time;
        return false;
    }

    /** \return how many of its last bytes \p flow, steady at \p rate, does not deliver as steadily:
     * what is in flight, and what it needs to end. They are never skipped. At least as many as can
     * be in flight in a steady state: they would be credited too otherwise. The same for flows that
     * are alike, but for what is no whole packet: all before it should be whole ones. */
    virtual Bytes TailOf(FlowId flow, Rate rate) const = 0;

    /** \return events run so far, of all flows, as FlowProgress::events counts them; nullopt if
     * they are not counted */
    virtual std::optional<std::uint64_t> TotalEvents() const
    {
        return std::nullopt;
    }

    /** \return the flows that have started and not ended, with all ports that
     * Controller::FlowStarted or FlowRerouted would name for them now, in any order; nullopt if the
     * simulator does not keep track: then the Controller is never suspended. O(flows) */
    virtual std::optional<std::vector<FlowPath>> RunningFlows()
    {
        return std::nullopt;
    }

    /** \return how many these are; the suspended Controller asks now and then whether it can afford
     * them, so O(1) is better */
    virtual std::optional<std::size_t> CountRunningFlows()
    {
        const auto flows = RunningFlows();
        return flows ? std::make_optional(flows->size()) : std::nullopt;
    }

    /** \return how many of these #LongFlows would tell of; nullopt if the simulator never passes
     * short flows over. As CountRunningFlows */
    virtual std::optional<std::size_t> CountLongFlows([[maybe_unused]] double events)
    {
        return std::nullopt;
    }

    /** From now on the Controller knows of the long flows: those that are still to cause \p events
     * at least, and all that share ports with these, directly or through others. It is not told of
     * others, and of those that start only as Controller::LeastEvents says.
     * \return them, as RunningFlows; only if CountLongFlows answers. O(flows) */
    virtual std::vector<FlowPath> LongFlows([[maybe_unused]] double events)
    {
        return {};
    }

    /** \return when one of \p members will be disturbed for certain, if that is known */
    virtual std::optional<Time> NextDisturbance(const Members& members) const
    {
        (void)members;
        return std::nullopt;
    }

    /** \return how many of its next bytes, those in flight included but \p atMost at most, \p flow
     * delivers before what is known to come to it: a packet that gets lost, for example. Neither
     * skips nor replays go on beyond */
    virtual Bytes UndisturbedBytes(FlowId flow, Bytes atMost) const
    {
        (void)flow;
        return atMost;
    }

    /** \return whether \p members may wait, paused, for what is recorded of others: not if what
     * they do meanwhile, which is simulated late then, could touch others at once */
    virtual bool MayWait(const Members& members) const
    {
        (void)members;
        return true;
    }

    /** \return whether what keys of episodes say of \p members decides what will happen to them;
     * not if, for example, it depends on where in a frame they meet. Otherwise they are neither
     * recorded nor replayed */
    virtual bool IsRepeatable(const Members& members) const
    {
        (void)members;
        return true;
    }

    /** @} */

    /** \name Time
     * @{ */

    /** Running to paused, at the current time. */
    virtual void Pause(const Members& members) = 0;

    /** \p members, all of which are paused or evicted, have no packets from now on. A simulator may
     * use it for what of others crosses their ports until CatchUp. */
    virtual void Stopped(const Members& members)
    {
        (void)members;
    }

    /** \p members, which are paused, do not only go on to be looked at: one is near its end, or
     * something has happened to them. A simulator may settle what it leaves as it is otherwise. */
    virtual void Changing(const Members& members)
    {
        (void)members;
    }

    /** Paused to running: pending events and time stamps move by \p shift, which is not negative.
     * The earliest of them is then not before the time of the pause plus \p shift. */
    virtual void Resume(const Members& members, Duration shift) = 0;

    /**
     * Paused to running, late: lets all events of \p members up to and including time \p until
     * happen at their own times, which are past, and then leaves \p members running. A flow that
     * delivers its last byte meanwhile is reported (Controller::FlowEnded, with that past time)
     * before CatchUp returns; those who wait for it learn of it at the current time. So what the
     * Controller is just told of at \p until happens after the events of that time. No event of
     * others happens, not even at \p until.
     * \param from the time of the pause and \p shift, or that of Restore
     * \param until the current time
     * \param shift as of Resume, before that; 0 if any was evicted
     */
    virtual void CatchUp(const Members& members, Time from, Time until, Duration shift) = 0;

    /** This is a copy of the simulation that nothing depends on, in which \p members, paused or
     * evicted, catch up next, to see whether what was left out of them was right (self-audit). What
     * the simulator does not simulate of others may be as bad for them then as it can be. */
    virtual void Audit(const Members& members)
    {
        (void)members;
    }

    /** @} */

    /** \name Progress without packets
     * @{ */

    /** \p flow, paused or evicted, has delivered \p bytes (at most what is left) without packets.
     * Less than what is in flight may be left then, but only if Evict follows at once.
     * \return by how much FlowProgress::delivered grew: a simulator may keep less than a packet of
     * it until the flow is credited again */
    virtual Bytes Credit(FlowId flow, Bytes bytes) = 0;

    /** \p flow, evicted, is in the state \p control, from CaptureFlow, until it is told otherwise:
     * Describe may tell what matters of it. */
    virtual void AssumeState(FlowId flow, const StateBlob& control)
    {
        (void)flow;
        (void)control;
    }

    /** The \p bytes that \p flow was just credited with came at its steady rate, after the state
     * that it was paused in, or that was assumed: what goes on beside its rate has gone on
     * meanwhile. Restore to the state that was assumed leaves that. */
    virtual void Skipped(FlowId flow, Bytes bytes)
    {
        (void)flow;
        (void)bytes;
    }

    /** \p flow, paused or evicted, delivers \p rate on average from now on; infinite: as much as
     * its path allows, for all that is known. A simulator may use it for the load that the flow
     * puts on ports that are not on its path, as its acknowledgements do. */
    virtual void AssumeRate(FlowId flow, Rate rate)
    {
        (void)flow;
        (void)rate;
    }

    /** \return by how much the control of \p flow raises its rate within a second where nothing is
     * congested, if by as much whatever the rate is, and if that alone makes shares of a port
     * equal; bytes/s each second. 0 if not, or not known */
    virtual double AdditiveIncrease(FlowId flow) const
    {
        (void)flow;
        return 0;
    }

    /** \return what the control of \p flow has averaged of congestion, if equal shares of a port
     * may yet come apart: not as long as all have averaged the same. 0 if they do not come apart */
    virtual double CongestionAverage(FlowId flow) const
    {
        (void)flow;
        return 0;
    }

    /** \return whether Scale can be called for \p flow */
    virtual bool CanScale(FlowId flow) const
    {
        (void)flow;
        return false;
    }

    /** \p flow, which has just been resumed, goes on as if its control had come to \p factor times
     * its rate meanwhile. Only if CanScale. */
    virtual void Scale(FlowId flow, double factor)
    {
        (void)flow;
        (void)factor;
    }

    /** \p port, all of whose flows are evicted, holds \p bytes, as long as they are: what a
     * simulator may use for what else crosses it. */
    virtual void AssumeQueue(PortId port, Bytes bytes)
    {
        (void)port;
        (void)bytes;
    }

    /** \p flow, paused or evicted, has delivered its last byte at \p time, the current time. It is
     * gone for the Controller, which must not be told of it again (Controller::FlowEnded). */
    virtual void Complete(FlowId flow, Time time) = 0;

    /** \return what is still to come of \p flow, which has just delivered its last byte: how long
     * its last acknowledgement will be under way, for example; empty if nothing is */
    virtual StateBlob CaptureEnd(FlowId flow) const
    {
        (void)flow;
        return {};
    }

    /** Complete, with what CaptureEnd said of a flow with the same attributes in \p end. */
    virtual void CompleteWith(FlowId flow, Time time, const StateBlob& end)
    {
        (void)end;
        Complete(flow, time);
    }

    /** @} */

    /** \name State
     * @{ */

    /** \return what \p flow, running or paused, needs to go on from here after Restore; nullopt if
     * its congestion control cannot say: then episodes with it are not stored */
    virtual std::optional<StateBlob> CaptureFlow(FlowId flow) const = 0;

    /** The same for a port, besides its queue; an empty blob if that is all. */
    virtual std::optional<StateBlob> CapturePort(PortId port) const = 0;

    /** \return whether \p flow can go on from \p control by Restore: an episode that comes from
     * elsewhere may say anything */
    virtual bool CanRestore(FlowId flow, const StateBlob& control) const
    {
        (void)flow;
        (void)control;
        return true;
    }

    /** \return the same for a port */
    virtual bool CanRestore(PortId port, const StateBlob& state) const
    {
        (void)port;
        (void)state;
        return true;
    }

    /** \return whether CompleteWith makes sense of \p end */
    virtual bool CanComplete(const StateBlob& end) const
    {
        (void)end;
        return true;
    }

    /** Paused to evicted: forgets the packet state. */
    virtual void Evict(const Members& members) = 0;

    /**
     * Evicted to paused: makes packet state as of time \p at, which may be past: queues filled as
     * given, the wires between filled by each flow's rate, congestion controls loaded. No more can
     * be in flight than is left. The flow that has just started, or comes by a reroute, on one of
     * \p ports is running already.
     * \param flows all evicted ones of a partition
     * \param ports all that these cross, each once
     */
    virtual void Restore(const std::vector<FlowState>& flows,
                         const std::vector<PortState>& ports,
                         Time at) = 0;

    /** @} */
};

} // namespace wormhole

#endif // WORMHOLE_SIMULATOR_H
