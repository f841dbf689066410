/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-algorithms.h"
#include "workload-collective-servers.h"
#include "workload-collective-tree-shape.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return the tree of a channel, its root the collective's if that has one */
WorkloadTree
MakeTree(const WorkloadCollectiveJob& job, uint32_t channel)
{
    const WorkloadCollective& collective = job.collective;
    const bool twoTrees = collective.algorithm == WorkloadCollectiveAlgorithm::DOUBLE_BINARY_TREE;
    const uint32_t turn = twoTrees ? channel / 2 : channel; // pairs of trees share their chains
    auto servers = GroupWorkloadServers(job.members, collective.ranksPerServer);
    for (std::vector<uint32_t>& chain : servers)
    {
        const auto first = collective.rotateChannels ? turn % chain.size() : 0;
        std::rotate(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(first), chain.end());
    }
    if (collective.kind != WorkloadCollectiveKind::ALL_REDUCE)
    {
        for (size_t server = 0; server < servers.size(); ++server)
        {
            std::vector<uint32_t>& chain = servers[server];
            const auto root = std::find(chain.begin(), chain.end(), collective.root);
            if (root != chain.end())
            {
                std::rotate(chain.begin(), root, chain.end());
                std::rotate(servers.begin(),
                            servers.begin() + static_cast<std::ptrdiff_t>(server),
                            servers.end());
                break;
            }
        }
    }
    const auto count = static_cast<uint32_t>(servers.size());
    return MakeWorkloadServerTree(servers,
                                  twoTrees && channel % 2 == 1 ? MakeWorkloadSecondTree(count)
                                                               : MakeWorkloadBinaryTree(count));
}

/** All trees, and one member's way through them. */
class TreeAlgorithm
{
  public:
    explicit TreeAlgorithm(WorkloadCollectiveJob& job)
        : m_job(job),
          m_layout(job.Layout(WorkloadParts::WHOLE)),
          m_up(job.collective.kind != WorkloadCollectiveKind::BROADCAST),
          m_down(job.collective.kind != WorkloadCollectiveKind::REDUCE)
    {
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            m_trees.push_back(MakeTree(job, channel));
        }
        // In a tree, what goes from one member to another goes only up, or only down.
        job.ReserveTags(m_layout.GetFirstRound(m_layout.GetChannels()), 2 * job.members.size());
    }

    void AddMember(uint32_t index)
    {
        WorkloadCollectiveMember member(m_job, index);
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            AddChannel(member, index, channel);
        }
        member.End();
    }

  private:
    /** A member's links to its neighbours in a tree. */
    struct Neighbours
    {
        std::vector<WorkloadCollectiveLink> fromParent; //!< one, or none for the root
        std::vector<WorkloadCollectiveLink> toParent;
        std::vector<WorkloadCollectiveLink> fromChildren;
        std::vector<WorkloadCollectiveLink> toChildren;
    };

    void AddChannel(WorkloadCollectiveMember& member, uint32_t index, uint32_t channel)
    {
        const WorkloadTree& tree = m_trees[channel];
        Neighbours links;
        if (tree.parent[index] != WORKLOAD_NONE)
        {
            links.fromParent.push_back(member.Link(tree.parent[index]));
            links.toParent.push_back(member.Link(tree.parent[index]));
        }
        for (const uint32_t child : tree.children[index])
        {
            links.fromChildren.push_back(member.Link(child));
            links.toChildren.push_back(member.Link(child));
        }
        for (uint64_t round = 0; round < m_layout.GetRounds(channel); ++round)
        {
            const uint64_t tag = m_layout.GetFirstRound(channel) + round;
            AddChunk(member, links, m_layout.Part(channel, round, 0), tag);
        }
    }

    void AddChunk(WorkloadCollectiveMember& member,
                  Neighbours& links,
                  WorkloadRange range,
                  uint64_t tag)
    {
        std::vector<uint32_t> ready{member.Begin()}; // the sum is there when all have completed
        if (m_up && !links.fromChildren.empty())
        {
            ready.clear();
            for (WorkloadCollectiveLink& child : links.fromChildren)
            {
                ready.push_back(member.Receive(child, range, tag, true));
            }
        }
        if (m_up)
        {
            SendAll(member, links.toParent, range, tag, ready);
        }
        if (m_down && !links.fromParent.empty())
        {
            ready = {member.Receive(links.fromParent.front(), range, tag, false)};
        }
        if (m_down)
        {
            SendAll(member, links.toChildren, range, tag, ready);
        }
        for (const uint32_t operation : ready)
        {
            member.Finish(operation);
        }
    }

    /** Sends to all of \p links when all of \p ready have completed. */
    static void SendAll(WorkloadCollectiveMember& member,
                        std::vector<WorkloadCollectiveLink>& links,
                        WorkloadRange range,
                        uint64_t tag,
                        const std::vector<uint32_t>& ready)
    {
        for (WorkloadCollectiveLink& link : links)
        {
            const uint32_t first = member.Send(link, range, tag, ready.front());
            for (size_t i = 1; i < ready.size(); ++i)
            {
                member.Require(first, ready[i]);
            }
        }
    }

    WorkloadCollectiveJob& m_job;
    WorkloadCollectiveLayout m_layout;
    bool m_up;                         //!< whether the data is reduced to the root
    bool m_down;                       //!< whether it comes back from there
    std::vector<WorkloadTree> m_trees; //!< by channel
};

} // namespace

void
AddWorkloadTree(WorkloadCollectiveJob& job)
{
    TreeAlgorithm tree(job);
    job.ForEachMember([&](uint32_t index) { tree.AddMember(index); });
}

} // namespace ns3
