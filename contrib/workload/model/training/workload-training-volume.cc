/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-volume.h"

#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-servers.h"
#include "workload-training-sizes.h"
#include "workload-training-volume-adder.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Kind = WorkloadCollectiveKind;
using Volume = WorkloadTrainingVolume;
using Adder = WorkloadTrainingVolumeAdder;

/** What the volumes of one training job are made of. */
class Accountant
{
  public:
    explicit Accountant(const WorkloadTraining& training)
        : m_training(training),
          m_microBatches(training.GetMicroBatchCount())
    {
        for (uint32_t chunk = 0; chunk < training.GetChunkCount(); ++chunk)
        {
            m_chunks.push_back(MakeWorkloadTrainingBlocks(training, chunk));
        }
    }

    /** Gradients: all-reduced once, or scattered: once, or with every micro-batch. */
    void AddGradients(WorkloadTrainingShare share, std::vector<Volume>& volumes) const
    {
        const bool dense = share == WorkloadTrainingShare::DENSE;
        const uint32_t n = CountWorkloadTrainingReplicas(m_training, share);
        const uint32_t sharding = m_training.parallelism.sharding;
        Adder adder(m_training,
                    dense ? WorkloadTrainingCategory::DATA : WorkloadTrainingCategory::EXPERT_DATA);
        const uint64_t times = sharding >= 2 ? m_microBatches : 1;
        const Kind kind = sharding == 0 ? Kind::ALL_REDUCE : Kind::REDUCE_SCATTER;
        AddPieces(adder, kind, share, m_training.model.gradientBytes, times);
        const uint32_t perServer = CountPerServer(share);
        adder.SetFormula(std::string(sharding == 0 ? "2 " : "") + "(" +
                         std::to_string(n / perServer) + " - 1) x " + adder.GetVectors() +
                         " B of gradients" + (sharding >= 2 ? ", once per micro-batch," : "") +
                         " in all " + std::to_string(CountGroups(share)) + " groups of " +
                         std::to_string(n) +
                         (perServer > 1 ? ", " + std::to_string(perServer) + " on a server" : ""));
        adder.Finish(volumes);
    }

    /** Parameters that are gathered: after the optimizer, or before each use. */
    void AddGathers(std::vector<Volume>& volumes) const
    {
        const uint32_t sharding = m_training.parallelism.sharding;
        if (sharding == 0)
        {
            return;
        }
        Adder adder(m_training, WorkloadTrainingCategory::GATHER);
        std::string formula;
        for (const WorkloadTrainingShare share :
             {WorkloadTrainingShare::DENSE, WorkloadTrainingShare::EXPERTS})
        {
            Adder part(m_training, "");
            const uint64_t times = sharding == 3 ? 2 * m_microBatches : 1;
            const uint32_t bytes = m_training.model.bytesPerElement;
            AddPieces(adder, Kind::ALL_GATHER, share, bytes, times);
            AddPieces(part, Kind::ALL_GATHER, share, bytes, times);
            if (part.GetVectors() != "0")
            {
                formula += (formula.empty() ? "(" : " + (") +
                           std::to_string(CountWorkloadTrainingReplicas(m_training, share) /
                                          CountPerServer(share)) +
                           " - 1) x " + part.GetVectors() + " B";
            }
        }
        adder.SetFormula(
            formula + (sharding == 3 ? " of parameters, forward and backward" : " of parameters"));
        adder.Finish(volumes);
    }

    /** Keys and values that go round the ranks which share a sample, and their gradients. */
    void AddContext(std::vector<Volume>& volumes) const
    {
        const WorkloadTrainingParallelism& parallelism = m_training.parallelism;
        if (parallelism.context == 1)
        {
            return;
        }
        Adder adder(m_training, WorkloadTrainingCategory::CONTEXT);
        const uint64_t n = parallelism.context;
        const bool again =
            IsWorkloadTrainingRecomputed(m_training, WorkloadTrainingBlockKind::ATTENTION);
        const uint64_t hops = (again ? 2 : 1) * (n - 1) + 2 * n - 1;
        const uint64_t bytes = WorkloadTrainingKeyValueBytes(m_training);
        uint64_t crossing = 0; // GPUs whose next one is on another server, of each layer's stage
        for (uint32_t stage = 0; stage < parallelism.pipeline; ++stage)
        {
            for (uint32_t own = 0; own < m_training.GetStageChunkCount(); ++own)
            {
                const auto& blocks = m_chunks[m_training.GetChunk(stage, own)];
                crossing += CountContextRanks(stage) *
                            static_cast<uint64_t>(
                                std::count_if(blocks.begin(), blocks.end(), [](const auto& block) {
                                    return block.kind == WorkloadTrainingBlockKind::ATTENTION;
                                }));
            }
        }
        const uint64_t each = m_microBatches / GetCopies();
        adder.AddMessages(bytes, RdmaProduct(hops, each, crossing));
        adder.SetFormula(std::to_string(hops) + " hops x " + std::to_string(each) +
                         " micro-batches x " + std::to_string(crossing) +
                         " GPUs of all layers that send to another server x " +
                         std::to_string(bytes) + " B");
        adder.ForgetMessages(); // keys and values may share one with gradients
        if (crossing > 0)
        {
            adder.Finish(volumes);
        }
    }

    void AddPipeline(std::vector<Volume>& volumes) const
    {
        Adder adder(m_training, WorkloadTrainingCategory::PIPELINE);
        const uint64_t borders = m_training.GetChunkCount() - 1;
        const uint64_t bytes = WorkloadTrainingStageBytes(m_training);
        const uint64_t ranks = m_training.GetStageRankCount();
        adder.AddMessages(bytes, RdmaProduct(2, m_microBatches, borders, ranks));
        adder.SetFormula("2 directions x " + std::to_string(m_microBatches) + " micro-batches x " +
                         std::to_string(borders) + " borders x " + std::to_string(ranks) +
                         " GPUs x " + std::to_string(bytes) + " B");
        adder.Finish(volumes);
    }

    /** All-to-alls of the experts, as far as they are on the network, or go through NVLink. */
    void AddExperts(bool nvlink, std::vector<Volume>& volumes) const
    {
        using Placement = WorkloadTrainingExpertPlacement;
        const WorkloadTrainingExperts experts = ResolveWorkloadTrainingExperts(m_training);
        const bool pxn = experts.placement == Placement::PXN;
        const bool inside = pxn || experts.placement == Placement::NVLINK;
        const uint64_t outside = pxn ? experts.servers : inside ? 1 : m_training.parallelism.expert;
        const uint64_t n = !nvlink ? outside : inside ? experts.perServer : 1;
        AddExpertCollectives(WorkloadTrainingCategory::EXPERT,
                             "all-to-alls",
                             n,
                             1,
                             nvlink,
                             volumes);
    }

    /** What the GPUs of a divided expert gather and scatter. */
    void AddExpertTensor(bool nvlink, std::vector<Volume>& volumes) const
    {
        const uint32_t n = ResolveWorkloadTrainingExperts(m_training).tensor;
        if (nvlink != m_training.network.tensorOnNetwork)
        {
            AddExpertCollectives(WorkloadTrainingCategory::EXPERT_TENSOR,
                                 "gathers and scatters",
                                 n,
                                 n,
                                 nvlink,
                                 volumes);
        }
    }

    void AddTensor(std::vector<Volume>& volumes) const
    {
        if (!m_training.network.tensorOnNetwork)
        {
            return;
        }
        Adder adder(m_training, WorkloadTrainingCategory::TENSOR);
        uint64_t gathers = m_training.parallelism.sequence ? 0 : 2ULL * (m_chunks.size() - 1);
        uint64_t scatters = 0;
        uint64_t allReduces = 0;
        for (const auto& blocks : m_chunks)
        {
            for (const WorkloadTrainingBlock& block : blocks)
            {
                const bool again = IsWorkloadTrainingRecomputed(m_training, block.kind);
                for (const bool forward : {true, false})
                {
                    const WorkloadTrainingTensorCollectives of =
                        WorkloadTrainingTensorCollectivesOf(m_training, block.kind, forward);
                    const uint64_t passes = forward && again ? 2 : 1;
                    gathers += passes * of.gathersBefore;
                    scatters += passes * of.scattersAfter;
                    allReduces += passes * of.allReducesAfter;
                }
            }
        }
        const uint64_t n = m_training.parallelism.tensor;
        const uint64_t times = RdmaProduct(m_microBatches,
                                           m_training.parallelism.data,
                                           m_training.parallelism.context);
        const uint64_t bytes = WorkloadTrainingActivationBytes(m_training);
        adder.Add(Kind::ALL_GATHER, n, bytes, RdmaProduct(gathers, times));
        adder.Add(Kind::REDUCE_SCATTER, n, bytes, RdmaProduct(scatters, times));
        adder.Add(Kind::ALL_REDUCE, n, bytes, RdmaProduct(allReduces, times));
        adder.SetFormula("(" + std::to_string(gathers) + " all-gathers + " +
                         std::to_string(scatters) + " reduce-scatters + 2 x " +
                         std::to_string(allReduces) + " all-reduces) x " + std::to_string(times) +
                         " micro-batches of all replicas x (" + std::to_string(n) + " - 1) x " +
                         std::to_string(bytes) + " B");
        adder.Finish(volumes);
    }

    void AddEmbedding(std::vector<Volume>& volumes) const
    {
        if (!m_training.gradients.embeddingAllReduce)
        {
            return;
        }
        Adder adder(m_training, WorkloadTrainingCategory::EMBEDDING);
        const uint64_t bytes = WorkloadTrainingEmbeddingBytes(m_training);
        const uint64_t ranks = m_training.GetStageRankCount();
        adder.Add(Kind::ALL_REDUCE, 2, bytes, ranks);
        adder.SetFormula("2 x " + std::to_string(ranks) + " pairs x " + std::to_string(bytes) +
                         " B");
        adder.Finish(volumes);
    }

  private:
    /** Two collectives per layer with experts and direction, in groups of \p n; the vectors are
     * \p factor times what a GPU sends to experts. */
    void AddExpertCollectives(const char* category,
                              const std::string& what,
                              uint64_t n,
                              uint64_t factor,
                              bool nvlink,
                              std::vector<Volume>& volumes) const
    {
        Adder adder(m_training, category);
        const uint64_t layers = CountBlocks(WorkloadTrainingBlockKind::MOE);
        const uint64_t groups = m_training.GetStageRankCount() / n;
        const uint64_t bytes = RdmaProduct(factor, WorkloadTrainingDispatchBytes(m_training));
        const Kind kind = factor == 1 ? Kind::ALL_TO_ALL : Kind::ALL_GATHER;
        const bool again = IsWorkloadTrainingRecomputed(m_training, WorkloadTrainingBlockKind::MOE);
        adder.Add(kind, n, bytes, RdmaProduct(again ? 6 : 4, m_microBatches, layers, groups));
        adder.SetFormula((again ? "3 passes x 2 " : "2 directions x 2 ") + what + " x " +
                         std::to_string(m_microBatches) + " micro-batches x " +
                         std::to_string(layers) + " layers x " + std::to_string(groups) +
                         " groups x (" + std::to_string(n) + " - 1) x " + std::to_string(bytes) +
                         " B");
        if (nvlink)
        {
            adder.ForgetMessages();
        }
        adder.Finish(volumes);
    }

    /** \return groups that hold the same parameters, of all stages */
    uint64_t CountGroups(WorkloadTrainingShare share) const
    {
        return uint64_t{m_training.GetRankCount()} * GetCopies() /
               CountWorkloadTrainingReplicas(m_training, share);
    }

    /** \return stages that each chunk is on */
    uint32_t GetCopies() const
    {
        return m_training.IsMirrored() ? 2 : 1;
    }

    /** \return members of a group that reduce on their server first; 1 if they do not */
    uint32_t CountPerServer(WorkloadTrainingShare share) const
    {
        return m_training.collectives.hierarchical
                   ? std::max(1U, CountWorkloadTrainingServerReplicas(m_training, share))
                   : 1;
    }

    /** \return ranks of a stage whose next one in their ring is on another server */
    uint64_t CountContextRanks(uint32_t stage) const
    {
        const WorkloadTrainingParallelism& parallelism = m_training.parallelism;
        const uint64_t server = m_training.network.gpusPerServer;
        const uint64_t ring = uint64_t{parallelism.tensor} * parallelism.context;
        const uint64_t count = m_training.GetStageRankCount();
        uint64_t crossing = 0;
        for (uint64_t rank = stage * count; rank < (stage + 1) * count; ++rank)
        {
            const uint64_t first = rank / ring * ring;
            const uint64_t next = first + (rank - first + parallelism.tensor) % ring;
            crossing += m_training.network.tensorOnNetwork || rank / server != next / server;
        }
        return crossing;
    }

    uint64_t CountBlocks(WorkloadTrainingBlockKind kind) const
    {
        uint64_t count = 0;
        for (const auto& blocks : m_chunks)
        {
            count += static_cast<uint64_t>(
                std::count_if(blocks.begin(), blocks.end(), [kind](const auto& block) {
                    return block.kind == kind;
                }));
        }
        return count;
    }

    /** Adds a collective per bucket, or per block if even parameters are sharded. */
    void AddPieces(Adder& adder,
                   Kind kind,
                   WorkloadTrainingShare share,
                   uint32_t elementBytes,
                   uint64_t times) const
    {
        const uint32_t n = CountWorkloadTrainingReplicas(m_training, share);
        const uint64_t groups =
            RdmaProduct(uint64_t{m_training.GetStageRankCount()} * GetCopies() / n, times);
        const uint32_t perServer = CountPerServer(share);
        const auto add = [&](uint64_t parameters, uint64_t count) {
            const uint64_t bytes =
                WorkloadTrainingScaled(m_training, RdmaProduct(parameters, elementBytes));
            adder.Add(kind,
                      n / perServer,
                      RdmaShare(bytes, perServer),
                      RdmaProduct(count, groups, perServer));
        };
        for (const auto& blocks : m_chunks)
        {
            uint64_t sum = 0;
            for (const WorkloadTrainingBlock& block : blocks)
            {
                const uint64_t parameters = CountWorkloadTrainingShare(block, share);
                sum = RdmaSum(sum, parameters);
                if (m_training.parallelism.sharding == 3)
                {
                    add(parameters, 1);
                }
            }
            if (m_training.parallelism.sharding < 3 && sum > 0)
            {
                const WorkloadTrainingBuckets buckets =
                    MakeWorkloadTrainingBuckets(m_training, sum);
                const uint64_t last = buckets.GetCount() - 1;
                add(buckets.perBucket, last);
                add(buckets.GetSize(last), 1);
            }
        }
    }

    const WorkloadTraining& m_training;
    uint64_t m_microBatches;
    std::vector<std::vector<WorkloadTrainingBlock>> m_chunks;
};

} // namespace

std::vector<WorkloadTrainingVolume>
WorkloadTrainingVolumes(const WorkloadTraining& training)
{
    const Accountant accountant(training);
    std::vector<Volume> volumes;
    accountant.AddGradients(WorkloadTrainingShare::DENSE, volumes);
    accountant.AddGradients(WorkloadTrainingShare::EXPERTS, volumes);
    accountant.AddGathers(volumes);
    accountant.AddPipeline(volumes);
    accountant.AddExperts(false, volumes);
    accountant.AddExpertTensor(false, volumes);
    accountant.AddContext(volumes);
    accountant.AddTensor(volumes);
    accountant.AddEmbedding(volumes);
    return volumes;
}

std::vector<WorkloadTrainingVolume>
WorkloadTrainingNvlinkVolumes(const WorkloadTraining& training)
{
    const Accountant accountant(training);
    std::vector<Volume> volumes;
    accountant.AddExperts(true, volumes);
    accountant.AddExpertTensor(true, volumes);
    return volumes;
}

} // namespace ns3
