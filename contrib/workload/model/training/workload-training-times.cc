/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-model.h"

#include <algorithm>
#include <cmath>

// Times of a model's parts; workload-training-model.cc has their sizes.

namespace ns3
{

using BlockKind = WorkloadTrainingBlockKind;

namespace
{

/** \return times of the table or, without one, of floating-point operations, scaled */
WorkloadTrainingTimes
TimesOf(const WorkloadTraining& training, const WorkloadTrainingTimes& table, double flops)
{
    const WorkloadTrainingGpu& gpu = training.gpu;
    const double scale = training.scale.compute;
    const auto rounded = [](double ns) {
        return static_cast<uint64_t>(std::min(std::floor(ns + 0.5), 1e18));
    };
    if (gpu.compute == WorkloadTrainingCompute::TABLE)
    {
        return {rounded(static_cast<double>(table.forward) / scale),
                rounded(static_cast<double>(table.backward) / scale)};
    }
    if (gpu.compute == WorkloadTrainingCompute::NONE)
    {
        return {};
    }
    const double ns = flops / (gpu.peakFlops * gpu.efficiency) * 1e9 / scale;
    return {rounded(ns), rounded(2 * ns)}; // backward: gradients of inputs, and of weights
}

} // namespace

WorkloadTrainingKernel
WorkloadTrainingKernelOf(WorkloadTrainingBlockKind kind)
{
    switch (kind)
    {
    case BlockKind::EMBEDDING:
        return WorkloadTrainingKernel::EMBEDDING;
    case BlockKind::ATTENTION:
        return WorkloadTrainingKernel::ATTENTION;
    case BlockKind::MLP:
        return WorkloadTrainingKernel::MLP;
    case BlockKind::MOE:
        return WorkloadTrainingKernel::ROUTER;
    case BlockKind::HEAD:
        break;
    }
    return WorkloadTrainingKernel::HEAD;
}

const std::vector<std::string>&
WorkloadTrainingKernelNames()
{
    static const std::vector<std::string> names{"embedding",
                                                "attention",
                                                "mlp",
                                                "router",
                                                "experts",
                                                "head"};
    return names;
}

WorkloadTrainingTimes
WorkloadTrainingKernelTimes(const WorkloadTraining& training,
                            const WorkloadTrainingBlock& block,
                            WorkloadTrainingKernel kernel)
{
    return TimesOf(training,
                   training.gpu.table[static_cast<size_t>(kernel)],
                   kernel == WorkloadTrainingKernel::EXPERTS ? block.expertFlops : block.flops);
}

WorkloadTrainingTimes
WorkloadTrainingCoreTimes(const WorkloadTraining& training, const WorkloadTrainingBlock& block)
{
    return block.kind == BlockKind::ATTENTION
               ? TimesOf(training, training.gpu.core, block.coreFlops)
               : WorkloadTrainingTimes{};
}

uint64_t
WorkloadTrainingWeightTime(const WorkloadTraining& training,
                           const WorkloadTrainingBlock& block,
                           WorkloadTrainingKernel kernel)
{
    const uint64_t all = WorkloadTrainingKernelTimes(training, block, kernel).backward;
    const uint64_t core = WorkloadTrainingCoreTimes(training, block).backward;
    return (all - std::min(all, core)) / 2;
}

bool
IsWorkloadTrainingRecomputed(const WorkloadTraining& training, WorkloadTrainingBlockKind kind)
{
    return training.gpu.recompute == WorkloadTrainingRecompute::FULL &&
           kind != BlockKind::EMBEDDING && kind != BlockKind::HEAD;
}

} // namespace ns3
