/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-communicators.h"

#include "ns3/input-error.h"
#include "ns3/workload-schedule.h"

#include <numeric>
#include <string>

namespace ns3
{

WorkloadMpiCommunicators::WorkloadMpiCommunicators(uint32_t ranks)
{
    m_groups.push_back(std::make_unique<WorkloadMpiGroup>());
    m_world = m_groups.back().get();
    m_world->members.resize(ranks);
    std::iota(m_world->members.begin(), m_world->members.end(), 0);
    m_world->firstTag = NewTags(WORKLOAD_MPI_TAGS);
}

const WorkloadMpiGroup&
WorkloadMpiCommunicators::Find(uint32_t parent,
                               const std::vector<uint32_t>& members,
                               uint32_t before)
{
    std::vector<WorkloadMpiGroup*>& same = m_made[{parent, members}];
    while (same.size() <= before)
    {
        m_groups.push_back(std::make_unique<WorkloadMpiGroup>());
        WorkloadMpiGroup* group = m_groups.back().get();
        group->number = static_cast<uint32_t>(m_groups.size() - 1);
        group->members = members;
        group->firstTag = NewTags(WORKLOAD_MPI_TAGS);
        same.push_back(group);
    }
    return *same[before];
}

uint32_t
WorkloadMpiCommunicators::TagOf(const WorkloadMpiGroup& group, uint32_t tag)
{
    const uint64_t key = static_cast<uint64_t>(group.number) << 32 | tag;
    const auto found = m_tags.find(key);
    if (found != m_tags.end())
    {
        return found->second;
    }
    const uint32_t given = NewTags(1);
    m_tags.emplace(key, given);
    return given;
}

uint32_t
WorkloadMpiCommunicators::NewTags(uint32_t count)
{
    if (count > WORKLOAD_ANY - m_nextTag)
    {
        throw InputError("the program uses more tags and communicators than the 32 bits of a tag "
                         "of GOAL have room for (" +
                         std::to_string(m_groups.size()) +
                         " communicators of 1024 tags each): trace a shorter run");
    }
    const uint32_t first = m_nextTag;
    m_nextTag += count;
    return first;
}

} // namespace ns3
