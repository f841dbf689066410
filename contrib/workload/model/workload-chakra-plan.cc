/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-plan.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

namespace
{

/** ASTRA-sim's delay at end points within a communicator, ns, instead of endpoint-delay. */
constexpr int64_t LOCAL_DELAY_NS = 10;

/** Checks that an algorithm can deal with a number of members. */
void
CheckMembers(const WorkloadAstraImplementation& implementation, uint32_t members)
{
    const bool binary = implementation.algorithm == WorkloadAstraAlgorithm::HALVING_DOUBLING ||
                        implementation.algorithm == WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE;
    if (binary && (members & (members - 1)) != 0)
    {
        throw RdmaInputError("halvingDoubling and doubleBinaryTree need a power of two, but there "
                             "are " +
                             std::to_string(members) + " ranks; take ring or direct");
    }
}

/** \return the key of a collective's algorithms, for messages */
std::string
KeyOf(WorkloadChakraCollective collective)
{
    switch (collective)
    {
    case WorkloadChakraCollective::ALL_GATHER:
        return "all-gather-implementation";
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return "reduce-scatter-implementation";
    case WorkloadChakraCollective::ALL_TO_ALL:
        return "all-to-all-implementation";
    default:
        return "all-reduce-implementation";
    }
}

} // namespace

WorkloadChakraPlanner::WorkloadChakraPlanner(const WorkloadAstraSystem& system,
                                             const std::vector<uint32_t>& dims)
    : m_system(system),
      m_dims(dims),
      m_ranks(1)
{
    for (const uint32_t size : dims)
    {
        if (size == 0 || m_ranks > UINT32_MAX / size)
        {
            throw RdmaInputError("the sizes of the logical dimensions must be above 0, and their "
                                 "product must fit in 32 bits");
        }
        m_ranks *= size;
    }
    CheckFit(WorkloadChakraCollective::ALL_REDUCE);
    CheckFit(WorkloadChakraCollective::ALL_GATHER);
    CheckFit(WorkloadChakraCollective::REDUCE_SCATTER);
    CheckFit(WorkloadChakraCollective::ALL_TO_ALL);
}

void
WorkloadChakraPlanner::CheckFit(WorkloadChakraCollective collective) const
{
    const std::vector<WorkloadAstraImplementation>& given = m_system.Of(collective);
    if (given.empty())
    {
        return;
    }
    const auto one =
        std::find_if(given.begin(), given.end(), [](const auto& each) { return each.one; });
    const bool fits = one == given.end() ? given.size() == m_dims.size() : given.size() == 1;
    if (!fits)
    {
        throw RdmaInputError(KeyOf(collective) + " has " + std::to_string(given.size()) +
                             " algorithms for " + std::to_string(m_dims.size()) +
                             " logical dimensions; name one for each, or a single oneRing or "
                             "oneDirect for all");
    }
    const bool aware = m_system.localBandwidthAware && given.size() > 1;
    for (size_t d = 0; d < given.size(); ++d)
    {
        CheckMembers(given[d], one == given.end() ? m_dims[d] : m_ranks);
        if (aware && d + 1 < given.size() &&
            given[d].algorithm == WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
        {
            throw RdmaInputError(KeyOf(collective) +
                                 ": with localBWAware, doubleBinaryTree is for the last "
                                 "dimension; take ring for the others");
        }
    }
}

std::vector<WorkloadChakraPlanner::Dimension>
WorkloadChakraPlanner::Dimensions(WorkloadChakraCollective collective) const
{
    const std::vector<WorkloadAstraImplementation>& given = m_system.Of(collective);
    if (!given.empty() && given.front().one)
    {
        return {{given.front(), m_ranks, 1}};
    }
    std::vector<Dimension> dimensions;
    uint32_t stride = 1;
    for (size_t d = 0; d < m_dims.size(); ++d)
    {
        dimensions.push_back(
            {given.empty() ? WorkloadAstraImplementation{} : given[d], m_dims[d], stride});
        stride *= m_dims[d];
    }
    return dimensions;
}

WorkloadChakraPlan
WorkloadChakraPlanner::Make(uint32_t rank,
                            const std::vector<uint32_t>* group,
                            WorkloadChakraCollective collective,
                            uint64_t bytes,
                            const std::vector<bool>& involved) const
{
    const bool gather = collective == WorkloadChakraCollective::ALL_GATHER;
    WorkloadChakraPlan plan;
    uint64_t chunk = bytes / m_system.splits;
    if (!gather && chunk < m_ranks)
    {
        chunk = m_ranks;
        bytes = m_system.splits * chunk;
    }
    chunk = std::max<uint64_t>(chunk, 1);
    plan.chunks = bytes / chunk + (bytes % chunk != 0 ? 1 : 0);
    uint64_t left = chunk;

    const auto add = [&](const Dimension& dimension, size_t d, WorkloadChakraCollective what) {
        WorkloadChakraPhase phase;
        phase.collective = what;
        phase.implementation = dimension.implementation;
        phase.members.stride = dimension.stride;
        phase.members.count = dimension.size;
        phase.position = rank / dimension.stride % dimension.size;
        phase.members.first = rank - phase.position * dimension.stride;
        phase.bytes = left;
        phase.dimension = static_cast<uint32_t>(d);
        phase.endpointNs = m_system.endpointDelayNs;
        plan.phases.push_back(phase);
        left = phase.Result();
    };

    if (group != nullptr && group->size() != m_ranks)
    {
        const std::vector<WorkloadAstraImplementation>& given = m_system.Of(collective);
        const auto members = static_cast<uint32_t>(group->size());
        if (members > 1)
        {
            const auto own = std::find(group->begin(), group->end(), rank);
            const Dimension all{given.size() == 1 ? given.front() : WorkloadAstraImplementation{},
                                members,
                                1};
            CheckMembers(all.implementation, members);
            add(all, 0, collective);
            WorkloadChakraPhase& phase = plan.phases.back();
            phase.members.list = group;
            phase.position = static_cast<uint32_t>(own - group->begin());
            if (all.implementation.algorithm != WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
            {
                phase.endpointNs = LOCAL_DELAY_NS;
            }
        }
        return plan;
    }

    const std::vector<Dimension> dimensions = Dimensions(collective);
    std::vector<size_t> order;
    for (size_t d = 0; d < dimensions.size(); ++d)
    {
        if (dimensions[d].size > 1 && (involved.empty() || involved[d]))
        {
            order.push_back(d);
        }
    }
    if (gather)
    {
        std::reverse(order.begin(), order.end());
    }
    if (collective != WorkloadChakraCollective::ALL_REDUCE || !m_system.localBandwidthAware)
    {
        for (const size_t d : order)
        {
            add(dimensions[d], d, collective);
        }
        return plan;
    }
    for (size_t i = 0; i + 1 < order.size(); ++i)
    {
        add(dimensions[order[i]], order[i], WorkloadChakraCollective::REDUCE_SCATTER);
    }
    if (!order.empty())
    {
        add(dimensions[order.back()], order.back(), WorkloadChakraCollective::ALL_REDUCE);
    }
    for (size_t i = order.size(); i > 1; --i)
    {
        add(dimensions[order[i - 2]], order[i - 2], WorkloadChakraCollective::ALL_GATHER);
        plan.phases.back().backwards = true;
    }
    return plan;
}

} // namespace ns3
