/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/skip-plan.h"

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

} // namespace wormhole
