/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-queue-pair.h"

#include "rdma-host.h"

#include "ns3/abort.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/rdma-random.h"

#include <algorithm>

namespace ns3
{

RdmaQueuePair::RdmaQueuePair(uint64_t id, const RdmaFlow& flow)
    : m_size(std::max<uint64_t>(flow.bytes, 1)),
      m_priority(flow.priority),
      m_empty(flow.bytes == 0),
      m_id(id),
      m_flow(flow),
      m_launch(this, &RdmaQueuePair::Launch),
      m_finish(this, &RdmaQueuePair::Finish),
      m_pipeArrival(this),
      m_retransmission(this, &RdmaQueuePair::CheckProgress)
{
    m_timers.Add(m_retransmission);
    m_timers.Add(m_launch);
}

RdmaQueuePair::~RdmaQueuePair() = default;

void
RdmaQueuePair::Fetch(const RdmaFrame& frame, uint32_t stage) const
{
    const bool data = frame.kind == RdmaFrameKind::DATA;
    if (stage == 1)
    {
        RdmaFetch(this, data ? 0 : 2);
        RdmaFetch(data ? static_cast<const void*>(&m_receiverNic) : &m_id);
    }
    else if (stage == 2 && !data)
    {
        constexpr uint32_t MORE_LINES = 3; // of most controls
        RdmaFetch(PeekPointer(m_control), MORE_LINES);
        if (m_scheduled)
        {
            m_sender->GetNic(*m_nic).scheduler.FetchPlace(*this);
        }
    }
}

void
RdmaQueuePair::TakeNews(const RdmaFrameNews& news)
{
    using What = RdmaFrameNews::What;
    m_framesOut += news.what == What::SENT ? 1 : -1;
    if (news.what == What::DATA_LOST || news.what == What::REPLY_LOST)
    {
        // Not up to what has been sent by now: that depends on when the news come.
        m_lost = true;
        m_recoverUntil = std::max(m_recoverUntil, news.end);
        m_dataLost += news.what == What::DATA_LOST;
    }
}

void
RdmaContext::TellFrame(const RdmaFrameNews& news)
{
    if (eventQueue->IsInWindow())
    {
        frameNews.push_back(news);
        return;
    }
    news.qp->TakeNews(news);
}

int64_t
RdmaQueuePair::GetNowNs() const
{
    return m_sender->m_context->NowNs();
}

int64_t
RdmaQueuePair::GetNowPs() const
{
    const RdmaContext& context = *m_sender->m_context;
    const int64_t steps = context.clock.StepsPerNs();
    const int64_t now = context.eventQueue->Now();
    return now / steps * 1000 + now % steps * 1000 / steps;
}

int64_t
RdmaQueuePair::GetNicDelayNs() const
{
    return m_nic->GetDelay() / m_sender->m_context->clock.StepsPerNs();
}

uint32_t
RdmaQueuePair::GetIntMultiplier() const
{
    return m_sender->m_context->intMultiplier;
}

const RdmaPint&
RdmaQueuePair::GetPint() const
{
    return *m_sender->m_context->pint;
}

double
RdmaQueuePair::Draw(uint64_t serial) const
{
    m_nic->CountDraw();
    return RdmaUniform(m_sender->m_context->seed,
                       RdmaDraw::CONTROL,
                       m_nic->GetPortId(),
                       m_id + 1,
                       serial);
}

uint64_t
RdmaQueuePair::GetLinkRate(uint8_t index) const
{
    return m_sender->m_context->rates[index];
}

/** Aborts if a timer of the control is to fire in the past. */
void
RdmaQueuePair::CheckDelay(int64_t delay, const char* unit) const
{
    NS_ABORT_MSG_IF(delay < 0,
                    (m_control ? m_control->GetInstanceTypeId().GetName() : "RdmaQueuePair")
                        << ", control of flow " << m_id << ": a timer in " << delay << " " << unit
                        << ", but it must be in 0 or more");
}

void
RdmaQueuePair::ScheduleTimer(RdmaTimer& timer, int64_t delayNs)
{
    CheckDelay(delayNs, "ns");
    m_timers.Add(timer);
    RdmaContext& context = *m_sender->m_context;
    m_sender->ScheduleTimer(timer,
                            context.eventQueue->Now() + delayNs * context.clock.StepsPerNs());
}

void
RdmaQueuePair::ScheduleTimerPs(RdmaTimer& timer, int64_t delayPs) const
{
    CheckDelay(delayPs, "ps");
    RdmaContext& context = *m_sender->m_context;
    const int64_t steps = context.clock.StepsPerNs();
    const int64_t delay = delayPs / 1000 * steps + delayPs % 1000 * steps / 1000;
    m_sender->ScheduleTimer(timer, context.eventQueue->Now() + delay);
}

void
RdmaQueuePair::CancelTimer(RdmaTimer& timer) const
{
    m_sender->GetTimers().Cancel(timer);
}

void
RdmaQueuePair::UpdateWindow()
{
    if (m_window && m_varWindow)
    {
        uint64_t scaled;
        if (!__builtin_mul_overflow(m_window, m_rate, &scaled))
        {
            scaled /= m_maxRate;
        }
        else // windows of many megabytes; a division of 128 bits is slow
        {
            __extension__ using Wide = unsigned __int128;
            scaled = static_cast<uint64_t>(static_cast<Wide>(m_window) * m_rate / m_maxRate);
        }
        m_effectiveWindow = std::max<uint64_t>(scaled, 1);
    }
    else
    {
        m_effectiveWindow = m_window;
    }
    if (m_scheduled)
    {
        m_sender->GetNic(*m_nic).scheduler.Update(*this);
    }
}

void
RdmaQueuePair::Changing()
{
    NS_ABORT_MSG_IF(!m_nic,
                    "RdmaQueuePair: the rate or window of flow "
                        << m_id << " was set, which has not begun to send; set it from when its "
                        << "sender's trace source FlowStart has fired");
    if (m_nic->IsFrozen() && m_paused) // m_nic is at hand, for each acknowledgement
    {
        m_nic->GetContext().observer->FlowChanging(*this);
    }
}

void
RdmaQueuePair::SetRate(uint64_t rate)
{
    Changing();
    if (rate == m_rate)
    {
        return;
    }
    m_pacingKnown = false;
    const uint64_t before = m_rate;
    m_rate = rate;
    UpdateWindow();
    m_sender->TraceRate(*this, before);
}

void
RdmaQueuePair::SetRateNow(uint64_t rate)
{
    Changing();
    if (rate == m_rate)
    {
        m_sender->Repace(*this, 0);
        return;
    }
    const auto pacingAt = [this](uint64_t r) {
        return r ? m_nic->GetContext().clock.TransmissionTime(m_lastWireBytes, r) : int64_t{0};
    };
    const int64_t before = m_pacingKnown ? m_pacing : pacingAt(m_rate);
    m_pacing = pacingAt(rate);
    m_pacingKnown = true;
    const uint64_t rateBefore = m_rate;
    m_rate = rate;
    UpdateWindow();
    m_sender->Repace(*this, m_pacing - before);
    m_sender->TraceRate(*this, rateBefore);
}

void
RdmaQueuePair::SetWindow(uint64_t window)
{
    Changing();
    if (window != m_window)
    {
        m_window = window;
        UpdateWindow();
        m_sender->TraceRate(*this, m_rate);
    }
}

void
RdmaQueuePair::Launch()
{
    m_sender->LaunchLater(*this);
}

void
RdmaQueuePair::PutIntoPipe(RdmaFrame& frame, const RdmaDue& due)
{
    if (m_pipe.IsEmpty())
    {
        m_pipeArrival.SetProcess(m_nic->GetProcess());
        m_nic->GetContext().eventQueue->ScheduleAt(m_pipeArrival, due.time, due.place);
    }
    else
    {
        m_pipe.Back()->nextArrivalTime = due.time;
        m_pipe.Back()->nextArrivalPlace = due.place;
    }
    m_pipe.Push(&frame);
    m_pipeLast = due.time;
    ExpectEnd(frame, due.time);
    CountPipe(true);
}

void
RdmaQueuePair::ExpectEnd(const RdmaFrame& frame, int64_t time) const
{
    if (frame.last)
    {
        m_nic->GetContext().ExpectTelling(time);
    }
}

void
RdmaQueuePair::CountPipe(bool counted)
{
    RdmaContext::Count(m_nic->GetContext().besides, m_pipeCounted, counted);
}

void
RdmaQueuePair::PipeArrives()
{
    RdmaFrame* frame = m_pipe.Pop();
    if (!m_pipe.IsEmpty())
    {
        m_nic->GetContext().eventQueue->ScheduleAt(m_pipeArrival,
                                                   frame->nextArrivalTime,
                                                   frame->nextArrivalPlace);
    }
    CountPipe(!m_pipe.IsEmpty());
    m_sender->Receive(*m_nic, frame);
}

void
RdmaQueuePair::Finish()
{
    m_sender->Finish(*this);
}

void
RdmaQueuePair::CheckProgress()
{
    m_sender->CheckProgress(*this);
}

} // namespace ns3
