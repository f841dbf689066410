/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port-passing.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// How what passes at a port takes its part of the link, in time and one port after the other.

namespace ns3
{

/** Sends \p bytes that came at \p time before what waits here. \return when it starts */
int64_t
RdmaPort::Pass(int64_t time, uint32_t bytes)
{
    const int64_t start = std::max(m_txEndTime, time);
    m_txEndTime = start + CachedTransmissionTime(bytes);
    m_txEndPlace = m_context->eventQueue->ReserveSequence();
    return start;
}

/** Lets pass what is due, here and where it comes from. */
void
RdmaPort::PassDue(int64_t now)
{
    Passing& besides = *m_passing;
    if (besides.passing)
    {
        return;
    }
    besides.passing = true;
    if (besides.Asks() && now >= besides.askedAt + besides.fromDelay)
    {
        // What leaves a port from now on is not here before a link's delay has passed.
        int64_t asked = now;
        for (RdmaPort* port : besides.from)
        {
            if (now - besides.askedAt < port->m_delay)
            {
                asked = besides.askedAt;
            }
            else if (port->m_shared && !port->m_frozen)
            {
                port->PassBackground();
            }
        }
        besides.askedAt = asked;
    }
    if (now >= besides.NextEven())
    {
        PassEvenly(now);
    }
    PassComing(now);
    SetShared(besides.IsAny());
    m_nextLook = besides.GetNextLook();
    besides.passing = false;
}

/** Lets pass what of the background has come at even intervals; something has. */
void
RdmaPort::PassEvenly(int64_t now)
{
    Passing& besides = *m_passing;
    // More than a few that came while nothing else did have left.
    constexpr int64_t RECENT = 16;
    const int64_t since = now - besides.passedUntil;
    const bool one = since < 2 * besides.backgroundInterval; // mostly; divisions take long
    const int64_t passing = one ? 1 : since / besides.backgroundInterval;
    const int64_t recent = std::min(passing, RECENT);
    PassLongAgo(passing - recent);
    for (int64_t i = passing - recent + 1; i <= passing; ++i)
    {
        Pass(besides.passedUntil + i * besides.backgroundInterval, besides.backgroundFrame);
        besides.GoOn(1, [this](RdmaPort& next, int64_t) { next.Come(m_txEndTime + m_delay); });
    }
    const int64_t bytes = recent * besides.backgroundFrame;
    m_txBytes += static_cast<uint64_t>(bytes);
    PassUnseen(-bytes); // flows are credited with theirs
    besides.passedUntil += passing * besides.backgroundInterval;
}

/** Counts \p frames of the background that have passed and keep nothing busy, here and where they
 * went. */
void
RdmaPort::PassLongAgo(int64_t frames)
{
    Passing& besides = GetPassing();
    if (frames == 0)
    {
        return;
    }
    const int64_t bytes = frames * besides.backgroundFrame;
    m_txBytes += static_cast<uint64_t>(bytes);
    PassUnseen(-bytes);
    besides.GoOn(frames, [](RdmaPort& next, int64_t part) {
        if (!next.m_frozen && !next.GetPassing().late)
        {
            next.PassLongAgo(part);
        }
    });
}

/** Lets single frames pass, each when it comes. */
void
RdmaPort::PassComing(int64_t now)
{
    Passing& besides = *m_passing;
    while (!besides.coming.IsEmpty() && besides.coming.Front().time <= now)
    {
        RdmaComing::Frame& frame = besides.coming.Front();
        if (RdmaPort* before = std::exchange(frame.before, nullptr))
        {
            // It may come later than was thought.
            if (before->m_shared && !before->m_frozen)
            {
                before->PassBackground();
            }
            continue;
        }
        besides.coming.Pop();
        const int64_t start = Pass(frame.time, frame.bytes);
        m_txBytes += frame.bytes;
        if (!frame.qp)
        {
            PassUnseen(-int64_t{frame.bytes});
            besides.GoOn(frame.IsBackground(),
                         [this](RdmaPort& next, int64_t) { next.Come(m_txEndTime + m_delay); });
        }
        else if (frame.next && start > frame.start)
        {
            frame.next->GetPassing().coming.Delay(frame, start - frame.start);
        }
    }
}

/** A frame of the background comes at \p time from a port that carries it. */
void
RdmaPort::Come(int64_t time)
{
    Passing& besides = GetPassing();
    if (!m_frozen && !besides.late)
    {
        besides.coming.Add(
            time) = {time, nullptr, nullptr, time, nullptr, 0, besides.backgroundFrame};
        m_nextLook = std::min(m_nextLook, time);
        SetShared(true);
    }
}

void
RdmaPort::SetBackgroundInterval()
{
    Passing& besides = GetPassing();
    besides.backgroundInterval =
        m_context->clock.TransmissionTime(besides.backgroundFrame,
                                          std::max<int64_t>(besides.GetOwn(), 1));
    // The clock may stand at a past time, up to which all has passed.
    besides.passedUntil = std::max(besides.passedUntil, m_context->eventQueue->Now());
    m_nextLook = 0;
    SetShared(besides.IsAny());
}

void
RdmaPort::ChangeBackground(int64_t difference, uint32_t frame, RdmaPort* next)
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
    SetBackgroundInterval();
    if (next)
    {
        ChangeOnward(*next, difference);
    }
    besides.SetShares();
}

/** Of the background, \p difference bit/s more go on to \p next. */
void
RdmaPort::ChangeOnward(RdmaPort& next, int64_t difference)
{
    Passing& besides = GetPassing();
    const auto isIt = [&next](const Passing::Onward& part) { return part.next == &next; };
    auto part = std::find_if(besides.onward.begin(), besides.onward.end(), isIt);
    if (part == besides.onward.end())
    {
        part = besides.onward.insert(part, {&next, 0, 0, 0});
        next.GetPassing().from.push_back(this);
        next.SetFromDelay();
    }
    if (besides.carries)
    {
        next.ChangeCarried(difference);
    }
    part->rate += difference;
    if (part->rate == 0)
    {
        std::vector<RdmaPort*>& from = next.GetPassing().from;
        from.erase(std::find(from.begin(), from.end(), this));
        next.SetFromDelay();
        besides.onward.erase(part);
    }
}

/** Of the background here, \p difference bit/s more come as they left another port. */
void
RdmaPort::ChangeCarried(int64_t difference)
{
    Passing& besides = GetPassing();
    if (m_shared && !m_frozen && !besides.late)
    {
        PassBackground();
    }
    besides.carried += difference;
    SetBackgroundInterval();
}

/** \param carries whether something happens here, at the time of the next ports */
void
RdmaPort::SetCarries(bool carries)
{
    if (!m_passing || m_passing->carries == carries)
    {
        return;
    }
    m_passing->carries = carries;
    for (const Passing::Onward& part : m_passing->onward)
    {
        part.next->ChangeCarried(carries ? part.rate : -part.rate);
    }
}

/**
 * What is frozen here is about to go on. Frames of the background that left another port before
 * now do not come any more, and all that has passed meanwhile is counted. So counts of links that
 * the same frames cross stay as far apart as they were. HPCC heeds, of the links on a way, the one
 * that seems to carry most; which units of 128 bytes each of them counts at a frame depends on how
 * far apart they are.
 */
void
RdmaPort::SettleBackground()
{
    if (!m_frozen || !m_passing)
    {
        return;
    }
    for (RdmaPort* port : m_passing->from)
    {
        if (port->m_shared && !port->m_frozen)
        {
            port->PassBackground();
        }
    }
    m_passing->coming.Forget([](const RdmaComing::Frame& frame) { return frame.IsBackground(); });
    CountUnseen();
}

} // namespace ns3
