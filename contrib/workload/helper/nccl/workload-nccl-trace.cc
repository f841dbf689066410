/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nccl-trace.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace ns3
{

const char*
WorkloadNcclOperationName(WorkloadNcclOperation operation)
{
    static constexpr std::array<const char*, WORKLOAD_NCCL_OPERATIONS> NAMES{"all-reduce",
                                                                             "all-gather",
                                                                             "reduce-scatter",
                                                                             "broadcast",
                                                                             "reduce",
                                                                             "all-to-all",
                                                                             "send",
                                                                             "recv"};
    return NAMES.at(static_cast<size_t>(operation));
}

bool
IsWorkloadNcclKernel(const std::string& name)
{
    const size_t place = name.rfind("void ", 0) == 0 ? 5 : 0;
    return name.compare(place, 4, "nccl") == 0 &&
           (name.find("Kernel") != std::string::npos || name.find("Symk") != std::string::npos);
}

WorkloadCollectiveAlgorithm
WorkloadNcclAlgorithmOf(const std::string& name)
{
    const std::string stem = name.substr(0, name.find('('));
    if (stem.find("_TREE") != std::string::npos)
    {
        return WorkloadCollectiveAlgorithm::DOUBLE_BINARY_TREE;
    }
    return stem.find("_RING") != std::string::npos ? WorkloadCollectiveAlgorithm::RING
                                                   : WorkloadCollectiveAlgorithm::AUTO;
}

void
OrderWorkloadNcclKernels(WorkloadNcclGpu& gpu)
{
    std::stable_sort(gpu.kernels.begin(),
                     gpu.kernels.end(),
                     [](const WorkloadNcclKernel& a, const WorkloadNcclKernel& b) {
                         return a.startNs < b.startNs;
                     });
    std::unordered_map<uint64_t, uint32_t> indices;
    for (WorkloadNcclKernel& kernel : gpu.kernels)
    {
        const auto place =
            indices.emplace(kernel.stream, static_cast<uint32_t>(gpu.streams.size()));
        if (place.second)
        {
            gpu.streams.push_back(kernel.stream);
        }
        kernel.stream = place.first->second;
    }
}

} // namespace ns3
