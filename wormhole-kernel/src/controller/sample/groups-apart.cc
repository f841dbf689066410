/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/sample/groups-apart.h"

#include "controller/skip/skip-plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace wormhole
{
namespace
{

/** \return the groups that \p members fall into where two are connected by each port that both
 * have, of those that are their own in any case */
std::vector<FlowGroup>
GroupsApart(const Simulator& simulator, const PartitionMap& map, const PartitionMembers& members)
{
    std::vector<std::uint32_t> parent(members.flows.size());
    const auto root = [&parent](std::uint32_t flow) {
        while (parent[flow] != flow)
        {
            flow = parent[flow] = parent[parent[flow]];
        }
        return flow;
    };
    std::unordered_map<PortId, std::uint32_t> users;
    for (std::uint32_t i = 0; i < parent.size(); ++i)
    {
        parent[i] = i;
        const FlowId flow = members.ids.flows[i];
        const auto& ports = map.PortsOf(flow);
        const std::size_t own = std::min(ports.size(), simulator.PortsApartOf(flow));
        for (std::size_t p = 0; p < own; ++p)
        {
            const auto [user, isFirst] = users.try_emplace(ports[p], i);
            if (!isFirst)
            {
                parent[root(i)] = root(user->second);
            }
        }
    }
    std::vector<FlowGroup> groups;
    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::uint32_t i = 0; i < parent.size(); ++i)
    {
        const auto [place, isFirst] = places.try_emplace(root(i), groups.size());
        if (isFirst)
        {
            groups.emplace_back();
        }
        groups[place->second].push_back(i);
    }
    return groups;
}

} // namespace

void
FindGroupsApart(const Simulator& simulator, const PartitionMap& map, PartitionRecord& record)
{
    record.sampling.apart.clear();
    const auto& flows = record.members.ids.flows;
    const auto comesApart = [&](FlowId flow) {
        return simulator.PortsApartOf(flow) < map.PortsOf(flow).size();
    };
    if (std::none_of(flows.begin(), flows.end(), comesApart))
    {
        return; // it is one by all its ports
    }
    record.sampling.apart = GroupsApart(simulator, map, record.members);
    if (record.sampling.apart.size() == 1)
    {
        record.sampling.apart.clear();
    }
}

void
MissGroupsApart(Simulator& simulator, Account& account, PartitionRecord& record)
{
    double events = 0;
    for (const FlowGroup& group : record.sampling.apart)
    {
        const RateSampler& sampler = record.sampling.sampler;
        if (!std::all_of(group.begin(), group.end(), [&](std::uint32_t flow) {
                return sampler.IsSteady(flow);
            }))
        {
            continue;
        }
        for (const std::uint32_t flow : group)
        {
            const Bytes bytes = BytesIn(sampler.Latest(flow), sampler.Interval());
            events += EventsFor(*record.members.flows[flow],
                                simulator.Observe(record.members.ids.flows[flow]),
                                bytes);
        }
    }
    account.Miss(events);
    if (events > 0 && account.PaysOff(0))
    {
        simulator.SetApart(record.members.ids);
    }
}

} // namespace wormhole
