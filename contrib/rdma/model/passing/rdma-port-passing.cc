/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port-passing.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// What passes at a port without being simulated hop by hop: single frames, and what is counted.

namespace ns3
{

namespace
{

/** \return bytes of \p sum that are not a whole \p unit */
int64_t
PartOf(int64_t sum, int64_t unit)
{
    // mostly of one small frame more, and divisions take long
    sum += sum < 0 ? unit : sum >= unit ? -unit : 0;
    return sum < 0 || sum >= unit ? (sum % unit + unit) % unit : sum;
}

} // namespace

double
RdmaPort::Passing::GetPassed(int64_t now) const
{
    return passed + static_cast<double>(background) * static_cast<double>(now - passedAt);
}

/** Sets Passing::fromDelay, for \c from has changed. */
void
RdmaPort::SetFromDelay()
{
    m_passing->fromDelay = Passing::NEVER / 2;
    for (const RdmaPort* port : m_passing->from)
    {
        m_passing->fromDelay = std::min(m_passing->fromDelay, port->m_delay);
    }
    m_nextLook = 0;
}

void
RdmaPort::Passing::SetShares()
{
    for (Onward& part : onward)
    {
        const auto of = static_cast<double>(std::max(background, part.rate));
        part.share = static_cast<uint64_t>(static_cast<double>(part.rate) / of *
                                           static_cast<double>(Onward::WHOLE));
    }
}

RdmaPort::Passing&
RdmaPort::MakePassing()
{
    m_passing = std::make_unique<Passing>();
    m_passing->carries = !m_frozen;
    m_passing->by.SetPort(*this);
    return *m_passing;
}

void
RdmaPort::SetShared(bool shared)
{
    RdmaContext::Count(m_context->besides, m_shared, shared);
}

void
RdmaPort::AssumeQueue(uint64_t bytes)
{
    if (bytes || m_passing)
    {
        GetPassing().assumedQueue = bytes;
    }
}

uint64_t
RdmaPort::GetAssumedQueue() const
{
    return m_passing ? m_passing->assumedQueue : 0;
}

int64_t
RdmaPort::GetBackground() const
{
    return m_passing ? m_passing->background : 0;
}

void
RdmaPort::PassUnseen(int64_t bytes)
{
    int64_t& unseen = GetPassing().unseen;
    unseen = PartOf(unseen + bytes, GetTelemetryUnit());
}

void
RdmaPort::PassCredited(int64_t bytes)
{
    int64_t& credited = GetPassing().credited;
    credited = PartOf(credited + bytes, GetTelemetryUnit());
}

void
RdmaPort::CountCredited(int64_t some)
{
    if (m_passing || some != 0)
    {
        PassUnseen(std::exchange(GetPassing().credited, some) - some);
        if (2 * m_passing->unseen > GetTelemetryUnit())
        {
            m_passing->unseen -= GetTelemetryUnit(); // as if less had passed, by less
        }
    }
}

int64_t
RdmaPort::GetCredited() const
{
    return m_passing ? m_passing->credited : 0;
}

void
RdmaPort::CountUnseen()
{
    if (m_passing)
    {
        CountCredited();
        CountPassed();
    }
}

/** Counts the bytes of PassUnseen as having left, but for those that are to come alone. */
void
RdmaPort::CountPassed()
{
    PassNow();
    int64_t& unseen = m_passing->unseen;
    const int64_t toCome = m_passing->coming.AloneUntil(INT64_MAX);
    const int64_t passed = toCome > 0 ? PartOf(unseen - toCome, GetTelemetryUnit()) : unseen;
    m_txBytes += static_cast<uint64_t>(passed);
    unseen -= passed;
}

void
RdmaPort::StartMeanPassing()
{
    Passing& besides = GetPassing();
    besides.passed = 0;
    besides.passedAt = besides.meanSince = m_context->eventQueue->Now();
}

int64_t
RdmaPort::GetMeanPassing() const
{
    if (!m_passing)
    {
        return 0;
    }
    const int64_t now = m_context->eventQueue->Now();
    const int64_t span = now - m_passing->meanSince;
    return span > 0 ? static_cast<int64_t>(m_passing->GetPassed(now) / static_cast<double>(span))
                    : m_passing->background;
}

uint32_t
RdmaPort::GetBackgroundFrame() const
{
    return m_passing ? m_passing->backgroundFrame : 0;
}

int64_t
RdmaPort::GetUnseen() const
{
    return m_passing ? m_passing->unseen + m_passing->credited : 0;
}

int64_t
RdmaPort::GetBusyTime()
{
    const int64_t now = m_context->eventQueue->Now();
    if (!m_frozen)
    {
        PassNow();
        return std::max<int64_t>(m_txEndTime - now, 0);
    }
    const uint32_t bytes = m_passing ? m_passing->coming.AloneUntil(now) : 0;
    return bytes > 0 ? TransmissionTime(bytes) : 0;
}

int64_t
RdmaPort::GetLastToCome() const
{
    return m_passing && !m_passing->coming.IsEmpty() ? m_passing->coming.Back().time : 0;
}

void
RdmaPort::ShiftPassing(int64_t shift)
{
    if (!m_passing)
    {
        return;
    }
    Passing& besides = *m_passing;
    besides.passedUntil = m_context->eventQueue->Now();
    besides.coming.Shift(shift);
    while (!besides.coming.IsEmpty() && besides.coming.Front().time < besides.passedUntil)
    {
        const RdmaComing::Frame frame = besides.coming.Pop();
        if (!frame.background)
        {
            Pass(frame.time, frame.bytes); // it may take the link beyond now
        }
    }
    m_nextLook = 0;
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame, int64_t time, bool counts)
{
    if (counts && !m_frozen)
    {
        PassNow();
        PassAlone(time, frame.wireBytes); // at its own time, in between the frames that it is among
        time = std::max(time, m_txEndTime);
    }
    PassUnseen(frame.wireBytes);
    return time + GetLatency(frame);
}

/** \return how long \p frame takes to the other end, by what is queued now; time steps */
int64_t
RdmaPort::GetLatency(const RdmaFrame& frame)
{
    uint64_t ahead = GetPassing().assumedQueue + queues.GetBytes(0);
    if (const uint64_t queued = queues.GetBytes(frame.priority))
    {
        ahead += m_owner->IsTransit() && frame.kind != RdmaFrameKind::CNP ? queued : 0;
    }
    return m_delay + (ahead > 0 ? TransmissionTime(static_cast<uint32_t>(ahead) + frame.wireBytes)
                                : CachedTransmissionTime(frame.wireBytes));
}

void
RdmaPort::HurryBy()
{
    if (!GetFirstBy())
    {
        return;
    }
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    Flight& by = m_passing->by;
    const RdmaDue due = by.arrival.GetDue();
    const int64_t now = eventQueue.Now();
    int64_t last = 0;
    const auto hurry = [&](const RdmaFrame& frame, int64_t time) {
        last = std::max(last, std::min(time, now + GetLatency(frame)));
        ExpectEndBy(frame, last);
    };
    hurry(*by.frames.Front(), due.time);
    eventQueue.ScheduleAt(by.arrival, last, due.place);
    for (RdmaFrame* frame = by.frames.Front(); frame->next; frame = frame->next)
    {
        hurry(*frame->next, frame->nextArrivalTime);
        frame->nextArrivalTime = last;
    }
    m_passing->byLast = last;
}

void
RdmaPort::PassBy(RdmaFrame* frame)
{
    Passing& besides = GetPassing();
    const auto perSecond = static_cast<double>(m_context->clock.StepsPerNs()) * 1e9;
    besides.passed += 8.0 * frame->wireBytes * perSecond;
    besides.backgroundFrame = besides.backgroundFrame ? besides.backgroundFrame : frame->wireBytes;
    PutBy(frame, Forward(*frame, m_context->eventQueue->Now(), true));
}

/** \p frame arrives at the other end at \p time, or after others that have passed by. */
void
RdmaPort::PutBy(RdmaFrame* frame, int64_t time)
{
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    Passing& besides = GetPassing();
    besides.byLast = std::max(besides.byLast, time);
    const RdmaDue due{besides.byLast, eventQueue.ReserveSequence()};
    ExpectEndBy(*frame, due.time);
    // It may arrive at another thread, or later than places of a window are known.
    const bool later = !besides.leftBy.empty() || due.time - eventQueue.Now() >= m_context->window;
    if (eventQueue.IsInWindow() && later)
    {
        ListPassed();
        besides.leftBy.emplace_back(frame, due);
        return;
    }
    SendBy(frame, due);
}

/** As ExpectEnd, of a frame that passes by, which may be on its way for longer than others. */
void
RdmaPort::ExpectEndBy(const RdmaFrame& frame, int64_t time)
{
    if (m_toHost && frame.last)
    {
        m_context->ExpectTelling(time);
    }
}

/** \p frame has passed by, and arrives when it is \p due. */
void
RdmaPort::SendBy(RdmaFrame* frame, const RdmaDue& due)
{
    RdmaFrameFifo one;
    one.Push(frame);
    if (RdmaEvent* const event = m_passing->by.Add(due, one))
    {
        m_context->eventQueue->ScheduleAt(*event, due.time, due.place);
    }
}

void
RdmaPort::SetProcessBy(uint32_t process)
{
    if (m_passing)
    {
        m_passing->by.arrival.SetProcess(process);
    }
}

const RdmaFrame*
RdmaPort::GetFirstBy() const
{
    return m_passing ? m_passing->by.frames.Front() : nullptr;
}

RdmaDue
RdmaPort::GetDueBy() const
{
    return m_passing ? m_passing->by.arrival.GetDue() : RdmaDue{};
}

void
RdmaPort::ForwardPfc(RdmaFrame* frame)
{
    if (m_passing && m_passing->late)
    {
        SendAhead(frame);
        return;
    }
    std::vector<std::unique_ptr<Passing::PfcArrival>>& arrivals = GetPassing().pfcArrivals;
    const auto isFree = [](const auto& arrival) { return arrival->frame == nullptr; };
    auto free = std::find_if(arrivals.begin(), arrivals.end(), isFree);
    if (free == arrivals.end())
    {
        free = arrivals.insert(free, std::make_unique<Passing::PfcArrival>());
    }
    (*free)->to = m_peer;
    (*free)->frame = frame;
    m_context->eventQueue->Schedule(**free,
                                    m_context->eventQueue->Now() +
                                        TransmissionTime(frame->wireBytes) + m_delay);
}

void
RdmaPort::PassAlone(int64_t time, uint32_t bytes)
{
    Passing& besides = GetPassing();
    besides.coming.Add({time, bytes, false});
    m_nextLook = std::min(m_nextLook, time);
    SetShared(true);
}

void
RdmaPort::PassAloneOnce(int64_t time, uint32_t bytes)
{
    const int64_t within = CachedTransmissionTime(bytes);
    if (!GetPassing().coming.HasAlone(time - within, time + within))
    {
        PassAlone(time, bytes);
    }
}

void
RdmaPort::ForgetAlone(int64_t until)
{
    if (m_passing)
    {
        m_passing->coming.Forget([until](const RdmaComing::Frame& frame) {
            return !frame.background && frame.time < until;
        });
    }
}

void
RdmaPort::CancelPassing()
{
    for (size_t i = 0; m_passing && i < m_passing->pfcArrivals.size(); ++i)
    {
        m_context->eventQueue->Cancel(*m_passing->pfcArrivals[i]);
    }
}

void
RdmaPort::DropBy()
{
    if (!m_passing)
    {
        return;
    }
    m_context->eventQueue->Cancel(m_passing->by.arrival);
    while (!m_passing->by.frames.IsEmpty())
    {
        Drop(m_passing->by.frames.Pop(), RdmaDropReason::LINK_DOWN);
    }
}

} // namespace ns3
