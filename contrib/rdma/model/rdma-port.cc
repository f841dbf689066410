/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "rdma-flow-observer.h"
#include "rdma-node.h"
#include "rdma-queue-pair.h"
#include "rdma-random.h"

#include "ns3/assert.h"
#include "ns3/packet.h"

#include <algorithm>

namespace ns3
{

RdmaPort::RdmaPort()
    : m_txEnd(this),
      m_arrival(this)
{
}

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
    NS_ASSERT_MSG(m_context && rate > 0 && delay >= 0, "install the port before it is connected");
    m_peer = &peer;
    m_rate = rate;
    m_delay = delay;
    m_errorRate = errorRate;
    m_linkUp = true;
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
RdmaPort::Trigger()
{
    if (m_frozen)
    {
        Touch();
        return;
    }
    if (IsBusy())
    {
        WatchTxEnd();
    }
    else if (m_linkUp)
    {
        m_owner->PortFree(*this);
    }
}

void
RdmaPort::Touch()
{
    m_context->observer->PortTouched(*this);
}

void
RdmaPort::TxEnd::Fire()
{
    if (port->m_linkUp)
    {
        port->m_owner->PortFree(*port);
    }
}

int64_t
RdmaPort::CachedTransmissionTime(uint32_t bytes)
{
    // data and acknowledgements of a run have one size each, so two entries are enough
    const uint32_t which = bytes == m_cachedBytes[0] ? 0 : 1;
    if (bytes != m_cachedBytes[which])
    {
        std::swap(m_cachedBytes[0], m_cachedBytes[1]);
        std::swap(m_cachedTime[0], m_cachedTime[1]);
        m_cachedBytes[0] = bytes;
        m_cachedTime[0] = TransmissionTime(bytes);
        return m_cachedTime[0];
    }
    return m_cachedTime[which];
}

void
RdmaPort::Start(RdmaFrame* frame)
{
    RdmaLaneQueue& lanes = *m_context->lanes;
    int64_t begin = lanes.Now();
    if (m_passed || m_background)
    {
        begin += PassBackground(begin);
    }
    m_txEndTime = begin + CachedTransmissionTime(frame->wireBytes);
    m_txEndPlace = lanes.TakePlace();
    const int64_t arrivalTime = m_txEndTime + m_delay;
    const uint64_t arrivalPlace = lanes.TakePlace();
    if (m_wire.IsEmpty())
    {
        lanes.ScheduleAt(m_arrival, arrivalTime, arrivalPlace);
    }
    else
    {
        m_wire.Back()->nextArrivalTime = arrivalTime;
        m_wire.Back()->nextArrivalPlace = arrivalPlace;
    }
    m_wire.Push(frame);
    if (frame->kind == RdmaFrameKind::DATA)
    {
        ++m_context->counters.packetHops;
    }
    else
    {
        m_context->counters.ackHops +=
            frame->kind == RdmaFrameKind::ACK || frame->kind == RdmaFrameKind::NACK;
    }
    txBeginTrace(*frame);
}

int64_t
RdmaPort::PassBackground(int64_t now)
{
    const double stepsPerSecond =
        1e9 * static_cast<double>(std::max<int64_t>(m_context->clock.StepsPerNs(), 1));
    const auto seconds = [&](int64_t steps) {
        return static_cast<double>(std::max<int64_t>(steps, 0)) / stepsPerSecond;
    };
    const double bytes = static_cast<double>(m_passed) +
                         static_cast<double>(m_background) / 8 * seconds(now - m_passedUntil);
    // What came while the transmitter was idle has left.
    const double idle =
        static_cast<double>(m_rate) / 8 * seconds(now - std::max(m_txEndTime, m_passedUntil));
    m_passedUntil = now;
    m_passed = 0;
    m_txBytes += static_cast<uint64_t>(bytes);
    const auto whole = static_cast<uint32_t>(std::max(bytes - idle, 0.0));
    return whole ? TransmissionTime(whole) : 0;
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame, int64_t now, bool counts)
{
    const uint64_t ahead =
        queues.GetBytes(0) + (m_owner->IsTransit() ? queues.GetBytes(frame.priority) : 0);
    if (counts && !m_frozen)
    {
        m_passed += frame.wireBytes;
    }
    const int64_t busy = m_frozen || !counts ? 0 : std::max<int64_t>(m_txEndTime - now, 0);
    return busy + TransmissionTime(static_cast<uint32_t>(ahead) + frame.wireBytes) + m_delay;
}

void
RdmaPort::Deliver()
{
    RdmaFrame* frame = m_wire.Pop();
    if (const RdmaFrame* following = m_wire.Front())
    {
        // it was last touched a link's delay ago: fetch it while others are busy
        __builtin_prefetch(following);
        __builtin_prefetch(reinterpret_cast<const char*>(following) + 64);
        m_context->lanes->ScheduleAt(m_arrival, frame->nextArrivalTime, frame->nextArrivalPlace);
    }
    if (m_errorRate > 0)
    {
        const uint64_t flow = frame->qp ? frame->qp->GetId() + 1 : 0;
        const uint64_t serial = static_cast<uint64_t>(frame->kind) << 32 | frame->serial;
        if (RdmaUniform(m_context->seed, RdmaDraw::LINK_ERROR, m_id, flow, serial) < m_errorRate)
        {
            Drop(frame, RdmaDropReason::LINK_ERROR);
            return;
        }
    }
    m_peer->rxTrace(*frame);
    if (frame->kind == RdmaFrameKind::PFC)
    {
        m_peer->ReceivePfc(frame);
        return;
    }
    m_peer->m_owner->Receive(*m_peer, frame);
}

void
RdmaPort::ReceivePfc(RdmaFrame* frame)
{
    const RdmaPfc pfc = frame->pfc;
    m_context->frames.Give(frame);
    const uint32_t bit = 1U << pfc.queue;
    const bool pause = pfc.pauseTime > 0;
    ++(pause ? m_context->counters.pauses : m_context->counters.resumes);
    pfcTrace(pfc.queue, pause);
    if (m_context->observer)
    {
        m_context->observer->PauseSeen(*this);
    }
    if (pause)
    {
        m_paused |= bit;
        return;
    }
    m_paused &= ~bit;
    Trigger();
}

void
RdmaPort::Drop(RdmaFrame* frame, RdmaDropReason reason)
{
    RdmaCounters& counters = m_context->counters;
    switch (reason)
    {
    case RdmaDropReason::BUFFER:
        ++counters.bufferDrops;
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
        frame->qp->FrameLost();
    }
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        frame->passenger.packet->Unref();
    }
    m_context->frames.Give(frame);
}

void
RdmaPort::CancelEvents()
{
    m_context->lanes->Cancel(m_txEnd);
    m_context->lanes->Cancel(m_arrival);
}

void
RdmaPort::SetLinkUp(bool up)
{
    if (up == m_linkUp)
    {
        return;
    }
    m_linkUp = up;
    if (up)
    {
        return;
    }
    m_context->lanes->Cancel(m_arrival);
    while (!m_wire.IsEmpty())
    {
        Drop(m_wire.Pop(), RdmaDropReason::LINK_DOWN);
    }
    m_paused = 0; // whoever paused us can no longer resume
}

} // namespace ns3
