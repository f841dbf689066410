/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-volume.h"

#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-sizes.h"

#include "ns3/rdma-arithmetic.h"

#include <algorithm>

namespace ns3
{

namespace
{

using Kind = WorkloadCollectiveKind;
using Volume = WorkloadTrainingVolume;

/** \return the sum of f(size) over the sizes of \p bytes divided evenly into \p parts */
template <typename Function>
uint64_t
SumOverParts(uint64_t bytes, uint64_t parts, Function f)
{
    const uint64_t larger = bytes % parts; // parts with a byte more
    const uint64_t size = bytes / parts;
    return RdmaSum(larger == 0 ? 0 : RdmaProduct(larger, f(size + 1)),
                   RdmaProduct(parts - larger, f(size)));
}

/** A part is divided among the channels, and then into chunks; one that is empty is not sent. */
uint64_t
CountOwnedPieces(const WorkloadCollective& collective, uint64_t n)
{
    const uint64_t chunk = collective.chunkBytes == 0 ? UINT64_MAX : collective.chunkBytes;
    return SumOverParts(collective.bytes, n, [&](uint64_t part) {
        return SumOverParts(part, collective.channels, [chunk](uint64_t size) {
            return RdmaShare(size, chunk);
        });
    });
}

/** All-reduce: a channel's data is divided into rounds of a chunk per member; the last round
 * evenly.
 */
uint64_t
CountSplitPieces(const WorkloadCollective& collective, uint64_t n)
{
    const uint64_t chunk = collective.chunkBytes == 0 ? UINT64_MAX : collective.chunkBytes;
    const uint64_t round = std::max<uint64_t>(RdmaProduct(chunk, n), 1);
    return SumOverParts(collective.bytes, collective.channels, [n, chunk, round](uint64_t size) {
        const uint64_t rounds = size == 0 ? 0 : (size - 1) / round;
        return rounds * n + std::min(n, size - rounds * n * chunk);
    });
}

/** Messages of a collective of n members: each piece is sent as often as there are hops. */
uint64_t
CountMessages(const WorkloadCollective& collective, uint64_t n)
{
    return collective.kind == Kind::ALL_REDUCE
               ? RdmaProduct(2 * (n - 1), CountSplitPieces(collective, n))
               : RdmaProduct(n - 1, CountOwnedPieces(collective, n));
}

/** Adds up the collectives of one category. */
class Adder
{
  public:
    Adder(const WorkloadTraining& training, const char* category)
        : m_training(training)
    {
        m_volume.category = category;
    }

    /** Adds \p count collectives of \p n members, \p bytes (scaled) each. All of all-reduce,
     * whatever its algorithm, move 2 (n - 1) times the vector; the others n - 1 times. */
    void Add(Kind kind, uint64_t n, uint64_t bytes, uint64_t count)
    {
        if (n < 2 || bytes == 0 || count == 0)
        {
            return;
        }
        const WorkloadCollective collective =
            MakeWorkloadTrainingCollective(m_training, kind, bytes);
        const uint64_t hops = kind == Kind::ALL_REDUCE ? 2 * (n - 1) : n - 1;
        m_volume.collectives = RdmaSum(m_volume.collectives, count);
        m_volume.bytes = RdmaSum(m_volume.bytes, RdmaProduct(hops, bytes, count));
        m_volume.messages =
            RdmaSum(m_volume.messages, RdmaProduct(CountMessages(collective, n), count));
        m_volume.messagesKnown =
            m_volume.messagesKnown && (collective.algorithm == WorkloadCollectiveAlgorithm::RING ||
                                       collective.algorithm == WorkloadCollectiveAlgorithm::DIRECT);
        m_vectors = RdmaSum(m_vectors, RdmaProduct(bytes, count));
    }

    /** Adds \p count messages. */
    void AddMessages(uint64_t bytes, uint64_t count)
    {
        m_volume.collectives = RdmaSum(m_volume.collectives, count);
        m_volume.messages = RdmaSum(m_volume.messages, count);
        m_volume.bytes = RdmaSum(m_volume.bytes, RdmaProduct(bytes, count));
    }

    /** \return bytes of all vectors */
    std::string GetVectors() const
    {
        return std::to_string(m_vectors);
    }

    void SetFormula(const std::string& formula)
    {
        m_volume.formula = formula;
    }

    /** There are none through NVLink. */
    void ForgetMessages()
    {
        m_volume.messages = 0;
        m_volume.messagesKnown = false;
    }

    /** Hands the result over, unless nothing was added. */
    void Finish(std::vector<Volume>& volumes) const
    {
        if (m_volume.collectives > 0)
        {
            volumes.push_back(m_volume);
        }
    }

  private:
    const WorkloadTraining& m_training;
    Volume m_volume;
    uint64_t m_vectors{0};
};

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
        adder.SetFormula(std::string(sharding == 0 ? "2 " : "") + "(" + std::to_string(n) +
                         " - 1) x " + adder.GetVectors() + " B of gradients" +
                         (sharding >= 2 ? ", once per micro-batch," : "") + " in all " +
                         std::to_string(CountGroups(share)) + " groups of " + std::to_string(n));
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
                           std::to_string(CountWorkloadTrainingReplicas(m_training, share)) +
                           " - 1) x " + part.GetVectors() + " B";
            }
        }
        adder.SetFormula(
            formula + (sharding == 3 ? " of parameters, forward and backward" : " of parameters"));
        adder.Finish(volumes);
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
                for (const bool forward : {true, false})
                {
                    const WorkloadTrainingTensorCollectives of =
                        WorkloadTrainingTensorCollectivesOf(m_training, block.kind, forward);
                    gathers += of.gathersBefore;
                    scatters += of.scattersAfter;
                    allReduces += of.allReducesAfter;
                }
            }
        }
        const uint64_t n = m_training.parallelism.tensor;
        const uint64_t times = RdmaProduct(m_microBatches, m_training.parallelism.data);
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
        adder.Add(kind, n, bytes, RdmaProduct(4, m_microBatches, layers, groups));
        adder.SetFormula("2 directions x 2 " + what + " x " + std::to_string(m_microBatches) +
                         " micro-batches x " + std::to_string(layers) + " layers x " +
                         std::to_string(groups) + " groups x (" + std::to_string(n) + " - 1) x " +
                         std::to_string(bytes) + " B");
        if (nvlink)
        {
            adder.ForgetMessages();
        }
        adder.Finish(volumes);
    }

    /** \return groups that hold the same parameters, of all stages */
    uint64_t CountGroups(WorkloadTrainingShare share) const
    {
        return static_cast<uint64_t>(m_training.GetRankCount()) /
               CountWorkloadTrainingReplicas(m_training, share);
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
        const uint64_t groups = RdmaProduct(m_training.GetStageRankCount() / n, times);
        const auto add = [&](uint64_t parameters, uint64_t count) {
            const uint64_t bytes =
                WorkloadTrainingScaled(m_training, RdmaProduct(parameters, elementBytes));
            adder.Add(kind, n, bytes, RdmaProduct(count, groups));
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
