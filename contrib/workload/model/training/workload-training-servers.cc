/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-servers.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

WorkloadTrainingCosts
WorkloadTrainingCostsOf(const WorkloadTraining& training, uint32_t rank)
{
    const std::vector<WorkloadTrainingServerType>& types = training.network.serverTypes;
    const uint32_t server = rank / training.network.gpusPerServer;
    const auto next =
        std::upper_bound(types.begin(), types.end(), server, [](uint32_t at, const auto& type) {
            return at < type.firstServer;
        });
    if (next == types.begin())
    {
        return {};
    }
    const WorkloadTrainingServerType& type = *std::prev(next);
    const double setup = static_cast<double>(type.setupNs) / training.scale.compute;
    return {static_cast<uint64_t>(RdmaSteps(setup)), type.reduceNsPerByte};
}

WorkloadTrainingCosts
WorkloadTrainingCostsOf(const WorkloadTraining& training, const std::vector<uint32_t>& ranks)
{
    WorkloadTrainingCosts costs;
    if (training.network.serverTypes.empty())
    {
        return costs;
    }
    for (const uint32_t rank : ranks)
    {
        const WorkloadTrainingCosts of = WorkloadTrainingCostsOf(training, rank);
        costs.setupNs = std::max(costs.setupNs, of.setupNs);
        costs.reduceNsPerByte = std::max(costs.reduceNsPerByte, of.reduceNsPerByte);
    }
    return costs;
}

uint32_t
CountWorkloadTrainingServerReplicas(const WorkloadTraining& training, WorkloadTrainingShare share)
{
    const uint32_t server = training.network.gpusPerServer;
    const uint32_t stage = training.GetStageRankCount();
    const uint32_t copies = training.IsMirrored() ? 2 : 1;
    const uint32_t replicas = CountWorkloadTrainingReplicas(training, share) / copies;
    const uint32_t stride = stage / replicas;
    if (replicas == 1 || stride >= server)
    {
        return 1;
    }
    if (server % stage == 0)
    {
        return replicas;
    }
    return server % stride == 0 && stage % server == 0 ? server / stride : 0;
}

} // namespace ns3
