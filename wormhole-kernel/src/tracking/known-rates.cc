/*
 * SPDX-License-Identifier: MIT
 */
#include "tracking/known-rates.h"

namespace wormhole
{
namespace
{

/** Conditions that are remembered at most. */
constexpr std::size_t MOST = 65'536;

} // namespace

std::optional<Signature>
KnownRates::ConditionsOf(const Simulator& simulator,
                         const PartitionMap& map,
                         const PartitionMembers& members)
{
    if (members.ids.flows.size() != 1)
    {
        return std::nullopt;
    }
    const FlowId id = members.ids.flows.front();
    const FlowAttributes flow = simulator.Describe(id);
    SignatureBuilder conditions;
    conditions.Add(flow.control)
        .Add(flow.lineRate)
        .Add(static_cast<std::uint64_t>(flow.baseRttClass))
        .Add(flow.extra);
    for (const PortId portId : map.PortsOf(id))
    {
        const PortAttributes port = simulator.Describe(portId);
        conditions.Add(port.rate)
            .Add(static_cast<std::uint64_t>(port.delayClass))
            .Add(static_cast<std::uint64_t>(port.backgroundClass))
            .Add(port.extra);
    }
    return conditions.Get();
}

const KnownRate*
KnownRates::Find(const Signature& conditions) const
{
    const auto it = m_rates.find(conditions);
    return it != m_rates.end() ? &it->second : nullptr;
}

void
KnownRates::Note(const Signature& conditions, const KnownRate& found)
{
    if (m_rates.size() >= MOST)
    {
        m_rates.clear();
    }
    KnownRate& known = m_rates[conditions];
    if (found.proven || !known.proven)
    {
        known = found;
    }
}

} // namespace wormhole
