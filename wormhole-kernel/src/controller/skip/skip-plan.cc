/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/skip-plan.h"

#include "tracking/rate-sampler.h"

#include <algorithm>
#include <unordered_set>

namespace wormhole
{
namespace
{

/** Flows that are judged by half a window, at least: few that share a port may keep shares for long
 * of which a whole window shows that they move. */
constexpr std::size_t LEAST_SENDERS = 5;

/** Where fewer packets are under way, one more of a flow is another rate. */
constexpr double LEAST_IN_FLIGHT = 50;

/** Samples of a window that can be judged. */
constexpr std::uint32_t SHORTEST_WINDOW = 4;

} // namespace

Bytes
SkipBudget(const Simulator& simulator, FlowId flow, Rate rate)
{
    const Bytes left = simulator.Observe(flow).left;
    const Bytes tail = simulator.TailOf(flow, rate);
    return left > tail ? left - tail : 0;
}

Bytes
SkipCredit(Bytes budget, Rate rate, Duration elapsed)
{
    return TimeFor(budget, rate) <= elapsed ? budget : std::min(budget, BytesIn(rate, elapsed));
}

Duration
TimeToTail(const Simulator& simulator,
           const PartitionMembers& members,
           const std::vector<Rate>& rates)
{
    Duration shortest = Duration::max();
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const Bytes budget = SkipBudget(simulator, members.ids.flows[i], rates[i]);
        shortest = std::min(shortest, TimeFor(budget, rates[i]));
    }
    return shortest;
}

Bytes
UndisturbedCredit(const Simulator& simulator, FlowId flow, Rate rate, Bytes bytes)
{
    const FlowProgress progress = simulator.Observe(flow);
    const Bytes room = progress.inFlight + simulator.TailOf(flow, rate);
    const Bytes wanted = std::min(bytes + room, progress.left);
    const Bytes sure = simulator.UndisturbedBytes(flow, wanted);
    return sure >= wanted ? bytes : std::min(bytes, sure - std::min(sure, room));
}

Duration
TimeToDisturbance(const Simulator& simulator,
                  const PartitionMembers& members,
                  const std::vector<Rate>& rates,
                  Duration atMost)
{
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const FlowId flow = members.ids.flows[i];
        const Bytes budget = SkipBudget(simulator, flow, rates[i]);
        const Bytes wanted = SkipCredit(budget, rates[i], atMost);
        const Bytes sure = UndisturbedCredit(simulator, flow, rates[i], wanted);
        if (sure < wanted)
        {
            atMost = std::min(atMost, TimeFor(sure, rates[i]));
        }
    }
    return atMost;
}

double
EventsFor(const FlowRecord& flow, const FlowProgress& progress, Bytes bytes)
{
    if (progress.eventsPerByte > 0)
    {
        return static_cast<double>(bytes) * progress.eventsPerByte;
    }
    const Bytes byPackets = progress.delivered - flow.deliveredBefore - flow.credited;
    return byPackets == 0 ? 0
                          : static_cast<double>(bytes) *
                                static_cast<double>(progress.events - flow.eventsBefore) /
                                static_cast<double>(byPackets);
}

double
EventsIn(const Simulator& simulator,
         const PartitionMembers& members,
         const std::vector<Rate>& rates,
         Duration time)
{
    double events = 0;
    for (std::size_t i = 0; i < rates.size(); ++i)
    {
        const FlowRecord& flow = *members.flows[i];
        events += EventsFor(flow, simulator.Observe(flow.id), BytesIn(rates[i], time));
    }
    return events;
}

std::uint32_t
WindowOf(const ControllerContext& context, const PartitionMap& map, const PartitionMembers& members)
{
    const auto& flows = members.ids.flows;
    const std::uint32_t window = context.options.steady.window;
    if (flows.size() < LEAST_SENDERS || !context.options.Expects())
    {
        return window;
    }
    std::unordered_set<PortId> senders;
    const bool isHalf = std::all_of(flows.begin(), flows.end(), [&](FlowId flow) {
        const auto& ports = map.PortsOf(flow);
        return !ports.empty() && senders.insert(ports.front()).second &&
               context.simulator.CanScale(flow) &&
               context.simulator.PacketsInFlight(flow) >= LEAST_IN_FLIGHT;
    });
    return isHalf ? std::max(window / 2, SHORTEST_WINDOW) : window;
}

Duration
WindowsOf(const ControllerContext& context,
          const PartitionMap& map,
          const PartitionMembers& members,
          double count)
{
    return Scale(RateSampler::IntervalOf(context.simulator, members),
                 count * WindowOf(context, map, members));
}

} // namespace wormhole
