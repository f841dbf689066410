/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_TREE_SHAPE_H
#define WORKLOAD_COLLECTIVE_TREE_SHAPE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload A tree of members: who hangs below whom. */
struct WorkloadTree
{
    /** \param count of members, all without parent */
    explicit WorkloadTree(uint32_t count);

    /** Hangs \p child below \p above. */
    void Add(uint32_t child, uint32_t above);

    std::vector<uint32_t> parent;                ///< of each member; WORKLOAD_NONE for the root
    std::vector<std::vector<uint32_t>> children; ///< of each member
};

/**
 * \ingroup workload
 *
 * NCCL's binary tree: node 0 on top; below it the nodes in order, the odd ones leaves. A node
 * whose lowest set bit is b hangs below the one that has 2b in place of b and of its own 2b, or
 * where that is not below \p count, below the one without b. Its depth is ceil(log2 count).
 * \param count of nodes, at least 1
 * \return the tree, a node's smaller child first
 */
WorkloadTree MakeWorkloadBinaryTree(uint32_t count);

/**
 * \ingroup workload
 *
 * The second tree of NCCL's double binary tree (after Sanders, Speck, Traff 2009): the first one
 * mirrored if \p count is even, moved on by one node if it is odd, so that no node but at most one
 * (of an odd number) sends to children in both.
 */
WorkloadTree MakeWorkloadSecondTree(uint32_t count);

/**
 * \ingroup workload
 *
 * Puts a chain of members in place of each node of a tree of servers. The first of a chain sends to
 * the server above: to the second member of its chain from a first child, to its first member from
 * a second child (NCCL's balanced tree), so that no member receives from two servers if servers
 * have two members.
 * \param servers the members of each server, in the order of the chain, not empty
 * \param tree of the servers
 */
WorkloadTree MakeWorkloadServerTree(const std::vector<std::vector<uint32_t>>& servers,
                                    const WorkloadTree& tree);

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_TREE_SHAPE_H
