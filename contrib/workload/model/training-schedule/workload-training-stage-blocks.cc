/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-stage.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-training-volume.h"

#include <algorithm>

// What a stage does for each block of its chunks; workload-training-stage.cc has the rest.

namespace ns3
{

using Kind = WorkloadCollectiveKind;
using BlockKind = WorkloadTrainingBlockKind;

namespace
{

constexpr double NO_TIME_RATE = 1e9; //!< of NVLink, GB/s: a message takes no ns

} // namespace

void
WorkloadTrainingStage::AddForwardBlock(const WorkloadTrainingBlock& block, Pass pass)
{
    const WorkloadTrainingTensorCollectives tensor =
        WorkloadTrainingTensorCollectivesOf(m_training, block.kind, true);
    AddTensor(Kind::ALL_GATHER, tensor.gathersBefore);
    Compute(block, WorkloadTrainingKernelOf(block.kind), pass);
    if (block.kind == BlockKind::MOE)
    {
        AddExperts(block, pass);
    }
    AddTensor(Kind::REDUCE_SCATTER, tensor.scattersAfter);
    AddTensor(Kind::ALL_REDUCE, tensor.allReducesAfter);
}

void
WorkloadTrainingStage::AddBackwardBlock(const WorkloadTrainingUnit& unit, uint32_t block)
{
    const WorkloadTrainingBlock& of = m_chunks[unit.chunk][block];
    const WorkloadTrainingKernel kernel = WorkloadTrainingKernelOf(of.kind);
    if (unit.part == Part::WEIGHTS)
    {
        Compute(of, kernel, Pass::WEIGHTS);
        if (of.kind == BlockKind::MOE)
        {
            Compute(of, WorkloadTrainingKernel::EXPERTS, Pass::WEIGHTS);
        }
        return;
    }
    GatherParameters(of);
    if (IsWorkloadTrainingRecomputed(m_training, of.kind))
    {
        AddForwardBlock(of, Pass::AGAIN);
    }
    const Pass pass = unit.part == Part::INPUTS ? Pass::INPUTS : Pass::BACKWARD;
    const WorkloadTrainingTensorCollectives tensor =
        WorkloadTrainingTensorCollectivesOf(m_training, of.kind, false);
    AddTensor(Kind::ALL_GATHER, tensor.gathersBefore);
    if (of.kind == BlockKind::MOE)
    {
        AddExperts(of, pass);
    }
    Compute(of, kernel, pass);
    AddTensor(Kind::REDUCE_SCATTER, tensor.scattersAfter);
    AddTensor(Kind::ALL_REDUCE, tensor.allReducesAfter);
    if (m_reduces)
    {
        ReduceGradients(unit.chunk, block);
    }
}

void
WorkloadTrainingStage::Compute(const WorkloadTrainingBlock& block,
                               WorkloadTrainingKernel kernel,
                               Pass pass)
{
    const WorkloadTrainingTimes times = WorkloadTrainingKernelTimes(m_training, block, kernel);
    const WorkloadTrainingTimes core = WorkloadTrainingCoreTimes(m_training, block);
    const uint64_t weights = WorkloadTrainingWeightTime(m_training, block, kernel);
    if (pass == Pass::WEIGHTS)
    {
        ComputeFor(weights, kernel, pass);
        return;
    }
    const bool forward = pass == Pass::FORWARD || pass == Pass::AGAIN;
    const bool again = !forward && m_training.gpu.recompute == WorkloadTrainingRecompute::SELECTIVE;
    const uint64_t coreNs = forward ? core.forward : core.backward + (again ? core.forward : 0);
    const uint64_t ns = forward ? times.forward
                                : times.backward + (again ? core.forward : 0) -
                                      (pass == Pass::INPUTS ? weights : 0);
    if (block.kind != BlockKind::ATTENTION || m_training.parallelism.context == 1)
    {
        ComputeFor(ns, kernel, pass);
        return;
    }
    ComputeFor(ns - std::min(ns, coreNs), kernel, pass);
    AddRing(std::min(ns, coreNs), pass);
}

void
WorkloadTrainingStage::ComputeFor(uint64_t ns, WorkloadTrainingKernel kernel, Pass pass)
{
    m_chain.Compute(ns,
                    pass == Pass::FORWARD ? WorkloadTrainingCategory::FORWARD
                                          : WorkloadTrainingCategory::BACKWARD,
                    m_training.gpu.slowdowns[static_cast<size_t>(kernel)]);
}

void
WorkloadTrainingStage::AddRing(uint64_t coreNs, Pass pass)
{
    const uint32_t count = m_training.parallelism.context;
    const uint64_t bytes = WorkloadTrainingKeyValueBytes(m_training);
    const bool forward = pass == Pass::FORWARD || pass == Pass::AGAIN;
    Operations hop = m_chain.None();
    for (uint32_t step = 0; step < count; ++step)
    {
        // While one part is computed, keys and values of the next one come; and the gradients of
        // those that the part before has added to leave.
        const bool last = step + 1 == count;
        const uint64_t moved = (last ? 0 : bytes) + (forward || step == 0 ? 0 : bytes);
        if (moved > 0)
        {
            hop = AddHop(moved, hop);
        }
        ComputeFor(coreNs * (step + 1) / count - coreNs * step / count,
                   WorkloadTrainingKernel::ATTENTION,
                   pass);
        m_chain.Wait(hop);
    }
    if (!forward)
    {
        m_chain.Wait(AddHop(bytes, hop)); // the gradients come home
    }
}

WorkloadTrainingStage::Operations
WorkloadTrainingStage::AddHop(uint64_t bytes, const Operations& before)
{
    WorkloadCollective collective =
        MakeWorkloadTrainingCollective(m_training, Kind::SEND_RECV, bytes);
    collective.cpu = WORKLOAD_CONTEXT_STREAM;
    if (!m_training.network.tensorOnNetwork)
    {
        const double rate = m_training.network.nvlinkGBps;
        collective.nvlinkOnNetwork = false;
        collective.nvlinkBytesPerNs = rate > 0 ? rate : NO_TIME_RATE;
        collective.ranksPerServer = m_training.network.gpusPerServer;
    }
    const Operations after = m_chain.Last();
    return m_chain.Beside(m_contextGroups,
                          collective,
                          WorkloadTrainingCategory::CONTEXT,
                          after,
                          before);
}

void
WorkloadTrainingStage::AddTensor(Kind kind, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        AddInServer(kind,
                    m_tensorGroups,
                    WorkloadTrainingActivationBytes(m_training),
                    WorkloadTrainingCategory::TENSOR);
    }
}

void
WorkloadTrainingStage::AddInServer(Kind kind,
                                   const WorkloadTrainingGroups& groups,
                                   uint64_t bytes,
                                   const char* category)
{
    if (m_training.network.tensorOnNetwork)
    {
        WorkloadCollective collective = MakeWorkloadTrainingCollective(m_training, kind, bytes);
        collective.cpu = WORKLOAD_TENSOR_STREAM;
        m_chain.Collective(groups, collective, category);
        return;
    }
    const auto n = static_cast<double>(groups.front().size());
    const double moved = (n - 1) / n * static_cast<double>(bytes);
    const double added = kind == Kind::ALL_GATHER ? 0 : moved;
    AddNvlinkTime(kind == Kind::ALL_REDUCE ? 2 * moved : moved, added, category);
}

void
WorkloadTrainingStage::AddNvlinkTime(double bytes, double added, const char* category)
{
    const double rate = m_training.network.nvlinkGBps;
    const double ns = (rate > 0 ? bytes / rate : 0) + added * m_costs.reduceNsPerByte;
    const uint64_t all = RdmaSum(m_costs.setupNs, static_cast<uint64_t>(RdmaSteps(ns)));
    if (rate > 0 || all > 0)
    {
        m_chain.Compute(all, category);
    }
}

void
WorkloadTrainingStage::AddExperts(const WorkloadTrainingBlock& block, Pass pass)
{
    const auto share = [this](Kind kind) {
        if (m_experts.tensor > 1)
        {
            AddInServer(kind,
                        m_expertTensorGroups,
                        WorkloadTrainingGatheredBytes(m_training),
                        WorkloadTrainingCategory::EXPERT_TENSOR);
        }
    };
    AddAllToAll();
    share(Kind::ALL_GATHER);
    Compute(block, WorkloadTrainingKernel::EXPERTS, pass);
    share(Kind::REDUCE_SCATTER);
    AddAllToAll();
}

void
WorkloadTrainingStage::AddAllToAll()
{
    using Placement = WorkloadTrainingExpertPlacement;
    if (m_training.parallelism.expert == 1)
    {
        return;
    }
    const uint64_t bytes = WorkloadTrainingDispatchBytes(m_training);
    if (m_experts.placement == Placement::NVLINK || m_experts.placement == Placement::PXN)
    {
        const double n = m_experts.perServer;
        AddNvlinkTime((n - 1) / n * static_cast<double>(bytes),
                      0,
                      WorkloadTrainingCategory::EXPERT);
    }
    if (m_experts.placement != Placement::NVLINK)
    {
        WorkloadCollective collective =
            MakeWorkloadTrainingCollective(m_training, Kind::ALL_TO_ALL, bytes);
        collective.cpu = WORKLOAD_EXPERT_STREAM;
        m_chain.Collective(m_expertGroups, collective, WorkloadTrainingCategory::EXPERT);
    }
}

} // namespace ns3
