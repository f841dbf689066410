/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip/skip-plan.h"

#include "tracking/rate-sampler.h"

#include <algorithm>

namespace wormhole
{

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

Duration
WindowsOf(const ControllerContext& context, const PartitionMembers& members, double count)
{
    const Duration interval = RateSampler::IntervalOf(context.simulator, members);
    return Scale(interval, count * context.options.steady.window);
}

} // namespace wormhole
