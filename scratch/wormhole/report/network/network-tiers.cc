/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "network-tiers.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace wormhole
{

using ns3::RdmaNodeKind;

std::vector<int>
NetworkTiers(const ns3::RdmaTopology& topology)
{
    const auto& nodes = topology.nodes;
    std::vector<std::vector<uint32_t>> neighbours(nodes.size());
    for (const ns3::RdmaLinkSpec& link : topology.links)
    {
        neighbours[link.a].push_back(link.b);
        neighbours[link.b].push_back(link.a);
    }
    std::vector<std::optional<int>> reached(nodes.size());
    std::deque<uint32_t> next;
    for (uint32_t node = 0; node < nodes.size(); ++node)
    {
        if (nodes[node] == RdmaNodeKind::HOST)
        {
            reached[node] = 0;
            next.push_back(node);
        }
    }
    for (; !next.empty(); next.pop_front())
    {
        for (const uint32_t other : neighbours[next.front()])
        {
            if (!reached[other] && nodes[other] == RdmaNodeKind::SWITCH)
            {
                reached[other] = *reached[next.front()] + 1;
                next.push_back(other);
            }
        }
    }
    std::vector<int> tiers(nodes.size());
    for (size_t node = 0; node < nodes.size(); ++node)
    {
        tiers[node] =
            nodes[node] == RdmaNodeKind::NVSWITCH ? NVSWITCH_TIER : reached[node].value_or(1);
    }
    return tiers;
}

} // namespace wormhole
