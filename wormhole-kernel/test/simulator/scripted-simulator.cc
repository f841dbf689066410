/*
 * SPDX-License-Identifier: MIT
 */
#include "simulator/scripted-simulator.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>

namespace wormhole
{
namespace
{

constexpr std::int64_t BYTE = 1'000'000;

template <class T>
std::string
Listed(const std::vector<T>& ids)
{
    std::string text;
    for (const T id : ids)
    {
        text += (text.empty() ? "" : ",") + std::to_string(id.Value());
    }
    return text;
}

/** \return in microseconds, or exactly */
std::string
Text(Duration duration)
{
    const std::int64_t count = duration.count();
    return count % 1'000'000 == 0 ? std::to_string(count / 1'000'000) + " us"
                                  : std::to_string(count) + " ps";
}

} // namespace

Time
At(std::int64_t count)
{
    return Time{Micro(count)};
}

Duration
Micro(std::int64_t count)
{
    return Duration{count * 1'000'000};
}

void
ScriptedSimulator::Attach(Controller* controller)
{
    m_controller = controller;
}

void
ScriptedSimulator::Start(FlowId flow, std::vector<PortId> path, Bytes size, Bytes rate)
{
    Flow& started = m_flows[flow];
    started.path = std::move(path);
    started.size = static_cast<std::int64_t>(size) * BYTE;
    started.rate = static_cast<std::int64_t>(rate);
    started.since = m_now;
    m_controller->FlowStarted(flow, started.path, m_now);
}

void
ScriptedSimulator::SetRate(FlowId flow, Bytes rate)
{
    Flow& changed = m_flows.at(flow);
    if (changed.condition == Condition::Running)
    {
        MoveTo(changed, m_now);
    }
    changed.rate = static_cast<std::int64_t>(rate);
}

void
ScriptedSimulator::Do(Time time, std::function<void()> action)
{
    m_actions.emplace(time, std::move(action));
}

void
ScriptedSimulator::RunTo(Time time)
{
    int alarms = 0; // at one time
    while (true)
    {
        Time end = Time::max();
        FlowId first;
        for (const auto& [id, flow] : m_flows)
        {
            if (EndOf(flow) < end)
            {
                end = EndOf(flow);
                first = id;
            }
        }
        const Time action = m_actions.empty() ? Time::max() : m_actions.begin()->first;
        const Time alarm = m_controller->NextAlarm().value_or(Time::max());
        const Time next = std::min({end, action, alarm});
        if (next > time)
        {
            break;
        }
        ASSERT_GE(next.time_since_epoch().count(), m_now.time_since_epoch().count());
        alarms = next > m_now ? 0 : alarms;
        m_now = next;
        if (end == next)
        {
            End(first, next);
        }
        else if (action == next)
        {
            const auto act = std::move(m_actions.begin()->second);
            m_actions.erase(m_actions.begin());
            act();
        }
        else
        {
            ASSERT_LT(++alarms, 100) << "time stands still";
            m_controller->RunAlarms(next);
        }
    }
    m_now = time;
}

Time
ScriptedSimulator::EndOf(const Flow& flow)
{
    const std::int64_t left = flow.size - flow.moved;
    if (flow.condition == Condition::Running && left == 0)
    {
        return flow.since;
    }
    return flow.condition == Condition::Running && flow.rate > 0
               ? flow.since + Duration{(left + flow.rate - 1) / flow.rate}
               : Time::max();
}

void
ScriptedSimulator::MoveTo(Flow& flow, Time time)
{
    flow.moved = std::min(flow.size, flow.moved + flow.rate * (time - flow.since).count());
    flow.since = time;
}

void
ScriptedSimulator::End(FlowId id, Time time)
{
    MoveTo(m_flows.at(id), time);
    m_controller->FlowEnded(id, time);
    m_events += EventsOf(m_flows.at(id));
    m_flows.erase(id);
    ends[id] = time;
}

void
ScriptedSimulator::Note(const std::string& call, const Members& members)
{
    calls.push_back(Text(m_now.time_since_epoch()) + ": " + call + " flows " +
                    Listed(members.flows) + " ports " + Listed(members.ports));
}

ScriptedSimulator::Flow&
ScriptedSimulator::Find(FlowId flow, Condition condition)
{
    Flow& found = m_flows.at(flow);
    EXPECT_EQ(found.condition, condition) << "flow " << flow.Value();
    return found;
}

FlowProgress
ScriptedSimulator::Observe(FlowId id) const
{
    Flow flow = m_flows.at(id);
    if (flow.condition == Condition::Running && flow.since < m_now)
    {
        MoveTo(flow, m_now);
    }
    FlowProgress progress;
    const auto packet = packets.find(id);
    const std::int64_t unit =
        packet == packets.end() ? BYTE : static_cast<std::int64_t>(packet->second) * BYTE;
    const std::int64_t partial = (flow.moved - flow.credited) % unit;
    progress.delivered = static_cast<Bytes>((flow.moved - partial) / BYTE);
    if (tellsArrivals && flow.rate > 0)
    {
        progress.deliveredAt = m_now - Duration{partial / flow.rate};
    }
    const auto flying = inFlight.find(id);
    progress.inFlight = flying == inFlight.end() ? 0 : flying->second;
    progress.left = static_cast<Bytes>(flow.size / BYTE) - progress.delivered;
    const auto allows = allowed.find(id);
    progress.rate = Rate::BytesPerSecond(
        1e6 * static_cast<double>(allows == allowed.end() ? flow.rate : allows->second));
    progress.events = EventsOf(flow);
    progress.eventsPerByte = eventsPerByte;
    const auto packetsLost = lost.find(id);
    progress.lost = packetsLost == lost.end() ? 0 : packetsLost->second;
    const auto drawn = draws.find(id);
    progress.draws = drawn == draws.end() ? 0 : drawn->second;
    const auto recovering = recovers.find(id);
    progress.recovers = recovering != recovers.end() && recovering->second;
    return progress;
}

std::uint64_t
ScriptedSimulator::EventsOf(const Flow& flow)
{
    return static_cast<std::uint64_t>((flow.moved - flow.credited) / BYTE / 10);
}

std::optional<std::uint64_t>
ScriptedSimulator::TotalEvents() const
{
    std::uint64_t events = m_events;
    for (const auto& [id, flow] : m_flows)
    {
        Flow now = flow;
        if (now.condition == Condition::Running && now.since < m_now)
        {
            MoveTo(now, m_now);
        }
        events += EventsOf(now);
    }
    return counts ? std::make_optional(events) : std::nullopt;
}

std::optional<std::vector<FlowPath>>
ScriptedSimulator::RunningFlows()
{
    ++listed;
    std::vector<FlowPath> flows;
    for (const auto& [id, flow] : m_flows)
    {
        flows.push_back({id, flow.path});
    }
    return counts ? std::make_optional(flows) : std::nullopt;
}

std::optional<std::size_t>
ScriptedSimulator::CountRunningFlows()
{
    return counts ? std::make_optional(m_flows.size()) : std::nullopt;
}

std::optional<std::size_t>
ScriptedSimulator::CountLongFlows(double)
{
    return longOnes.size();
}

std::vector<FlowPath>
ScriptedSimulator::LongFlows(double)
{
    return longOnes;
}

Bytes
ScriptedSimulator::QueueOf(PortId port) const
{
    const auto found = queues.find(port);
    return found == queues.end() ? 0 : found->second;
}

FlowAttributes
ScriptedSimulator::Describe(FlowId) const
{
    return {};
}

PortAttributes
ScriptedSimulator::Describe(PortId port) const
{
    PortAttributes attributes;
    const auto load = loads.find(port);
    attributes.backgroundClass = load == loads.end() ? 0 : load->second;
    return attributes;
}

Rate
ScriptedSimulator::CapacityOf(PortId port) const
{
    const auto found = capacities.find(port);
    return found == capacities.end()
               ? Simulator::CapacityOf(port)
               : Rate::BytesPerSecond(1e6 * static_cast<double>(found->second));
}

Duration
ScriptedSimulator::SampleInterval(FlowId) const
{
    return Micro(1);
}

Duration
ScriptedSimulator::ShortestReplay(FlowId) const
{
    return shortestReplay;
}

Duration
ScriptedSimulator::SlowestPeriod(FlowId flow) const
{
    const auto period = periods.find(flow);
    return period == periods.end() ? Duration{0} : period->second;
}

bool
ScriptedSimulator::IsAsItSeems(FlowId flow) const
{
    return creeps.count(flow) == 0;
}

bool
ScriptedSimulator::PathsCollide() const
{
    return collide;
}

bool
ScriptedSimulator::MayRise(const Members& members, const std::vector<Rate>& rates) const
{
    return rates.size() == members.flows.size() &&
           std::any_of(members.flows.begin(), members.flows.end(), [this](FlowId flow) {
               return rising.count(flow) > 0;
           });
}

bool
ScriptedSimulator::IsRising(const Members& members,
                            const std::vector<Rate>& rates,
                            Duration time) const
{
    return rates.size() == members.flows.size() && time > Duration{0} &&
           std::any_of(members.flows.begin(), members.flows.end(), [this](FlowId flow) {
               return climbing.count(flow) > 0;
           });
}

std::size_t
ScriptedSimulator::PortsApartOf(FlowId flow) const
{
    const auto found = apart.find(flow);
    return found == apart.end() ? Simulator::PortsApartOf(flow) : found->second;
}

void
ScriptedSimulator::SetApart(const Members& members)
{
    Note("SetApart", members);
}

void
ScriptedSimulator::SetExact(const std::vector<FlowId>& flows)
{
    Note("SetExact", {flows, {}});
}

Bytes
ScriptedSimulator::TailOf(FlowId flow, Rate) const
{
    const auto found = tails.find(flow);
    return found == tails.end() ? 400 : found->second;
}

std::optional<Time>
ScriptedSimulator::NextDisturbance(const Members& members) const
{
    const bool now = std::any_of(members.flows.begin(), members.flows.end(), [this](FlowId flow) {
        return disturbed.count(flow) > 0;
    });
    return now           ? std::optional(Now())
           : disturbance ? disturbance
                         : Simulator::NextDisturbance(members);
}

Bytes
ScriptedSimulator::UndisturbedBytes(FlowId flow, Bytes atMost) const
{
    const auto loss = losses.find(flow);
    const Bytes delivered = Observe(flow).delivered;
    return loss == losses.end() || loss->second < delivered
               ? atMost
               : std::min(atMost, loss->second - delivered);
}

bool
ScriptedSimulator::MayWait(const Members&) const
{
    return !refusesWaits;
}

void
ScriptedSimulator::Pause(const Members& members)
{
    Note("Pause", members);
    for (const FlowId id : members.flows)
    {
        Flow& flow = Find(id, Condition::Running);
        MoveTo(flow, m_now);
        flow.condition = Condition::Paused;
    }
}

void
ScriptedSimulator::Stopped(const Members& members)
{
    if (notesStops)
    {
        Note("Stopped", members);
    }
}

void
ScriptedSimulator::Resume(const Members& members, Duration shift)
{
    Note("Resume +" + Text(shift), members);
    for (const FlowId id : members.flows)
    {
        Flow& flow = Find(id, Condition::Paused);
        flow.since += shift;
        EXPECT_TRUE(flow.since == m_now) << "flow " << id.Value();
        flow.condition = Condition::Running;
    }
}

void
ScriptedSimulator::CatchUp(const Members& given, Time from, Time until, Duration shift)
{
    Note("CatchUp " + Text(from.time_since_epoch()) + " to " + Text(until.time_since_epoch()) +
             (shift > Duration{0} ? " +" + Text(shift) : ""),
         given);
    const Members members = given;
    std::multimap<Time, FlowId> over;
    for (const FlowId id : members.flows)
    {
        Flow& flow = Find(id, Condition::Paused);
        flow.since += shift;
        EXPECT_TRUE(flow.since == from) << "flow " << id.Value();
        flow.condition = Condition::Running;
        if (EndOf(flow) <= until)
        {
            over.emplace(EndOf(flow), id);
        }
    }
    for (const auto& [time, id] : over)
    {
        End(id, time);
    }
}

void
ScriptedSimulator::Audit(const Members& members)
{
    for (const FlowId flow : members.flows)
    {
        if (const auto rate = auditRates.find(flow); rate != auditRates.end())
        {
            SetRate(flow, rate->second);
        }
    }
}

Bytes
ScriptedSimulator::Credit(FlowId id, Bytes bytes)
{
    calls.push_back(Text(m_now.time_since_epoch()) + ": Credit flow " + std::to_string(id.Value()) +
                    " " + std::to_string(bytes));
    Flow& flow = m_flows.at(id);
    EXPECT_NE(flow.condition, Condition::Running);
    flow.moved += static_cast<std::int64_t>(bytes) * BYTE;
    flow.credited += static_cast<std::int64_t>(bytes) * BYTE;
    EXPECT_LE(flow.moved, flow.size);
    return bytes;
}

void
ScriptedSimulator::AssumeRate(FlowId id, Rate rate)
{
    EXPECT_NE(m_flows.at(id).condition, Condition::Running);
    if (notesRates)
    {
        const double rounded = std::round(rate.InBytesPerSecond() / 1e6);
        calls.push_back(
            Text(m_now.time_since_epoch()) + ": AssumeRate flow " + std::to_string(id.Value()) +
            " " + (std::isinf(rounded) ? "any" : std::to_string(static_cast<Bytes>(rounded))));
    }
}

double
ScriptedSimulator::PacketsInFlight(FlowId) const
{
    return packetsInFlight;
}

double
ScriptedSimulator::AdditiveIncrease(FlowId) const
{
    return increase;
}

bool
ScriptedSimulator::CanScale(FlowId) const
{
    return onScale != nullptr;
}

void
ScriptedSimulator::Scale(FlowId flow, double factor)
{
    EXPECT_EQ(m_flows.at(flow).condition, Condition::Running);
    onScale(flow, factor);
}

void
ScriptedSimulator::Complete(FlowId id, Time time)
{
    Note("Complete", {{id}, {}});
    const Flow& flow = Find(id, Condition::Evicted);
    EXPECT_EQ(flow.moved, flow.size);
    EXPECT_TRUE(time == m_now);
    m_flows.erase(id);
    ends[id] = time;
    if (onComplete.count(id) != 0)
    {
        onComplete[id]();
    }
}

std::optional<StateBlob>
ScriptedSimulator::CaptureFlow(FlowId flow) const
{
    return incapable.count(flow) != 0 ? std::nullopt
                                      : std::make_optional(std::to_string(m_flows.at(flow).rate));
}

std::optional<StateBlob>
ScriptedSimulator::CapturePort(PortId port) const
{
    return incapablePorts.count(port) != 0 ? std::nullopt : std::make_optional<StateBlob>("port");
}

bool
ScriptedSimulator::CanRestore(FlowId, const StateBlob&) const
{
    return !refusesStates;
}

void
ScriptedSimulator::Evict(const Members& members)
{
    Note("Evict", members);
    for (const FlowId id : members.flows)
    {
        Find(id, Condition::Paused).condition = Condition::Evicted;
    }
}

void
ScriptedSimulator::Restore(const std::vector<FlowState>& flows,
                           const std::vector<PortState>& ports,
                           Time at)
{
    Members members;
    for (const FlowState& state : flows)
    {
        members.flows.push_back(state.flow);
        Flow& flow = Find(state.flow, Condition::Evicted);
        flow.condition = Condition::Paused;
        flow.since = at;
        flow.rate = std::stoll(state.control);
    }
    for (const PortState& state : ports)
    {
        members.ports.push_back(state.port);
        queues[state.port] = state.queue;
    }
    Note("Restore as of " + Text(at.time_since_epoch()), members);
}

} // namespace wormhole
