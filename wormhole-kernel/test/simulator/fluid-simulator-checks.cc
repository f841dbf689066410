/*
 * SPDX-License-Identifier: MIT
 */

// The referee in the toy. The loop: fluid-simulator.cc.

#include "simulator/fluid-simulator.h"

#include <algorithm>
#include <functional>

namespace wormhole
{

namespace
{

template <class T>
bool
IsAscending(const std::vector<T>& ids)
{
    return std::adjacent_find(ids.begin(), ids.end(), [](T a, T b) { return !(a < b); }) ==
           ids.end();
}

} // namespace

void
FluidSimulator::Note(const std::string& violation) const
{
    constexpr std::size_t MOST = 20; // the first ones tell
    if (m_violations.size() < MOST)
    {
        m_violations.push_back(std::to_string(m_now.time_since_epoch().count()) +
                               " ps: " + violation);
    }
}

bool
FluidSimulator::IsKnown(FlowId id, const char* call) const
{
    const bool known = id.Value() < m_flows.size() &&
                       m_flows[id.Value()].condition != Condition::Waiting &&
                       m_flows[id.Value()].condition != Condition::Gone;
    Check(known, [&] {
        return std::string(call) + " of flow " + std::to_string(id.Value()) +
               ", which is not there";
    });
    return known;
}

bool
FluidSimulator::IsKnown(PortId id, const char* call) const
{
    const bool known = id.Value() < m_ports.size();
    Check(known, [&] {
        return std::string(call) + " of port " + std::to_string(id.Value()) +
               ", which is not there";
    });
    return known;
}

/** \return whether the ports of \p members are those that its flows cross; with \p next: will cross
 * when a reroute is done that the kernel is just told of */
bool
FluidSimulator::CoverPaths(const Members& members, bool next) const
{
    std::vector<PortId> ports;
    for (const FlowId id : members.flows)
    {
        const Flow& flow = m_flows[id.Value()];
        const auto& path = next && !flow.nextPath.empty() ? flow.nextPath : flow.path;
        ports.insert(ports.end(), path.begin(), path.end());
    }
    std::sort(ports.begin(), ports.end());
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    return ports == members.ports;
}

bool
FluidSimulator::AreValid(const Members& members, const char* call) const
{
    const bool known = std::all_of(members.flows.begin(),
                                   members.flows.end(),
                                   [&](FlowId flow) { return IsKnown(flow, call); }) &&
                       std::all_of(members.ports.begin(), members.ports.end(), [&](PortId port) {
                           return IsKnown(port, call);
                       });
    if (!known)
    {
        return false;
    }
    const bool covered = IsAscending(members.flows) && IsAscending(members.ports) &&
                         (CoverPaths(members, false) || CoverPaths(members, true));
    Check(covered, [&] {
        return std::string(call) + " of members out of order, or whose ports are not those of the "
                                   "flows";
    });
    const bool late = std::any_of(members.flows.begin(), members.flows.end(), [this](FlowId flow) {
        return m_flows[flow.Value()].late;
    });
    Check(!late, [&] { return std::string(call) + " of members that are catching up"; });
    return covered && !late;
}

/** \return whether all of \p members are in \p condition. A port that has gone further already, for
 * a flow has started on the ports of one that is evicted, is Pause's and Evict's concern no more.
 */
bool
FluidSimulator::AreIn(const Members& members, Condition condition, const char* call) const
{
    for (const FlowId id : members.flows)
    {
        const bool is = m_flows[id.Value()].condition == condition;
        Check(is, [&] {
            return std::string(call) + " of flow " + std::to_string(id.Value()) +
                   ", which is in another condition";
        });
        if (!is)
        {
            return false;
        }
    }
    const bool further = std::string(call) == "Pause" || std::string(call) == "Evict";
    for (const PortId id : members.ports)
    {
        const Condition found = m_ports[id.Value()].condition;
        const bool is = found == condition || (further && found > condition);
        Check(is, [&] {
            return std::string(call) + " of port " + std::to_string(id.Value()) +
                   ", which is in another condition";
        });
        if (!is)
        {
            return false;
        }
    }
    return true;
}

/** Flows and the ports that they cross either all run or none does, and those that are paused are
 * since the same time; so it is with all flows that are connected. */
void
FluidSimulator::CheckConditions()
{
    m_conditionsStale = false;
    for (const Flow& flow : m_flows)
    {
        if (flow.condition == Condition::Waiting || flow.condition == Condition::Gone)
        {
            continue;
        }
        const auto agrees = [&](PortId id) {
            const Port& port = m_ports[id.Value()];
            const bool runs = flow.condition == Condition::Running;
            return runs == (port.condition == Condition::Running) &&
                   (flow.condition != Condition::Paused || port.condition != Condition::Paused ||
                    port.pausedAt == flow.pausedAt);
        };
        Check(std::all_of(flow.path.begin(), flow.path.end(), agrees), [&] {
            return "time goes on, and flow " + std::to_string(IdOf(flow).Value()) +
                   " and its ports are in different conditions";
        });
        Check(flow.joined, [&] {
            return "flow " + std::to_string(IdOf(flow).Value()) + " is not at its ports";
        });
        const bool queued = flow.pending && m_events.count(*flow.pending) > 0;
        Check(flow.pending.has_value() == (flow.condition != Condition::Evicted) &&
                  queued == (flow.condition == Condition::Running),
              [&] {
                  return "flow " + std::to_string(IdOf(flow).Value()) +
                         " has no event, or one that its condition does not allow";
              });
    }
}

/** What happens to \p flow now must find it as of now. */
void
FluidSimulator::CheckUpToDate(const Flow& flow, const char* what) const
{
    Check(flow.condition != Condition::Paused || flow.pausedAt == m_now, [&] {
        return "flow " + std::to_string(IdOf(flow).Value()) + " " + what +
               ", but has been paused before";
    });
}

void
FluidSimulator::CheckEnd()
{
    CheckConditions();
    std::size_t running = 0;
    for (const Flow& flow : m_flows)
    {
        const std::string name = "at the end, flow " + std::to_string(IdOf(flow).Value());
        if (flow.condition == Condition::Waiting)
        {
            Check(flow.spec->after && m_flows[*flow.spec->after].condition != Condition::Gone,
                  [&] { return name + " has not been started"; });
            continue;
        }
        Check(flow.fluid.delivered + flow.fluid.left == flow.spec->size,
              [&] { return name + " has lost bytes"; });
        if (flow.condition != Condition::Gone)
        {
            ++running;
            Check(flow.condition == Condition::Running && flow.fluid.left > 0 && IsCut(flow.path),
                  [&] { return name + " is not done, though it could go on"; });
        }
    }
    Check(m_events.size() == running, [] { return "at the end, events are left over"; });
}

/** \return as of when the state of \p flow is, now that it may be looked at or changed */
Time
FluidSimulator::TimeOf(const Flow& flow) const
{
    return flow.condition == Condition::Paused ? flow.pausedAt : m_clock;
}

FlowId
FluidSimulator::IdOf(const Flow& flow) const
{
    return FlowId{static_cast<std::uint64_t>(&flow - m_flows.data())};
}

} // namespace wormhole
