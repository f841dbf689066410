/*
 * SPDX-License-Identifier: MIT
 */

// The loop of the toy, and what happens in it. What the kernel calls: fluid-simulator-calls.cc.
// The rates: fluid-simulator-rates.cc. The referee: fluid-simulator-checks.cc.

#include "simulator/fluid-simulator.h"

#include <algorithm>

namespace wormhole
{

FluidSimulator::FluidSimulator(const Scenario& scenario)
    : m_scenario(scenario),
      m_ports(scenario.capacities.size())
{
    for (const std::uint64_t capacity : scenario.capacities)
    {
        m_fluidPorts.emplace_back();
        m_fluidPorts.back().capacity = static_cast<FluidRate>(capacity / 8);
    }
    m_flows.resize(scenario.flows.size());
    // Places in the order of what happens at one time: all ends are before all ticks.
    for (std::size_t i = 0; i < m_flows.size(); ++i)
    {
        Flow& flow = m_flows[i];
        flow.spec = &scenario.flows[i];
        flow.path = flow.spec->path;
        flow.lineRate = static_cast<FluidRate>(flow.spec->lineRate / 8);
        flow.endPlace = i;
        flow.tickPlace = m_flows.size() + i;
        if (flow.spec->after)
        {
            m_flows[*flow.spec->after].followers.push_back(i);
        }
        else
        {
            m_agenda.emplace(Time{flow.spec->start}, Pending{nullptr, i});
        }
    }
    for (const ScenarioAction& action : scenario.actions)
    {
        m_agenda.emplace(action.at, Pending{&action, action.flow});
    }
}

void
FluidSimulator::Attach(Kernel* kernel)
{
    m_kernel = kernel;
}

FluidResult
FluidSimulator::Run()
{
    m_alarm = m_kernel != nullptr ? m_kernel->NextAlarm() : std::nullopt;
    while ((!m_agenda.empty() || IsAlive()) && Step())
    {
    }
    Tell([this](Kernel& kernel) { kernel.Finish(m_now); });
    CheckEnd();
    FluidResult result;
    for (Flow& flow : m_flows)
    {
        flow.outcome.delivered = flow.fluid.delivered;
        result.flows.push_back(flow.outcome);
    }
    result.events = m_happened;
    result.end = m_now;
    result.violations = std::move(m_violations);
    return result;
}

bool
FluidSimulator::Step()
{
    constexpr std::uint64_t MAX_EVENTS = 20'000'000;
    constexpr std::uint32_t MAX_ALARMS = 1000;

    const Time event = m_events.empty() ? Time::max() : m_events.begin()->first.first;
    const Time action = m_agenda.empty() ? Time::max() : m_agenda.begin()->first;
    const Time alarm = m_alarm.value_or(Time::max());
    const Time next = std::min({event, action, alarm});
    if (next == Time::max() || m_happened > MAX_EVENTS || m_alarmsNow > MAX_ALARMS)
    {
        Check(next != Time::max(), [] { return "nothing is pending, but flows are not done"; });
        Check(m_happened <= MAX_EVENTS, [] { return "too many events: the run does not end"; });
        Check(m_alarmsNow <= MAX_ALARMS, [] { return "alarms go on and time stands still"; });
        return false;
    }
    AdvanceTo(next);
    if (event == next)
    {
        const std::size_t flow = m_events.begin()->second;
        m_events.erase(m_events.begin());
        m_flows[flow].pending.reset();
        Happen(flow, next);
    }
    else if (action == next)
    {
        const Pending pending = m_agenda.begin()->second;
        m_agenda.erase(m_agenda.begin());
        pending.action != nullptr ? Act(*pending.action) : Start(pending.flow);
        m_aliveStale = true;
    }
    else
    {
        ++m_alarmsNow;
        Tell([this](Kernel& kernel) { kernel.RunAlarms(m_now); });
    }
    return true;
}

void
FluidSimulator::AdvanceTo(Time time)
{
    Check(time >= m_now, [&] {
        return "something is to happen at " + std::to_string(time.time_since_epoch().count()) +
               ", which is past";
    });
    if (time <= m_now)
    {
        return;
    }
    if (m_conditionsStale)
    {
        CheckConditions();
    }
    m_now = time;
    m_clock = time;
    m_alarmsNow = 0;
}

bool
FluidSimulator::IsAlive()
{
    if (m_aliveStale)
    {
        m_aliveStale = false;
        m_alive = std::any_of(m_flows.begin(), m_flows.end(), [this](const Flow& flow) {
            const bool underWay =
                flow.condition != Condition::Waiting && flow.condition != Condition::Gone;
            return underWay && (flow.fluid.left == 0 || !IsCut(flow.path));
        });
    }
    return m_alive;
}

void
FluidSimulator::Happen(std::size_t index, Time time)
{
    Flow& flow = m_flows[index];
    Check(flow.condition == Condition::Running,
          [&] { return "an event of flow " + std::to_string(index) + ", which is not running"; });
    Check(time >= flow.lastEvent,
          [&] { return "an event of flow " + std::to_string(index) + " before its last one"; });
    flow.lastEvent = time;
    ++m_happened;
    ++flow.events;
    flow.fluid.MoveTo(time);
    flow.fluid.Deliver();
    if (flow.fluid.left == 0)
    {
        End(index, time);
    }
    else
    {
        Tick(flow, time);
    }
}

void
FluidSimulator::Tick(Flow& flow, Time time)
{
    if (m_sharesStale)
    {
        RefreshShares();
    }
    for (const PortId port : flow.path)
    {
        m_fluidPorts[port.Value()].MoveTo(time);
    }
    SetRate(flow,
            NextRate(flow.spec->control, flow.fluid.rate, SlowedDown(flow), flow.fluid.ticks));
    ++flow.fluid.ticks;
    flow.fluid.nextTick = time + flow.spec->tick;
    Schedule(flow);
}

void
FluidSimulator::End(std::size_t index, Time time)
{
    Flow& flow = m_flows[index];
    for (const PortId port : flow.path)
    {
        m_fluidPorts[port.Value()].MoveTo(time);
    }
    Leave(flow);
    flow.condition = Condition::Ended;
    Tell([&](Kernel& kernel) { kernel.FlowEnded(FlowId{index}, time); });
    Release(flow, time);
}

/** \p flow is gone: others may learn of it, at the current time. */
void
FluidSimulator::Release(Flow& flow, Time time)
{
    Check(!flow.outcome.completed && flow.fluid.delivered == flow.spec->size, [&] {
        return "flow " + std::to_string(IdOf(flow).Value()) + " completes twice, or with " +
               std::to_string(flow.fluid.delivered) + " of " + std::to_string(flow.spec->size) +
               " bytes";
    });
    flow.outcome.completed = time;
    flow.outcome.late = m_now - time;
    flow.condition = Condition::Gone;
    flow.pending.reset();
    for (const std::size_t follower : flow.followers)
    {
        m_agenda.emplace(m_now + m_flows[follower].spec->start, Pending{nullptr, follower});
    }
    m_aliveStale = true;
}

void
FluidSimulator::Start(std::size_t index)
{
    Flow& flow = m_flows[index];
    flow.outcome.started = m_now;
    flow.condition = Condition::Running;
    flow.lastEvent = m_now;
    flow.fluid.left = flow.spec->size;
    flow.fluid.rate = IsCut(flow.path) ? 0 : flow.lineRate * flow.spec->startRate / 1024;
    flow.fluid.since = m_now;
    flow.fluid.nextTick = m_now + flow.spec->tick;
    Schedule(flow);
    m_conditionsStale = true;
    Tell([&](Kernel& kernel) { kernel.FlowStarted(FlowId{index}, flow.path, m_now); });
    CheckUpToDate(flow, "starts");
    Join(flow);
}

void
FluidSimulator::Act(const ScenarioAction& action)
{
    switch (action.kind)
    {
    case ScenarioAction::Kind::Reroute:
        Reroute(action.flow, action.path);
        break;
    case ScenarioAction::Kind::Kick:
        Kick(action.flow);
        break;
    case ScenarioAction::Kind::SetCapacity:
        SetCapacity(action.port, action.capacity);
        break;
    }
}

void
FluidSimulator::Reroute(std::size_t index, const std::vector<PortId>& path)
{
    Flow& flow = m_flows[index];
    if (flow.condition == Condition::Waiting || flow.condition == Condition::Gone)
    {
        flow.path = path;
        return;
    }
    flow.nextPath = path;
    m_conditionsStale = true;
    Tell([&](Kernel& kernel) { kernel.FlowRerouted(FlowId{index}, path, m_now); });
    if (flow.condition == Condition::Gone)
    {
        return; // it had ended, but only now was that found out
    }
    CheckUpToDate(flow, "is rerouted");
    Leave(flow);
    flow.path = path;
    flow.nextPath.clear();
    Join(flow);
    StallIfCut(flow);
}

void
FluidSimulator::Kick(std::size_t index)
{
    Flow& flow = m_flows[index];
    if (flow.condition == Condition::Waiting || flow.condition == Condition::Gone)
    {
        return;
    }
    Tell([&](Kernel& kernel) { kernel.Disturbed(FlowId{index}, m_now); });
    if (flow.condition == Condition::Gone)
    {
        return; // it had ended, but only now was that found out
    }
    CheckUpToDate(flow, "is disturbed");
    Check(flow.condition != Condition::Evicted,
          [&] { return "flow " + std::to_string(index) + " is disturbed, but has no packets"; });
    if (flow.condition == Condition::Evicted)
    {
        return;
    }
    flow.fluid.MoveTo(m_now);
    for (const PortId port : flow.path)
    {
        m_fluidPorts[port.Value()].MoveTo(m_now);
    }
    SetRate(flow, flow.fluid.rate - flow.fluid.rate / 2);
    Reschedule(flow);
}

void
FluidSimulator::SetCapacity(PortId port, std::uint64_t capacity)
{
    Tell([&](Kernel& kernel) { kernel.PortChanged(port, m_now); });
    const Port& state = m_ports[port.Value()];
    FluidPort& fluid = m_fluidPorts[port.Value()];
    Check(state.condition != Condition::Paused || state.pausedAt == m_now, [&] {
        return "port " + std::to_string(port.Value()) + " changes, but has been paused before";
    });
    if (state.condition == Condition::Running)
    {
        fluid.MoveTo(m_now);
    }
    fluid.capacity = static_cast<FluidRate>(capacity / 8);
    m_sharesStale = true;
    for (Flow& flow : m_flows)
    {
        if (IsAt(flow, port))
        {
            CheckUpToDate(flow, "crosses a port that changes");
            StallIfCut(flow);
        }
    }
}

FluidResult
RunScenario(const Scenario& scenario, const KernelFactory& factory)
{
    FluidSimulator simulator(scenario);
    const std::unique_ptr<Kernel> kernel = factory ? factory(simulator) : nullptr;
    simulator.Attach(kernel.get());
    return simulator.Run();
}

} // namespace wormhole
