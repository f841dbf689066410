/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-graph.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Sorts the nodes by id and the ids that each waits for, each once. */
void
SortNodes(WorkloadChakraRank& rank)
{
    std::vector<WorkloadChakraNode>& nodes = rank.nodes;
    std::stable_sort(
        nodes.begin(),
        nodes.end(),
        [](const WorkloadChakraNode& a, const WorkloadChakraNode& b) { return a.id < b.id; });
    for (size_t i = 0; i < nodes.size(); ++i)
    {
        if (i > 0 && nodes[i].id == nodes[i - 1].id)
        {
            FailWorkloadChakra(rank,
                               nodes[i],
                               "its id is that of the node at byte " +
                                   std::to_string(nodes[i - 1].offset) +
                                   "; give every node an id of its own");
        }
        std::vector<uint64_t>& waits = nodes[i].dependencies;
        std::sort(waits.begin(), waits.end());
        waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
        waits.shrink_to_fit();
    }
}

/** Throws an error that shows a cycle among the nodes that \p missing says still wait. */
[[noreturn]] void
FailCycle(const WorkloadChakraRank& rank, const std::vector<uint32_t>& missing)
{
    // Every such node waits for another one: going from one to the next ends in a cycle.
    std::vector<uint32_t> seenAt(rank.nodes.size(), 0);
    std::vector<size_t> path;
    size_t at = 0;
    while (missing[at] == 0)
    {
        ++at;
    }
    while (seenAt[at] == 0)
    {
        path.push_back(at);
        seenAt[at] = static_cast<uint32_t>(path.size());
        for (const uint64_t id : rank.nodes[at].dependencies)
        {
            const size_t next = FindWorkloadChakra(rank, id);
            if (missing[next] > 0)
            {
                at = next;
                break;
            }
        }
    }
    std::string shown;
    const size_t first = seenAt[at] - 1;
    for (size_t i = first; i < path.size() && i < first + 8; ++i)
    {
        shown += std::to_string(rank.nodes[path[i]].id) + " waits for ";
    }
    shown += path.size() > first + 8 ? "... " : "";
    FailWorkloadChakra(rank,
                       rank.nodes[at],
                       "dependencies form a cycle: " + shown + std::to_string(rank.nodes[at].id) +
                           "; take one of them out");
}

/** Checks that all dependencies exist and that there is an order that meets them. */
void
CheckDependencies(const WorkloadChakraRank& rank)
{
    const std::vector<WorkloadChakraNode>& nodes = rank.nodes;
    std::vector<uint32_t> missing(nodes.size());
    std::vector<std::vector<uint32_t>> waiters(nodes.size());
    std::vector<uint32_t> ready;
    for (size_t i = 0; i < nodes.size(); ++i)
    {
        missing[i] = static_cast<uint32_t>(nodes[i].dependencies.size());
        if (missing[i] == 0)
        {
            ready.push_back(static_cast<uint32_t>(i));
        }
        for (const uint64_t id : nodes[i].dependencies)
        {
            const size_t before = FindWorkloadChakra(rank, id);
            if (before == nodes.size())
            {
                FailWorkloadChakra(
                    rank,
                    nodes[i],
                    "it waits for node " + std::to_string(id) +
                        ", which the file does not have; take the dependency out, or put "
                        "the node in");
            }
            waiters[before].push_back(static_cast<uint32_t>(i));
        }
    }
    size_t done = 0;
    while (!ready.empty())
    {
        const uint32_t i = ready.back();
        ready.pop_back();
        ++done;
        for (const uint32_t waiter : waiters[i])
        {
            if (--missing[waiter] == 0)
            {
                ready.push_back(waiter);
            }
        }
    }
    if (done < nodes.size())
    {
        FailCycle(rank, missing);
    }
}

} // namespace

size_t
FindWorkloadChakra(const WorkloadChakraRank& rank, uint64_t id)
{
    const std::vector<WorkloadChakraNode>& nodes = rank.nodes;
    const auto found =
        std::lower_bound(nodes.begin(),
                         nodes.end(),
                         id,
                         [](const WorkloadChakraNode& node, uint64_t i) { return node.id < i; });
    return found != nodes.end() && found->id == id ? static_cast<size_t>(found - nodes.begin())
                                                   : nodes.size();
}

void
OrderWorkloadChakra(WorkloadChakraRank& rank)
{
    SortNodes(rank);
    CheckDependencies(rank);
}

InputError
WorkloadChakraError(const WorkloadChakraRank& rank,
                    const WorkloadChakraNode& node,
                    const std::string& message)
{
    return {rank.file,
            0,
            "node " + std::to_string(node.id) + " (byte " + std::to_string(node.offset) +
                "): " + message};
}

void
FailWorkloadChakra(const WorkloadChakraRank& rank,
                   const WorkloadChakraNode& node,
                   const std::string& message)
{
    throw WorkloadChakraError(rank, node, message);
}

} // namespace ns3
