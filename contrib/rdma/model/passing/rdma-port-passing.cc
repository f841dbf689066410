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

void
RdmaPort::Passing::Insert(const Coming& frame)
{
    if (coming.empty() || coming.back().time <= frame.time)
    {
        coming.push_back(frame);
        return;
    }
    const auto later = [](int64_t time, const Coming& other) { return time < other.time; };
    const auto first = coming.begin() + comingFirst;
    coming.insert(std::upper_bound(first, coming.end(), frame.time, later), frame);
}

void
RdmaPort::Passing::Delay(const Coming& frame, int64_t delay)
{
    const auto isIt = [&frame](const Coming& other) {
        return other.qp == frame.qp && other.serial == frame.serial;
    };
    const auto it = std::find_if(coming.begin() + comingFirst, coming.end(), isIt);
    if (it != coming.end())
    {
        it->time += delay;
        const auto isEarlier = [it](const Coming& other) { return other.time <= it->time; };
        std::rotate(it, it + 1, std::find_if_not(it + 1, coming.end(), isEarlier));
    }
}

void
RdmaPort::Passing::ForgetPassed()
{
    // Rarely, for as many have to be moved as still come.
    if (comingFirst >= coming.size() - comingFirst)
    {
        coming.erase(coming.begin(), coming.begin() + comingFirst);
        comingFirst = 0;
    }
}

int64_t
RdmaPort::Passing::NextPass() const
{
    int64_t next = NEVER;
    if (GetOwn() > 0)
    {
        next = passedUntil + backgroundInterval;
    }
    if (comingFirst < coming.size())
    {
        next = std::min(next, coming[comingFirst].time);
    }
    return next;
}

/** \return what passes besides; from now on there is memory for it */
RdmaPort::Passing&
RdmaPort::GetPassing()
{
    if (!m_passing)
    {
        m_passing = std::make_unique<Passing>();
        m_passing->carries = !m_frozen;
    }
    return *m_passing;
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
    unseen = ((unseen + bytes) % unit + unit) % unit;
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
    uint64_t bytes = 0;
    for (size_t i = m_passing ? m_passing->comingFirst : 0;
         m_passing && i < m_passing->coming.size();
         ++i)
    {
        // Flows are credited with theirs of the background.
        bytes += m_passing->coming[i].qp ? m_passing->coming[i].bytes : 0;
    }
    return bytes;
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
    for (Passing::Coming& frame : besides.coming)
    {
        frame.time += shift;
        frame.start += shift;
    }
    while (besides.comingFirst < besides.coming.size() &&
           besides.coming[besides.comingFirst].time < besides.passedUntil)
    {
        const Passing::Coming& frame = besides.coming[besides.comingFirst++];
        PassUnseen(frame.qp ? frame.bytes : 0);
    }
    besides.ForgetPassed();
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame,
                  int64_t time,
                  bool counts,
                  RdmaPort* before,
                  RdmaPort* next)
{
    const bool first = !m_owner->IsTransit() || frame.kind == RdmaFrameKind::CNP;
    const uint64_t ahead =
        GetAssumedQueue() + queues.GetBytes(0) + (first ? 0 : queues.GetBytes(frame.priority));
    int64_t start = time;
    Passing& besides = GetPassing();
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
        besides.Insert({time, start, frame.wireBytes, frame.serial, frame.qp, before, next});
        m_shared = true;
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
RdmaPort::CancelPassing()
{
    for (size_t i = 0; m_passing && i < m_passing->pfcArrivals.size(); ++i)
    {
        m_context->eventQueue->Cancel(*m_passing->pfcArrivals[i]);
    }
}

} // namespace ns3
