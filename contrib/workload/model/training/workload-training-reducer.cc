/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-stage.h"
#include "workload-training-volume.h"

#include "ns3/rdma-arithmetic.h"

namespace ns3
{

using Operations = WorkloadTrainingChain::Operations;

WorkloadTrainingReducer::WorkloadTrainingReducer(
    const WorkloadTraining& training,
    WorkloadTrainingChain& chain,
    WorkloadTrainingShare share,
    const std::vector<std::vector<WorkloadTrainingBlock>>& chunks)
    : m_training(training),
      m_chain(chain),
      m_share(share),
      m_ends(chain.None())
{
    const uint32_t replicas = CountWorkloadTrainingReplicas(training, share);
    if (replicas > 1)
    {
        m_groups =
            MakeStridedGroups(chain.GetFirst(), chain.GetCount(), chain.GetCount() / replicas);
    }
    for (const auto& blocks : chunks)
    {
        uint64_t parameters = 0;
        for (const WorkloadTrainingBlock& block : blocks)
        {
            parameters += CountWorkloadTrainingShare(block, share);
        }
        m_buckets.push_back(
            MakeWorkloadTrainingBuckets(training, m_groups.empty() ? 0 : parameters));
    }
}

void
WorkloadTrainingReducer::Begin(uint32_t chunk)
{
    m_current = m_buckets[chunk];
    m_complete = 0;
    m_ready = 0;
    m_done = 0;
}

bool
WorkloadTrainingReducer::IsReady(uint64_t parameters, bool last)
{
    m_complete += parameters;
    m_ready = last ? m_current.GetCount()
                   : std::min(m_complete / m_current.perBucket, m_current.GetCount());
    return m_ready > m_done;
}

const Operations&
WorkloadTrainingReducer::Reduce(const Operations& after)
{
    const auto kind = m_training.parallelism.sharding == 0 ? WorkloadCollectiveKind::ALL_REDUCE
                                                           : WorkloadCollectiveKind::REDUCE_SCATTER;
    for (; m_done < m_ready; ++m_done)
    {
        Add(kind, m_current.GetSize(m_done), after);
    }
    return m_ends;
}

const Operations&
WorkloadTrainingReducer::ReduceBlock(const WorkloadTrainingBlock& block, const Operations& after)
{
    Add(WorkloadCollectiveKind::REDUCE_SCATTER, CountWorkloadTrainingShare(block, m_share), after);
    return m_ends;
}

void
WorkloadTrainingReducer::GatherChunk(uint32_t chunk, const Operations& after)
{
    const WorkloadTrainingBuckets& buckets = m_buckets[chunk];
    for (uint64_t bucket = 0; bucket < buckets.GetCount(); ++bucket)
    {
        Add(WorkloadCollectiveKind::ALL_GATHER, buckets.GetSize(bucket), after);
    }
}

Operations
WorkloadTrainingReducer::GatherBlock(const WorkloadTrainingBlock& block, const Operations& after)
{
    const uint64_t parameters = CountWorkloadTrainingShare(block, m_share);
    Add(WorkloadCollectiveKind::ALL_GATHER, parameters, after);
    return m_groups.empty() || parameters == 0 ? m_chain.None() : m_ends;
}

void
WorkloadTrainingReducer::Add(WorkloadCollectiveKind kind,
                             uint64_t parameters,
                             const Operations& after)
{
    if (m_groups.empty() || parameters == 0)
    {
        return;
    }
    const bool gathers = kind == WorkloadCollectiveKind::ALL_GATHER;
    const bool dense = m_share == WorkloadTrainingShare::DENSE;
    const uint32_t element =
        gathers ? m_training.model.bytesPerElement : m_training.model.gradientBytes;
    WorkloadCollective collective = MakeWorkloadTrainingCollective(
        m_training,
        kind,
        WorkloadTrainingScaled(m_training, RdmaProduct(parameters, element)));
    collective.cpu = dense ? WORKLOAD_DATA_STREAM : WORKLOAD_EXPERT_DATA_STREAM;
    const char* category = gathers ? WorkloadTrainingCategory::GATHER
                           : dense ? WorkloadTrainingCategory::DATA
                                   : WorkloadTrainingCategory::EXPERT_DATA;
    m_ends = m_chain.Beside(m_groups, collective, category, after, m_ends);
}

} // namespace ns3
