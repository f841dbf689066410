/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_H
#define WORKLOAD_TRAINING_H

#include "ns3/workload-collective.h"
#include "ns3/workload-schedule.h"

#include <array>
#include <cstdint>
#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Multi-head latent attention (DeepSeek): low-rank projections of queries, keys and values.
 */
struct WorkloadTrainingMla
{
    uint32_t queryRank{0};    ///< 0: queries are projected directly
    uint32_t keyValueRank{0}; ///< 0: no latent attention at all
    uint32_t headSize{0};     ///< of queries and keys, without the rotary part
    uint32_t ropeHeadSize{0}; ///< rotary part
    uint32_t valueHeadSize{0};
};

/** \ingroup workload Mixture of experts. */
struct WorkloadTrainingMoe
{
    uint32_t experts{0}; ///< routed experts of a layer; 0: a dense model
    uint32_t topK{0};    ///< experts that a token is sent to
    uint32_t ffn{0};     ///< inner size of an expert
    uint32_t sharedExperts{0};
    uint32_t firstDense{0}; ///< layers at the start that have a dense MLP
    uint32_t every{1};      ///< of the layers after those, the first and each n-th have experts
};

/** \ingroup workload Which linear layers have biases. */
enum class WorkloadTrainingBias : uint8_t
{
    NONE,
    QKV,
    ALL
};

/** \ingroup workload A decoder-only transformer. */
struct WorkloadTrainingModel
{
    uint32_t layers{0};
    uint32_t hidden{0};
    uint32_t heads{0};
    uint32_t kvHeads{0};  ///< grouped-query attention if fewer than heads
    uint32_t headSize{0}; ///< of queries, keys and values
    uint32_t ffn{0};      ///< inner size of a dense MLP; 0 if no layer has one
    bool gatedMlp{false}; ///< three matrices (SwiGLU) instead of two
    uint32_t vocabulary{0};
    uint32_t sequence{0};         ///< tokens per sample
    uint32_t learnedPositions{0}; ///< position embeddings; 0 for rotary ones
    bool tiedEmbeddings{false};   ///< the output layer is the embedding
    WorkloadTrainingBias bias{WorkloadTrainingBias::NONE};
    bool layerNorm{false};           ///< with bias; otherwise RMS norm
    uint32_t bytesPerElement{2};     ///< of weights and activations
    uint32_t gradientBytes{2};       ///< per element
    uint64_t attentionParameters{0}; ///< of a layer, given instead of derived; 0: derived
    WorkloadTrainingMla mla;
    WorkloadTrainingMoe moe;
};

/** \ingroup workload In which order a pipeline stage works on micro-batches. */
enum class WorkloadTrainingPipeline : uint8_t
{
    ONE_FORWARD_ONE_BACKWARD,
    INTERLEAVED,
    GPIPE,
    DUALPIPE ///< DeepSeek-V3's: micro-batches from both ends, each stage on two GPUs
};

/** \ingroup workload Where the members of an expert group are, and what carries their traffic. */
enum class WorkloadTrainingExpertPlacement : uint8_t
{
    AUTO,   ///< as Megatron-LM and NCCL would have it
    NVLINK, ///< on one server, which NVLink serves
    RAIL,   ///< on servers of their own, at the same place in each: on one rail of the network
    PXN,  ///< several on each server: by NVLink to the GPU on the destination's rail, then by rail
    RAILS ///< anywhere; every message is on the network, whatever rails its ends are on
};

/**
 * \ingroup workload
 * \brief How the model is divided: rank = tp + tensor * (cp + context * (dp + data
 * * pp)).
 */
struct WorkloadTrainingParallelism
{
    uint32_t tensor{1};
    bool sequence{false}; ///< sequence parallel, within the tensor-parallel group
    uint32_t context{1};  ///< ranks that share the tokens of a sample; keys and values go round
    uint32_t pipeline{1};
    uint32_t virtualStages{1}; ///< model chunks per rank
    WorkloadTrainingPipeline schedule{WorkloadTrainingPipeline::ONE_FORWARD_ONE_BACKWARD};
    uint32_t data{1};
    uint32_t expert{1};       ///< ranks of a stage that share out the experts
    uint32_t expertTensor{0}; ///< ranks that share an expert; 0: see ResolveWorkloadTrainingExperts
    WorkloadTrainingExpertPlacement expertPlacement{WorkloadTrainingExpertPlacement::AUTO};
    uint32_t sharding{0};                 ///< ZeRO stage, 0 to 3
    std::vector<uint32_t> layersPerChunk; ///< pipeline * virtualStages, in the order of the model
};

/** \ingroup workload When gradients are reduced, and in which pieces. */
struct WorkloadTrainingGradients
{
    uint64_t bucketBytes{0};        ///< 0: one bucket per model chunk
    bool overlap{false};            ///< each bucket as soon as it is complete
    bool embeddingAllReduce{false}; ///< tied embeddings: first stage with the last one
};

/** \ingroup workload How collectives are carried out. */
struct WorkloadTrainingCollectives
{
    WorkloadCollectiveAlgorithm allReduce{WorkloadCollectiveAlgorithm::RING};
    uint32_t channels{1};
    uint64_t chunkBytes{0};   ///< largest message; 0: no limit
    uint32_t window{0};       ///< messages of a channel from one to another under way; 0: no limit
    bool hierarchical{false}; ///< data-parallel ones: in the server, across servers, in the server
};

/** \ingroup workload Where times of computations come from. */
enum class WorkloadTrainingCompute : uint8_t
{
    NONE, ///< all are 0
    FLOPS,
    TABLE
};

/** \ingroup workload Kinds of computation that a table gives times of. */
enum class WorkloadTrainingKernel : uint8_t
{
    EMBEDDING,
    ATTENTION,
    MLP,     ///< dense
    ROUTER,  ///< with the shared experts
    EXPERTS, ///< a rank's routed experts
    HEAD,    ///< output layer and loss
    COUNT
};

/** \ingroup workload Times of one micro-batch on one GPU, ns. */
struct WorkloadTrainingTimes
{
    uint64_t forward{0};
    uint64_t backward{0};
};

/** \ingroup workload What is computed again in the backward pass, since it was not kept. */
enum class WorkloadTrainingRecompute : uint8_t
{
    NONE,
    SELECTIVE, ///< the core of attention: scores and what they weight
    FULL       ///< each layer
};

/** \ingroup workload How much slower a kernel is beside communication: thousandths more, by
 * WorkloadTrainingKernel. */
using WorkloadTrainingSlowdowns =
    std::array<uint32_t, static_cast<size_t>(WorkloadTrainingKernel::COUNT)>;

/** \ingroup workload Computation. */
struct WorkloadTrainingGpu
{
    WorkloadTrainingCompute compute{WorkloadTrainingCompute::NONE};
    double peakFlops{0};  ///< per second and GPU
    double efficiency{1}; ///< share of the peak that is reached
    std::array<WorkloadTrainingTimes, static_cast<size_t>(WorkloadTrainingKernel::COUNT)> table{};
    WorkloadTrainingTimes core{}; ///< attention's core, a part of the table's attention; 0: unknown
    uint64_t optimizerNs{0};
    WorkloadTrainingRecompute recompute{WorkloadTrainingRecompute::NONE};
    std::string overlap; ///< where the slowdowns are from; empty: computation is never slowed
    WorkloadTrainingSlowdowns slowdowns{};
};

/** \ingroup workload What collectives take on servers of one type, besides the network. */
struct WorkloadTrainingServerType
{
    std::string name;
    uint32_t firstServer{0};   ///< it and those after it, up to the next type's
    uint64_t setupNs{0};       ///< before a collective
    double reduceNsPerByte{0}; ///< of what is received and added
};

/** \ingroup workload What is on the network. */
struct WorkloadTrainingNetwork
{
    bool tensorOnNetwork{false}; ///< otherwise NVLink carries tensor-parallel traffic
    double nvlinkGBps{0}; ///< for NVLink's time, GB/s per GPU and direction; 0: takes no time
    uint32_t gpusPerServer{8};
    std::vector<WorkloadTrainingServerType> serverTypes; ///< by first server, from 0; may be empty
};

/** \ingroup workload Divisors, to make a quicker job of the same shape. */
struct WorkloadTrainingScale
{
    uint64_t bytes{1};
    double compute{1};
};

/**
 * \ingroup workload
 * \brief One iteration of a training job: model, parallelisation, batch and hardware.
 *
 * contrib/workload/doc/training.md describes the JSON file and the formulas.
 */
struct WorkloadTraining
{
    std::string origin; ///< file, for messages
    std::string name;
    std::string description;
    WorkloadTrainingModel model;
    WorkloadTrainingParallelism parallelism;
    uint32_t microBatch{1};  ///< samples
    uint32_t globalBatch{1}; ///< samples
    WorkloadTrainingGradients gradients;
    WorkloadTrainingCollectives collectives;
    WorkloadTrainingGpu gpu;
    WorkloadTrainingNetwork network;
    WorkloadTrainingScale scale;

    /** \return GPUs */
    uint32_t GetRankCount() const
    {
        return GetStageRankCount() * parallelism.pipeline;
    }

    /** \return GPUs of a pipeline stage */
    uint32_t GetStageRankCount() const
    {
        return parallelism.tensor * parallelism.context * parallelism.data;
    }

    /** \return micro-batches that each data-parallel replica works on */
    uint32_t GetMicroBatchCount() const
    {
        return globalBatch / (microBatch * parallelism.data);
    }

    /** \return model chunks: of all stages */
    uint32_t GetChunkCount() const
    {
        return parallelism.pipeline * parallelism.virtualStages;
    }

    /** \return whether each pipeline stage's chunk is on the stage that mirrors it, too */
    bool IsMirrored() const
    {
        return parallelism.schedule == WorkloadTrainingPipeline::DUALPIPE;
    }

    /** \return model chunks that a stage works on */
    uint32_t GetStageChunkCount() const
    {
        return IsMirrored() ? 2 : parallelism.virtualStages;
    }

    /** \return number in the model of a stage's own chunk, from 0 */
    uint32_t GetChunk(uint32_t stage, uint32_t own) const
    {
        return IsMirrored() && own == 1 ? parallelism.pipeline - 1 - stage
                                        : own * parallelism.pipeline + stage;
    }
};

/** \ingroup workload Keys to set otherwise than a file does: places such as parallelism.context,
 * and values. */
using WorkloadTrainingChanges = std::vector<std::pair<std::string, std::string>>;

/**
 * \ingroup workload
 * \param file a JSON file, at most 1 MiB
 * \param changes to what it says
 * \return what it says
 * \throws InputError naming file, place in the JSON, value and remedy; keys that are unknown,
 * given twice, or without effect are errors too
 */
WorkloadTraining ReadWorkloadTraining(const std::string& file,
                                      const WorkloadTrainingChanges& changes = {});

/** \ingroup workload The same from a stream. \param name stands for the file in messages */
WorkloadTraining ReadWorkloadTraining(std::istream& in,
                                      const std::string& name,
                                      const WorkloadTrainingChanges& changes = {});

/** \ingroup workload \return the names of all placements of experts, in the order of the
 * enumeration
 */
const std::vector<std::string>& WorkloadTrainingExpertPlacements();

/**
 * \ingroup workload
 *
 * Places experts otherwise than the file does.
 * \param training valid, as read
 * \param placement one of WorkloadTrainingExpertPlacements(); empty: the file's
 * \param expert ranks that share out the experts; 0: the file's
 * \throws InputError if the job cannot be divided so
 */
void PlaceWorkloadTrainingExperts(WorkloadTraining& training,
                                  const std::string& placement,
                                  uint32_t expert);

/**
 * \ingroup workload
 *
 * Time and memory are proportional to the operations: some 40 bytes each at the peak.
 * \param training valid, as read
 * \return the iteration's schedule; its categories are those of WorkloadTrainingVolumes, and
 * "forward", "backward" and "optimizer"
 * \throws InputError if it would have more than 2,000,000,000 operations
 */
WorkloadSchedule MakeTrainingSchedule(const WorkloadTraining& training);

} // namespace ns3

#endif // WORKLOAD_TRAINING_H
