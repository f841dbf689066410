/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/assert.h"
#include "ns3/packet.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-node.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{
constexpr uint32_t NODE_LINES = 4; //!< cache lines of a node that a frame touches
} // namespace

RdmaPort::RdmaPort()
    : m_arrival(this),
      m_txEnd(this)
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
    if (m_context->eventQueue)
    {
        m_context->eventQueue->Join(); // the context is the network's
    }
    m_errorRate = errorRate;
    m_context->anyLoses = m_context->anyLoses || errorRate > 0;
}

void
RdmaPort::Trigger()
{
    if (m_frozen)
    {
        Touch();
        return;
    }
    TriggerRunning();
}

void
RdmaPort::TriggerRunning()
{
    if (m_shared)
    {
        PassBackground();
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
    if (m_context->observer)
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
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    m_txEndTime = eventQueue.Now() + CachedTransmissionTime(frame->wireBytes);
    m_txEndPlace = eventQueue.ReserveSequence();
    const int64_t arrivalTime = m_txEndTime + m_delay;
    const uint64_t arrivalPlace = eventQueue.ReserveSequence();
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
    if (m_toHost && frame->last && eventQueue.IsSplit())
    {
        m_context->tellings.push_back(arrivalTime);
    }
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

void
RdmaPort::Pass(int64_t time, uint32_t bytes)
{
    m_txEndTime = std::max(m_txEndTime, time) + CachedTransmissionTime(bytes);
    m_txEndPlace = m_context->eventQueue->ReserveSequence();
}

void
RdmaPort::PassUnseen(int64_t bytes)
{
    const int64_t unit = GetTelemetryUnit();
    m_unseen = ((m_unseen + bytes) % unit + unit) % unit;
}

void
RdmaPort::PassBackground()
{
    const int64_t now = m_context->eventQueue->Now();
    if (m_background)
    {
        // More than a few that came while nothing else did have left.
        constexpr int64_t RECENT = 16;
        const int64_t passing = std::max<int64_t>((now - m_passedUntil) / m_backgroundInterval, 0);
        const int64_t recent = std::min(passing, RECENT);
        const int64_t bytes = passing * m_backgroundFrame;
        m_txBytes += static_cast<uint64_t>(bytes);
        PassUnseen(-bytes); // flows are credited with theirs
        for (int64_t i = passing - recent + 1; i <= passing; ++i)
        {
            Pass(m_passedUntil + i * m_backgroundInterval, m_backgroundFrame);
        }
        m_passedUntil += passing * m_backgroundInterval;
    }
    for (; m_comingFirst < m_coming.size() && m_coming[m_comingFirst].time <= now; ++m_comingFirst)
    {
        Pass(m_coming[m_comingFirst].time, m_coming[m_comingFirst].bytes);
        m_txBytes += m_coming[m_comingFirst].bytes;
    }
    ForgetPassed();
    m_shared = m_background || !m_coming.empty();
}

void
RdmaPort::ForgetPassed()
{
    // Rarely, for as many have to be moved as still come.
    if (m_comingFirst >= m_coming.size() - m_comingFirst)
    {
        m_coming.erase(m_coming.begin(), m_coming.begin() + m_comingFirst);
        m_comingFirst = 0;
    }
}

void
RdmaPort::ChangeBackground(int64_t difference, uint32_t frame)
{
    if (m_shared && !m_frozen)
    {
        PassBackground();
    }
    m_passed = GetPassed();
    m_passedAt = m_context->eventQueue->Now();
    m_background += difference;
    m_backgroundFrame = frame;
    m_backgroundInterval =
        m_context->clock.TransmissionTime(frame, std::max<int64_t>(m_background, 1));
    // The clock may stand at a past time, up to which all has passed.
    m_passedUntil = std::max(m_passedUntil, m_context->eventQueue->Now());
    m_shared = m_background || !m_coming.empty();
}

double
RdmaPort::GetPassed() const
{
    return m_passed + static_cast<double>(m_background) *
                          static_cast<double>(m_context->eventQueue->Now() - m_passedAt);
}

void
RdmaPort::StartMeanPassing()
{
    m_passed = 0;
    m_passedAt = m_meanSince = m_context->eventQueue->Now();
}

int64_t
RdmaPort::GetMeanPassing() const
{
    const int64_t span = m_context->eventQueue->Now() - m_meanSince;
    return span > 0 ? static_cast<int64_t>(GetPassed() / static_cast<double>(span)) : m_background;
}

void
RdmaPort::ShiftPassing(int64_t shift)
{
    m_passedUntil = m_context->eventQueue->Now();
    for (Coming& frame : m_coming)
    {
        frame.time += shift;
    }
    while (m_comingFirst < m_coming.size() && m_coming[m_comingFirst].time < m_passedUntil)
    {
        PassUnseen(m_coming[m_comingFirst].bytes);
        ++m_comingFirst;
    }
    ForgetPassed();
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame, int64_t time, bool counts)
{
    const bool first = !m_owner->IsTransit() || frame.kind == RdmaFrameKind::CNP;
    const uint64_t ahead =
        m_assumedQueue + queues.GetBytes(0) + (first ? 0 : queues.GetBytes(frame.priority));
    int64_t start = time;
    if (counts)
    {
        const auto perSecond = static_cast<double>(m_context->clock.StepsPerNs()) * 1e9;
        m_passed += 8.0 * frame.wireBytes * perSecond;
        m_backgroundFrame = m_backgroundFrame ? m_backgroundFrame : frame.wireBytes;
    }
    if (counts && !m_frozen)
    {
        PassBackground(); // also where nothing else happens that would
        // At its own time, in between the frames that it travels with.
        const auto later = [](int64_t t, const Coming& other) { return t < other.time; };
        const auto first = m_coming.begin() + m_comingFirst;
        m_coming.insert(std::upper_bound(first, m_coming.end(), time, later),
                        {time, frame.wireBytes});
        m_shared = true;
        start = std::max(start, m_txEndTime);
    }
    else
    {
        PassUnseen(frame.wireBytes);
    }
    const int64_t transmission =
        ahead > 0 ? TransmissionTime(static_cast<uint32_t>(ahead) + frame.wireBytes)
                  : CachedTransmissionTime(frame.wireBytes);
    return start + transmission + m_delay;
}

void
RdmaPort::ForwardPfc(RdmaFrame* frame)
{
    const auto isFree = [](const auto& arrival) { return arrival->frame == nullptr; };
    auto free = std::find_if(m_pfcArrivals.begin(), m_pfcArrivals.end(), isFree);
    if (free == m_pfcArrivals.end())
    {
        free = m_pfcArrivals.insert(free, std::make_unique<PfcArrival>());
    }
    (*free)->to = m_peer;
    (*free)->frame = frame;
    m_context->eventQueue->Schedule(**free,
                                    m_context->eventQueue->Now() +
                                        TransmissionTime(frame->wireBytes) + m_delay);
}

bool
RdmaPort::DrawsLoss(const RdmaFrame& frame) const
{
    if (frame.kind == RdmaFrameKind::CREDIT)
    {
        return false; // links repeat what they say of credits
    }
    const uint64_t flow = frame.qp ? frame.qp->GetId() + 1 : 0;
    const uint64_t serial = static_cast<uint64_t>(frame.kind) << 32 | frame.serial;
    return RdmaUniform(m_context->seed, RdmaDraw::LINK_ERROR, m_id, flow, serial) < m_errorRate;
}

/** Takes \p frame, which came in here. */
inline void
RdmaPort::Accept(RdmaFrame* frame)
{
    rxTrace(*frame);
    if (!frame->qp && frame->kind != RdmaFrameKind::PACKET)
    {
        frame->kind == RdmaFrameKind::PFC ? ReceivePfc(frame) : ReceiveCredit(frame);
        return;
    }
    m_owner->Receive(*this, frame);
}

void
RdmaPort::Deliver()
{
    RdmaFrame* frame = m_wire.Pop();
    if (const RdmaFrame* following = m_wire.Front())
    {
        // it was last touched a link's delay ago, and was fetched when the one before came
        RdmaFetch(following->next, 1);
        if (m_toHost)
        {
            following->qp ? following->qp->Fetch(*following, 1) : void();
        }
        else
        {
            RdmaFetch(following->route);
        }
        m_context->eventQueue->ScheduleAt(m_arrival,
                                          frame->nextArrivalTime,
                                          frame->nextArrivalPlace);
    }
    if (Loses(*frame))
    {
        if (m_credits)
        {
            m_peer->ReturnCredit(frame->ingress, frame->wireBytes); // it takes no memory there
        }
        Drop(frame, RdmaDropReason::LINK_ERROR);
        return;
    }
    m_peer->Accept(frame);
}

/** As RdmaPort::Deliver. */
void
RdmaPort::Crossing::Deliver()
{
    RdmaFrame* frame = frames.Pop();
    RdmaContext& context = *peer->m_context;
    if (const RdmaFrame* following = frames.Front())
    {
        RdmaFetch(following->next, 1);
        RdmaFetch(following->route);
        context.eventQueue->ScheduleAt(arrival, frame->nextArrivalTime, frame->nextArrivalPlace);
    }
    if (loses && from->Loses(*frame))
    {
        if (peer->m_credits)
        {
            peer->ReturnCredit(frame->ingress, frame->wireBytes);
        }
        from->Drop(frame, RdmaDropReason::LINK_ERROR, context);
        return;
    }
    peer->Accept(frame);
}

void
RdmaPort::ReceivePfc(RdmaFrame* frame)
{
    const RdmaPfc pfc = frame->pfc;
    m_context->frames.Give(frame);
    const auto bit = static_cast<uint8_t>(1U << pfc.queue);
    const bool pause = pfc.pauseTime > 0;
    ++(pause ? m_context->counters.pauses : m_context->counters.resumes);
    if (!m_context->Postpone(pause ? RdmaNotice::What::PAUSED : RdmaNotice::What::RESUMED,
                             nullptr,
                             this,
                             pfc.queue))
    {
        pfcTrace(pfc.queue, pause);
        if (m_context->observer)
        {
            m_context->observer->PauseSeen(*this);
        }
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
        context.TellFrame(*frame->qp,
                          frame->kind == RdmaFrameKind::DATA ? RdmaFrameNews::What::DATA_LOST
                                                             : RdmaFrameNews::What::REPLY_LOST);
    }
    if (frame->kind == RdmaFrameKind::PACKET)
    {
        frame->nonRdma.packet->Unref();
    }
    if (frame->kind == RdmaFrameKind::CREDIT)
    {
        KeepCredit(*frame);
    }
    context.frames.Give(frame);
}

RdmaPort*
RdmaPort::GetIfCut()
{
    return m_crossing && m_crossing->used ? this : nullptr;
}

void
RdmaPort::Cut()
{
    if (!m_crossing)
    {
        m_crossing = std::make_unique<Crossing>(this);
    }
    m_crossing->used = true;
    m_crossing->peer = m_peer;
    m_crossing->loses = m_errorRate > 0;
    m_crossing->arrival.SetProcess(m_arrival.GetProcess());
}

RdmaEvent*
RdmaPort::Land(const RdmaDue& due, RdmaFrameFifo& frames)
{
    RdmaFrameFifo& flying = m_crossing->frames;
    const bool first = flying.IsEmpty();
    if (!first)
    {
        flying.Back()->nextArrivalTime = due.time;
        flying.Back()->nextArrivalPlace = due.place;
    }
    flying.Append(frames);
    return first ? &m_crossing->arrival : nullptr;
}

void
RdmaPort::Uncut()
{
    if (!m_crossing || !m_crossing->used)
    {
        return;
    }
    m_crossing->used = false;
    m_wire.Append(m_crossing->frames);
    if (m_crossing->arrival.IsPending())
    {
        const RdmaDue due = m_crossing->arrival.GetDue();
        m_context->eventQueue->Cancel(m_crossing->arrival);
        m_context->eventQueue->ScheduleAt(m_arrival, due.time, due.place);
    }
}

void
RdmaPort::CancelEvents()
{
    if (m_crossing)
    {
        m_context->eventQueue->Cancel(m_crossing->arrival);
    }
    m_context->eventQueue->Cancel(m_txEnd);
    m_context->eventQueue->Cancel(m_arrival);
    for (const auto& arrival : m_pfcArrivals)
    {
        m_context->eventQueue->Cancel(*arrival);
    }
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
        TellCredits();
        return;
    }
    m_context->eventQueue->Cancel(m_arrival);
    while (!m_wire.IsEmpty())
    {
        ForgetInFlight(*m_wire.Front());
        Drop(m_wire.Pop(), RdmaDropReason::LINK_DOWN);
    }
    m_paused = m_credits ? m_credits->GetShort() : 0; // whoever paused us can no longer resume
}

} // namespace ns3
