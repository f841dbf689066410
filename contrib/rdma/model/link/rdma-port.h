/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_H
#define RDMA_PORT_H

#include "rdma-credits.h"
#include "rdma-drop-reason.h"
#include "rdma-egress-queues.h"
#include "rdma-timing.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-memory.h"
#include "ns3/rdma-trace.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaNode;

/**
 * \ingroup rdma
 * \brief One end of a link: the transmitter, its queues, and the frames on their way to the other
 * end.
 *
 * A transmission of B bytes that starts at t leaves the port free at t + T(B) and has been received
 * at the other end at t + T(B) + delay. There is one pending event per link with frames in flight,
 * and one per transmitter that has something to do when it becomes free.
 */
class alignas(RDMA_CACHE_LINE) RdmaPort : public RdmaPooled
{
  private:
    struct Passing;
    struct Flight;

    void Deliver();
    void HandOver(RdmaArrivals& arrivals);
    RdmaPort* GetIfCut();
    void TriggerRunning();
    void FetchDelivery(uint32_t stage) const;
    void FetchTrigger(uint32_t stage) const;

    // Cache lines, in large networks each to be waited for: first what delivers a frame
    /** Of the first frame in flight. */
    RdmaMemberEvent<RdmaPort,
                    &RdmaPort::Deliver,
                    &RdmaPort::FetchDelivery,
                    &RdmaPort::GetIfCut,
                    &RdmaPort::HandOver>
        m_arrival;
    RdmaFrameFifo m_wire; //!< in flight to the peer
    // what every use reads
    RdmaContext* m_context{nullptr};
    RdmaNode* m_owner{nullptr};
    RdmaPort* m_peer{nullptr};
    int64_t m_nextLook{0}; //!< before that time step, nothing passes besides
    int64_t m_txEndTime{0};
    uint64_t m_txEndPlace{0};
    uint64_t m_txBytes{0};
    uint16_t m_index{0};
    uint8_t m_rateIndex{0};
    uint8_t m_paused{0}; //!< bit q: of queue q
    bool m_linkUp{false};
    bool m_frozen{false}; //!< nothing happens here
    bool m_shared{false}; //!< with frames that pass besides: in the background, or coming
    bool m_toHost{false}; //!< the peer's owner is a host

  public:
    RdmaEgressQueues queues; ///< what waits here; the owner's to fill and serve

  private:
    // what starts a transmission
    int64_t m_delay{0};
    RdmaTransmissionTimes m_times;
    uint64_t m_rate{0};
    std::unique_ptr<Passing> m_passing; //!< null until anything passes
    uint32_t m_id{0};
    uint32_t m_serial{0}; //!< frames without a flow that started here
    uint64_t m_bufferDrops{0};
    uint64_t m_draws{0};
    double m_errorRate{0};
    /** What passes besides may have made it later. */
    RdmaMemberEvent<RdmaPort, &RdmaPort::TriggerRunning, &RdmaPort::FetchTrigger> m_txEnd;

  public:
    RdmaPort();
    ~RdmaPort();
    RdmaPort(const RdmaPort&) = delete;
    RdmaPort& operator=(const RdmaPort&) = delete;

    /**
     * Puts the port into a network, once.
     * \param context of the network
     * \param owner the node
     * \param index number of the port at its node, from 0
     * \param id number of the port in the network, from 0
     */
    void Install(RdmaContext& context, RdmaNode& owner, uint16_t index, uint32_t id);

    /** \return whether it is in a network */
    bool IsInstalled() const
    {
        return m_owner;
    }

    /**
     * Connects this end to the other; call it for both. Aborts if that is no link.
     * \param peer the other end
     * \param rate bit/s, more than 0
     * \param delay one-way, time steps, 0 or more
     * \param errorRate probability that a frame is lost on the way to the peer
     */
    void Connect(RdmaPort& peer, uint64_t rate, int64_t delay, double errorRate);

    /** \return whether the transmitter is busy */
    bool IsBusy() const
    {
        return !m_context->eventQueue->IsPast(m_txEndTime, m_txEndPlace);
    }

    /** \return whether a frame for \p queue that came now would be sent at once, and nobody is told
     * that it was in the queue */
    bool IsClearFor(uint32_t queue) const
    {
        const bool paused = queue != RdmaEgressQueues::CONTROL && (m_paused >> queue & 1);
        return queues.IsEmpty() && !paused && !m_frozen && !m_shared && !IsBusy() &&
               !enqueueTrace.WasUsed() && !queueBytesTrace.WasUsed();
    }

    /** Lets the owner send, now if the transmitter is free, else as soon as it is. */
    void Trigger();

    /** As Trigger, for \p owner, which then need not be looked up. */
    template <typename Owner>
    void TriggerOf(Owner& owner)
    {
        if (MaySend())
        {
            owner.Owner::PortFree(*this);
        }
    }

    /** Sends \p frame, of the link itself, as soon as the transmitter is free. */
    void SendAhead(RdmaFrame* frame);

    /** Asks that the owner be told (RdmaNode::PortFree) when the current transmission ends; only
     * while busy. */
    void WatchTxEnd()
    {
        if (!m_txEnd.IsPending())
        {
            RdmaEventQueue& eventQueue = *m_context->eventQueue;
            const uint64_t place =
                m_txEndPlace == RdmaPlaces::PASSED ? eventQueue.ReserveSequence() : m_txEndPlace;
            eventQueue.ScheduleAt(m_txEnd, m_txEndTime, place);
        }
    }

    /** Lets memory be fetched that sending something from here will touch.
     * \param stage 1 for what is in the port itself, 2 for what that leads to */
    void FetchSending(uint32_t stage) const;

    /** Starts to transmit \p frame; only while not busy and the link is up. */
    void Start(RdmaFrame* frame);

    /** \p frame has come in here from the other end, unless it gets lost on the way. */
    void Arrive(RdmaFrame* frame);

    /** Takes the link down at this end, losing what is in flight and queued; or brings it up. */
    void SetLinkUp(bool up);

    /** \param process that what happens at the owner belongs to (RdmaProcesses) */
    void SetProcess(uint32_t process)
    {
        m_txEnd.SetProcess(process);
        m_peer->m_arrival.SetProcess(process);
        m_peer->SetProcessBy(process);
    }

    /** \return the process that what happens at the owner belongs to */
    uint32_t GetProcess() const
    {
        return m_txEnd.GetProcess();
    }

    /** \param context of the thread that runs the owner, or the network's */
    void SetContext(RdmaContext& context)
    {
        m_context = &context;
    }

    /** From now on another thread runs the peer than the owner: what is sent from here comes to it
     * when the window is over, by Depart and Land. */
    void Cut();

    /** Takes Cut back; O(1). */
    void Uncut();

    /** Takes what the other thread has back, until the next window. */
    void Collect();

    /** The window is over: moves what was sent in it to \p frames, which is empty. */
    void Depart(RdmaFrameFifo& frames)
    {
        frames.Append(m_wire);
    }

    /**
     * The peer's thread takes over \p frames, which came by Depart, the first of them due at \p
     * due.
     * \return what is to fire at that time; null if frames before them are to arrive still
     */
    RdmaEvent* Land(const RdmaDue& due, RdmaFrameFifo& frames);

    /** Nothing will happen here any more; frames are left where they are. */
    void CancelEvents();

    /** \return whether nothing happens here (RdmaPacketState::Pause) */
    bool IsFrozen() const
    {
        return m_frozen;
    }

    /** Gives \p frame back to the pool, counted and traced as lost. */
    void Drop(RdmaFrame* frame, RdmaDropReason reason)
    {
        Drop(frame, reason, *m_context);
    }

    /** \return whether a frame is being sent, until its last bit has left */
    bool IsSending() const
    {
        return m_txEndTime > m_context->eventQueue->Now();
    }

    /** \return transmission time in time steps */
    int64_t TransmissionTime(uint32_t bytes) const
    {
        return m_context->clock.TransmissionTime(bytes, m_rate);
    }

    bool IsLinkUp() const
    {
        return m_linkUp;
    }

    /** From now on, what is sent from here takes credits; of the other end, too.
     * \param buffer bytes that the other end keeps for each class
     * \param update bytes of a class from which on the other end is told that they are free */
    void StartCredits(uint64_t buffer, uint32_t update);

    /** \return the credits; null if the link has none */
    const RdmaCredits* GetCredits() const
    {
        return m_credits.get();
    }

    /** \p frame, which starts from here, takes credits. \param queue its class at the other end; 0:
     * it takes none */
    void TakeCredit(RdmaFrame& frame, uint32_t queue);

    /** \p bytes of the class \p queue (0 for none) that came in here have left the node's memory.
     */
    void ReturnCredit(uint32_t queue, uint32_t bytes);

    /** \return bit q: queue q has been paused by the other end, or has too few credits */
    uint32_t GetPaused() const
    {
        return m_paused;
    }

    /** \return the same, by PFC, as it was at the time of what is told of a window */
    uint8_t GetPausedAsTold() const
    {
        return m_pausedAsTold;
    }

    /** It is told that \p queue was paused, or resumed. */
    void TellPaused(uint32_t queue, bool pause)
    {
        const auto bit = static_cast<uint8_t>(1U << queue);
        m_pausedAsTold = static_cast<uint8_t>(pause ? m_pausedAsTold | bit : m_pausedAsTold & ~bit);
    }

    /** \return whether both ends of the link are of one process (RdmaProcesses) */
    bool IsWithinProcess() const
    {
        return m_txEnd.GetProcess() == m_arrival.GetProcess();
    }

    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** \return one-way, time steps */
    int64_t GetDelay() const
    {
        return m_delay;
    }

    double GetErrorRate() const
    {
        return m_errorRate;
    }

    /** \param errorRate probability in [0, 1] that a frame is lost on the way to the peer, from now
     * on; aborts if it is none */
    void SetErrorRate(double errorRate);

    /** \return whether \p frame gets lost on the way to the peer; the same whenever asked */
    bool Loses(const RdmaFrame& frame) const
    {
        return m_errorRate > 0 && DrawsLoss(frame);
    }

    RdmaPort& GetPeer() const
    {
        return *m_peer;
    }

    RdmaNode& GetOwner() const
    {
        return *m_owner;
    }

    RdmaContext& GetContext() const
    {
        return *m_context;
    }

    /** \return number at its node, from 0 */
    uint16_t GetIndex() const
    {
        return m_index;
    }

    /** \return number in the network, from 0 */
    uint32_t GetPortId() const
    {
        return m_id;
    }

    /** \return index of the rate in the network's table of rates */
    uint8_t GetRateIndex() const
    {
        return m_rateIndex;
    }

    /** \p frame, an acknowledgement that passes without being sent, comes at \p time (time steps).
     * \param counts whether what is simulated here is of the same time: then it takes its part of the
     * link from others
     * \return when it is at the other end, by what is queued now; time steps */
    int64_t Forward(const RdmaFrame& frame, int64_t time, bool counts);

    /** \p frame, an acknowledgement, has come while the port is frozen: it goes on nevertheless,
     * and is at the other end when what is queued says. */
    void PassBy(RdmaFrame* frame);

    /** \name The frames of PassBy that are on the link: the first, and when it arrives. @{ */
    const RdmaFrame* GetFirstBy() const;
    RdmaDue GetDueBy() const;
    /** @} */

    /** Sends \p frame, a pause or resume of the past. If the port is in the present, it is at the
     * other end when it would be if nothing else were sent. */
    void ForwardPfc(RdmaFrame* frame);

    /**
     * Acknowledgements pass that are not simulated at all: at even intervals, or, where something
     * happens at the port that they come from, as they left that one.
     * \param difference of the rate at which they do, bit/s
     * \param frame size of each, bytes
     * \param next the port that they go on to; null if that is of no matter
     */
    void ChangeBackground(int64_t difference, uint32_t frame, RdmaPort* next = nullptr);

    /** \param bytes that are queued for Forward, as long as nothing happens here */
    void AssumeQueue(uint64_t bytes);

    /** A window begins at \p begin (time steps): lets pass what comes to other ports within it.
     * \return whether any of the background goes on from here; else it is not among
     * RdmaContext::carriers any more */
    bool PassBeforeWindow(int64_t begin);

    /** A window is over: tells the next ports what has passed in it, and sends what has passed by.
     */
    void PassAfterWindow();

    /** \return bytes of the last AssumeQueue */
    uint64_t GetAssumedQueue() const;

    /** From now on, what passes besides is counted, whether anything happens here or not. */
    void StartMeanPassing();

    /** \return what has passed besides since StartMeanPassing, on average, bit/s */
    int64_t GetMeanPassing() const;

    /** \return bit/s of acknowledgements that are not simulated at all */
    int64_t GetBackground() const;

    /** \return bytes that have left, control frames included */
    uint64_t GetTxBytes() const
    {
        return m_txBytes;
    }

    /** Counts \p bytes as having left; the owner does, since telemetry wants the count from before.
     */
    void AddTxBytes(uint32_t bytes)
    {
        m_txBytes += bytes;
    }

    /**
     * \p bytes pass that are not simulated, or, below 0, as many that have passed will once more.
     * What of their sum is not a whole unit of telemetry is counted (CountUnseen): so those who
     * look from one frame to the next see no jump, and those who come later find the count where it
     * would be.
     */
    void PassUnseen(int64_t bytes);

    /**
     * The same of data that a flow is credited with that has frames on their way: some ports have
     * told these already what they counted before, so what all count alike is not counted with the
     * rest (CountCredited).
     */
    void PassCredited(int64_t bytes);

    /** The bytes of PassCredited are counted with the rest, but for \p some: those who look see
     * them from one frame to the next, once. */
    void CountCredited(int64_t some = 0);

    /** \return bytes of PassCredited that are not counted, less than a unit of telemetry */
    int64_t GetCredited() const;

    /** Counts the bytes of both as having left. */
    void CountUnseen();

    /** \return bytes that make a unit of telemetry at this port */
    int64_t GetTelemetryUnit() const
    {
        return int64_t{RdmaIntHeader::TX_UNIT} * m_context->intMultiplier;
    }

    /** \return frames that came in here and for which the buffer had no room */
    uint64_t GetBufferDrops() const
    {
        return m_bufferDrops;
    }

    /** Counts a draw: whether a data frame is marked, which code of PINT it gets, or what the
     * control of a flow from here asked for. */
    void CountDraw()
    {
        ++m_draws;
    }

    /** \return these so far */
    uint64_t GetDraws() const
    {
        return m_draws;
    }

    /** \return a number for the next frame that starts its life at this port and has no flow, for
     * random draws */
    uint32_t NextSerial()
    {
        return m_serial++;
    }

    /** \name What happens at a port, for whoever connects (exported by RdmaNetDevice). Frames are
     * gone after the call. @{ */
    RdmaTrace<const RdmaFrame&> txBeginTrace; ///< transmission starts
    RdmaTrace<const RdmaFrame&> rxTrace; ///< received completely, before anything is done with it
    RdmaTrace<const RdmaFrame&, uint32_t> enqueueTrace; ///< put into an egress queue; the queue
    RdmaTrace<const RdmaFrame&, uint32_t>
        dequeueTrace; ///< taken from an egress queue, or a queue pair (its priority)
    RdmaTrace<const RdmaFrame&, RdmaDropReason> dropTrace;   ///< lost
    RdmaTrace<uint32_t, uint64_t, uint64_t> queueBytesTrace; ///< queue, bytes before, bytes after
    RdmaLateTrace<uint32_t, bool> pfcTrace; ///< PFC frame received: queue, true for pause
    RdmaTrace<const RdmaFrame&> markTrace;  ///< marked congestion experienced
                                            /** @} */

  private:
    friend class RdmaPacketState;
    friend class RdmaRankNews;

    struct Crossing;

    void Drop(RdmaFrame* frame, RdmaDropReason reason, RdmaContext& context);
    bool DrawsLoss(const RdmaFrame& frame) const;
    void ReceivePfc(RdmaFrame* frame);
    void SetPaused(uint8_t paused);
    void SetShared(bool shared);
    void ReceiveCredit(RdmaFrame* frame);
    /** \p frame, which left here, will not arrive, for the link is down. */
    void ForgetInFlight(const RdmaFrame& frame);
    /** Does not forget what \p lost, a CREDIT frame, was to say. */
    void KeepCredit(const RdmaFrame& lost);
    void TellCredits();
    Passing& GetPassing();
    Passing& MakePassing();
    uint32_t GetBackgroundFrame() const;
    int64_t GetUnseen() const;

    /** \return for how long it sends, or is taken by what passes, from now on; time steps */
    int64_t GetBusyTime();
    int64_t GetLastToCome() const; //!< time steps; 0 if nothing is to come
    void Touch();                  //!< tells the observer, if any, that a frozen port should act
    void Pass(int64_t time, uint32_t bytes);
    void PutBy(RdmaFrame* frame, int64_t time);
    void SendBy(RdmaFrame* frame, const RdmaDue& due);
    void ExpectEndBy(const RdmaFrame& frame, int64_t time);
    void DropBy();  //!< what PassBy sent, for the link is down
    void HurryBy(); //!< what PassBy sent waits for no more than is queued now
    int64_t GetLatency(const RdmaFrame& frame);
    /** \p bytes of an acknowledgement that is of no matter elsewhere come here at \p time, and are
     * counted then. */
    void PassAlone(int64_t time, uint32_t bytes);
    void PassAloneOnce(int64_t time, uint32_t bytes); //!< unless one comes at nearly that time

    /** What PassAlone told of before \p until does not come. */
    void ForgetAlone(int64_t until);

    /** Lets pass what is due. */
    void PassBackground()
    {
        PassBackground(m_context->eventQueue->Now());
    }

    /** Lets pass what is due, if anything may; what has passed is only known then. */
    void PassNow() const
    {
        const_cast<RdmaPort*>(this)->PassUntil(m_context->eventQueue->Now());
    }

    /** Lets pass what comes until \p time, if anything does, and the port runs. */
    void PassUntil(int64_t time)
    {
        if (m_shared && !m_frozen)
        {
            PassBackground(time);
        }
    }

    void PassBackground(int64_t now)
    {
        if (now >= m_nextLook)
        {
            PassDue(now);
        }
    }

    void PassDue(int64_t now);
    int64_t GetPresent() const;
    void SetFromDelay();
    void PassEven();
    void PassComing();
    void PassOn(int64_t frames);
    void ListPassed();
    void PassLongAgo(int64_t frames);
    void PassUnkept(int64_t frames);
    void Come(int64_t time);
    void SetBackgroundInterval();
    void SetLag(int64_t frames);
    void ChangeOnward(RdmaPort& next, int64_t difference);
    void ChangeCarried(int64_t difference);
    void SetCarries(bool carries);
    void SettleBackground();
    void CountPassed();
    void PassBefore();
    void CancelPassing();
    void SetProcessBy(uint32_t process); //!< of what PassBy sent
    void CancelOwn();
    void TakeBack();

    /** Takes note of when \p frame arrives, of which somebody may be told then. */
    void ExpectEnd(const RdmaFrame& frame, int64_t time)
    {
        if (m_toHost && frame.last && m_context->eventQueue->IsSplit())
        {
            m_context->ExpectTelling(time);
        }
    }

    void ShiftPassing(int64_t shift);

    /** \return whether the owner may send now; else it is told (RdmaNode::PortFree) as soon as it
     * may */
    bool MaySend()
    {
        if (m_frozen)
        {
            Touch();
            return false;
        }
        return MaySendRunning();
    }

    /** As MaySend, for a port that is not frozen. */
    bool MaySendRunning()
    {
        if (m_shared)
        {
            PassBackground();
        }
        if (IsBusy())
        {
            WatchTxEnd();
            return false;
        }
        return m_linkUp;
    }

    int64_t CachedTransmissionTime(uint32_t bytes)
    {
        return m_times.Get(bytes, m_context->clock, m_rate);
    }

    std::unique_ptr<Crossing> m_crossing;   //!< null if the link was never between two threads
    std::unique_ptr<RdmaCredits> m_credits; //!< null if the link has none
    uint8_t m_pausedAsTold{0}; //!< by PFC, when the last notice of a window told (RdmaNotice)
};

} // namespace ns3

#endif // RDMA_PORT_H
