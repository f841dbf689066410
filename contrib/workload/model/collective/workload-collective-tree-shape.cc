/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-tree-shape.h"

#include "workload-collective.h"

namespace ns3
{

WorkloadTree::WorkloadTree(uint32_t count)
    : parent(count, WORKLOAD_NONE),
      children(count)
{
}

void
WorkloadTree::Add(uint32_t child, uint32_t above)
{
    parent[child] = above;
    children[above].push_back(child);
}

WorkloadTree
MakeWorkloadBinaryTree(uint32_t count)
{
    WorkloadTree tree(count);
    for (uint32_t node = 1; node < count; ++node)
    {
        const uint32_t lowest = node & (~node + 1);
        const uint32_t without = node - lowest;
        const uint64_t between = without | (uint64_t{lowest} << 1);
        tree.Add(node, between < count ? static_cast<uint32_t>(between) : without);
    }
    return tree;
}

WorkloadTree
MakeWorkloadSecondTree(uint32_t count)
{
    const WorkloadTree first = MakeWorkloadBinaryTree(count);
    const auto moved = [&](uint32_t node) {
        return count % 2 == 0 ? count - 1 - node : (node + 1) % count;
    };
    WorkloadTree tree(count);
    for (uint32_t above = 0; above < count; ++above)
    {
        for (const uint32_t child : first.children[above])
        {
            tree.Add(moved(child), moved(above));
        }
    }
    return tree;
}

WorkloadTree
MakeWorkloadServerTree(const std::vector<std::vector<uint32_t>>& servers, const WorkloadTree& tree)
{
    size_t count = 0;
    for (const std::vector<uint32_t>& chain : servers)
    {
        count += chain.size();
    }
    WorkloadTree members(static_cast<uint32_t>(count));
    for (size_t server = 0; server < servers.size(); ++server)
    {
        const std::vector<uint32_t>& chain = servers[server];
        for (size_t i = 1; i < chain.size(); ++i)
        {
            members.Add(chain[i], chain[i - 1]);
        }
        for (size_t i = 0; i < tree.children[server].size(); ++i)
        {
            // An only child counts as the second one.
            const bool isFirst = i == 0 && tree.children[server].size() > 1;
            const uint32_t above = isFirst && chain.size() > 1 ? chain[1] : chain[0];
            members.Add(servers[tree.children[server][i]].front(), above);
        }
    }
    return members;
}

} // namespace ns3
