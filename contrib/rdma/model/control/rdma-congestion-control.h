/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CONGESTION_CONTROL_H
#define RDMA_CONGESTION_CONTROL_H

#include "ns3/object.h"
#include "ns3/rdma-frame.h"
#include "ns3/rdma-memory.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaQueuePair;

/** \ingroup rdma What a control wants its frames to bring back. */
enum class RdmaTelemetry : uint8_t
{
    NONE,
    TIMESTAMP, ///< when the frame left the host: 8 B on the wire
    INT,       ///< records of the switches crossed: 42 B on the wire
    PINT       ///< a code of the most used link (RdmaPint): 1 B on the wire, or 2
};

/** \return whether switches write it */
constexpr bool
RdmaIsOfSwitches(RdmaTelemetry telemetry)
{
    return telemetry >= RdmaTelemetry::INT;
}

/** \return bytes that telemetry takes in a data frame and in its acknowledgement \param pintBytes
 * of a PINT code: RdmaWireFormat::pintBytes */
uint32_t RdmaTelemetryBytes(RdmaTelemetry telemetry, uint32_t pintBytes);

/** \ingroup rdma An acknowledgement as a control sees it. The queue pair's snd_una and snd_nxt are
 * up to date. */
struct RdmaAck
{
    uint64_t seq;                   ///< next byte the receiver expects
    bool nack;                      ///< data arrived out of order, and something counts as lost for
                                    ///< it: always with go-back-N, else something more (IRN)
    bool echo;                      ///< the data frame had been marked congestion experienced
    int64_t nowNs;                  ///< current time, ns
    int64_t rttNs;                  ///< since the data frame began to leave the host, ns
    const RdmaIntHeader* telemetry; ///< null unless the control asked for INT or PINT
    uint64_t ahead{0};              ///< bytes beyond seq that the receiver has, out of order (IRN)
};

/**
 * \ingroup rdma
 * \brief What a control fills of a link in the long run: with n flows that are held back there,
 * share * rate + n * increase, but no more than the rate. Acknowledgements count.
 */
struct RdmaLinkUse
{
    double share{1};      ///< of the link's rate, above 0 and at most 1
    uint64_t increase{0}; ///< bit/s
};

/**
 * \ingroup rdma
 * \brief A congestion control of one queue pair.
 *
 * To add one: derive, give it a TypeId with attributes, implement Fork and OnAck, and select it by
 * the TypeId's name (RdmaHost's attribute CongestionControl, or `wormhole run --cc
 * ns3::MyControl`). Everything that it changes goes through the queue pair: SetRate, SetRateNow,
 * SetWindow. A queue pair starts at the NIC's rate.
 */
class RdmaCongestionControl : public Object, public RdmaPooled
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return a copy with the same parameters, for a new queue pair (`return
     * CopyObject<MyControl>(this);`) */
    virtual Ptr<RdmaCongestionControl> Fork() const = 0;

    /** \return what the frames of a flow under this control carry */
    virtual RdmaTelemetry GetTelemetry() const;

    /** The flow starts; its rate is the NIC's and its window is set. */
    virtual void OnStart(RdmaQueuePair& qp);

    /** An ACK or NACK came. Also called for the one that completes the flow. */
    virtual void OnAck(RdmaQueuePair& qp, const RdmaAck& ack) = 0;

    /**
     * \return whether receivers tell it of marks by CNP frames, RdmaHost::CnpInterval apart at
     * least and whatever the order in which frames come (DCQCN, SIGCOMM 2015, section 3.1). If
     * false, the default, the echo on every acknowledgement tells.
     */
    virtual bool TakesCnps() const;

    /** Notice of congestion: an echo on an ACK or NACK (called before OnAck), or a CNP frame. */
    virtual void OnCongestionNotification(RdmaQueuePair& qp);

    /** Nothing was acknowledged for the retransmission time-out; sending goes back to snd_una. */
    virtual void OnTimeout(RdmaQueuePair& qp);

    /** The flow has ended: stop timers. */
    virtual void OnEnd(RdmaQueuePair& qp);

    /**
     * \param qp the flow
     * \return for how long, ns, the control may leave the flow's rate alone now, and then change it
     * without news from the network: the interval of its slowest timer that runs. 0, the default,
     * if it acts on acknowledgements alone. Fast-forward takes no rate for steady that it has not
     * seen for so long.
     */
    virtual int64_t GetPeriodNs(const RdmaQueuePair& qp) const;

    /**
     * \return whether rates depend on when acknowledgements arrive, to the nanosecond, as where
     * round-trip times are measured: true, the default. If false, fast-forward may leave them out
     * hop by hop (ns3::WormholeSimulatorImpl::Acknowledgements).
     */
    virtual bool MeasuresDelay() const;

    /**
     * \return whether rates depend on what switches draw: on which frames they mark, or which code
     * of PINT they write. True, the default. If false, fast-forward takes what was seen once for
     * what will happen again even where chance decides about marks.
     */
    virtual bool HeedsMarks() const;

    /**
     * \return what it fills of a switch's egress link in the long run: all of it, the default, if
     * queues, marks or delays tell it that it sends too much. What a host sends to its own link is
     * always all of it. For flow level (ns3::WorkloadFlowTransport); packets do not ask.
     */
    virtual RdmaLinkUse GetLinkUse() const;

    /**
     * \return whether it acts on its queue pair alone: nothing is shared between flows, and no
     * event of ns-3 is scheduled. Then nodes may run one after the other (RdmaProcesses). If false,
     * the default, all that happens is in one order of time.
     */
    virtual bool ActsAlone() const;

    /** \return bit/s by which it raises a rate, whatever that is, in each round trip without
     * congestion, if that alone makes shares of a link equal; 0, the default, if not. For
     * fast-forward: shares that stand still for longer than that takes stay what they are. */
    virtual uint64_t GetAdditiveIncrease() const;

    /** \return what it has averaged of the congestion that it saw, if shares of a link that are
     * equal may yet come apart: as long as that is the same for all flows of a link, they go in
     * lock step and stay equal. 0, the default, if they do not come apart. For fast-forward. */
    virtual double GetCongestionAverage() const;

    /** \return whether Scale can be called: false, the default, if it has not been written */
    virtual bool CanScale() const;

    /** The flow goes on as if it had come to \p factor times its rate: all rates or windows that
     * the control remembers of it are multiplied. For fast-forward, which knows where shares of a
     * link are on their way to (wormhole::ShareWatch). */
    virtual void Scale(RdmaQueuePair& qp, double factor);

    /**
     * Fast-forward has skipped \p bytes of a flow whose rate was steady: they were delivered and
     * acknowledged without packets, and LoadState has moved sequence numbers and times. A control
     * that goes on to change what its rate does not show, as a window that is not what holds the
     * flow back, changes it as acknowledgements like the latest would have. By default, nothing
     * changes. \p inFlight bytes are on their way as before, also if no frames are.
     */
    virtual void OnSkipped(RdmaQueuePair& qp, uint64_t bytes, uint64_t inFlight);

    /** \return whether OnSkipped changes anything; false by default */
    virtual bool GoesOnUnseen() const;

    /**
     * Saves the flow's course under this control, without the queue pair's own part (rate and
     * window).
     * \param qp the flow; OnStart has been called for it
     * \param state set to all that the control remembers of the flow, as bytes: times relative to
     * the present, sequence numbers relative to snd_nxt (RdmaStateWriter). The same memory gives
     * the same bytes.
     * \return false if the control cannot save its state
     */
    virtual bool SaveState(const RdmaQueuePair& qp, std::vector<uint8_t>& state) const;

    /**
     * Goes on from a state that was saved earlier, or by another flow, as if it were this flow's
     * own: the control's timers fire after as long as they would have. The caller sets snd_nxt
     * before, and sees to rate and window. Counters in telemetry are taken as they were, so those
     * of the ports must be as they were too.
     * \param qp the flow; OnStart has been called for it
     * \param state from SaveState of the same class and parameters
     * \return false if the state does not fit; then nothing has changed
     */
    virtual bool LoadState(RdmaQueuePair& qp, const std::vector<uint8_t>& state);
};

} // namespace ns3

#endif // RDMA_CONGESTION_CONTROL_H
