/*
 * SPDX-License-Identifier: MIT
 */
#include "simulator/scripted-simulator.h"

#include <algorithm>
#include <memory>

// What a test says is foreseen.

namespace wormhole
{

std::optional<Foresight>
ScriptedSimulator::Foresee(const Members& members, Duration atMost, bool draws)
{
    if (foreseen.empty() || !(draws || undrawn))
    {
        return std::nullopt;
    }
    Foresight foresight;
    foresight.what = std::make_shared<std::vector<FlowId>>(members.flows);
    Prolong(foresight, atMost);
    return foresight;
}

void
ScriptedSimulator::Prolong(Foresight& foresight, Duration atMost)
{
    const auto& flows = *static_cast<const std::vector<FlowId>*>(foresight.what.get());
    // As of when packets stop, or now.
    const auto leftOf = [this](FlowId flow) { return Observe(flow).left; };
    foresight.span = atMost;
    foresight.completes = false;
    for (const FlowId flow : flows)
    {
        const Duration end = Micro(static_cast<std::int64_t>(leftOf(flow) / foreseen.at(flow)));
        foresight.completes = foresight.completes || end <= foresight.span;
        foresight.span = std::min(foresight.span, end);
    }
    foresight.goesOn = !foresight.completes;
    foresight.bytes.clear();
    for (const FlowId flow : flows)
    {
        const auto micros = static_cast<Bytes>(foresight.span / Micro(1));
        foresight.bytes.push_back(std::min(leftOf(flow), foreseen.at(flow) * micros));
    }
}

std::vector<Bytes>
ScriptedSimulator::Realise(const Members& members,
                           Foresight& foresight,
                           Duration elapsed,
                           bool ends)
{
    Note("Realise", members);
    Prolong(foresight, elapsed);
    Members complete;
    for (std::size_t i = 0; i < members.flows.size(); ++i)
    {
        const FlowId flow = members.flows[i];
        m_flows.at(flow).since = m_now;
        Credit(flow, foresight.bytes[i]);
        if (ends && Observe(flow).left == 0)
        {
            complete.flows.push_back(flow);
        }
    }
    if (!complete.flows.empty())
    {
        Evict(complete);
    }
    return foresight.bytes;
}

} // namespace wormhole
