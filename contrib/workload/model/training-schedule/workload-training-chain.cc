/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-chain.h"

#include "ns3/workload-training-servers.h"

#include <algorithm>
#include <cmath>

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

WorkloadCollectiveEnds
AddWorkloadTrainingCollective(WorkloadScheduleBuilder& builder,
                              const WorkloadTraining& training,
                              const std::vector<uint32_t>& group,
                              WorkloadCollective collective,
                              const std::vector<uint32_t>& after,
                              const std::vector<uint32_t>& before)
{
    std::vector<uint32_t> gates = after;
    std::vector<uint32_t> more = before;
    if (!training.network.serverTypes.empty())
    {
        collective.reduceNsPerByte = WorkloadTrainingCostsOf(training, group).reduceNsPerByte;
        for (size_t i = 0; i < group.size(); ++i)
        {
            const uint64_t setup = WorkloadTrainingCostsOf(training, group[i]).setupNs;
            if (setup == 0)
            {
                continue;
            }
            const uint32_t calc = builder.Calc(group[i], setup, collective.cpu);
            for (const uint32_t gate : {gates[i], more[i]})
            {
                if (gate != WORKLOAD_NONE)
                {
                    builder.Require(group[i], calc, gate);
                }
            }
            gates[i] = calc;
            more[i] = WORKLOAD_NONE;
        }
    }
    WorkloadCollectiveEnds ends = AddWorkloadCollective(builder, group, collective, gates);
    for (size_t i = 0; i < group.size(); ++i)
    {
        if (more[i] != WORKLOAD_NONE)
        {
            builder.Require(group[i], ends.begin[i], more[i]);
        }
        if (!training.gpu.overlap.empty())
        {
            builder.SetMark(group[i], ends.begin[i], WORKLOAD_COMMUNICATION_BEGINS);
            builder.SetMark(group[i], ends.end[i], WORKLOAD_COMMUNICATION_ENDS);
        }
    }
    return ends;
}

WorkloadTrainingChain::WorkloadTrainingChain(WorkloadScheduleBuilder& builder,
                                             const WorkloadTraining& training,
                                             uint32_t first,
                                             uint32_t count)
    : m_builder(builder),
      m_training(training),
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
WorkloadTrainingChain::Compute(uint64_t ns, const char* category, uint32_t slowdown)
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
    m_slowdowns += static_cast<double>(ns) * slowdown;
}

void
WorkloadTrainingChain::Restart(const Operations& operations)
{
    Last();
    m_last = operations;
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
    const auto slowdown =
        static_cast<uint32_t>(m_ns == 0 ? 0 : std::lround(m_slowdowns / static_cast<double>(m_ns)));
    for (uint32_t i = 0; i < m_last.size(); ++i)
    {
        const uint32_t rank = m_first + i;
        const uint32_t operation = m_builder.Calc(rank, m_ns, WORKLOAD_COMPUTE_STREAM);
        m_builder.SetSlowdown(rank, operation, slowdown);
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
    m_slowdowns = 0;
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
    Operations ends(m_last.size(), WORKLOAD_NONE);
    const uint8_t previous = m_builder.SetCategory(m_builder.Category(category));
    Operations gates;
    Operations more;
    for (const std::vector<uint32_t>& group : groups)
    {
        gates.clear();
        more.clear();
        for (const uint32_t rank : group)
        {
            gates.push_back(after[rank - m_first]);
            more.push_back(before[rank - m_first]);
        }
        const WorkloadCollectiveEnds added =
            AddWorkloadTrainingCollective(m_builder, m_training, group, collective, gates, more);
        for (size_t i = 0; i < group.size(); ++i)
        {
            ends[group[i] - m_first] = added.end[i];
        }
    }
    m_builder.SetCategory(previous);
    return ends;
}

WorkloadTrainingChain::Operations
WorkloadTrainingChain::BesideTime(const WorkloadTrainingGroups& groups,
                                  uint64_t ns,
                                  const WorkloadCollective& collective,
                                  const char* category,
                                  const Operations& after,
                                  const Operations& before)
{
    Operations ends(m_last.size(), WORKLOAD_NONE);
    const uint8_t previous = m_builder.SetCategory(m_builder.Category(category));
    const auto add = [&](uint32_t rank) {
        const uint32_t local = rank - m_first;
        const uint32_t begin = m_builder.Calc(rank, 0, collective.cpu);
        for (const uint32_t gate : {after[local], before[local]})
        {
            if (gate != WORKLOAD_NONE)
            {
                m_builder.Require(rank, begin, gate);
            }
        }
        ends[local] = m_builder.Calc(rank, ns, collective.cpu);
        m_builder.Require(rank, ends[local], begin);
        if (!m_training.gpu.overlap.empty())
        {
            m_builder.SetMark(rank, begin, WORKLOAD_COMMUNICATION_BEGINS);
            m_builder.SetMark(rank, ends[local], WORKLOAD_COMMUNICATION_ENDS);
        }
    };
    for (const std::vector<uint32_t>& group : groups)
    {
        std::for_each(group.begin(), group.end(), add);
    }
    m_builder.SetCategory(previous);
    return ends;
}

} // namespace ns3
