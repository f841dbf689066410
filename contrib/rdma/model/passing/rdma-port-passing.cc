/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port-passing.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// What passes at a port without being simulated hop by hop: single frames, and what is counted.

namespace ns3
{

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
        part.share =
            static_cast<double>(part.rate) / static_cast<double>(std::max(background, part.rate));
    }
}

RdmaPort::Passing&
RdmaPort::MakePassing()
{
    m_passing = std::make_unique<Passing>();
    m_passing->carries = !m_frozen;
    return *m_passing;
}

void
RdmaPort::SetShared(bool shared)
{
    m_context->SetApart(m_shared, shared);
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
    const int64_t unit = GetTelemetryUnit();
    int64_t& unseen = GetPassing().unseen;
    // mostly of one small frame, and divisions take long
    unseen += bytes;
    unseen += unseen < 0 ? unit : unseen >= unit ? -unit : 0;
    if (unseen < 0 || unseen >= unit)
    {
        unseen = (unseen % unit + unit) % unit;
    }
}

void
RdmaPort::CountUnseen()
{
    if (m_passing)
    {
        m_txBytes += static_cast<uint64_t>(std::exchange(m_passing->unseen, 0));
    }
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
    return m_passing ? m_passing->unseen : 0;
}

uint64_t
RdmaPort::GetBytesToCome() const
{
    return m_passing ? m_passing->coming.GetBytes() : 0; // flows are credited with the background's
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
        const RdmaComing::Frame& frame = besides.coming.Front();
        PassUnseen(frame.qp ? frame.bytes : 0);
        besides.coming.Pop();
    }
    m_nextLook = 0;
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame,
                  int64_t time,
                  bool counts,
                  RdmaPort* before,
                  RdmaPort* next)
{
    Passing& besides = GetPassing();
    uint64_t ahead = besides.assumedQueue + queues.GetBytes(0);
    if (const uint64_t queued = queues.GetBytes(frame.priority))
    {
        ahead += m_owner->IsTransit() && frame.kind != RdmaFrameKind::CNP ? queued : 0;
    }
    int64_t start = time;
    if (counts)
    {
        const auto perSecond = static_cast<double>(m_context->clock.StepsPerNs()) * 1e9;
        besides.passed += 8.0 * frame.wireBytes * perSecond;
        besides.backgroundFrame =
            besides.backgroundFrame ? besides.backgroundFrame : frame.wireBytes;
    }
    if (counts && !m_frozen)
    {
        PassBackground(); // also where nothing else happens that would
        start = std::max(start, m_txEndTime);
        // At its own time, in between the frames that it travels with.
        RdmaComing::Frame& coming = besides.coming.Add(time);
        coming.before = before;
        coming.next = next;
        coming.start = start;
        coming.qp = frame.qp;
        coming.serial = frame.serial;
        coming.bytes = frame.wireBytes;
        m_nextLook = std::min(m_nextLook, time);
        SetShared(true);
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
    besides.coming.Add(
        time) = {time, nullptr, nullptr, RdmaComing::Frame::ALONE, nullptr, 0, bytes};
    m_nextLook = std::min(m_nextLook, time);
    SetShared(true);
}

void
RdmaPort::ForgetAlone()
{
    if (m_passing)
    {
        m_passing->coming.Forget(
            [](const RdmaComing::Frame& frame) { return frame.start == RdmaComing::Frame::ALONE; });
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

} // namespace ns3
