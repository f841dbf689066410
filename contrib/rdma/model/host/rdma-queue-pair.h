/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_QUEUE_PAIR_H
#define RDMA_QUEUE_PAIR_H

#include "rdma-chunks.h"
#include "rdma-entropy.h"
#include "rdma-flow.h"
#include "rdma-selective-repeat.h"
#include "rdma-send-rounds.h"

#include "ns3/ptr.h"
#include "ns3/rdma-congestion-control.h"
#include "ns3/rdma-context.h"
#include "ns3/rdma-memory.h"
#include "ns3/rdma-timers.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class RdmaHost;
class RdmaPort;
struct RdmaPausedFlow;

/**
 * \ingroup rdma
 * \brief One flow on a queue pair of its own: the state of both ends.
 *
 * The receiving end's state stands here too, so that a frame leads to it by a pointer. An object
 * lives until the flow has ended and no frame of it is left.
 */
class alignas(RDMA_CACHE_LINE) RdmaQueuePair : public RdmaPooled
{
  public:
    /**
     * \param id number of the flow, from 0
     * \param flow what it is
     */
    RdmaQueuePair(uint64_t id, const RdmaFlow& flow);
    ~RdmaQueuePair();
    RdmaQueuePair(const RdmaQueuePair&) = delete;
    RdmaQueuePair& operator=(const RdmaQueuePair&) = delete;

    uint64_t GetId() const
    {
        return m_id;
    }

    /** \return what stands for the flow in draws of losses. Unlike its number, it does not depend
     * on flows of other connections (RdmaConnections) */
    uint64_t GetDrawId() const
    {
        return m_drawId;
    }

    /** \return how many packets the first \p bytes bytes are, the last one maybe in part */
    uint64_t PacketsIn(uint64_t bytes) const
    {
        return (bytes + m_payloadSize - 1) / m_payloadSize;
    }

    /** \return RdmaFrame::serial of the data frame that is sent next */
    uint32_t NextSerial() const
    {
        return m_dataSerial + m_passedOver;
    }

    const RdmaFlow& GetFlow() const
    {
        return m_flow;
    }

    RdmaFlowState GetState() const
    {
        return m_state;
    }

    /** \return UDP source port: the flow's, or counted per pair of hosts from 10000 */
    uint16_t GetSourcePort() const
    {
        return m_sourcePort;
    }

    /** \return whether its packets choose the value that switches hash, as their source port */
    bool HasEntropy() const
    {
        return m_entropy != nullptr;
    }

    /** \return when it started; time steps */
    int64_t GetStartTime() const
    {
        return m_startTime;
    }

    /** \return when it ended; time steps */
    int64_t GetEndTime() const
    {
        return m_endTime;
    }

    /** \return when the receiver had all bytes; time steps, negative if it has not */
    int64_t GetDeliveryTime() const
    {
        return m_deliveryTime;
    }

    /** \return bit/s */
    uint64_t GetRate() const
    {
        return m_rate;
    }

    /** \return rate of the NIC, bit/s */
    uint64_t GetMaxRate() const
    {
        return m_maxRate;
    }

    /** \return the window at line rate, bytes; 0 for no limit */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** \return the window that holds now, bytes; 0 for no limit */
    uint64_t GetEffectiveWindow() const
    {
        return m_effectiveWindow;
    }

    /** \return round-trip time without queues, ns */
    int64_t GetBaseRttNs() const
    {
        return m_flow.baseRttNs;
    }

    /** \return the next byte to send */
    uint64_t GetSndNxt() const
    {
        return m_sndNxt;
    }

    /** \return the first byte that is not acknowledged */
    uint64_t GetSndUna() const
    {
        return m_sndUna;
    }

    /** \return payload of a full frame, bytes */
    uint32_t GetPayloadSize() const
    {
        return m_payloadSize;
    }

    /** \return bytes of a data frame that are not payload */
    uint32_t GetDataHeaderBytes() const
    {
        return m_dataHeader;
    }

    /** \return bytes of an acknowledgement */
    uint32_t GetAckBytes() const
    {
        return m_ackBytes;
    }

    /** \return the next byte that the receiver expects */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** \return links on the way to the receiver; 0 without a route */
    uint32_t GetHops() const
    {
        return static_cast<uint32_t>(m_dataRoute.size());
    }

    /** \return egress ports that data cross, in order */
    const std::vector<RdmaPort*>& GetDataRoute() const
    {
        return m_dataRoute;
    }

    /** \return egress ports that acknowledgements cross, in order */
    const std::vector<RdmaPort*>& GetAckRoute() const
    {
        return m_ackRoute;
    }

    /** \return bytes sent again */
    uint64_t GetRetransmittedBytes() const
    {
        return m_retransmitted;
    }

    /** \return the sender */
    RdmaHost& GetSender() const
    {
        return *m_sender;
    }

    /** \return current time, ns */
    int64_t GetNowNs() const;

    /** \return current time, ps */
    int64_t GetNowPs() const;

    /** \return delay of the sender's link, ns */
    int64_t GetNicDelayNs() const;

    /** \return by how much telemetry's units of bytes are coarsened */
    uint32_t GetIntMultiplier() const;

    /** \return how to read the codes that acknowledgements bring; only under RdmaTelemetry::PINT */
    const RdmaPint& GetPint() const;

    /** \return a draw, uniform in [0, 1), for the \p serial th chance that the control takes.
     * Fast-forward hears of it. */
    double Draw(uint64_t serial) const;

    /** \return the rate that telemetry refers to by \p index, bit/s */
    uint64_t GetLinkRate(uint8_t index) const;

    /** Lets a control's \p timer fire in \p delayNs nanoseconds, 0 or more, instead of when it was
     * going to. */
    void ScheduleTimer(RdmaTimer& timer, int64_t delayNs);

    /** The same in \p delayPs picoseconds, 0 or more. */
    void ScheduleTimerPs(RdmaTimer& timer, int64_t delayPs) const;

    /** Forgets a control's \p timer. */
    void CancelTimer(RdmaTimer& timer) const;

    /** \return the control; null if the flow has none */
    RdmaCongestionControl* GetCongestionControl() const
    {
        return PeekPointer(m_control);
    }

    /** \name For congestion controls, and for whoever sets what a flow sends by, from when it has
     * begun to send: fast-forward goes on in packets then. @{ */

    /** Sets the rate (bit/s; 0 for that of the NIC); it applies from the pacing of the next frame
     * on. */
    void SetRate(uint64_t rate);

    /** Sets the rate (bit/s) and corrects when the next frame may leave, as if the last one had
     * been paced by it (HPCC). */
    void SetRateNow(uint64_t rate);

    /** Sets the window at line rate (bytes; 0 for no limit). */
    void SetWindow(uint64_t window);

    /** @} */

    /** Lets memory be fetched that the arrival of \p frame, of this flow, will touch; of the sender
     * for acknowledgements.
     * \param stage 1 for what is in the queue pair, 2 for what that leads to */
    void Fetch(const RdmaFrame& frame, uint32_t stage) const;

    /** A frame of this flow left the network, at its sender. */
    void FrameGone()
    {
        --m_framesOut;
    }

    /** Takes note of what happened to a frame of this flow. */
    void TakeNews(const RdmaFrameNews& news);

  private:
    friend class RdmaHost;
    friend class RdmaNicScheduler;
    friend class RdmaNetwork;
    friend class RdmaPacketState;
    friend class RdmaRankNews;
    friend struct RdmaQueuePairProbe; // tests put queue pairs into states of their own

    void UpdateWindow();
    void CheckDelay(int64_t delay, const char* unit) const;

    /** To be called before what it sends by is set. */
    void Changing();

    bool IsFinished() const
    {
        return m_sndUna >= m_size;
    }

    bool HasUnsent() const
    {
        return m_sndNxt < m_size || m_resends;
    }

    bool IsWindowBound() const
    {
        return m_effectiveWindow && m_sndNxt - m_sndUna >= m_effectiveWindow && !m_resends;
    }

    // Cache lines, in large networks each to be waited for: first what both ends touch for every
    // frame, and the sender
    RdmaHost* m_sender{nullptr};
    RdmaHost* m_receiver{nullptr};
    uint64_t m_size; //!< bytes of sequence space: the payload, or 1 for an empty message
    Ptr<RdmaCongestionControl> m_control;
    std::unique_ptr<RdmaSelectiveRepeat> m_selective; //!< null for go-back-N
    uint64_t m_sndNxt{0};
    uint64_t m_sndUna{0};
    std::atomic<RdmaFlowState> m_state{RdmaFlowState::WAITING}; //!< the receiver asks, too
    RdmaTelemetry m_telemetry{RdmaTelemetry::NONE};
    uint8_t m_firstRecord{0};  //!< RdmaIntHeader::hopCount of frames that leave
    bool m_pacingKnown{false}; //!< whether m_pacing is of m_rate
    bool m_varWindow{false};
    bool m_scheduled{false}; //!< whether the NIC's round holds it
    bool m_piped{false};     //!< acknowledgements take m_pipe instead of ports
    bool m_resends{false};   //!< m_selective has a packet to send again
    // the sender
    RdmaPort* m_nic{nullptr};
    uint64_t m_rate{0};
    uint64_t m_maxRate{0};
    uint64_t m_effectiveWindow{0};
    int64_t m_pacing{0};         //!< transmission time of the last frame at the rate; time steps
    int64_t m_lastProgress{0};   //!< last time that snd_una advanced or sending (re)started
    uint32_t m_lastWireBytes{0}; //!< of the last frame sent
    uint32_t m_slot{0};          //!< place in the NIC's round
    uint32_t m_timeouts{0};      //!< in a row
    uint32_t m_dataSerial{0};
    // what it sends
    uint64_t m_highestSent{0};
    uint64_t m_ackNowUntil{0};          //!< frames that begin below were sent after a time-out
    uint64_t m_closeFrom{~uint64_t{0}}; //!< bytes sent from which on it is closing
    std::vector<RdmaPort*> m_dataRoute;
    uint32_t m_payloadSize{0};
    uint32_t m_dataHeader{0}; //!< bytes
    uint32_t m_framesOut{0};
    uint32_t m_passedOver{0}; //!< data frames that it has not sent: SkipTo()
    uint8_t m_priority;       //!< m_flow's
    uint8_t m_round{0};       //!< RdmaFrame::again of what is sent in order: of m_rounds
    bool m_empty;             //!< its frame has no payload
    bool m_closing{false};    //!< it may end in any window (RdmaContext::closing)
    bool m_doubtful{false};   //!< what comes twice is replied to (RdmaContext::doubtful)

    // the receiver
    RdmaPort* m_receiverNic{nullptr};
    uint64_t m_expected{0};
    int64_t m_lastArrival{-1}; //!< when the last byte before that came; time steps; -1 before
    std::vector<RdmaPort*> m_ackRoute;
    uint32_t m_ackSerial{0};
    uint32_t m_ackBytes{0};
    int64_t m_lastCnp{-1}; //!< when a CNP was last sent; negative if never

    // what controls ask for: the window, and at the beginning of m_flow its round-trip time
    uint64_t m_id;
    uint64_t m_window{0};
    uint64_t m_lastNack{UINT64_MAX};
    RdmaFlow m_flow;

    // the rest
    int64_t m_nackTimer{0};
    RdmaChunks m_chunks;
    uint64_t m_retransmitted{0};
    uint64_t m_recoverUntil{0}; //!< bytes that were lost, or sent when it went back
    uint64_t m_dataLost{0};     //!< data frames
    uint64_t m_drawId{0};       //!< its connection and place there
    RdmaSendRounds m_rounds;    //!< of go-back-N
    uint8_t m_again{0};         //!< RdmaFrame::again of the last reply that said nothing new
    uint32_t m_partPassed{0};   //!< bytes credited that are not delivered, less than a frame
    bool m_lost{false};         //!< whether any frame of it has been lost so far
    bool m_apart{false};        //!< acknowledgements have passed by frozen ports or m_pipe, or may
    bool m_astray{false};       //!< frames may be at ports of a route that it had before
    uint16_t m_sourcePort{0};
    int64_t m_startTime{0};
    int64_t m_endTime{-1};
    int64_t m_deliveryTime{-1};

    void CheckProgress();
    void Launch();
    void Finish();

    /** Takes note of when \p frame, in the pipe, arrives, of which somebody may be told then. */
    void ExpectEnd(const RdmaFrame& frame, int64_t time) const;

    /** \param counted whether RdmaContext::besides counts what is in the pipe */
    void CountPipe(bool counted);

    /** Lets \p frame, an acknowledgement, arrive by the pipe; \p due is not before others there. */
    void PutIntoPipe(RdmaFrame& frame, const RdmaDue& due);
    void PipeArrives();

    std::unique_ptr<RdmaEntropy> m_entropy;   //!< null unless switches hash it
    std::unique_ptr<RdmaPausedFlow> m_paused; //!< null unless it is (RdmaPacketState)
    RdmaTimerList m_timers;                   //!< of the control, m_retransmission and m_launch
    RdmaMemberTimer<RdmaQueuePair> m_launch;  //!< lets the first frame leave, if somebody observes
    uint64_t m_launchPlace{0};                //!< the first of LAUNCH_PLACES, if so
    RdmaMemberTimer<RdmaQueuePair> m_finish;  //!< stands for the last acknowledgement

    RdmaFrameFifo m_pipe;  //!< acknowledgements on their way
    int64_t m_pipeLast{0}; //!< when the last of them arrives; time steps
    RdmaMemberEvent<RdmaQueuePair, &RdmaQueuePair::PipeArrives>
        m_pipeArrival; //!< of the first of them; no timer, for it mostly happens
    RdmaMemberTimer<RdmaQueuePair> m_retransmission; //!< watches for missing progress
    bool m_counted{false};                           //!< for itself, by RdmaContext::apart
    bool m_pipeCounted{false};                       //!< for m_pipe, by the same
    bool m_acksWithin{false}; //!< a link of m_ackRoute is within a process (RdmaProcesses)
    bool m_acksCross{false};  //!< another one is not
};

} // namespace ns3

#endif // RDMA_QUEUE_PAIR_H
