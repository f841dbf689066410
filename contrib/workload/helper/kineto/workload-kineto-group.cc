/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-group.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>

namespace ns3
{

std::optional<std::vector<uint64_t>>
ParseWorkloadKinetoList(const std::string& text)
{
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    {
        return std::nullopt;
    }
    const std::string inside = text.substr(1, text.size() - 2);
    std::vector<uint64_t> numbers;
    for (size_t at = 0; at < inside.size();)
    {
        const size_t first = std::min(inside.find_first_not_of(' ', at), inside.size());
        const size_t end = std::min(inside.find(',', first), inside.size());
        uint64_t number = 0;
        if (!ParseInteger(inside.substr(first, end - first), number))
        {
            return std::nullopt;
        }
        numbers.push_back(number);
        at = end + 1;
    }
    return numbers;
}

void
FailWorkloadKineto(const std::string& file,
                   const WorkloadKinetoEvent& event,
                   const std::string& message)
{
    throw InputError(file,
                     0,
                     "event no. " + std::to_string(event.number) + ", " + ShownText(event.name) +
                         ": " + message);
}

WorkloadKinetoGroup
WorkloadKinetoGroupOf(const std::string& file,
                      const WorkloadKinetoEvent& event,
                      const WorkloadKinetoInfo& info)
{
    WorkloadKinetoGroup group;
    group.name = event.groupName;
    group.size = event.groupSize.value_or(0);
    const auto list = ParseWorkloadKinetoList(event.groupRanks);
    const auto known = info.groups.find(event.groupName);
    if (list && !list->empty())
    {
        for (const uint64_t rank : *list)
        {
            group.ranks.push_back(static_cast<uint32_t>(std::min<uint64_t>(rank, UINT32_MAX)));
        }
    }
    else if (known != info.groups.end())
    {
        group.ranks = known->second;
    }
    const bool contradicts =
        !group.ranks.empty() && group.size != 0 && group.size != group.ranks.size();
    if (contradicts || (group.ranks.empty() && (group.name.empty() || group.size == 0)))
    {
        FailWorkloadKineto(file,
                           event,
                           "does not say which ranks its process group of " +
                               std::to_string(group.size) + " has" + WORKLOAD_KINETO_REMEDY);
    }
    return group;
}

} // namespace ns3
