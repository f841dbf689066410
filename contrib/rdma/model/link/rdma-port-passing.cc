/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port-passing.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// What passes at a port without being simulated hop by hop.

namespace ns3
{

double
RdmaPort::Passing::GetPassed(int64_t now) const
{
    return passed + static_cast<double>(background) * static_cast<double>(now - passedAt);
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
    if (background)
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
RdmaPort::Pass(int64_t time, uint32_t bytes)
{
    m_txEndTime = std::max(m_txEndTime, time) + CachedTransmissionTime(bytes);
    m_txEndPlace = m_context->eventQueue->ReserveSequence();
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
RdmaPort::PassBackground()
{
    const int64_t now = m_context->eventQueue->Now();
    Passing& besides = GetPassing();
    if (now < besides.NextPass())
    {
        return;
    }
    if (besides.background)
    {
        // More than a few that came while nothing else did have left.
        constexpr int64_t RECENT = 16;
        const int64_t passing =
            std::max<int64_t>((now - besides.passedUntil) / besides.backgroundInterval, 0);
        const int64_t recent = std::min(passing, RECENT);
        const int64_t bytes = passing * besides.backgroundFrame;
        m_txBytes += static_cast<uint64_t>(bytes);
        PassUnseen(-bytes); // flows are credited with theirs
        for (int64_t i = passing - recent + 1; i <= passing; ++i)
        {
            Pass(besides.passedUntil + i * besides.backgroundInterval, besides.backgroundFrame);
        }
        besides.passedUntil += passing * besides.backgroundInterval;
    }
    for (; besides.comingFirst < besides.coming.size(); ++besides.comingFirst)
    {
        const Passing::Coming& frame = besides.coming[besides.comingFirst];
        if (frame.time > now)
        {
            break;
        }
        Pass(frame.time, frame.bytes);
        m_txBytes += frame.bytes;
    }
    besides.ForgetPassed();
    m_shared = besides.background || !besides.coming.empty();
}

void
RdmaPort::ChangeBackground(int64_t difference, uint32_t frame)
{
    if (m_shared && !m_frozen)
    {
        PassBackground();
    }
    const int64_t now = m_context->eventQueue->Now();
    Passing& besides = GetPassing();
    besides.passed = besides.GetPassed(now);
    besides.passedAt = now;
    besides.background += difference;
    besides.backgroundFrame = frame;
    besides.backgroundInterval =
        m_context->clock.TransmissionTime(frame, std::max<int64_t>(besides.background, 1));
    // The clock may stand at a past time, up to which all has passed.
    besides.passedUntil = std::max(besides.passedUntil, now);
    m_shared = besides.background || !besides.coming.empty();
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
        bytes += m_passing->coming[i].bytes;
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
    }
    while (besides.comingFirst < besides.coming.size() &&
           besides.coming[besides.comingFirst].time < besides.passedUntil)
    {
        PassUnseen(besides.coming[besides.comingFirst].bytes);
        ++besides.comingFirst;
    }
    besides.ForgetPassed();
}

int64_t
RdmaPort::Forward(const RdmaFrame& frame, int64_t time, bool counts)
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
        // At its own time, in between the frames that it travels with.
        const auto later = [](int64_t t, const Passing::Coming& other) { return t < other.time; };
        const auto first = besides.coming.begin() + besides.comingFirst;
        besides.coming.insert(std::upper_bound(first, besides.coming.end(), time, later),
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
