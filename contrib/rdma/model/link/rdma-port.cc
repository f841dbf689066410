/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/packet.h"
#include "ns3/rdma-arrivals.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-port-crossing.h"
#include "ns3/rdma-port-flight.h"
#include "ns3/rdma-port-passing.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{
constexpr uint32_t NODE_LINES = 4; //!< cache lines of a node that a frame touches

/** Lets memory be fetched that \p frame leads to where it arrives. \param host whether at a host */
inline void
FetchReceiver(const RdmaFrame& frame, bool host)
{
    if (!host)
    {
        RdmaFetch(frame.route);
    }
    else if (frame.qp)
    {
        frame.qp->Fetch(frame, 1);
    }
}

} // namespace

RdmaPort::RdmaPort()
    : m_arrival(this),
      m_txEnd(this)
{
}

RdmaPort::~RdmaPort() = default;

void
RdmaPort::Install(RdmaContext& context, RdmaNode& owner, uint16_t index, uint32_t id)
{
    m_context = &context;
    m_owner = &owner;
    m_index = index;
    m_id = id;
}

void
RdmaPort::Connect(RdmaPort& peer, uint64_t rate, int64_t delay, double errorRate)
{
    NS_ASSERT_MSG(m_context, "install the port before it is connected");
    NS_ABORT_MSG_IF(rate == 0, "RdmaPort::Connect: a rate of 0 bit/s, but it must be more");
    NS_ABORT_MSG_IF(delay < 0,
                    "RdmaPort::Connect: a delay of " << delay << " time steps, but it must be 0 or "
                                                     << "more");
    m_peer = &peer;
    m_rate = rate;
    m_delay = delay;
    SetErrorRate(errorRate);
    m_linkUp = true;
    m_toHost = !peer.m_owner->IsTransit();
    std::vector<uint64_t>& rates = m_context->rates;
    const auto known = std::find(rates.begin(), rates.end(), rate);
    m_rateIndex = static_cast<uint8_t>(known - rates.begin());
    if (known == rates.end())
    {
        NS_ABORT_MSG_IF(rates.size() > 255, "a network has at most 256 different link rates");
        rates.push_back(rate);
    }
}

void
RdmaPort::SetErrorRate(double errorRate)
{
    NS_ABORT_MSG_IF(!(errorRate >= 0 && errorRate <= 1),
                    "RdmaPort::SetErrorRate: " << errorRate
                                               << " is no probability; it must be from 0 to 1");
    if (m_context->eventQueue)
    {
        m_context->eventQueue->Join(); // the context is the network's
    }
    if (m_context->observer && errorRate != m_errorRate)
    {
        m_context->observer->LinkChanging(*this, *m_peer);
    }
    m_errorRate = errorRate;
    m_context->anyLoses = m_context->anyLoses || errorRate > 0;
}

void
RdmaPort::Trigger()
{
    if (MaySend())
    {
        m_owner->PortFree(*this);
    }
}

void
RdmaPort::TriggerRunning()
{
    if (MaySendRunning())
    {
        m_owner->PortFree(*this);
    }
}

void
RdmaPort::Touch()
{
    if (m_context->observer && !m_context->Postpone(RdmaNotice::What::TOUCHED, nullptr, this))
    {
        m_context->observer->PortTouched(*this);
    }
}

void
RdmaPort::FetchDelivery(uint32_t stage) const
{
    const RdmaFrame* frame = m_wire.Front();
    if (!frame)
    {
        return;
    }
    if (stage == 1)
    {
        RdmaFetch(frame, 1);
        RdmaFetch(&m_peer->m_context);
    }
    else if (stage == 2)
    {
        RdmaFetch(frame->next);
        RdmaFetch(m_peer->m_owner, NODE_LINES - 1);
    }
    else
    {
        m_peer->m_owner->FetchReceipt(*m_peer, *frame, stage - 2);
    }
}

void
RdmaPort::FetchTrigger(uint32_t stage) const
{
    FetchSending(stage);
    if (stage == 2)
    {
        RdmaFetch(m_owner, NODE_LINES - 1);
    }
    else if (stage > 2)
    {
        m_owner->FetchSending(*this, stage - 2);
    }
}

void
RdmaPort::FetchSending(uint32_t stage) const
{
    if (stage == 1)
    {
        RdmaFetch(this, 3);
        RdmaFetch(&m_delay, 1);
    }
    else if (stage == 2)
    {
        RdmaFetch(m_wire.IsEmpty() ? nullptr : m_wire.Back());
        queues.FetchEnds();
    }
}

void
RdmaPort::Start(RdmaFrame* frame)
{
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    m_txEndTime = eventQueue.Now() + CachedTransmissionTime(frame->wireBytes);
    m_txEndPlace = eventQueue.ReserveSequence();
    const int64_t arrivalTime = m_txEndTime + m_delay;
    // One place does for both: they are at different times, so never compared with each other.
    const uint64_t arrivalPlace = m_delay > 0 ? m_txEndPlace : eventQueue.ReserveSequence();
    if (m_wire.IsEmpty())
    {
        eventQueue.ScheduleAt(m_arrival, arrivalTime, arrivalPlace);
    }
    else
    {
        m_wire.Back()->nextArrivalTime = arrivalTime;
        m_wire.Back()->nextArrivalPlace = arrivalPlace;
    }
    m_wire.Push(frame);
    ExpectEnd(*frame, arrivalTime);
    const RdmaFrameKind kind = frame->kind; // which of them comes is guessed wrong: no branches
    m_context->counters.packetHops += kind == RdmaFrameKind::DATA;
    m_context->counters.ackHops += kind == RdmaFrameKind::ACK || kind == RdmaFrameKind::NACK;
    txBeginTrace(*frame);
}

bool
RdmaPort::DrawsLoss(const RdmaFrame& frame) const
{
    if (frame.kind == RdmaFrameKind::CREDIT)
    {
        return false; // links repeat what they say of credits
    }
    const RdmaQueuePair* qp = frame.qp;
    const uint64_t flow = qp ? qp->GetDrawId() : 0;
    const uint64_t number = qp ? RdmaLossNumber(frame.kind, frame.again, qp->PacketsIn(frame.seq))
                               : RdmaLossNumber(frame.kind, 0, frame.serial);
    return RdmaUniform(m_context->seed, RdmaDraw::LINK_ERROR, m_id, flow, number) < m_errorRate;
}

void
RdmaPort::Deliver()
{
    RdmaFrame* frame = m_wire.Pop();
    if (const RdmaFrame* following = m_wire.Front())
    {
        // it was last touched a link's delay ago, and was fetched when the one before came
        RdmaFetch(following->next, 1);
        FetchReceiver(*following, m_toHost);
        m_context->eventQueue->ScheduleAt(m_arrival,
                                          frame->nextArrivalTime,
                                          frame->nextArrivalPlace);
    }
    m_peer->Arrive(frame);
}

/** As RdmaPort::Deliver. */
void
RdmaPort::Flight::Deliver()
{
    RdmaFrame* frame = frames.Pop();
    if (const RdmaFrame* following = frames.Front())
    {
        RdmaFetch(following->next, 1);
        FetchReceiver(*following, toHost);
        peer->m_context->eventQueue->ScheduleAt(arrival,
                                                frame->nextArrivalTime,
                                                frame->nextArrivalPlace);
    }
    peer->Arrive(frame);
}

void
RdmaPort::HandOver(RdmaArrivals& arrivals)
{
    arrivals.Add({&m_arrival, &m_wire, m_peer, m_arrival.GetDue(), m_toHost});
}

/** As RdmaPort::HandOver. */
void
RdmaPort::Flight::HandOver(RdmaArrivals& arrivals)
{
    arrivals.Add({&arrival, &frames, peer, arrival.GetDue(), toHost});
}

void
RdmaPort::Arrive(RdmaFrame* frame)
{
    if (m_context->anyLoses && m_peer->Loses(*frame))
    {
        if (m_credits)
        {
            ReturnCredit(frame->ingress, frame->wireBytes); // it takes no memory here
        }
        m_peer->Drop(frame, RdmaDropReason::LINK_ERROR, *m_context);
        return;
    }
    rxTrace(*frame);
    if (!frame->qp && frame->kind != RdmaFrameKind::PACKET)
    {
        frame->kind == RdmaFrameKind::PFC ? ReceivePfc(frame) : ReceiveCredit(frame);
        return;
    }
    m_owner->Receive(*this, frame);
}

void
RdmaPort::ReceivePfc(RdmaFrame* frame)
{
    const RdmaPfc pfc = frame->pfc;
    m_context->frames.Give(frame);
    --m_context->held;
    const auto bit = static_cast<uint8_t>(1U << pfc.queue);
    const bool pause = pfc.pauseTime > 0;
    ++(pause ? m_context->counters.pauses : m_context->counters.resumes);
    if (!m_context->Postpone(pause ? RdmaNotice::What::PAUSED : RdmaNotice::What::RESUMED,
                             nullptr,
                             this,
                             pfc.queue))
    {
        pfcTrace(pfc.queue, pause);
        (*m_context->pfcTrace)(*this, pfc.queue, pause);
        if (m_context->observer)
        {
            m_context->observer->PauseSeen(*this);
        }
        TellPaused(pfc.queue, pause);
    }
    if (pause)
    {
        SetPaused(m_paused | bit);
        return;
    }
    SetPaused(m_paused & ~bit);
    Trigger();
}

/** \param paused bit q: of queue q, by PFC */
void
RdmaPort::SetPaused(uint8_t paused)
{
    m_context->held += uint32_t{paused != 0} - uint32_t{m_paused != 0};
    m_paused = paused;
}

void
RdmaPort::Drop(RdmaFrame* frame, RdmaDropReason reason, RdmaContext& context)
{
    RdmaCounters& counters = context.counters;
    switch (reason)
    {
    case RdmaDropReason::BUFFER:
        ++counters.bufferDrops;
        ++m_bufferDrops;
        break;
    case RdmaDropReason::LINK_ERROR:
        ++counters.linkErrors;
        break;
    case RdmaDropReason::LINK_DOWN:
        ++counters.linkDownDrops;
        break;
    case RdmaDropReason::NO_ROUTE:
        ++counters.routeDrops;
        break;
    }
    dropTrace(*frame, reason);
    if (frame->qp)
    {
        const bool isData = frame->kind == RdmaFrameKind::DATA;
        context.TellFrame(
            {frame->qp,
             isData ? RdmaFrameNews::What::DATA_LOST : RdmaFrameNews::What::REPLY_LOST,
             isData ? frame->seq + frame->payloadBytes : 0});
    }
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        frame->nonRdma.packet->Unref();
    }
    if (frame->kind == RdmaFrameKind::CREDIT)
    {
        KeepCredit(*frame);
    }
    context.held -= frame->kind == RdmaFrameKind::PFC;
    context.frames.Give(frame);
}

} // namespace ns3
