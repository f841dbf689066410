/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-experts.h"

#include "workload-training-check.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

using Placement = WorkloadTrainingExpertPlacement;

/** \return the experts if \p tensor GPUs share each; the placement is left open */
WorkloadTrainingExperts
SharedBy(const WorkloadTraining& training, uint32_t tensor)
{
    const uint32_t server = training.network.gpusPerServer;
    const uint32_t members = training.parallelism.expert;
    const uint64_t block = uint64_t{tensor} * members; // ranks from which a group takes its members
    WorkloadTrainingExperts experts;
    experts.tensor = tensor;
    if (server % block == 0 || training.GetRankCount() <= server)
    {
        experts.perServer = members;
        experts.servers = 1;
    }
    else if (tensor % server == 0)
    {
        experts.perServer = 1;
        experts.servers = members;
    }
    else if (server % tensor == 0 && block % server == 0)
    {
        experts.perServer = server / tensor;
        experts.servers = static_cast<uint32_t>(block / server);
    }
    return experts;
}

/** \return GPUs that share an expert, if nobody says */
uint32_t
DefaultTensor(const WorkloadTraining& training)
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    switch (parallelism.expertPlacement)
    {
    case Placement::NVLINK:
    case Placement::RAILS:
        return 1;
    case Placement::RAIL:
        return parallelism.tensor;
    case Placement::PXN:
        // as many members on each server: they are its GPUs that are so many apart
        for (uint32_t tensor = std::gcd(parallelism.tensor, training.network.gpusPerServer);
             tensor > 1;
             --tensor)
        {
            const bool divides =
                parallelism.tensor % tensor == 0 &&
                training.GetStageRankCount() % (uint64_t{tensor} * parallelism.expert) == 0;
            if (divides && SharedBy(training, tensor).GetFitting() == Placement::PXN)
            {
                return tensor;
            }
        }
        return 1;
    case Placement::AUTO:
        break;
    }
    // Megatron-LM's --expert-tensor-parallel-size; where it does not divide, only 1 runs.
    return uint64_t{parallelism.data} * parallelism.context % parallelism.expert == 0
               ? parallelism.tensor
               : 1;
}

} // namespace

Placement
WorkloadTrainingExperts::GetFitting() const
{
    return perServer == 0 ? Placement::RAILS
           : servers == 1 ? Placement::NVLINK
                          : (perServer == 1 ? Placement::RAIL : Placement::PXN);
}

WorkloadTrainingExperts
ResolveWorkloadTrainingExperts(const WorkloadTraining& training)
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    WorkloadTrainingExperts experts =
        SharedBy(training,
                 parallelism.expertTensor > 0 ? parallelism.expertTensor : DefaultTensor(training));
    experts.placement = parallelism.expertPlacement != Placement::AUTO ? parallelism.expertPlacement
                        : training.network.tensorOnNetwork             ? Placement::RAILS
                                                                       : experts.GetFitting();
    return experts;
}

std::string
WorkloadName(Placement placement)
{
    return WorkloadTrainingExpertPlacements()[static_cast<size_t>(placement)];
}

const std::vector<std::string>&
WorkloadTrainingExpertPlacements()
{
    static const std::vector<std::string> names{"auto", "nvlink", "rail", "pxn", "rails"};
    return names;
}

void
PlaceWorkloadTrainingExperts(WorkloadTraining& training,
                             const std::string& placement,
                             uint32_t expert)
{
    WorkloadTrainingParallelism& parallelism = training.parallelism;
    if (!placement.empty())
    {
        const std::vector<std::string>& names = WorkloadTrainingExpertPlacements();
        parallelism.expertPlacement = static_cast<Placement>(
            std::find(names.begin(), names.end(), placement) - names.begin());
    }
    parallelism.expert = expert > 0 ? expert : parallelism.expert;
    CheckWorkloadTraining(training);
}

WorkloadTrainingGroups
MakeWorkloadTrainingExpertGroups(const WorkloadTraining& training, uint32_t first)
{
    const uint32_t stride = ResolveWorkloadTrainingExperts(training).tensor;
    const uint32_t block = stride * training.parallelism.expert;
    WorkloadTrainingGroups groups(training.GetStageRankCount() / training.parallelism.expert);
    for (uint32_t i = 0; i < training.GetStageRankCount(); ++i)
    {
        groups[i / block * stride + i % stride].push_back(first + i);
    }
    return groups;
}

WorkloadTrainingGroups
MakeWorkloadTrainingRails(const WorkloadTrainingGroups& groups, uint32_t perServer)
{
    WorkloadTrainingGroups rails;
    for (const std::vector<uint32_t>& group : groups)
    {
        const size_t first = rails.size();
        rails.resize(first + perServer);
        for (size_t i = 0; i < group.size(); ++i)
        {
            rails[first + i % perServer].push_back(group[i]);
        }
    }
    return rails;
}

} // namespace ns3
