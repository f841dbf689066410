/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-servers.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace ns3
{

std::vector<std::vector<uint32_t>>
GroupWorkloadServers(const std::vector<uint32_t>& members, uint32_t ranksPerServer)
{
    std::map<uint32_t, size_t> places; // of servers
    std::vector<std::vector<uint32_t>> groups;
    for (uint32_t index = 0; index < members.size(); ++index)
    {
        const auto [place, isNew] = places.emplace(members[index] / ranksPerServer, groups.size());
        if (isNew)
        {
            groups.emplace_back();
        }
        groups[place->second].push_back(index);
    }
    return groups;
}

WorkloadRing
MakeWorkloadRing(const std::vector<uint32_t>& members, uint32_t ranksPerServer, uint32_t shift)
{
    const size_t count = members.size();
    WorkloadRing ring;
    ring.order.resize(count);
    ring.place.resize(count);
    std::iota(ring.order.begin(), ring.order.end(), 0);
    for (size_t begin = 0; begin < count;)
    {
        size_t end = begin + 1;
        while (end < count && members[end] / ranksPerServer == members[begin] / ranksPerServer)
        {
            ++end;
        }
        const auto first = ring.order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = ring.order.begin() + static_cast<std::ptrdiff_t>(end);
        std::rotate(first, first + static_cast<std::ptrdiff_t>(shift % (end - begin)), last);
        begin = end;
    }
    for (uint32_t place = 0; place < count; ++place)
    {
        ring.place[ring.order[place]] = place;
    }
    return ring;
}

std::vector<WorkloadRing>
MakeWorkloadRings(const std::vector<uint32_t>& members,
                  uint32_t ranksPerServer,
                  uint32_t channels,
                  bool rotate)
{
    std::vector<WorkloadRing> rings;
    for (uint32_t shift = 0; shift < (rotate ? std::min(channels, ranksPerServer) : 1); ++shift)
    {
        rings.push_back(MakeWorkloadRing(members, ranksPerServer, shift));
    }
    return rings;
}

} // namespace ns3
