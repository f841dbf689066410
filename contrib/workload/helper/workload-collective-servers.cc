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

std::vector<uint32_t>
MakeWorkloadRing(const std::vector<uint32_t>& members, uint32_t ranksPerServer, uint32_t shift)
{
    std::vector<uint32_t> order(members.size());
    std::iota(order.begin(), order.end(), 0);
    for (size_t begin = 0; begin < members.size();)
    {
        size_t end = begin + 1;
        while (end < members.size() &&
               members[end] / ranksPerServer == members[begin] / ranksPerServer)
        {
            ++end;
        }
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = order.begin() + static_cast<std::ptrdiff_t>(end);
        std::rotate(first, first + static_cast<std::ptrdiff_t>(shift % (end - begin)), last);
        begin = end;
    }
    return order;
}

} // namespace ns3
