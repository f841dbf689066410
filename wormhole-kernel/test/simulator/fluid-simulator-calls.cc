/*
 * SPDX-License-Identifier: MIT
 */

// What the kernel calls. The loop: fluid-simulator.cc.

#include "simulator/fluid-simulator.h"

#include <algorithm>

namespace wormhole
{

// --- Observation

FlowProgress
FluidSimulator::Observe(FlowId id) const
{
    if (!IsKnown(id, "Observe"))
    {
        return {};
    }
    const Flow& flow = m_flows[id.Value()];
    FlowProgress progress;
    progress.delivered = flow.fluid.delivered;
    progress.left = flow.fluid.left;
    progress.rate = Rate::BytesPerSecond(static_cast<double>(flow.fluid.rate));
    progress.events = flow.events;
    if (flow.condition == Condition::Running || flow.condition == Condition::Paused)
    {
        FluidFlow fluid = flow.fluid;
        fluid.MoveTo(TimeOf(flow));
        progress.inFlight = static_cast<Bytes>(fluid.moved / PICOBYTES_PER_BYTE);
        if (m_scenario.arrivals)
        {
            progress.deliveredAt = flow.fluid.nextTick - flow.spec->tick;
        }
    }
    return progress;
}

Bytes
FluidSimulator::QueueOf(PortId id) const
{
    if (!IsKnown(id, "QueueOf") || m_ports[id.Value()].condition == Condition::Evicted)
    {
        return 0;
    }
    FluidPort port = m_fluidPorts[id.Value()];
    if (m_ports[id.Value()].condition == Condition::Running)
    {
        port.MoveTo(m_clock);
    }
    return static_cast<Bytes>(port.queue / PICOBYTES_PER_BYTE);
}

FlowAttributes
FluidSimulator::Describe(FlowId id) const
{
    FlowAttributes attributes;
    if (IsKnown(id, "Describe"))
    {
        const ScenarioFlow& spec = *m_flows[id.Value()].spec;
        const FluidControl& control = spec.control;
        attributes.control = MixWords({static_cast<std::uint64_t>(control.mode),
                                       static_cast<std::uint64_t>(control.gain),
                                       static_cast<std::uint64_t>(control.amplitude),
                                       static_cast<std::uint64_t>(control.period),
                                       control.seed,
                                       spec.capturable ? 1U : 0U});
        attributes.lineRate = spec.lineRate;
        attributes.extra = static_cast<std::uint64_t>(spec.tick.count());
    }
    return attributes;
}

PortAttributes
FluidSimulator::Describe(PortId id) const
{
    PortAttributes attributes;
    if (IsKnown(id, "Describe"))
    {
        const FluidRate capacity = m_fluidPorts[id.Value()].capacity;
        attributes.rate = capacity != 0 ? static_cast<std::uint64_t>(capacity) * 8
                                        : m_scenario.capacities[id.Value()];
        attributes.extra = capacity != 0 ? 0 : 1; // failed
    }
    return attributes;
}

Duration
FluidSimulator::SampleInterval(FlowId id) const
{
    return IsKnown(id, "SampleInterval") ? 4 * m_flows[id.Value()].spec->tick : Duration{1};
}

Bytes
FluidSimulator::TailOf(FlowId id, Rate rate) const
{
    if (!IsKnown(id, "TailOf"))
    {
        return 0;
    }
    return BytesIn(rate, 8 * m_flows[id.Value()].spec->tick);
}

std::optional<std::uint64_t>
FluidSimulator::TotalEvents() const
{
    return m_scenario.counted ? std::make_optional(m_happened) : std::nullopt;
}

std::optional<std::vector<FlowPath>>
FluidSimulator::RunningFlows()
{
    std::vector<FlowPath> flows;
    for (const Flow& flow : m_flows)
    {
        if (flow.condition != Condition::Waiting && flow.condition != Condition::Gone)
        {
            flows.push_back({IdOf(flow), flow.path});
        }
    }
    return m_scenario.counted ? std::make_optional(flows) : std::nullopt;
}

std::optional<Time>
FluidSimulator::NextDisturbance(const Members& members) const
{
    const auto hasFlow = [&members](std::size_t flow) {
        return std::find(members.flows.begin(), members.flows.end(), FlowId{flow}) !=
               members.flows.end();
    };
    const auto hasPort = [&members](PortId port) {
        return std::find(members.ports.begin(), members.ports.end(), port) != members.ports.end();
    };
    const auto crosses = [&hasPort](const std::vector<PortId>& path) {
        return std::any_of(path.begin(), path.end(), hasPort);
    };
    const auto disturbs = [&](const Pending& pending) {
        const Flow& flow = m_flows[pending.flow];
        if (pending.action == nullptr)
        {
            return crosses(flow.path);
        }
        switch (pending.action->kind)
        {
        case ScenarioAction::Kind::SetCapacity:
            return hasPort(pending.action->port);
        case ScenarioAction::Kind::Kick:
            return hasFlow(pending.flow);
        case ScenarioAction::Kind::Reroute:
            break;
        }
        return hasFlow(pending.flow) ||
               (flow.condition != Condition::Waiting && flow.condition != Condition::Gone &&
                crosses(pending.action->path));
    };
    if (m_scenario.foretold)
    {
        for (const auto& [time, pending] : m_agenda)
        {
            if (disturbs(pending))
            {
                return time;
            }
        }
    }
    return std::nullopt;
}

// --- Time

void
FluidSimulator::Pause(const Members& members)
{
    if (!AreValid(members, "Pause") || !AreIn(members, Condition::Running, "Pause"))
    {
        return;
    }
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        flow.condition = Condition::Paused;
        flow.pausedAt = m_clock;
        flow.leftAtPause = flow.fluid.left;
        flow.credited = 0;
        m_events.erase(*flow.pending);
    }
    for (const PortId id : members.ports)
    {
        Port& port = m_ports[id.Value()];
        if (port.condition == Condition::Running)
        {
            m_fluidPorts[id.Value()].MoveTo(m_clock);
            port = {Condition::Paused, m_clock};
        }
    }
}

/** Moves what is pending of \p flow, which is not enqueued, by \p shift. */
void
FluidSimulator::Move(Flow& flow, Duration shift)
{
    flow.fluid.since += shift;
    flow.fluid.nextTick += shift;
    flow.pending->first += shift;
    if (flow.fluid.NextEvent().time != flow.pending->first)
    {
        Schedule(flow); // what was credited brings its end within this tick
    }
}

void
FluidSimulator::Resume(const Members& members, Duration shift)
{
    if (!AreValid(members, "Resume") || !AreIn(members, Condition::Paused, "Resume"))
    {
        return;
    }
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        Check(flow.pausedAt + shift == m_now && shift >= Duration{0}, [&] {
            return "flow " + std::to_string(id.Value()) + " is resumed with a wrong shift";
        });
        Check(flow.credited == 0 || flow.fluid.left > 0, [&] {
            return "flow " + std::to_string(id.Value()) + " was credited with its last byte";
        });
        Move(flow, shift);
        flow.condition = Condition::Running;
        Enqueue(flow);
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()].condition = Condition::Running;
        m_fluidPorts[id.Value()].since += shift;
    }
}

void
FluidSimulator::CatchUp(const Members& given, Time from, Time until, Duration shift)
{
    const Members members = given; // the kernel may change its own when it learns of an end
    if (!AreValid(members, "CatchUp") || !AreIn(members, Condition::Paused, "CatchUp"))
    {
        return;
    }
    Check(until == m_now && m_clock == m_now, [] { return "CatchUp until another time than now"; });
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        Check(flow.pausedAt + shift == from && shift >= Duration{0}, [&] {
            return "flow " + std::to_string(id.Value()) +
                   " catches up from another time than its "
                   "pause";
        });
        Check(flow.credited == 0 || (shift > Duration{0} && flow.fluid.left > 0), [&] {
            return "flow " + std::to_string(id.Value()) + " catches up, but has been credited too";
        });
        flow.condition = Condition::Running;
        flow.late = true;
        Move(flow, shift);
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()].condition = Condition::Running;
        m_fluidPorts[id.Value()].since += shift;
    }
    while (true)
    {
        Flow* next = nullptr;
        for (const FlowId id : members.flows)
        {
            Flow& flow = m_flows[id.Value()];
            if (flow.pending && flow.pending->first <= until &&
                (next == nullptr || *flow.pending < *next->pending))
            {
                next = &flow;
            }
        }
        if (next == nullptr)
        {
            break;
        }
        m_clock = next->pending->first;
        next->pending.reset();
        Happen(IdOf(*next).Value(), m_clock);
    }
    m_clock = m_now;
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        flow.late = false;
        if (flow.condition == Condition::Running)
        {
            Enqueue(flow);
        }
    }
}

// --- Progress

Bytes
FluidSimulator::Credit(FlowId id, Bytes bytes)
{
    if (!IsKnown(id, "Credit"))
    {
        return 0;
    }
    Flow& flow = m_flows[id.Value()];
    const bool may = flow.condition == Condition::Paused || flow.condition == Condition::Evicted;
    Check(may && bytes <= flow.fluid.left, [&] {
        return "flow " + std::to_string(id.Value()) + " is credited with " + std::to_string(bytes) +
               (may ? " bytes, which is more than is left" : " bytes while it runs");
    });
    if (!may)
    {
        return 0;
    }
    bytes = std::min(bytes, flow.fluid.left);
    flow.credited += bytes;
    flow.fluid.delivered += bytes;
    flow.fluid.left -= bytes;
    return bytes;
}

void
FluidSimulator::Complete(FlowId id, Time time)
{
    if (!IsKnown(id, "Complete"))
    {
        return;
    }
    Flow& flow = m_flows[id.Value()];
    const bool may = flow.condition == Condition::Paused || flow.condition == Condition::Evicted;
    Check(may && flow.fluid.left == 0 && time == m_now && time >= flow.lastEvent, [&] {
        return "flow " + std::to_string(id.Value()) +
               " is completed while it runs, with bytes left, or at another time than now";
    });
    if (!may)
    {
        return;
    }
    Leave(flow);
    Release(flow, time);
    m_conditionsStale = true;
}

// --- State

std::optional<StateBlob>
FluidSimulator::CaptureFlow(FlowId id) const
{
    if (!IsKnown(id, "CaptureFlow"))
    {
        return std::nullopt;
    }
    const Flow& flow = m_flows[id.Value()];
    const bool may = flow.condition == Condition::Running || flow.condition == Condition::Paused;
    Check(may, [&] {
        return "the state of flow " + std::to_string(id.Value()) + " is asked for, which has none";
    });
    if (!may || !flow.spec->capturable)
    {
        return std::nullopt;
    }
    FluidFlow fluid = flow.fluid;
    fluid.MoveTo(TimeOf(flow));
    return PackWords({static_cast<std::int64_t>(Describe(id).control),
                      fluid.rate,
                      fluid.moved,
                      (fluid.nextTick - fluid.since).count(),
                      static_cast<std::int64_t>(fluid.ticks)});
}

std::optional<StateBlob>
FluidSimulator::CapturePort(PortId id) const
{
    if (!IsKnown(id, "CapturePort"))
    {
        return std::nullopt;
    }
    const Port& port = m_ports[id.Value()];
    Check(port.condition != Condition::Evicted, [&] {
        return "the state of port " + std::to_string(id.Value()) + " is asked for, which has none";
    });
    FluidPort fluid = m_fluidPorts[id.Value()];
    if (port.condition == Condition::Running)
    {
        fluid.MoveTo(m_clock);
    }
    return PackWords({fluid.queue});
}

void
FluidSimulator::Evict(const Members& members)
{
    if (!AreValid(members, "Evict") || !AreIn(members, Condition::Paused, "Evict"))
    {
        return;
    }
    for (const FlowId id : members.flows)
    {
        Flow& flow = m_flows[id.Value()];
        flow.condition = Condition::Evicted;
        flow.pending.reset();
    }
    for (const PortId id : members.ports)
    {
        m_ports[id.Value()].condition = Condition::Evicted;
    }
}

void
FluidSimulator::Restore(const std::vector<FlowState>& flows,
                        const std::vector<PortState>& ports,
                        Time at)
{
    Members members;
    for (const FlowState& state : flows)
    {
        members.flows.push_back(state.flow);
    }
    for (const PortState& state : ports)
    {
        members.ports.push_back(state.port);
    }
    if (!AreValid(members, "Restore") || !AreIn(members, Condition::Evicted, "Restore"))
    {
        return;
    }
    Check(at <= m_now, [] { return "Restore as of a time to come"; });
    for (const PortState& state : ports)
    {
        FluidPort& fluid = m_fluidPorts[state.port.Value()];
        const auto words = UnpackWords(state.state, 1);
        const PicoBytes least = static_cast<PicoBytes>(state.queue) * PICOBYTES_PER_BYTE;
        const bool fits =
            words.size() == 1 && words[0] >= least && words[0] - least < PICOBYTES_PER_BYTE;
        Check(fits || (state.queue == 0 && state.state.empty()), [&] {
            return "port " + std::to_string(state.port.Value()) +
                   " is restored with a state that is not one, or of another queue";
        });
        fluid.queue = words.empty() ? least : words[0];
        fluid.since = at;
        m_ports[state.port.Value()] = {Condition::Paused, at};
    }
    for (const FlowState& state : flows)
    {
        Flow& flow = m_flows[state.flow.Value()];
        const auto words = UnpackWords(state.control, 5);
        const bool fits = !words.empty() &&
                          static_cast<std::uint64_t>(words[0]) == Describe(state.flow).control &&
                          words[3] >= 0;
        Check(fits, [&] {
            return "flow " + std::to_string(state.flow.Value()) +
                   " is restored with a state that is not one, or of another kind of flow";
        });
        flow.condition = Condition::Paused;
        flow.pausedAt = at;
        flow.leftAtPause = flow.fluid.left;
        flow.credited = 0;
        flow.fluid.rate = IsCut(flow.path) ? 0
                          : fits           ? words[1]
                                           : static_cast<FluidRate>(state.rate.InBytesPerSecond());
        flow.fluid.moved = fits ? words[2] : 0;
        flow.fluid.since = at;
        flow.fluid.nextTick = at + (fits ? Duration{words[3]} : flow.spec->tick);
        flow.fluid.ticks = fits ? static_cast<std::uint64_t>(words[4]) : 0;
        Schedule(flow);
    }
    for (const PortState& state : ports)
    {
        // Flows that have just started count, too: they were never evicted.
        m_fluidPorts[state.port.Value()].inflow = 0;
        for (const Flow& flow : m_flows)
        {
            const bool flows = flow.joined && flow.condition != Condition::Evicted;
            m_fluidPorts[state.port.Value()].inflow +=
                flows && IsAt(flow, state.port) ? flow.fluid.rate : 0;
        }
    }
}

} // namespace wormhole
