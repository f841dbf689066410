/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-plan.h"

#include "ns3/input-error.h"

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
        throw InputError("halvingDoubling and doubleBinaryTree need a power of two, but there "
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
            throw InputError("the sizes of the logical dimensions must be above 0, and their "
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
        throw InputError(KeyOf(collective) + " has " + std::to_string(given.size()) +
                         " algorithms for " + std::to_string(m_dims.size()) +
                         (m_dims.size() == 1 ? " logical dimension" : " logical dimensions") +
                         "; name one for each, or a single oneRing or "
                         "oneDirect for all");
    }
    const bool aware = m_system.localBandwidthAware && given.size() > 1;
    for (size_t d = 0; d < given.size(); ++d)
    {
        CheckMembers(given[d], one == given.end() ? m_dims[d] : m_ranks);
        if (aware && d + 1 < given.size() &&
            given[d].algorithm == WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
        {
            throw InputError(KeyOf(collective) +
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
        return {{given.front(), m_ranks, 1, 0}};
    }
    std::vector<Dimension> dimensions;
    uint32_t stride = 1;
    for (size_t d = 0; d < m_dims.size(); ++d)
    {
        dimensions.push_back({given.empty() ? WorkloadAstraImplementation{} : given[d],
                              m_dims[d],
                              stride,
                              static_cast<uint32_t>(d)});
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
    WorkloadChakraPlan plan;
    uint64_t chunk = bytes / m_system.splits;
    if (collective != WorkloadChakraCollective::ALL_GATHER && chunk < m_ranks)
    {
        chunk = m_ranks;
        bytes = m_system.splits * chunk;
    }
    chunk = std::max<uint64_t>(chunk, 1);
    plan.chunks = bytes / chunk + (bytes % chunk != 0 ? 1 : 0);
    if (group == nullptr || group->size() == m_ranks)
    {
        AddDimensions(plan, rank, collective, chunk, involved);
    }
    else if (group->size() > 1)
    {
        AddGroup(plan, rank, *group, collective, chunk);
    }
    return plan;
}

uint64_t
WorkloadChakraPlanner::Add(WorkloadChakraPlan& plan,
                           uint32_t rank,
                           const Dimension& dimension,
                           WorkloadChakraCollective collective,
                           uint64_t bytes) const
{
    WorkloadChakraPhase phase;
    phase.collective = collective;
    phase.implementation = dimension.implementation;
    phase.members.stride = dimension.stride;
    phase.members.count = dimension.size;
    phase.position = rank / dimension.stride % dimension.size;
    phase.members.first = rank - phase.position * dimension.stride;
    phase.bytes = bytes;
    phase.dimension = dimension.number;
    phase.endpointNs = m_system.endpointDelayNs;
    plan.phases.push_back(phase);
    return phase.Result();
}

void
WorkloadChakraPlanner::AddGroup(WorkloadChakraPlan& plan,
                                uint32_t rank,
                                const std::vector<uint32_t>& group,
                                WorkloadChakraCollective collective,
                                uint64_t chunk) const
{
    const std::vector<WorkloadAstraImplementation>& given = m_system.Of(collective);
    const auto members = static_cast<uint32_t>(group.size());
    const auto own = std::find(group.begin(), group.end(), rank);
    const Dimension all{given.size() == 1 ? given.front() : WorkloadAstraImplementation{},
                        members,
                        1,
                        0};
    CheckMembers(all.implementation, members);
    Add(plan, rank, all, collective, chunk);
    WorkloadChakraPhase& phase = plan.phases.back();
    phase.members.list = &group;
    phase.position = static_cast<uint32_t>(own - group.begin());
    if (all.implementation.algorithm != WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
    {
        phase.endpointNs = LOCAL_DELAY_NS;
    }
}

void
WorkloadChakraPlanner::AddDimensions(WorkloadChakraPlan& plan,
                                     uint32_t rank,
                                     WorkloadChakraCollective collective,
                                     uint64_t chunk,
                                     const std::vector<bool>& involved) const
{
    std::vector<Dimension> order;
    for (const Dimension& dimension : Dimensions(collective))
    {
        if (dimension.size > 1 && (involved.empty() || involved[dimension.number]))
        {
            order.push_back(dimension);
        }
    }
    if (collective == WorkloadChakraCollective::ALL_GATHER)
    {
        std::reverse(order.begin(), order.end());
    }
    uint64_t left = chunk;
    if (collective != WorkloadChakraCollective::ALL_REDUCE || !m_system.localBandwidthAware)
    {
        for (const Dimension& dimension : order)
        {
            left = Add(plan, rank, dimension, collective, left);
        }
        return;
    }
    for (size_t i = 0; i + 1 < order.size(); ++i)
    {
        left = Add(plan, rank, order[i], WorkloadChakraCollective::REDUCE_SCATTER, left);
    }
    if (!order.empty())
    {
        left = Add(plan, rank, order.back(), WorkloadChakraCollective::ALL_REDUCE, left);
    }
    for (size_t i = order.size(); i > 1; --i)
    {
        left = Add(plan, rank, order[i - 2], WorkloadChakraCollective::ALL_GATHER, left);
        plan.phases.back().backwards = true;
    }
}

} // namespace ns3
