/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// Bytes of flows that are not simulated packet by packet, which pass a port all the same.

namespace ns3
{

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

} // namespace ns3
