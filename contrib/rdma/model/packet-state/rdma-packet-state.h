/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PACKET_STATE_H
#define RDMA_PACKET_STATE_H

#include "rdma-flow-losses.h"
#include "rdma-paused-flow.h"

#include "ns3/rdma-event-queue.h"
#include "ns3/rdma-frame.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct RdmaLateFlow;
class RdmaNetwork;
class RdmaNode;
class RdmaPort;
class RdmaQueuePair;
class RdmaForesight;
struct RdmaSavedPassing;

/**
 * \ingroup rdma
 * \brief Stops, moves in time, takes away and puts back what a part of a network holds between
 * events: frames queued and in flight, pending events, time stamps, controls.
 *
 * The part is a set of flows and all ports that these cross, data and acknowledgements; no other
 * flow may have frames there, but for flows that were delivered (whose last acknowledgements are
 * then replaced by their time of arrival). Whoever uses it is the network's RdmaFlowObserver too,
 * and resumes a part before anything else happens at its ports (RdmaFlowObserver::PortTouched).
 *
 * Flows are running, paused or evicted (without frames) as in wormhole/simulator.h. Times are time
 * steps. Costs: O(frames and flows of the part).
 *
 * Its members are in files by what they do: pausing and resuming (rdma-packet-state.cc), progress
 * without frames (rdma-packet-progress.cc), what happens in the past (rdma-packet-late.cc), what is
 * told of flows and ports (rdma-packet-properties.cc), how frames are taken away
 * (rdma-packet-removal.cc), saved (rdma-packet-saving.cc), checked (rdma-packet-checks.cc) and put
 * back (rdma-packet-layout.cc), which acknowledgements go by pipes (rdma-packet-acks.cc), when they
 * arrive (rdma-packet-arrivals.cc), which frames links will lose (rdma-packet-losses.cc), what
 * ports count (rdma-packet-counts.cc), and what comes without frames (rdma-packet-foresight.cc).
 */
class RdmaPacketState
{
  public:
    using Flows = std::vector<RdmaQueuePair*>;
    using Ports = std::vector<RdmaPort*>;

    /** \param network outlives it */
    explicit RdmaPacketState(RdmaNetwork& network);
    ~RdmaPacketState();
    RdmaPacketState(const RdmaPacketState&) = delete;
    RdmaPacketState& operator=(const RdmaPacketState&) = delete;

    /** \return bytes of \p qp that its receiver has, credit included */
    static uint64_t GetDelivered(const RdmaQueuePair& qp);

    /** \return when the last of these came by a frame, time steps; negative if none has */
    static int64_t GetLastArrival(const RdmaQueuePair& qp);

    /** \return bytes that are to be delivered */
    static uint64_t GetSize(const RdmaQueuePair& qp);

    /** \return flows that have started and not been delivered or given up, by number. O(flows) */
    Flows GetUndelivered() const;

    /** Flows that wait for the end of the instant in which they have started go now. O(flows) */
    void Launch();

    /** \return bytes sent but not delivered */
    static uint64_t GetInFlight(const RdmaQueuePair& qp);

    /** \return whether \p qp sends again what was lost, or waits for a time-out */
    static bool IsRecovering(const RdmaQueuePair& qp);

    /** \return whether any frame of \p qp has been lost so far */
    static bool HasLost(const RdmaQueuePair& qp);

    /** \return data frames of \p qp that have been lost so far */
    static uint64_t GetDataLost(const RdmaQueuePair& qp);

    /**
     * \param qp does not recover (IsRecovering)
     * \param known of \p qp and its routes, if that was asked for before
     * \param atMost bytes that matter
     * \return how many bytes from the first one that is not delivered on, \p atMost at most, the
     * flow delivers in frames that no link loses. One acknowledgement that is lost does not matter
     * where the next one says as much: the last one of the flow does, and any while there are few
     */
    static uint64_t GetUndisturbed(const RdmaQueuePair& qp,
                                   std::optional<RdmaFlowLosses>& known,
                                   uint64_t atMost);

    /** \return whether a flow that was delivered, and crosses one of \p ports, sends again as its
     * last acknowledgement gets lost, or was */
    bool AwaitsLoss(const Ports& ports) const;

    /** \return whether frames of \p qp are neither at ports of its routes nor in its pipe: it was
     * rerouted, and these are where it has been. It is not to be paused, for they arrive
     * nevertheless. O(1) if it was not, else O(frames at its ports) */
    bool IsAstray(RdmaQueuePair& qp) const;

    /** \return draws so far at ports of \p qp's data, of any flow (RdmaPort::CountDraw); 0 if its
     * control does not heed them */
    static uint64_t GetDraws(const RdmaQueuePair& qp);

    /** \return crossings of links by frames of \p qp so far, about */
    static uint64_t GetHops(const RdmaQueuePair& qp);

    /** \return crossings of links that a byte of \p qp stands for, in full frames each of which is
     * acknowledged */
    static double GetHopsPerByte(const RdmaQueuePair& qp);

    /** \return RdmaCongestionControl::GetPeriodNs of \p qp; 0 without a control */
    static int64_t GetControlPeriodNs(const RdmaQueuePair& qp);

    /**
     * Telemetry counts bytes in whole units (RdmaIntHeader::TX_UNIT), and a frame is none. So ports
     * tell that more passed with one frame than with the next; where several ports of a path do so
     * with different frames, a control that follows the busiest one takes more for used than is.
     * \param alone ports on the way of data that no frames of others pass
     * \return how much more, as a share
     */
    double GetTelemetryExcess(const RdmaQueuePair& qp, const Ports& alone) const;

    /** \return whether ordinary packets wait at \p port or are on its link; O(frames there) */
    static bool HasNonRdmaPackets(const RdmaPort& port);

    /** Ports that acknowledgements of \p qp, which is running, cross may be paused while \p qp is
     * not: an acknowledgement passes by after what the queue there says. While \p qp is of a past
     * time, or paused, its acknowledgements are not simulated hop by hop, but in its pipe: they
     * arrive after what the queues of all ports say. The ports of the part that \p qp belongs to
     * are those of its data alone then. */
    void Pipe(RdmaQueuePair& qp);

    /** All acknowledgements of \p qp, which is running, are simulated hop by hop again, but those
     * that are in its pipe or have passed by a port, which arrive from there. */
    static void Unpipe(RdmaQueuePair& qp);

    /** \return for how many acknowledgements \p qp, which begins now, waits at its NIC: those of
     * what its host has just received; 0 of a flow that has begun, or is long */
    static uint64_t GetAcksBefore(const RdmaQueuePair& qp);

    /** \return bit/s that acknowledgements of \p qp take if its data have \p rate, with headers,
     * bit/s */
    static double GetAckLoad(const RdmaQueuePair& qp, double rate);

    /** What is assumed of \p qp, which is paused: its data have \p rate, with headers, bit/s.
     * Acknowledgements that pass by a pipe take their part of links accordingly. */
    static void AssumeRate(RdmaQueuePair& qp, double rate);

    /** \return \p rate of payload of \p qp with headers; both bit/s */
    static double WireRate(const RdmaQueuePair& qp, double rate);

    /** Running to paused. Ports that are paused already stay so. */
    void Pause(const Flows& flows, const Ports& ports);

    /** \p ports, which are paused, count what flows have been credited with. Those that count other
     * bytes than most do tell each flow of them, once, by which shares that are locked may come
     * apart; but if they were left out when flows end or come, ports on one way would not stay as
     * far apart as they are in packets, for good. */
    static void CountCredited(const Ports& ports);

    /** Paused to running; pending events and time stamps are \p shift (0 or more) later. */
    void Resume(const Flows& flows, const Ports& ports, int64_t shift);

    /**
     * \p bytes of \p qp, paused or evicted, were delivered without frames.
     *
     * Whole frames are: packets keep their places, so ports count as many as they would. What is
     * left over is added to the next credit; where a link may lose frames of \p qp, it is not
     * delivered before, so that links lose those frames afterwards that they would lose. Of what
     * was delivered, acknowledgements that links would have lost are counted in
     * RdmaCounters::linkErrors; of data, see GetUndisturbed.
     * \return by how much GetDelivered has grown
     */
    uint64_t Credit(RdmaQueuePair& qp, uint64_t bytes);

    /** \p qp, evicted, goes on from what \p text says (from Save). */
    static void AssumeState(RdmaQueuePair& qp, const std::string& text);

    /** The latest Credit of \p qp was these \p bytes, at a steady rate: its control is told
     * (RdmaCongestionControl::OnSkipped). */
    static void Skipped(RdmaQueuePair& qp, uint64_t bytes);

    /** Paused to evicted: frames and pending events are gone. */
    void Evict(const Flows& flows, const Ports& ports);

    /** \return what \p qp needs to go on elsewhere or at another time; nullopt if its control
     * cannot say, or it has ever lost a frame */
    std::optional<std::string> Save(const RdmaQueuePair& qp) const;

    /** \return the same for a port, but for its frames; nullopt if it is involved in a pause, or
     * is down */
    std::optional<std::string> Save(const RdmaPort& port) const;

    /** \return whether Restore can make sense of \p text for \p qp: all numbers are in their
     * ranges, and its control takes its part. States come from files, too. O(frames) */
    bool CanRestore(RdmaQueuePair& qp, const std::string& text) const;

    /** \return the same for a port */
    static bool CanRestore(const RdmaPort& port, const std::string& text);

    /** \return the same for Complete */
    static bool CanComplete(const std::string& end);

    /**
     * Evicted to paused.
     * \param flows with what Save said of them or of flows that are alike
     * \param ports all that they cross, with what Save said of them or of ports that are alike; may be empty
     * \param at as of when; not later than now
     */
    void Restore(const std::vector<std::pair<RdmaQueuePair*, const std::string*>>& flows,
                 const std::vector<std::pair<RdmaPort*, const std::string*>>& ports,
                 int64_t at);

    /** Paused to running, late: all events of the part happen from \p from to \p until, which is
     * now; what is to be told to others but the observer is told then. Before that, events and time
     * stamps move by \p shift, as in Resume: \p from is the time of the pause and that. */
    void CatchUp(const Flows& flows,
                 const Ports& ports,
                 int64_t from,
                 int64_t until,
                 int64_t shift);

    /** \return whether nothing has left, or been about to leave, at \p port since \p time (time
     * steps), and nothing is on its way to its other end, but for acknowledgements of what is
     * skipped elsewhere. O(flows of its NIC) */
    static bool IsIdleSince(const RdmaPort& port, int64_t time);

    /**
     * Starts flows late: all that they do from their times to now happens before this returns, at
     * its own times; what is to be told to others but the observer is told after that. Called from
     * an event of the network. The observer is told of the starts with the clock set back, and
     * resumes what it has paused at the flows' ports then, from that time on.
     * \param flows that are to start: at least one, in the order of their times
     * \param mayGoBack whether what happens at a port of their routes is known since the first of
     * these times: it is idle (IsIdleSince), or paused by the observer
     * \return the flows, which may have ended; none if that is not known: then nothing has changed
     */
    std::vector<RdmaQueuePair*> StartLate(const std::vector<RdmaLateFlow>& flows,
                                          const std::function<bool(const RdmaPort&)>& mayGoBack);

    /** \return of \p qp, which has just delivered its last byte by a frame: how long its last
     * acknowledgement will be under way, by the queues of now */
    static std::string SaveEnd(const RdmaQueuePair& qp);

    /** \p qp, paused or evicted, has delivered its last byte now.
     * \param end what SaveEnd said of it, or of a flow that is alike; empty: there are no queues */
    void Complete(RdmaQueuePair& qp, const std::string& end);

    /**
     * \param flows running, and all that cross \p ports
     * \param ports that these cross
     * \param loadOf a port: what other frames take of it, bit/s
     * \param most time steps
     * \return what they come to without packets (RdmaFluid) until the first of them ends, \p most
     * is over, or a fluid does not know; null if it does not know from the start. Nothing of them
     * changes. O(frames + time * flows)
     */
    std::unique_ptr<RdmaForesight> Foresee(const Flows& flows,
                                           const Ports& ports,
                                           const std::function<double(const RdmaPort&)>& loadOf,
                                           int64_t most,
                                           bool draws) const;

    /**
     * The same flows and ports, paused since then, have come to what was foreseen: they stay
     * paused, those that are complete are evicted.
     * \param elapsed since then, time steps; not more than was foreseen
     * \param ends whether flows are complete that deliver their last byte by then
     * \return bytes that each flow is credited
     */
    std::vector<uint64_t> Realise(RdmaForesight& foresight,
                                  const Flows& flows,
                                  const Ports& ports,
                                  int64_t elapsed,
                                  bool ends);

    /** \p ports, which no flow crosses any more, go on. */
    void Release(const Ports& ports);

    /** \p qp is being delivered by a frame: its last acknowledgement has yet to leave. What is
     * saved of ports until Delivered() counts it in. */
    void Delivering(RdmaQueuePair& qp);

    /** \p qp was delivered by frames: its acknowledgements may still be about. */
    void Delivered(RdmaQueuePair& qp);

    /** \p qp has ended. */
    void Forget(const RdmaQueuePair& qp);

  private:
    /** \p qp goes on to send from \p next: frames up to there are left out, or called back. Those
     * behind keep their numbers (RdmaFrame::serial), and so the draws of packet level. */
    static void SkipTo(RdmaQueuePair& qp, uint64_t next);

    /** What was pending at a port. */
    struct PausedPort
    {
        RdmaDue txEnd;
        RdmaDue arrival;
        RdmaDue wake;
    };

    struct FrameAt;
    class Frames;
    class AckWay;
    class FrameSaver;
    class Restoration;

    /** Adds the ports that \p flows, which have not started, will cross, each once. \return whether
     * all have routes */
    bool FindPorts(const std::vector<RdmaLateFlow>& flows, Ports& ports);

    /** \return whether nothing about \p flows themselves is beyond a fluid */
    static bool IsForFluid(const Flows& flows);

    /** \return bytes of a queue at \p node up to which it is for a fluid */
    static double GetFluidLimit(const RdmaNode& node);

    /** \return what is pending at \p port, which is running */
    PausedPort GetPending(const RdmaPort& port) const;
    PausedPort& RecordOf(const RdmaPort& port);
    const PausedPort& RecordOf(const RdmaPort& port) const;
    RdmaDue ArrivalOf(const RdmaPort& port) const;
    void SetArrival(RdmaPort& port, const RdmaDue& due);
    RdmaEvent* WakeOf(const RdmaPort& port) const;
    /** \param counted whether RdmaContext::apart counts \p qp itself */
    static void Count(RdmaQueuePair& qp, bool counted);
    void Freeze(RdmaPort& port);
    void Thaw(RdmaPort& port, int64_t shift);

    /** What has passed besides at ports while others were paused is counted where nobody has sent
     * since, so that nodes can run in windows again (RdmaContext::apart). */
    void LetPass();
    void ShiftPint(const RdmaPort& port, int64_t shift) const;
    void PauseFlow(RdmaQueuePair& qp);

    /** Notes what is pending of \p qp, whose record is there, and its control's state. */
    void HoldFlow(RdmaQueuePair& qp);
    void ResumeFlow(RdmaQueuePair& qp, int64_t shift);
    void ShiftFrames(RdmaPort& port, int64_t shift);
    void ShiftFrame(RdmaFrame& frame, int64_t shift) const;
    static void SetLoad(RdmaQueuePair& qp, int64_t load);
    static RdmaDue PipeDue(const RdmaQueuePair& qp);
    void SettleDelivered();
    void Settle(RdmaQueuePair& qp);

    /** Nothing happens to \p qp any more but its end at \p time (time steps). */
    void FinishAt(RdmaQueuePair& qp, int64_t time);
    /** Takes the frames that \p goes (frame) is true of out of the queues of \p port, and gives
     * each to \p taken. */
    template <typename P, typename T>
    void TakeQueued(RdmaPort& port, P&& goes, T&& taken);

    /** The same for its link; \p taken is told when the frame would arrive, too. */
    template <typename P, typename T>
    void TakeFlying(RdmaPort& port, P&& goes, T&& taken);
    /** The same for what has passed by the port, and is on its link. */
    template <typename P, typename T>
    void TakePassing(RdmaPort& port, P&& goes, T&& taken);
    /** The same for \p wire, the first frame of which is \p due. \return when the first is that
     * stays */
    template <typename P, typename T>
    static RdmaDue TakeFrom(RdmaFrameFifo& wire, RdmaDue due, P&& goes, T&& taken);
    /** Takes those that \p goes (frame) is true of away. */
    template <typename P>
    void RemoveFrames(RdmaPort& port, P&& goes);
    void Dispose(RdmaFrame* frame);
    struct TakenAck;
    /** Appends to \p taken the acknowledgements at \p port that \p goes (frame) is true of. */
    template <typename P>
    void TakeAcks(RdmaPort& port, P&& goes, std::vector<TakenAck>& taken);

    /** The same of those that have passed by it while it was frozen, and are on its link. */
    template <typename P>
    void TakeBy(RdmaPort& port, P&& goes, std::vector<TakenAck>& taken);

    /** \p flows and \p ports are about to be paused: acknowledgements that may (Pipe) go on by the
     * pipes of \p flows, and those of others pass by \p ports. */
    void LetAcksPass(const Flows& flows, const Ports& ports);
    void PassIntoPipe(RdmaQueuePair& qp);

    /** \p frame, which is \p queued at a port or on its wire, is taken away (\p sign 1) or put back
     * (-1). Flows are credited with what they deliver: so data that are on their way will pass, and
     * are counted, once more, and acknowledgements on theirs will not pass. */
    void CountAgain(const RdmaFrame& frame, bool queued, int64_t sign) const;

    /** Frames of \p bytes of \p qp pass all ports on the way there, and acknowledgements of them
     * back. */
    static void CountUnseen(const RdmaQueuePair& qp, uint64_t bytes);

    /** \return bytes that are sure to pass each of \p ports and belong to flows that were
     * delivered; O(frames on the ways there) */
    std::vector<uint64_t> GetBytesToCome(const Ports& ports) const;

    /** Appends to \p passing the acknowledgements of \p qp, which was delivered, that are to pass
     * at \p port, if it is on their way. */
    void FindPassing(const RdmaQueuePair& qp,
                     const RdmaPort& port,
                     std::vector<RdmaSavedPassing>& passing) const;

    /** \return whether an acknowledgement of a flow that was delivered may come to \p port */
    bool AwaitsAck(const RdmaPort& port) const;

    /** \return whether any link on the way there or back may lose frames of \p qp at random */
    static bool MayLose(const RdmaQueuePair& qp);

    /** \p bytes more of \p qp pass without being simulated, and acknowledgements that links lose.
     * \return of these and of what earlier calls left over, those of whole frames */
    uint64_t PassFrames(RdmaQueuePair& qp, uint64_t bytes);

    /** \return the first packet of \p qp from \p next on that is acknowledged before its last one:
     * none of the first RdmaHost::AckInterval bytes are */
    static uint64_t NextAcknowledged(const RdmaQueuePair& qp, uint64_t next);

    /** The same where links lose nothing, of all that is left the last frame included. */
    static uint64_t WholeFrames(RdmaQueuePair& qp, uint64_t bytes);

    void SaveFrames(const RdmaQueuePair& qp, FrameSaver& saver) const;

    /** \return acknowledgements in the pipe of \p qp and, where it has one, those on their way to
     * it, with the times at which they arrive by what is known now */
    std::vector<std::pair<const RdmaFrame*, RdmaDue>> GetComingAcks(const RdmaQueuePair& qp) const;

    /** What happens at \p port from now on is \p late: what passes there is what did on average. */
    static void SetLate(RdmaPort& port, bool late);

    /** What follows moves frames. */
    void BeginMoving();

    /** \return whether more than a few of \p passing follow one another without a gap: who comes
     * next waits for them, and they are gone with the last flow of their port. O(n) */
    static bool IsPile(const RdmaPort& port, const std::vector<RdmaSavedPassing>& passing);

    /** \return whether \p port is involved in a pause, or is down */
    static bool IsDisturbed(const RdmaPort& port);

    RdmaEventQueue& EventQueue() const;

    RdmaNetwork& m_network;
    std::vector<PausedPort> m_ports; //!< by number of the port
    uint32_t m_frozenPorts{0};
    RdmaMemberEvent<RdmaPacketState, &RdmaPacketState::LetPass>
        m_letPass; //!< pending when none has been frozen any more, and at most some time after
    std::deque<RdmaQueuePair*> m_delivered; //!< with acknowledgements still to come
    RdmaQueuePair* m_delivering{nullptr};   //!< see Delivering; null if none is
    std::unique_ptr<Frames> m_frames;
};

} // namespace ns3

#endif // RDMA_PACKET_STATE_H
