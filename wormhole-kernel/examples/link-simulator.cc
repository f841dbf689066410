/*
 * SPDX-License-Identifier: MIT
 */
// What a packet-level simulator does anyway. What the kernel adds: attach.cc.

#include "link-simulator.h"

#include <algorithm>
#include <utility>

namespace example
{
namespace
{

constexpr double QUEUED = 40 * PACKET; // bytes that a flow aims to have in queues
constexpr double GAIN = 0.5;           // of its congestion control, per round trip

} // namespace

LinkSimulator::LinkSimulator(std::vector<Flow> flows, std::size_t ports)
    : m_flows(std::move(flows)),
      m_ports(ports)
{
    StartWave(0, m_now);
}

const std::vector<Flow>&
LinkSimulator::Flows() const
{
    return m_flows;
}

std::uint64_t
LinkSimulator::EventsRun() const
{
    return m_eventsRun;
}

void
LinkSimulator::RunNextEvent()
{
    const auto entry = m_events.Pop();
    m_latest = entry.time;
    Happen(entry);
}

void
LinkSimulator::Happen(const EventQueue::Entry& entry)
{
    m_now = entry.time;
    ++m_eventsRun;
    Flow& flow = m_flows[entry.event.flow];
    ++flow.events;
    switch (entry.event.kind)
    {
    case Event::Kind::Start:
        Start(flow);
        break;
    case Event::Kind::Send:
        Send(flow);
        break;
    case Event::Kind::Arrive:
        if (entry.event.hop < flow.path.size())
        {
            Forward(flow, entry.event);
        }
        else
        {
            Acknowledge(flow, entry.event);
        }
    }
}

void
LinkSimulator::StartWave(std::size_t wave, Time time)
{
    for (const Flow& flow : m_flows)
    {
        if (flow.wave == wave)
        {
            m_events.Schedule(time + flow.offset, {Event::Kind::Start, IndexOf(flow)});
            ++m_unfinished;
        }
    }
}

void
LinkSimulator::Start(Flow& flow)
{
    flow.started = m_now;
    if (m_controller != nullptr)
    {
        m_controller->FlowStarted(FlowId{IndexOf(flow)}, flow.path, m_now);
    }
    // Not at once: until the alarms of this instant, others on these ports may still be evicted.
    m_events.Schedule(m_now + HOST_DELAY, {Event::Kind::Send, IndexOf(flow)});
}

/** Sends a packet, and comes again for the next one. */
void
LinkSimulator::Send(Flow& flow)
{
    const Bytes size = std::min(PACKET, flow.left - flow.inFlight);
    if (size == 0)
    {
        return;
    }
    if (flow.inFlight + size <= MAX_IN_FLIGHT)
    {
        flow.inFlight += size;
        Forward(flow, {Event::Kind::Arrive, IndexOf(flow), 0, size});
    }
    m_events.Schedule(m_now + TimeFor(size, RateOfControl(flow)),
                      {Event::Kind::Send, IndexOf(flow)});
}

void
LinkSimulator::Forward(const Flow& flow, Event packet)
{
    Port& port = m_ports[flow.path[packet.hop].Value()];
    const Time begin = std::max(port.freeAt, m_now);
    port.freeAt = begin + TimeFor(packet.size, LINK_RATE);
    packet.waited += begin - m_now;
    ++packet.hop;
    m_events.Schedule(port.freeAt + (packet.hop < flow.path.size() ? HOP_DELAY : ACK_DELAY),
                      packet);
}

void
LinkSimulator::Acknowledge(Flow& flow, const Event& packet)
{
    flow.delivered += packet.size;
    flow.left -= packet.size;
    flow.inFlight -= packet.size;
    flow.waited = packet.waited;

    // The window goes to where QUEUED bytes of it are in queues.
    const Duration rtt = BaseRtt(flow) + packet.waited;
    const double queued =
        flow.window * static_cast<double>(packet.waited.count()) / static_cast<double>(rtt.count());
    const double shareOfRtt = static_cast<double>(packet.size) / flow.window;
    flow.window = std::max<double>(PACKET, flow.window + GAIN * shareOfRtt * (QUEUED - queued));

    if (flow.left == 0)
    {
        if (m_controller != nullptr)
        {
            m_controller->FlowEnded(FlowId{IndexOf(flow)}, m_now);
        }
        Finish(flow, m_now);
    }
}

void
LinkSimulator::Finish(Flow& flow, Time time)
{
    flow.completed = time;
    m_events.Forget(IndexOf(flow));
    if (--m_unfinished == 0)
    {
        StartWave(flow.wave + 1, m_latest + 100 * MICROSECOND);
    }
}

std::uint32_t
LinkSimulator::IndexOf(const Flow& flow) const
{
    return static_cast<std::uint32_t>(&flow - m_flows.data());
}

/** \return the round-trip time without queues */
Duration
LinkSimulator::BaseRtt(const Flow& flow)
{
    const auto hops = static_cast<std::int64_t>(flow.path.size());
    return ACK_DELAY + (hops - 1) * HOP_DELAY + hops * TimeFor(PACKET, LINK_RATE);
}

Rate
LinkSimulator::RateOfControl(const Flow& flow)
{
    return RateOf(static_cast<Bytes>(flow.window), BaseRtt(flow) + flow.waited);
}

} // namespace example
