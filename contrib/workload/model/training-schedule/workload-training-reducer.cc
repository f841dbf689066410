/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-reducer.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-training-experts.h"
#include "ns3/workload-training-volume.h"

#include <algorithm>
#include <utility>

namespace ns3
{

using Operations = WorkloadTrainingChain::Operations;

WorkloadTrainingGroups
MakeWorkloadTrainingReplicaGroups(const WorkloadTraining& training,
                                  WorkloadTrainingShare share,
                                  uint32_t first)
{
    const uint32_t copies = training.IsMirrored() ? 2 : 1;
    const uint32_t count = training.GetStageRankCount();
    const uint32_t replicas = CountWorkloadTrainingReplicas(training, share) / copies;
    return replicas * copies > 1 ? MakeStridedGroups(first, count, count / replicas)
                                 : WorkloadTrainingGroups();
}

WorkloadTrainingReducer::WorkloadTrainingReducer(
    const WorkloadTraining& training,
    WorkloadTrainingChain& chain,
    WorkloadTrainingShare share,
    WorkloadTrainingGroups groups,
    const std::vector<std::vector<WorkloadTrainingBlock>>& chunks)
    : m_training(training),
      m_chain(chain),
      m_share(share),
      m_groups(std::move(groups)),
      m_ends(chain.None())
{
    if (training.collectives.hierarchical && !m_groups.empty())
    {
        m_perServer = CountWorkloadTrainingServerReplicas(training, share);
        m_across = MakeWorkloadTrainingRails(m_groups, m_perServer);
        for (const std::vector<uint32_t>& group : m_groups)
        {
            const WorkloadTrainingCosts costs = WorkloadTrainingCostsOf(training, group);
            m_costs.setupNs = std::max(m_costs.setupNs, costs.setupNs);
            m_costs.reduceNsPerByte = std::max(m_costs.reduceNsPerByte, costs.reduceNsPerByte);
        }
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
    if (m_perServer > 1)
    {
        AddByServer(collective, category, after);
        return;
    }
    m_ends = m_chain.Beside(m_groups, collective, category, after, m_ends);
}

uint64_t
WorkloadTrainingReducer::InServer(WorkloadCollectiveKind kind, uint64_t bytes) const
{
    const double n = m_perServer;
    const double moved = (n - 1) / n * static_cast<double>(bytes);
    const double rate = m_training.network.nvlinkGBps;
    const double ns =
        (rate > 0 ? moved / rate : 0) +
        (kind == WorkloadCollectiveKind::REDUCE_SCATTER ? moved * m_costs.reduceNsPerByte : 0);
    return m_costs.setupNs + static_cast<uint64_t>(RdmaSteps(ns));
}

void
WorkloadTrainingReducer::AddByServer(WorkloadCollective collective,
                                     const char* category,
                                     const Operations& after)
{
    using Kind = WorkloadCollectiveKind;
    const uint64_t bytes = collective.bytes;
    const Kind kind = collective.kind;
    collective.bytes = RdmaShare(bytes, m_perServer);
    const Operations none = m_chain.None();
    const auto inServer = [&](Kind phase, const Operations& gate, const Operations& before) {
        return m_chain
            .BesideTime(m_groups, InServer(phase, bytes), collective, category, gate, before);
    };
    if (kind == Kind::ALL_GATHER)
    {
        const Operations own = m_chain.Beside(m_across, collective, category, after, m_ends);
        m_ends = inServer(Kind::ALL_GATHER, own, none);
        return;
    }
    const Operations scattered = inServer(Kind::REDUCE_SCATTER, after, m_ends);
    m_ends = m_chain.Beside(m_across, collective, category, scattered, none);
    if (kind == Kind::ALL_REDUCE)
    {
        m_ends = inServer(Kind::ALL_GATHER, m_ends, none);
    }
}

} // namespace ns3
