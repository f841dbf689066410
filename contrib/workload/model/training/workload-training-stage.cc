/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-stage.h"

#include "workload-training-volume.h"

#include "ns3/rdma-arithmetic.h"

namespace ns3
{

namespace
{

using Kind = WorkloadCollectiveKind;
using BlockKind = WorkloadTrainingBlockKind;

} // namespace

WorkloadTrainingStage::WorkloadTrainingStage(const WorkloadTraining& training,
                                             WorkloadScheduleBuilder& builder,
                                             uint32_t stage,
                                             const WorkloadTrainingTags& tags)
    : m_training(training),
      m_builder(builder),
      m_stage(stage),
      m_tags(tags),
      m_chain(builder, stage * training.GetStageRankCount(), training.GetStageRankCount()),
      m_received{m_chain.None(), m_chain.None()},
      m_gate(m_chain.None())
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    for (uint32_t chunk = 0; chunk < parallelism.virtualStages; ++chunk)
    {
        m_chunks.push_back(MakeWorkloadTrainingBlocks(training, GlobalChunk(chunk)));
    }
    for (const auto share : {WorkloadTrainingShare::DENSE, WorkloadTrainingShare::EXPERTS})
    {
        m_reducers.emplace_back(training, m_chain, share, m_chunks);
    }
    m_tensorGroups =
        MakeNeighbourGroups(m_chain.GetFirst(), m_chain.GetCount(), parallelism.tensor);
    m_experts = ResolveWorkloadTrainingExperts(training);
    m_expertGroups = MakeWorkloadTrainingExpertGroups(training, m_chain.GetFirst());
    if (m_experts.placement == WorkloadTrainingExpertPlacement::PXN)
    {
        m_expertGroups = MakeWorkloadTrainingRails(m_expertGroups, m_experts.perServer);
    }
    m_expertTensorGroups =
        MakeNeighbourGroups(m_chain.GetFirst(), m_chain.GetCount(), m_experts.tensor);
}

void
WorkloadTrainingStage::AddPasses()
{
    for (const WorkloadTrainingUnit& unit : MakeWorkloadTrainingOrder(m_training, m_stage))
    {
        AddUnit(unit);
    }
    if (m_training.gradients.overlap || m_training.parallelism.sharding >= 2)
    {
        return; // the units did it
    }
    for (uint32_t chunk = m_training.parallelism.virtualStages; chunk-- > 0;)
    {
        for (WorkloadTrainingReducer& reducer : m_reducers)
        {
            reducer.Begin(chunk);
            reducer.IsReady(0, true);
            reducer.Reduce(m_chain.Last());
        }
    }
}

void
WorkloadTrainingStage::AddUnit(const WorkloadTrainingUnit& unit)
{
    const auto blocks = static_cast<uint32_t>(m_chunks[unit.chunk].size());
    Receive(unit);
    if (unit.forward)
    {
        for (uint32_t block = 0; block < blocks; ++block)
        {
            AddForwardBlock(unit.chunk, block);
        }
    }
    else
    {
        m_reduces = Reduces(unit);
        for (WorkloadTrainingReducer& reducer : m_reducers)
        {
            reducer.Begin(unit.chunk);
        }
        for (uint32_t block = blocks; block-- > 0;)
        {
            AddBackwardBlock(unit.chunk, block);
        }
    }
    Send(unit);
}

bool
WorkloadTrainingStage::Reduces(const WorkloadTrainingUnit& unit) const
{
    const uint32_t sharding = m_training.parallelism.sharding;
    const bool reversed = m_training.parallelism.schedule == WorkloadTrainingPipeline::GPIPE;
    const uint32_t last = reversed ? 0 : m_training.GetMicroBatchCount() - 1;
    return sharding >= 2 || (m_training.gradients.overlap && unit.microBatch == last);
}

void
WorkloadTrainingStage::AddForwardBlock(uint32_t chunk, uint32_t block)
{
    const WorkloadTrainingBlock& of = m_chunks[chunk][block];
    GatherParameters(of);
    const WorkloadTrainingTensorCollectives tensor =
        WorkloadTrainingTensorCollectivesOf(m_training, of.kind, true);
    AddTensor(Kind::ALL_GATHER, tensor.gathersBefore);
    Compute(of, WorkloadTrainingKernelOf(of.kind), true);
    if (of.kind == BlockKind::MOE)
    {
        AddExperts(of, true);
    }
    AddTensor(Kind::REDUCE_SCATTER, tensor.scattersAfter);
    AddTensor(Kind::ALL_REDUCE, tensor.allReducesAfter);
}

void
WorkloadTrainingStage::AddBackwardBlock(uint32_t chunk, uint32_t block)
{
    const WorkloadTrainingBlock& of = m_chunks[chunk][block];
    GatherParameters(of);
    const WorkloadTrainingTensorCollectives tensor =
        WorkloadTrainingTensorCollectivesOf(m_training, of.kind, false);
    AddTensor(Kind::ALL_GATHER, tensor.gathersBefore);
    if (of.kind == BlockKind::MOE)
    {
        AddExperts(of, false);
    }
    Compute(of, WorkloadTrainingKernelOf(of.kind), false);
    AddTensor(Kind::REDUCE_SCATTER, tensor.scattersAfter);
    AddTensor(Kind::ALL_REDUCE, tensor.allReducesAfter);
    if (m_reduces)
    {
        ReduceGradients(chunk, block);
    }
}

void
WorkloadTrainingStage::Compute(const WorkloadTrainingBlock& block,
                               WorkloadTrainingKernel kernel,
                               bool forward)
{
    const WorkloadTrainingTimes times = WorkloadTrainingKernelTimes(m_training, block, kernel);
    m_chain.Compute(forward ? times.forward : times.backward,
                    forward ? WorkloadTrainingCategory::FORWARD
                            : WorkloadTrainingCategory::BACKWARD);
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
    const double passes = kind == Kind::ALL_REDUCE ? 2 : 1;
    AddNvlinkTime(passes * (n - 1) / n * static_cast<double>(bytes), category);
}

void
WorkloadTrainingStage::AddNvlinkTime(double bytes, const char* category)
{
    if (m_training.network.nvlinkGBps > 0)
    {
        m_chain.Compute(static_cast<uint64_t>(RdmaSteps(bytes / m_training.network.nvlinkGBps)),
                        category);
    }
}

void
WorkloadTrainingStage::AddExperts(const WorkloadTrainingBlock& block, bool forward)
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
    Compute(block, WorkloadTrainingKernel::EXPERTS, forward);
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
        AddNvlinkTime((n - 1) / n * static_cast<double>(bytes), WorkloadTrainingCategory::EXPERT);
    }
    if (m_experts.placement != Placement::NVLINK)
    {
        WorkloadCollective collective =
            MakeWorkloadTrainingCollective(m_training, Kind::ALL_TO_ALL, bytes);
        collective.cpu = WORKLOAD_EXPERT_STREAM;
        m_chain.Collective(m_expertGroups, collective, WorkloadTrainingCategory::EXPERT);
    }
}

void
WorkloadTrainingStage::Receive(const WorkloadTrainingUnit& unit)
{
    const uint32_t chunk = GlobalChunk(unit.chunk);
    if (chunk == (unit.forward ? 0 : m_training.GetChunkCount() - 1))
    {
        return;
    }
    const uint32_t stages = m_training.parallelism.pipeline;
    const uint32_t from = (m_stage + (unit.forward ? stages - 1 : 1)) % stages;
    // The message is named after the chunk on the later side of the border.
    const uint32_t tag = m_tags.Get(unit.forward, unit.microBatch, chunk + (unit.forward ? 0 : 1));
    const uint64_t bytes = WorkloadTrainingStageBytes(m_training);
    Operations& received = m_received[unit.forward ? 1 : 0];
    const uint8_t before =
        m_builder.SetCategory(m_builder.Category(WorkloadTrainingCategory::PIPELINE));
    for (uint32_t i = 0; i < m_chain.GetCount(); ++i)
    {
        const uint32_t rank = m_chain.GetFirst() + i;
        const uint32_t operation = m_builder.Recv(rank,
                                                  from * m_chain.GetCount() + i,
                                                  bytes,
                                                  tag,
                                                  WORKLOAD_PIPELINE_STREAM);
        if (received[i] != WORKLOAD_NONE)
        {
            m_builder.Require(rank, operation, received[i]);
        }
        received[i] = operation;
    }
    m_builder.SetCategory(before);
    m_chain.Wait(received);
    if (!m_training.parallelism.sequence && m_training.parallelism.tensor > 1)
    {
        AddTensor(Kind::ALL_GATHER, 1);
    }
}

void
WorkloadTrainingStage::Send(const WorkloadTrainingUnit& unit)
{
    const uint32_t chunk = GlobalChunk(unit.chunk);
    const Operations& last = m_chain.Last();
    if (chunk == (unit.forward ? m_training.GetChunkCount() - 1 : 0))
    {
        return;
    }
    const uint32_t stages = m_training.parallelism.pipeline;
    const uint32_t to = (m_stage + (unit.forward ? 1 : stages - 1)) % stages;
    const uint32_t tag = m_tags.Get(unit.forward, unit.microBatch, chunk + (unit.forward ? 1 : 0));
    const uint64_t bytes = WorkloadTrainingStageBytes(m_training);
    const uint8_t before =
        m_builder.SetCategory(m_builder.Category(WorkloadTrainingCategory::PIPELINE));
    for (uint32_t i = 0; i < m_chain.GetCount(); ++i)
    {
        const uint32_t rank = m_chain.GetFirst() + i;
        const uint32_t operation =
            m_builder.Send(rank, to * m_chain.GetCount() + i, bytes, tag, WORKLOAD_PIPELINE_STREAM);
        m_builder.Require(rank, operation, last[i]);
    }
    m_builder.SetCategory(before);
}

void
WorkloadTrainingStage::GatherParameters(const WorkloadTrainingBlock& block)
{
    if (m_training.parallelism.sharding < 3)
    {
        return;
    }
    const Operations last = m_chain.Last();
    const Operations after = m_training.gradients.overlap ? m_gate : last;
    for (WorkloadTrainingReducer& reducer : m_reducers)
    {
        m_chain.Wait(reducer.GatherBlock(block, after));
    }
    m_gate = last;
}

void
WorkloadTrainingStage::ReduceGradients(uint32_t chunk, uint32_t block)
{
    const WorkloadTrainingBlock& of = m_chunks[chunk][block];
    const bool overlap = m_training.gradients.overlap;
    for (size_t i = 0; i < m_reducers.size(); ++i)
    {
        WorkloadTrainingReducer& reducer = m_reducers[i];
        const auto share = static_cast<WorkloadTrainingShare>(i);
        if (m_training.parallelism.sharding == 3)
        {
            const Operations last = m_chain.Last();
            reducer.ReduceBlock(of, last);
        }
        else if (!reducer.IsReady(CountWorkloadTrainingShare(of, share), block == 0) ||
                 (!overlap && block > 0))
        {
            continue;
        }
        else
        {
            reducer.Reduce(m_chain.Last());
        }
        if (!overlap)
        {
            m_chain.Wait(reducer.GetEnds());
        }
    }
}

const WorkloadTrainingStage::Operations&
WorkloadTrainingStage::JoinGradients()
{
    for (const WorkloadTrainingReducer& reducer : m_reducers)
    {
        m_chain.Wait(reducer.GetEnds());
    }
    return m_chain.Last();
}

void
WorkloadTrainingStage::AddOptimizer(const Operations& after)
{
    JoinGradients();
    m_chain.Wait(after);
    const double ns = static_cast<double>(m_training.gpu.optimizerNs) / m_training.scale.compute;
    m_chain.Compute(static_cast<uint64_t>(RdmaSteps(ns)), WorkloadTrainingCategory::OPTIMIZER);
    const Operations last = m_chain.Last();
    const uint32_t sharding = m_training.parallelism.sharding;
    if (sharding != 1 && sharding != 2)
    {
        return;
    }
    for (uint32_t chunk = 0; chunk < m_training.parallelism.virtualStages; ++chunk)
    {
        for (WorkloadTrainingReducer& reducer : m_reducers)
        {
            reducer.GatherChunk(chunk, last);
        }
    }
}

} // namespace ns3
