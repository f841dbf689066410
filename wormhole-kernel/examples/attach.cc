/*
 * SPDX-License-Identifier: MIT
 */
// All that the kernel needs of a simulator, but for two calls of the controller (FlowStarted and
// FlowEnded in link-simulator.cc).

#include "link-simulator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace example
{
namespace
{

/** What a flow needs to go on elsewhere, besides its rate and what it has in flight. */
struct Control
{
    double window;
    Duration waited;
};

} // namespace

// --- The main loop

void
LinkSimulator::Attach(Controller* controller)
{
    m_controller = controller;
}

void
LinkSimulator::Run()
{
    while (true)
    {
        const auto alarm = m_controller != nullptr ? m_controller->NextAlarm() : std::nullopt;
        if (!m_events.IsEmpty() && (!alarm || m_events.FirstTime() <= *alarm))
        {
            RunNextEvent();
        }
        else if (alarm) // perhaps without an event in sight: all flows are paused or evicted
        {
            m_now = m_latest = *alarm;
            m_controller->RunAlarms(*alarm);
        }
        else
        {
            return;
        }
    }
}

// --- What the kernel asks

FlowProgress
LinkSimulator::Observe(FlowId id) const
{
    const Flow& flow = m_flows[id.Value()];
    FlowProgress progress;
    progress.delivered = flow.delivered;
    progress.left = flow.left;
    progress.inFlight = flow.inFlight;
    progress.rate = RateOfControl(flow);
    progress.events = flow.events;
    return progress;
}

Bytes
LinkSimulator::QueueOf(PortId id) const
{
    const Port& port = m_ports[id.Value()];
    return BytesIn(LINK_RATE, port.freeAt - port.pausedAt.value_or(m_now));
}

FlowAttributes
LinkSimulator::Describe(FlowId id) const
{
    const auto rtt = static_cast<double>(BaseRtt(m_flows[id.Value()]).count());
    FlowAttributes attributes;
    attributes.control = 1; // all flows have the same one
    attributes.lineRate = static_cast<std::uint64_t>(LINK_RATE.InBitsPerSecond());
    attributes.baseRttClass = QuantiseLog(rtt, 1.05);
    return attributes;
}

PortAttributes
LinkSimulator::Describe(PortId) const
{
    PortAttributes attributes;
    attributes.rate = static_cast<std::uint64_t>(LINK_RATE.InBitsPerSecond());
    attributes.delayClass = QuantiseLog(static_cast<double>(HOP_DELAY.count()), 1.05);
    return attributes;
}

/** Some hundred packets, so that one more or less in a sample is no fluctuation. */
Duration
LinkSimulator::SampleInterval(FlowId id) const
{
    return 8 * BaseRtt(m_flows[id.Value()]);
}

/** At least what is in flight, so that what is credited never is. */
Bytes
LinkSimulator::TailOf(FlowId, Rate) const
{
    return MAX_IN_FLIGHT;
}

// --- Time

void
LinkSimulator::Pause(const Members& members)
{
    for (const FlowId id : members.flows)
    {
        m_events.Park(IndexOf(m_flows[id.Value()]));
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()].pausedAt = m_now;
    }
}

void
LinkSimulator::Resume(const Members& members, Duration shift)
{
    for (const FlowId id : members.flows)
    {
        const Flow& flow = m_flows[id.Value()];
        assert(flow.inFlight <= flow.left);
        m_events.Unpark(IndexOf(flow), shift);
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()].freeAt += shift;
        m_ports[id.Value()].pausedAt.reset();
    }
}

void
LinkSimulator::CatchUp(const Members& members, Time, Time until, Duration shift)
{
    Resume(members, shift);
    while (!m_events.IsEmpty() && m_events.FirstTime() < until)
    {
        Happen(m_events.Pop()); // an event of the members: all others have come to until
    }
    for (const FlowId id : members.flows)
    {
        const Flow& flow = m_flows[id.Value()];
        while (const auto entry = m_events.PopOf(IndexOf(flow), until)) // none once it is completed
        {
            Happen(*entry);
        }
    }
    m_now = until;
}

// --- Progress without packets

Bytes
LinkSimulator::Credit(FlowId id, Bytes bytes)
{
    Flow& flow = m_flows[id.Value()];
    flow.delivered += bytes;
    flow.left -= bytes; // may become less than inFlight, if Evict is to follow
    return bytes;
}

void
LinkSimulator::Complete(FlowId id, Time time)
{
    Finish(m_flows[id.Value()], time);
}

// --- State

std::optional<StateBlob>
LinkSimulator::CaptureFlow(FlowId id) const
{
    const Flow& flow = m_flows[id.Value()];
    const Control control{flow.window, flow.waited};
    return StateBlob(reinterpret_cast<const char*>(&control), sizeof(control));
}

std::optional<StateBlob>
LinkSimulator::CapturePort(PortId) const
{
    return StateBlob{}; // there is nothing but the queue, which QueueOf tells
}

void
LinkSimulator::Evict(const Members& members)
{
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        m_events.ForgetParked(IndexOf(flow));
        flow.inFlight = 0;
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()] = {};
    }
}

void
LinkSimulator::Restore(const std::vector<FlowState>& flows,
                       const std::vector<PortState>& ports,
                       Time at)
{
    for (const PortState& state : ports)
    {
        m_ports[state.port.Value()] = {at + TimeFor(state.queue, LINK_RATE), at};
    }
    for (const FlowState& state : flows)
    {
        Flow& flow = m_flows[state.flow.Value()];
        Control control{};
        assert(state.control.size() == sizeof(control));
        std::memcpy(&control, state.control.data(), sizeof(control));
        flow.window = control.window;
        flow.waited = control.waited;
        const Bytes inFlight = std::min(state.inFlight, flow.left);
        while (flow.inFlight < inFlight)
        {
            PlacePacket(flow, std::min(PACKET, inFlight - flow.inFlight), state.rate, at);
        }
        m_events.Schedule(at + TimeFor(PACKET, state.rate), {Event::Kind::Send, IndexOf(flow)});
    }
}

/** Makes the next packet, behind those in flight, of a flow whose acknowledgements come at \p rate:
 * where it is follows from when its own one comes. */
void
LinkSimulator::PlacePacket(Flow& flow, Bytes size, Rate rate, Time at)
{
    flow.inFlight += size;
    Duration ahead = TimeFor(flow.inFlight, rate);
    auto hop = static_cast<std::uint32_t>(flow.path.size());
    Duration leg = ACK_DELAY;
    for (; hop > 1; --hop)
    {
        const Port& port = m_ports[flow.path[hop - 1].Value()];
        const Duration passage = (port.freeAt - at) + TimeFor(size, LINK_RATE) + leg;
        if (ahead <= passage)
        {
            break; // it has passed that port
        }
        ahead -= passage;
        leg = HOP_DELAY;
    }
    m_events.Schedule(at + ahead, {Event::Kind::Arrive, IndexOf(flow), hop, size, flow.waited});
}

} // namespace example
