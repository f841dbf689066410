/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-names.h"

#include <array>

namespace ns3
{

namespace
{

/** \return the first \p count values of an enumeration that counts from 0 */
template <typename T>
std::vector<T>
FirstValues(size_t count)
{
    std::vector<T> values;
    for (size_t i = 0; i < count; ++i)
    {
        values.push_back(static_cast<T>(i));
    }
    return values;
}

constexpr std::array<const char*, 7> KINDS{"all-reduce",
                                           "all-gather",
                                           "reduce-scatter",
                                           "broadcast",
                                           "reduce",
                                           "all-to-all",
                                           "send-recv"};
constexpr std::array<const char*, 5> ALGORITHMS{"auto", "ring", "tree", "double-tree", "direct"};
constexpr std::array<const char*, 4> PROTOCOL_NAMES{"auto", "simple", "ll", "ll128"};
constexpr std::array<const char*, 3> GPUS{"volta", "ampere", "hopper"};

} // namespace

std::string
WorkloadName(WorkloadCollectiveKind kind)
{
    return KINDS.at(static_cast<size_t>(kind));
}

std::string
WorkloadName(WorkloadCollectiveAlgorithm algorithm)
{
    return ALGORITHMS.at(static_cast<size_t>(algorithm));
}

std::string
WorkloadName(WorkloadProtocol protocol)
{
    return PROTOCOL_NAMES.at(static_cast<size_t>(protocol));
}

std::string
WorkloadName(WorkloadGpuGeneration gpu)
{
    return GPUS.at(static_cast<size_t>(gpu));
}

template <>
std::vector<WorkloadCollectiveKind>
WorkloadValues()
{
    return FirstValues<WorkloadCollectiveKind>(KINDS.size());
}

template <>
std::vector<WorkloadCollectiveAlgorithm>
WorkloadValues()
{
    return FirstValues<WorkloadCollectiveAlgorithm>(ALGORITHMS.size());
}

template <>
std::vector<WorkloadProtocol>
WorkloadValues()
{
    return FirstValues<WorkloadProtocol>(PROTOCOL_NAMES.size());
}

template <>
std::vector<WorkloadGpuGeneration>
WorkloadValues()
{
    return FirstValues<WorkloadGpuGeneration>(GPUS.size());
}

} // namespace ns3
