/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-chain.h"

#include <algorithm>

namespace ns3
{

WorkloadTrainingGroups
MakeNeighbourGroups(uint32_t first, uint32_t count, uint32_t size)
{
    WorkloadTrainingGroups groups(count / size);
    for (uint32_t i = 0; i < count; ++i)
    {
        groups[i / size].push_back(first + i);
    }
    return groups;
}

WorkloadTrainingGroups
MakeStridedGroups(uint32_t first, uint32_t count, uint32_t stride)
{
    WorkloadTrainingGroups groups(stride);
    for (uint32_t i = 0; i < count; ++i)
    {
        groups[i % stride].push_back(first + i);
    }
    return groups;
}

WorkloadTrainingChain::WorkloadTrainingChain(WorkloadScheduleBuilder& builder,
                                             uint32_t first,
                                             uint32_t count)
    : m_builder(builder),
      m_first(first),
      m_last(count, WORKLOAD_NONE)
{
}

void
WorkloadTrainingChain::Wait(const Operations& operations)
{
    if (std::any_of(operations.begin(), operations.end(), [](uint32_t operation) {
            return operation != WORKLOAD_NONE;
        }))
    {
        if (!m_category.empty())
        {
            Flush(); // what came before does not wait
        }
        m_waits.push_back(operations);
    }
}

void
WorkloadTrainingChain::Compute(uint64_t ns, const char* category)
{
    if (m_category != category)
    {
        if (!m_category.empty())
        {
            Flush();
        }
        m_category = category;
    }
    m_ns += ns;
}

const WorkloadTrainingChain::Operations&
WorkloadTrainingChain::Last()
{
    if (!m_category.empty() || !m_waits.empty())
    {
        Flush();
    }
    return m_last;
}

void
WorkloadTrainingChain::Flush()
{
    const uint8_t before =
        m_builder.SetCategory(m_category.empty() ? 0 : m_builder.Category(m_category));
    for (uint32_t i = 0; i < m_last.size(); ++i)
    {
        const uint32_t rank = m_first + i;
        const uint32_t operation = m_builder.Calc(rank, m_ns, WORKLOAD_COMPUTE_STREAM);
        if (m_last[i] != WORKLOAD_NONE)
        {
            m_builder.Require(rank, operation, m_last[i]);
        }
        for (const Operations& wait : m_waits)
        {
            if (wait[i] != WORKLOAD_NONE)
            {
                m_builder.Require(rank, operation, wait[i]);
            }
        }
        m_last[i] = operation;
    }
    m_builder.SetCategory(before);
    m_waits.clear();
    m_ns = 0;
    m_category.clear();
}

void
WorkloadTrainingChain::Collective(const WorkloadTrainingGroups& groups,
                                  const WorkloadCollective& collective,
                                  const char* category)
{
    const Operations after = Last();
    m_last = Beside(groups, collective, category, after, None());
}

WorkloadTrainingChain::Operations
WorkloadTrainingChain::Beside(const WorkloadTrainingGroups& groups,
                              const WorkloadCollective& collective,
                              const char* category,
                              const Operations& after,
                              const Operations& before)
{
    Operations ends(m_last.size());
    const uint8_t previous = m_builder.SetCategory(m_builder.Category(category));
    Operations gates;
    for (const std::vector<uint32_t>& group : groups)
    {
        gates.clear();
        for (const uint32_t rank : group)
        {
            gates.push_back(after[rank - m_first]);
        }
        const WorkloadCollectiveEnds added =
            AddWorkloadCollective(m_builder, group, collective, gates);
        for (size_t i = 0; i < group.size(); ++i)
        {
            const uint32_t local = group[i] - m_first;
            if (before[local] != WORKLOAD_NONE)
            {
                m_builder.Require(group[i], added.begin[i], before[local]);
            }
            ends[local] = added.end[i];
        }
    }
    m_builder.SetCategory(previous);
    return ends;
}

} // namespace ns3
