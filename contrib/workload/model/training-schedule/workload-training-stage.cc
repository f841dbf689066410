/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-stage.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-training-volume.h"

// Passes, messages between stages and gradients; workload-training-stage-blocks.cc has the blocks.

namespace ns3
{

WorkloadTrainingStage::WorkloadTrainingStage(const WorkloadTraining& training,
                                             WorkloadScheduleBuilder& builder,
                                             uint32_t stage,
                                             const WorkloadTrainingTags& tags)
    : m_training(training),
      m_builder(builder),
      m_stage(stage),
      m_tags(tags),
      m_chain(builder,
              training,
              stage * training.GetStageRankCount(),
              training.GetStageRankCount()),
      m_received{m_chain.None(), m_chain.None(), m_chain.None(), m_chain.None()},
      m_gate(m_chain.None())
{
    const WorkloadTrainingParallelism& parallelism = training.parallelism;
    for (uint32_t chunk = 0; chunk < training.GetStageChunkCount(); ++chunk)
    {
        m_chunks.push_back(MakeWorkloadTrainingBlocks(training, GlobalChunk(chunk)));
    }
    for (const auto share : {WorkloadTrainingShare::DENSE, WorkloadTrainingShare::EXPERTS})
    {
        if (!training.IsMirrored()) // else two stages reduce together
        {
            m_reducers.emplace_back(
                training,
                m_chain,
                share,
                MakeWorkloadTrainingReplicaGroups(training, share, m_chain.GetFirst()),
                m_chunks);
        }
    }
    m_tensorGroups =
        MakeNeighbourGroups(m_chain.GetFirst(), m_chain.GetCount(), parallelism.tensor);
    for (uint32_t first = 0; first < m_chain.GetCount();
         first += parallelism.tensor * parallelism.context)
    {
        const WorkloadTrainingGroups groups =
            MakeStridedGroups(m_chain.GetFirst() + first,
                              parallelism.tensor * parallelism.context,
                              parallelism.tensor);
        m_contextGroups.insert(m_contextGroups.end(), groups.begin(), groups.end());
    }
    m_costs = WorkloadTrainingCostsOf(
        training,
        MakeNeighbourGroups(m_chain.GetFirst(), m_chain.GetCount(), m_chain.GetCount()).front());
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
    const std::vector<WorkloadTrainingUnit> units = MakeWorkloadTrainingOrder(m_training, m_stage);
    for (size_t i = 0; i < units.size(); i += units[i].withNext ? 2 : 1)
    {
        units[i].withNext ? AddPair(units[i], units[i + 1]) : AddUnit(units[i]);
    }
    if (m_training.IsMirrored() || m_training.gradients.overlap ||
        m_training.parallelism.sharding >= 2)
    {
        return; // the units did it, or WorkloadTrainingMirrors does
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
WorkloadTrainingStage::AddPair(const WorkloadTrainingUnit& one, const WorkloadTrainingUnit& other)
{
    const Operations start = m_chain.Last();
    AddUnit(one);
    const Operations end = m_chain.Last();
    m_chain.Restart(start);
    AddUnit(other);
    m_chain.Wait(end);
}

void
WorkloadTrainingStage::AddUnit(const WorkloadTrainingUnit& unit)
{
    if (unit.part == Part::WEIGHTS)
    {
        AddBackward(unit);
        return;
    }
    Receive(unit);
    if (unit.forward)
    {
        for (const WorkloadTrainingBlock& block : m_chunks[unit.chunk])
        {
            GatherParameters(block);
            AddForwardBlock(block, Pass::FORWARD);
        }
    }
    else
    {
        AddBackward(unit);
    }
    Send(unit);
}

void
WorkloadTrainingStage::AddBackward(const WorkloadTrainingUnit& unit)
{
    m_reduces = Reduces(unit);
    for (WorkloadTrainingReducer& reducer : m_reducers)
    {
        reducer.Begin(unit.chunk);
    }
    for (auto block = static_cast<uint32_t>(m_chunks[unit.chunk].size()); block-- > 0;)
    {
        AddBackwardBlock(unit, block);
    }
}

bool
WorkloadTrainingStage::Reduces(const WorkloadTrainingUnit& unit) const
{
    const uint32_t sharding = m_training.parallelism.sharding;
    const bool reversed = m_training.parallelism.schedule == WorkloadTrainingPipeline::GPIPE;
    const uint32_t last = reversed ? 0 : m_training.GetMicroBatchCount() - 1;
    return sharding >= 2 || (m_training.gradients.overlap && unit.microBatch == last);
}

uint32_t
WorkloadTrainingStage::Neighbour(const WorkloadTrainingUnit& unit, bool next) const
{
    const uint32_t stages = m_training.parallelism.pipeline;
    const bool mirrored = m_training.IsMirrored() && unit.chunk == 1; // runs the other way
    const bool up = (unit.forward == next) != mirrored;
    return (m_stage + (up ? 1 : stages - 1)) % stages;
}

void
WorkloadTrainingStage::Receive(const WorkloadTrainingUnit& unit)
{
    const uint32_t chunk = GlobalChunk(unit.chunk);
    if (chunk == (unit.forward ? 0 : m_training.GetChunkCount() - 1))
    {
        return;
    }
    const uint32_t from = Neighbour(unit, false);
    // The message is named after the chunk on the later side of the border.
    const uint32_t tag = m_tags.Get(unit.forward, unit.microBatch, chunk + (unit.forward ? 0 : 1));
    const uint64_t bytes = WorkloadTrainingStageBytes(m_training);
    const bool mirrored = m_training.IsMirrored() && unit.chunk == 1;
    Operations& received = m_received[(unit.forward ? 1 : 0) + (mirrored ? 2 : 0)];
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
        AddTensor(WorkloadCollectiveKind::ALL_GATHER, 1);
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
    const uint32_t to = Neighbour(unit, true);
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
