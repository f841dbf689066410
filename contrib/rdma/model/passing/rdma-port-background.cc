/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-port-passing.h"

#include "ns3/rdma-node.h"

#include <algorithm>

// How what passes at a port takes its part of the link, in time and one port after the other.

namespace ns3
{

/** Sends \p bytes that came at \p time before what waits here. */
void
RdmaPort::Pass(int64_t time, uint32_t bytes)
{
    m_txEndTime = std::max(m_txEndTime, time) + CachedTransmissionTime(bytes);
    m_txEndPlace = RdmaPlaces::PASSED;
    m_txBytes += bytes;
    PassUnseen(-int64_t{bytes}); // flows are credited with theirs
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
        // What leaves a port from now on is not here before a link's delay has passed; in a window,
        // that holds from its beginning on, when others have been asked (PassBeforeWindow).
        const bool inWindow = m_context->eventQueue->IsInWindow();
        int64_t asked = now;
        for (RdmaPort* port : besides.from)
        {
            if (now - besides.askedAt < port->m_delay || (inWindow && !port->IsWithinProcess()))
            {
                asked = besides.askedAt;
            }
            else if (!port->GetPassing().late)
            {
                port->PassUntil(now);
            }
        }
        besides.askedAt = asked;
    }
    const int64_t since = now - besides.passedUntil;
    if (besides.GetOwn() > 0 && since >= 2 * besides.backgroundInterval) // divisions take long
    {
        // All that may be under way, and more than a few that came while nothing else did, have
        // left.
        constexpr int64_t RECENT = 16;
        PassLongAgo((since - 2 * m_delay) / besides.backgroundInterval - RECENT);
    }
    for (;;)
    {
        const int64_t even = besides.NextEven();
        const int64_t coming =
            besides.coming.IsEmpty() ? Passing::NEVER : besides.coming.Front().time;
        if (std::min(even, coming) > now)
        {
            break;
        }
        even <= coming ? PassEven() : PassComing();
    }
    SetShared(besides.IsAny());
    m_nextLook = besides.GetNextLook();
    besides.passing = false;
}

/** Lets the next frame pass of those of the background that come at even intervals. */
void
RdmaPort::PassEven()
{
    Passing& besides = *m_passing;
    const int64_t time = besides.NextEven();
    besides.passedUntil += besides.backgroundInterval;
    SetLag(1);
    Pass(time, besides.backgroundFrame);
    PassOn(1);
}

/**
 * \p frames have come at even intervals: the next one of a host comes up to a quarter of an
 * interval later, by the multiples of the golden ratio. Where acknowledgements come exactly as
 * evenly as data, these keep to them: a flow would have whatever rate others are assumed to have.
 */
void
RdmaPort::SetLag(int64_t frames)
{
    if (!m_owner->IsTransit())
    {
        constexpr uint32_t GOLDEN = 0x9e3779b9;      // of 2^32
        constexpr double QUARTER_OF_WHOLE = 0x1p-34; // the same
        Passing& besides = *m_passing;
        besides.disorder += static_cast<uint32_t>(frames) * GOLDEN;
        besides.lag =
            static_cast<int64_t>(QUARTER_OF_WHOLE * static_cast<double>(besides.disorder) *
                                 static_cast<double>(besides.backgroundInterval));
    }
}

/** Lets the next single frame pass. */
void
RdmaPort::PassComing()
{
    const RdmaComing::Frame frame = m_passing->coming.Pop();
    Pass(frame.time, frame.bytes);
    PassOn(frame.background);
}

/** \p frames of the background, the last of which has been sent, go on. */
void
RdmaPort::PassOn(int64_t frames)
{
    const int64_t time = m_txEndTime + m_delay;
    const bool inWindow = m_context->eventQueue->IsInWindow();
    m_passing->GoOn(frames, [&](RdmaPort& next, int64_t) {
        if (inWindow && !IsWithinProcess())
        {
            ListPassed();
            m_passing->left.push_back({&next, time});
        }
        else
        {
            next.Come(time);
        }
    });
}

bool
RdmaPort::PassBeforeWindow(int64_t begin)
{
    PassUntil(begin - 1);
    m_passing->listed = !m_passing->onward.empty();
    return m_passing->listed;
}

/** In a window something passes here, which is to be told of when that is over. */
void
RdmaPort::ListPassed()
{
    if (m_passing->left.empty() && m_passing->leftBy.empty())
    {
        m_context->passed.push_back(this);
    }
}

void
RdmaPort::PassAfterWindow()
{
    for (const Passing::Left& frame : m_passing->left)
    {
        frame.next->Come(frame.time);
    }
    m_passing->left.clear();
    for (const auto& [frame, due] : m_passing->leftBy)
    {
        SendBy(frame, {due.time, m_context->eventQueue->Known(due.place)});
    }
    m_passing->leftBy.clear();
}

/** Counts \p frames, if positive, of the background that came at even intervals and keep nothing
 * busy, here and where they went. */
void
RdmaPort::PassLongAgo(int64_t frames)
{
    Passing& besides = GetPassing();
    if (frames <= 0)
    {
        return;
    }
    besides.passedUntil += frames * besides.backgroundInterval;
    SetLag(frames);
    PassUnkept(frames);
}

/** The same, of the background that comes at any time. */
void
RdmaPort::PassUnkept(int64_t frames)
{
    Passing& besides = GetPassing();
    const int64_t bytes = frames * besides.backgroundFrame;
    m_txBytes += static_cast<uint64_t>(bytes);
    PassUnseen(-bytes);
    besides.GoOn(frames, [](RdmaPort& next, int64_t part) {
        if (!next.m_frozen && !next.GetPassing().late)
        {
            next.PassUnkept(part);
        }
    });
}

/** A frame of the background comes at \p time from a port that carries it. */
void
RdmaPort::Come(int64_t time)
{
    Passing& besides = GetPassing();
    if (!m_frozen && !besides.late)
    {
        besides.coming.Add({time, besides.backgroundFrame, true});
        m_nextLook = std::min(m_nextLook, time);
        SetShared(true);
    }
}

/** \return the time that the port is at, also while others are in the past; time steps */
int64_t
RdmaPort::GetPresent() const
{
    const RdmaEventQueue& eventQueue = *m_context->eventQueue;
    return m_passing && m_passing->late ? eventQueue.Now() : eventQueue.Present();
}

void
RdmaPort::SetBackgroundInterval()
{
    Passing& besides = GetPassing();
    // The part of the way to the next frame that is over stays so: otherwise frames would be fewer
    // where loads change often. The clock may stand at a past time, up to which all has passed.
    const int64_t now = GetPresent();
    const int64_t before = besides.backgroundInterval;
    const int64_t since = std::clamp<int64_t>(now - besides.passedUntil, 0, before);
    const double part = before > 1 ? static_cast<double>(since) / static_cast<double>(before) : 0;
    besides.backgroundInterval =
        m_context->clock.TransmissionTime(besides.backgroundFrame,
                                          std::max<int64_t>(besides.GetOwn(), 1));
    if (besides.backgroundInterval != before)
    {
        besides.passedUntil =
            std::max(besides.passedUntil, now) -
            static_cast<int64_t>(part * static_cast<double>(besides.backgroundInterval));
    }
    m_nextLook = 0;
    SetShared(besides.IsAny());
}

void
RdmaPort::ChangeBackground(int64_t difference, uint32_t frame, RdmaPort* next)
{
    const int64_t now = GetPresent();
    PassUntil(now);
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
        if (!std::exchange(besides.listed, true))
        {
            m_context->carriers.push_back(this);
        }
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
    if (!besides.late)
    {
        PassUntil(GetPresent());
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

/** Lets pass what is due at the ports that the background comes from. */
void
RdmaPort::PassBefore()
{
    for (size_t i = 0; m_passing && i < m_passing->from.size(); ++i)
    {
        m_passing->from[i]->PassNow();
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
    PassBefore();
    m_passing->coming.Forget([](const RdmaComing::Frame& frame) { return frame.background; });
    CountPassed();
}

} // namespace ns3
