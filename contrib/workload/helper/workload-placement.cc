/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-placement.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/rdma-traffic-random.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

using Places = std::vector<std::vector<uint32_t>>;

constexpr uint64_t MAX_NODES = 1 << 20;

/** Checks a job's list. */
void
CheckList(const WorkloadPlacementRequest& request, uint32_t nodes)
{
    if (request.nodes.size() != request.ranks)
    {
        throw InputError("job " + request.name + " has " + std::to_string(request.ranks) +
                         " ranks, but its list names " + std::to_string(request.nodes.size()) +
                         " nodes; name one per rank, in the order of the ranks");
    }
    const uint32_t highest = *std::max_element(request.nodes.begin(), request.nodes.end());
    if (highest >= nodes)
    {
        throw InputError("job " + request.name + ": node " + std::to_string(highest) +
                         " is listed, but there are " + std::to_string(nodes) +
                         ", numbered from 0");
    }
}

/** \return places in the order in which a policy fills them: each node that no list names, so many
 * times */
std::vector<uint32_t>
FreePlaces(const std::vector<WorkloadPlacementRequest>& requests,
           uint32_t nodes,
           uint64_t wanted,
           const WorkloadPlacement& placement)
{
    std::vector<bool> taken(nodes, false);
    for (const WorkloadPlacementRequest& request : requests)
    {
        for (uint32_t node : request.nodes)
        {
            taken[node] = true;
        }
    }
    // a random choice is among all places, the others use the first ones
    const bool all = placement.policy == WorkloadPlacementPolicy::RANDOM;
    std::vector<uint32_t> places;
    for (uint32_t node = 0; node < nodes && (all || places.size() < wanted); ++node)
    {
        if (!taken[node])
        {
            places.insert(places.end(), placement.ranksPerNode, node);
        }
    }
    if (places.size() < wanted)
    {
        throw InputError("the jobs need places for " + std::to_string(wanted) +
                         " ranks, but there are " + std::to_string(places.size()) + " (" +
                         std::to_string(nodes) + " nodes" +
                         (wanted < nodes ? ", less those that other jobs list" : "") + ", " +
                         std::to_string(placement.ranksPerNode) +
                         " rank(s) per node); take a larger network, or allow more ranks per node");
    }
    return places;
}

/** Fisher and Yates. */
void
Shuffle(std::vector<uint32_t>& places, uint64_t seed)
{
    RdmaTrafficRandom random(seed, 0);
    for (size_t left = places.size(); left > 1; --left)
    {
        std::swap(places[left - 1], places[random.Below(left)]);
    }
}

/** \return jobs that leave it to the policy, in the order in which their ranks take places */
std::vector<uint32_t>
TakingTurns(const std::vector<WorkloadPlacementRequest>& requests, bool inTurn)
{
    std::vector<uint32_t> turns;
    std::vector<uint32_t> waiting;
    for (uint32_t job = 0; job < requests.size(); ++job)
    {
        if (!requests[job].nodes.empty())
        {
            continue;
        }
        waiting.push_back(job);
        if (!inTurn)
        {
            turns.insert(turns.end(), requests[job].ranks, job);
        }
    }
    for (uint32_t round = 0; inTurn && !waiting.empty(); ++round)
    {
        const auto done = [&](uint32_t job) { return requests[job].ranks <= round; };
        waiting.erase(std::remove_if(waiting.begin(), waiting.end(), done), waiting.end());
        turns.insert(turns.end(), waiting.begin(), waiting.end());
    }
    return turns;
}

bool
ParseNode(const std::string& text, uint64_t& node)
{
    return ParseInteger(text, node) && node < UINT32_MAX;
}

} // namespace

Places
PlaceWorkloadJobs(const std::vector<WorkloadPlacementRequest>& requests,
                  uint32_t nodes,
                  const WorkloadPlacement& placement)
{
    uint64_t wanted = 0;
    for (const WorkloadPlacementRequest& request : requests)
    {
        if (!request.nodes.empty())
        {
            CheckList(request, nodes);
        }
        wanted += request.nodes.empty() ? request.ranks : 0;
    }
    std::vector<uint32_t> free = FreePlaces(requests, nodes, wanted, placement);
    if (placement.policy == WorkloadPlacementPolicy::RANDOM)
    {
        Shuffle(free, placement.seed);
    }
    Places places;
    for (const WorkloadPlacementRequest& request : requests)
    {
        places.push_back(request.nodes);
    }
    const std::vector<uint32_t> turns =
        TakingTurns(requests, placement.policy == WorkloadPlacementPolicy::ROUND_ROBIN);
    for (size_t i = 0; i < turns.size(); ++i)
    {
        places[turns[i]].push_back(free[i]);
    }
    return places;
}

std::vector<uint32_t>
ParseWorkloadNodes(const std::string& text)
{
    std::vector<uint32_t> nodes;
    for (size_t begin = 0; begin <= text.size();)
    {
        const size_t end = std::min(text.find('+', begin), text.size());
        const std::string range = text.substr(begin, end - begin);
        const size_t dash = range.find('-');
        uint64_t first = 0;
        uint64_t last = 0;
        if (!ParseNode(range.substr(0, dash), first) ||
            !ParseNode(dash == std::string::npos ? range : range.substr(dash + 1), last) ||
            first > last || last - first >= MAX_NODES - nodes.size())
        {
            throw InputError("nodes \"" + ShownText(text) +
                             "\": must be nodes and ranges, such as 0-7+16, at most " +
                             std::to_string(MAX_NODES) + " in all");
        }
        for (uint64_t node = first; node <= last; ++node)
        {
            nodes.push_back(static_cast<uint32_t>(node));
        }
        begin = end + 1;
    }
    return nodes;
}

bool
ParseWorkloadPlacementPolicy(const std::string& text, WorkloadPlacementPolicy& policy)
{
    for (const auto& [name, value] : {std::pair("packed", WorkloadPlacementPolicy::PACKED),
                                      {"round-robin", WorkloadPlacementPolicy::ROUND_ROBIN},
                                      {"random", WorkloadPlacementPolicy::RANDOM}})
    {
        if (text == name)
        {
            policy = value;
            return true;
        }
    }
    return false;
}

} // namespace ns3
