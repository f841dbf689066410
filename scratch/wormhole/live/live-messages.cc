/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-messages.h"

#include <algorithm>

namespace wormhole
{

namespace
{

/** \return whether a receive takes a message */
bool
Fits(const LiveEnvelope& receive, const LiveEnvelope& message)
{
    return (receive.src == LiveEnvelope::ANY || receive.src == message.src) &&
           (receive.tag == LiveEnvelope::ANY || receive.tag == message.tag);
}

} // namespace

LiveMessages::LiveMessages(ns3::WorkloadFrontEnd& network,
                           uint64_t eagerBytes,
                           std::function<void(uint32_t dst)> unexpected)
    : m_network(network),
      m_eagerBytes(eagerBytes),
      m_unexpected(std::move(unexpected))
{
}

void
LiveMessages::Send(const LiveSent& message, LiveSending sending, int64_t ps, const Action& over)
{
    const uint64_t number = ++m_lastMessage;
    ++m_underWay;
    const LiveEnvelope& to = message.envelope;
    const bool atOnce = sending == LiveSending::BUFFERED ||
                        (sending == LiveSending::STANDARD && message.bytes <= m_eagerBytes);
    m_messages[number] = {message, atOnce ? Action() : over, {}};
    m_meetings[{to.context, to.dst}].coming[to.src].push_back(number);
    Start(number, ps);
    if (atOnce)
    {
        over(ps);
    }
}

/** The bytes of a message are on the network from \p ps on, or from now on. */
void
LiveMessages::Start(uint64_t message, int64_t ps)
{
    Message& there = m_messages.at(message);
    const LiveSent& sent = there.sent;
    const ns3::WorkloadMatchChannel channel{sent.envelope.src, sent.envelope.dst, message};
    m_network.Receive(channel, sent.bytes, [this, message] { Arrived(message); });
    const int64_t lagPs = m_network.NowPs() - ps;
    if (lagPs <= 0)
    {
        m_network.Send(channel, sent.bytes);
        return;
    }
    there.back = true; // before: it may arrive within the call, and be gone
    if (m_network.SendLate(channel, sent.bytes, ps))
    {
        ++m_lateness.skippedBack;
    }
    else
    {
        ++m_lateness.simulatedLate;
        there.back = false;
        there.lagPs = lagPs;
    }
}

void
LiveMessages::Arrived(uint64_t message)
{
    Message& there = m_messages.at(message);
    there.arrived = true;
    const int64_t toldPs = there.back ? m_network.GetToldPs() : m_network.NowPs();
    there.atPs = std::max(there.atPs, toldPs - there.lagPs);
    --m_underWay;
    const LiveEnvelope to = there.sent.envelope;
    const Place place{to.context, to.dst};
    Meeting& meeting = m_meetings[place];
    const auto coming = meeting.coming.find(to.src);
    bool unmet = false;
    // a message that another one has overtaken was already met
    if (coming != meeting.coming.end() && coming->second.front() <= message)
    {
        std::deque<uint64_t>& queue = coming->second;
        while (!queue.empty() && queue.front() <= message)
        {
            unmet |= !Meet(meeting, queue.front());
            queue.pop_front();
        }
        if (queue.empty())
        {
            meeting.coming.erase(coming);
        }
    }
    Tidy(place);
    CompleteIfThere(message);
    if (unmet)
    {
        m_unexpected(to.dst);
    }
}

/** \return whether a receive was there */
bool
LiveMessages::Meet(Meeting& meeting, uint64_t message)
{
    Message& met = m_messages.at(message);
    const auto posted =
        std::find_if(meeting.posted.begin(), meeting.posted.end(), [&met](const Posted& receive) {
            return Fits(receive.envelope, met.sent.envelope);
        });
    if (posted == meeting.posted.end())
    {
        meeting.unexpected.emplace_back(message, met.sent.envelope);
        return false;
    }
    met.received = std::move(posted->over);
    met.atPs = std::max(met.atPs, posted->ps);
    m_receives.erase(posted->number);
    meeting.posted.erase(posted);
    return true;
}

void
LiveMessages::CompleteIfThere(uint64_t message)
{
    const auto found = m_messages.find(message);
    if (!found->second.arrived || !found->second.received)
    {
        return;
    }
    const Message whole = std::move(found->second);
    m_messages.erase(found);
    if (whole.over)
    {
        whole.over(whole.atPs);
    }
    whole.received(whole.sent, whole.atPs);
}

uint64_t
LiveMessages::Receive(const LiveEnvelope& envelope, int64_t ps, Received over)
{
    const uint64_t number = ++m_lastReceive;
    const std::optional<uint64_t> message = Probe(envelope);
    if (message)
    {
        Take(*message);
        ReceiveTaken(*message, ps, std::move(over));
    }
    else
    {
        const Place place{envelope.context, envelope.dst};
        m_meetings[place].posted.push_back({number, envelope, ps, std::move(over)});
        m_receives[number] = place;
    }
    return number;
}

bool
LiveMessages::Cancel(uint64_t receive)
{
    const auto found = m_receives.find(receive);
    if (found == m_receives.end())
    {
        return false;
    }
    const Place place = found->second;
    m_meetings.at(place).posted.remove_if(
        [receive](const Posted& posted) { return posted.number == receive; });
    m_receives.erase(found);
    Tidy(place);
    return true;
}

std::optional<uint64_t>
LiveMessages::Probe(const LiveEnvelope& envelope) const
{
    const auto meeting = m_meetings.find({envelope.context, envelope.dst});
    if (meeting == m_meetings.end())
    {
        return std::nullopt;
    }
    for (const auto& [message, sent] : meeting->second.unexpected)
    {
        if (Fits(envelope, sent))
        {
            return message;
        }
    }
    return std::nullopt;
}

void
LiveMessages::Take(uint64_t message)
{
    const LiveEnvelope& envelope = Get(message).envelope;
    const Place place{envelope.context, envelope.dst};
    m_meetings.at(place).unexpected.remove_if(
        [message](const auto& unexpected) { return unexpected.first == message; });
    Tidy(place);
}

void
LiveMessages::ReceiveTaken(uint64_t message, int64_t ps, Received over)
{
    Message& taken = m_messages.at(message);
    taken.received = std::move(over);
    taken.atPs = std::max(taken.atPs, ps);
    CompleteIfThere(message);
}

/** Forgets a place where nothing waits: each collective has its own. */
void
LiveMessages::Tidy(const Place& place)
{
    const auto meeting = m_meetings.find(place);
    if (meeting != m_meetings.end() && meeting->second.IsEmpty())
    {
        m_meetings.erase(meeting);
    }
}

} // namespace wormhole
