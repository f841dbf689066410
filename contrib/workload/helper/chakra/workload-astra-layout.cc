/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-astra-layout.h"

#include "workload-astra-json.h"

#include "ns3/input-number.h"
#include "ns3/input-values.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>

namespace ns3
{

namespace
{

/** \return whether \p list is a list of different whole numbers of 32 bits, put into \p ranks */
bool
TakeRanks(const nlohmann::json& list, std::vector<uint32_t>& ranks)
{
    std::set<uint64_t> seen;
    if (!list.is_array())
    {
        return false;
    }
    for (const nlohmann::json& value : list)
    {
        if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX ||
            !seen.insert(value.get<uint64_t>()).second)
        {
            return false;
        }
        ranks.push_back(value.get<uint32_t>());
    }
    return true;
}

/** \return what is wrong with the members of a group; empty if all are ranks of the trace */
std::string
OutsideRank(const std::vector<uint32_t>& members, uint64_t ranks)
{
    const auto outside = std::find_if(members.begin(), members.end(), [ranks](uint32_t member) {
        return member >= ranks;
    });
    return outside == members.end() ? ""
                                    : "it names rank " + std::to_string(*outside) + ", but only " +
                                          std::to_string(ranks) + " ranks have a trace: 0 to " +
                                          std::to_string(ranks - 1);
}

/** Opens a file for one of the readers. */
} // namespace

WorkloadAstraGroups
ReadWorkloadAstraGroups(std::istream& in, const std::string& name, uint64_t count)
{
    WorkloadAstraJson json(in, name);
    WorkloadAstraGroups groups;
    for (const auto& item : json.Root().items())
    {
        uint64_t number = 0;
        std::vector<uint32_t> ranks;
        if (!ParseInteger(item.key(), number) || number == 0)
        {
            json.Fail(item.key(), "a group's name is a whole number above 0, in quotes");
        }
        if (!TakeRanks(item.value(), ranks) || ranks.empty())
        {
            json.Fail(item.key(), "must be a list of ranks, each once, such as [0, 1, 2, 3]");
        }
        const std::string outside = OutsideRank(ranks, count);
        if (!outside.empty())
        {
            json.Fail(item.key(), outside);
        }
        groups[item.key()] = ranks;
    }
    return groups;
}

WorkloadAstraGroups
ReadWorkloadAstraGroups(const std::string& file, uint64_t ranks)
{
    std::ifstream in =
        OpenInput(file, "the file cannot be opened; it should be ASTRA-sim's communicator groups");
    return ReadWorkloadAstraGroups(in, file, ranks);
}

std::vector<uint32_t>
ReadWorkloadAstraDims(std::istream& in, const std::string& name)
{
    const std::string key = "logical-dims";
    WorkloadAstraJson json(in, name);
    const nlohmann::json* list = json.Find(key);
    if (list == nullptr || !list->is_array() || list->empty() || json.Root().size() > 1)
    {
        throw InputError(name,
                         0,
                         "must be { \"logical-dims\": [\"8\", \"2\"] } and "
                         "nothing else");
    }
    std::vector<uint32_t> dims;
    for (const nlohmann::json& value : *list)
    {
        uint64_t size = value.is_number_unsigned() ? value.get<uint64_t>() : 0;
        if (value.is_string() && !ParseInteger(value.get<std::string>(), size))
        {
            size = 0;
        }
        if (size == 0 || size > UINT32_MAX)
        {
            json.Fail(key, "must be whole numbers above 0");
        }
        dims.push_back(static_cast<uint32_t>(size));
    }
    return dims;
}

std::vector<uint32_t>
ReadWorkloadAstraDims(const std::string& file)
{
    std::ifstream in =
        OpenInput(file, "the file cannot be opened; it should be ASTRA-sim's logical topology");
    return ReadWorkloadAstraDims(in, file);
}

std::string
AddWorkloadChakraGroups(const std::string& values, uint32_t ranks, WorkloadAstraGroups& groups)
{
    const size_t first = values.find('[', 1);
    const size_t last = values.rfind(']', values.size() < 2 ? 0 : values.size() - 2);
    if (values.find("pg_name") == std::string::npos)
    {
        return "";
    }
    std::string wrong =
        "its values should be a list of process groups, [\"[{\"pg_name\": \"1\", \"ranks\": [0, "
        "1]}]\"]";
    if (first == std::string::npos || last == std::string::npos || last < first)
    {
        return wrong;
    }
    const nlohmann::json list =
        nlohmann::json::parse(values.substr(first, last - first + 1), nullptr, false);
    if (!list.is_array())
    {
        return wrong;
    }
    for (const nlohmann::json& group : list)
    {
        std::vector<uint32_t> members;
        if (!group.is_object() || !group.contains("pg_name") || !group["pg_name"].is_string() ||
            !group.contains("ranks") || !TakeRanks(group["ranks"], members))
        {
            return wrong;
        }
        if (members.empty())
        {
            members.resize(ranks);
            std::iota(members.begin(), members.end(), 0);
        }
        const auto name = group["pg_name"].get<std::string>();
        const std::string outside = OutsideRank(members, ranks);
        if (!outside.empty())
        {
            return "process group " + ShownText(name) + ": " + outside;
        }
        groups[name] = members;
    }
    return "";
}

} // namespace ns3
