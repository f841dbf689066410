/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-check.h"

#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-rules.h"
#include "workload-training-sizes.h"
#include "workload-training-volume.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-units.h"

#include <numeric>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_MICRO_BATCHES = 65536;
constexpr uint64_t MAX_TOTAL = 1ULL << 62;

/** Rules of sizes that divide each other. */
class Checker : public WorkloadTrainingRules
{
  public:
    using WorkloadTrainingRules::WorkloadTrainingRules;

    void CheckSizes() const
    {
        const uint64_t ranks = RdmaProduct(m_parallelism.tensor,
                                           m_parallelism.context,
                                           m_parallelism.data,
                                           m_parallelism.pipeline);
        if (ranks > WORKLOAD_MOST_RANKS)
        {
            Fail("parallelism",
                 StageText() + " * pipeline is " + std::to_string(ranks) + " GPUs, more than " +
                     std::to_string(WORKLOAD_MOST_RANKS) + ": make the groups smaller");
        }
        const uint64_t step = static_cast<uint64_t>(m_training.microBatch) * m_parallelism.data;
        if (step == 0 || m_training.globalBatch % step != 0)
        {
            Fail("batch.global",
                 Value(m_training.globalBatch) + " is no multiple of micro * data (" +
                     std::to_string(step) + " samples): make it one");
        }
        if (m_training.GetMicroBatchCount() > MAX_MICRO_BATCHES)
        {
            Fail("batch.global",
                 Value(m_training.globalBatch) + " makes " +
                     std::to_string(m_training.GetMicroBatchCount()) +
                     " micro-batches per replica, more than " + std::to_string(MAX_MICRO_BATCHES) +
                     ": make it smaller");
        }
    }

    void CheckTensor() const
    {
        const uint32_t tensor = m_parallelism.tensor;
        Divides("model.heads", m_model.heads);
        if (m_model.kvHeads % tensor != 0 && tensor % m_model.kvHeads != 0)
        {
            Fail("model.kvHeads",
                 Value(m_model.kvHeads) + " and parallelism.tensor (" + std::to_string(tensor) +
                     "): one must be a multiple of the other");
        }
        Divides("model.ffn", m_model.ffn);
        Divides("model.moe.ffn * model.moe.sharedExperts",
                static_cast<uint64_t>(m_model.moe.ffn) * m_model.moe.sharedExperts);
        if (m_parallelism.sequence)
        {
            if (tensor == 1)
            {
                Fail("parallelism.sequence",
                     "true has no effect with tensor 1: remove it, or raise tensor");
            }
            Divides("model.sequence", m_model.sequence);
        }
        const WorkloadTrainingNetwork& network = m_training.network;
        const bool shared = tensor > 1 || m_parallelism.context > 1;
        if (!shared && (network.tensorOnNetwork || (network.nvlinkGBps > 0 && !UsesNvlink())))
        {
            Fail(network.tensorOnNetwork ? "network.tensorParallel" : "network.nvlinkGBps",
                 "has no effect with parallelism.tensor 1: remove it");
        }
        if (network.tensorOnNetwork && network.nvlinkGBps > 0)
        {
            Fail("network.nvlinkGBps",
                 "has no effect when tensorParallel is \"network\": remove "
                 "one of them");
        }
        if (!network.tensorOnNetwork && tensor > network.gpusPerServer)
        {
            Fail("parallelism.tensor",
                 Value(tensor) + " GPUs cannot share the NVLink of a server of " +
                     std::to_string(network.gpusPerServer) +
                     ": make it smaller, raise network.gpusPerServer, or set "
                     "network.tensorParallel to \"network\"");
        }
    }

    void CheckPipeline() const
    {
        const uint32_t chunks = m_training.GetChunkCount();
        const bool interleaved = m_parallelism.schedule == WorkloadTrainingPipeline::INTERLEAVED;
        if (interleaved != (m_parallelism.virtualStages > 1))
        {
            Fail("parallelism.virtualStages",
                 Value(m_parallelism.virtualStages) +
                     (interleaved ? ", but an interleaved schedule needs at least 2"
                                  : ", but only the schedule \"interleaved\" has more than 1"));
        }
        if (interleaved && m_parallelism.pipeline == 1)
        {
            Fail("parallelism.schedule", "\"interleaved\" needs a pipeline of at least 2 stages");
        }
        if (interleaved && m_training.GetMicroBatchCount() % m_parallelism.pipeline != 0)
        {
            Fail("batch.global",
                 Value(m_training.globalBatch) + " makes " +
                     std::to_string(m_training.GetMicroBatchCount()) +
                     " micro-batches per replica, but the interleaved schedule "
                     "needs a multiple of parallelism.pipeline (" +
                     std::to_string(m_parallelism.pipeline) + ")");
        }
        if (chunks > m_model.layers)
        {
            Fail("parallelism.pipeline",
                 "pipeline * virtualStages is " + std::to_string(chunks) + ", more than the " +
                     std::to_string(m_model.layers) + " layers: make it smaller");
        }
        CheckLayers(chunks);
    }

    void CheckExperts() const
    {
        const WorkloadTrainingMoe& moe = m_model.moe;
        const uint32_t expert = m_parallelism.expert;
        if (moe.experts == 0)
        {
            for (const auto& [key, given] :
                 {std::pair{"expert", expert > 1},
                  std::pair{"expertTensor", m_parallelism.expertTensor > 0},
                  std::pair{"expertPlacement", m_parallelism.expertPlacement != Placement::AUTO}})
            {
                if (given)
                {
                    Fail(std::string("parallelism.") + key,
                         (key == std::string("expert") ? Value(expert) + ", but" : "given, but") +
                             " the model has no experts: remove it, or add model.moe");
                }
            }
            return;
        }
        if (moe.experts % expert != 0)
        {
            Fail("parallelism.expert",
                 Value(expert) + " does not divide the " + std::to_string(moe.experts) +
                     " experts: each rank must hold as many");
        }
        CheckDividedExperts();
        if (m_parallelism.tensor > 1 && !m_parallelism.sequence)
        {
            Fail("parallelism.sequence",
                 "false, but experts with tensor parallelism need it: set it to true");
        }
        CheckPlacement();
    }

    void CheckGradients() const
    {
        const WorkloadTrainingGradients& gradients = m_training.gradients;
        const bool alone =
            CountWorkloadTrainingReplicas(m_training, WorkloadTrainingShare::DENSE) == 1 &&
            (m_model.moe.experts == 0 ||
             CountWorkloadTrainingReplicas(m_training, WorkloadTrainingShare::EXPERTS) == 1);
        if (alone && (m_parallelism.sharding > 0 || gradients.bucketBytes > 0 || gradients.overlap))
        {
            Fail(m_parallelism.sharding > 0 ? "parallelism.sharding"
                 : gradients.overlap        ? "gradients.overlap"
                                            : "gradients.bucketBytes",
                 "has no effect, since no two GPUs hold the same parameters: remove it");
        }
        if (m_parallelism.sharding == 3 && gradients.bucketBytes > 0)
        {
            Fail("gradients.bucketBytes",
                 Value(gradients.bucketBytes) +
                     " has no effect with sharding 3, which reduces layer by layer: remove it");
        }
        if (m_parallelism.sharding > 0 &&
            m_training.collectives.allReduce != WorkloadCollectiveAlgorithm::RING)
        {
            Fail("collectives.allReduce",
                 "has no effect with parallelism.sharding, whose "
                 "reduce-scatters and all-gathers are rings: remove it");
        }
        if (gradients.embeddingAllReduce &&
            (!m_model.tiedEmbeddings || m_parallelism.pipeline == 1))
        {
            Fail("gradients.embeddingAllReduce",
                 "true needs model.tiedEmbeddings and more than one pipeline stage");
        }
        if (gradients.embeddingAllReduce && m_parallelism.sharding > 1)
        {
            Fail("gradients.embeddingAllReduce",
                 "true is not possible with sharding 2 or 3, where "
                 "no GPU holds all gradients: remove it");
        }
        if (m_training.gpu.compute == WorkloadTrainingCompute::NONE &&
            m_training.scale.compute != 1)
        {
            Fail("scale.compute",
                 "has no effect without compute times: remove it, or set "
                 "compute.times");
        }
    }

    void CheckTotals() const
    {
        if (CountWorkloadTrainingParameters(m_training).total > 1ULL << 50)
        {
            Fail("model", "has more than 2^50 parameters: make it smaller");
        }
        for (const WorkloadTrainingVolume& volume : WorkloadTrainingVolumes(m_training))
        {
            if (volume.bytes > MAX_TOTAL || volume.messages > MAX_TOTAL)
            {
                Fail("batch.global",
                     Value(m_training.globalBatch) +
                         " and the model make more than "
                         "2^62 bytes of " +
                         volume.category + " traffic: make them smaller");
            }
        }
    }

  private:
    using Placement = WorkloadTrainingExpertPlacement;

    /** \return whether all-to-alls of experts take time on NVLink */
    bool UsesNvlink() const
    {
        if (m_training.collectives.hierarchical)
        {
            return true;
        }
        const Placement placement = ResolveWorkloadTrainingExperts(m_training).placement;
        return m_parallelism.expert > 1 &&
               (placement == Placement::NVLINK || placement == Placement::PXN);
    }

    /** \return of what the GPUs of a stage are the product */
    std::string StageText() const
    {
        return m_parallelism.context > 1 ? "tensor * context * data" : "tensor * data";
    }

    /** Experts that several GPUs share, and the groups that this leaves. */
    void CheckDividedExperts() const
    {
        const uint32_t expert = m_parallelism.expert;
        const uint32_t tensor = ResolveWorkloadTrainingExperts(m_training).tensor;
        if (m_parallelism.tensor % tensor != 0)
        {
            Fail("parallelism.expertTensor",
                 Value(tensor) + " does not divide parallelism.tensor (" +
                     std::to_string(m_parallelism.tensor) +
                     "), whose groups share experts: make it a divisor");
        }
        if (m_training.GetStageRankCount() % (uint64_t{tensor} * expert) != 0)
        {
            const std::string stage = " does not divide the " + StageText() + " = " +
                                      std::to_string(m_training.GetStageRankCount()) +
                                      " GPUs of a pipeline stage";
            tensor == 1 ? Fail("parallelism.expert", Value(expert) + stage)
                        : Fail("parallelism.expert",
                               Value(expert) + " x " + Value(tensor) +
                                   " GPUs that share an expert (expertTensor)" + stage +
                                   ": make it a divisor of " +
                                   Value(m_training.GetStageRankCount() / tensor));
        }
        if (m_model.moe.ffn % tensor != 0)
        {
            Fail("model.moe.ffn",
                 Value(m_model.moe.ffn) + " is no multiple of the " + Value(tensor) +
                     " GPUs that share an expert: change it, or set parallelism.expertTensor");
        }
    }

    /** Whether the members of an expert group are where the placement has them. */
    void CheckPlacement() const
    {
        const Placement placement = m_parallelism.expertPlacement;
        const WorkloadTrainingExperts experts = ResolveWorkloadTrainingExperts(m_training);
        const Placement fitting = experts.GetFitting();
        const std::string place = "parallelism.expertPlacement";
        const std::string name = "\"" + WorkloadName(placement) + "\"";
        if (placement == Placement::AUTO)
        {
            return;
        }
        if (m_parallelism.expert == 1)
        {
            Fail(place, name + " has no effect with parallelism.expert 1: remove it");
        }
        const bool nvlink = placement == Placement::NVLINK || placement == Placement::PXN;
        if (nvlink && m_training.network.tensorOnNetwork)
        {
            Fail(place,
                 name + " needs NVLink, but network.tensorParallel is \"network\": use \"rail\" or "
                        "\"rails\"");
        }
        if (placement == Placement::RAILS || placement == fitting)
        {
            return;
        }
        const std::string needs = placement == Placement::NVLINK ? "all on one server"
                                  : placement == Placement::RAIL
                                      ? "on a server each"
                                      : "on several servers, several on each";
        const std::string are = experts.perServer == 0 ? "not as many on each server"
                                : experts.servers == 1 ? "all on one server"
                                                       : Value(experts.perServer) + " on each of " +
                                                             Value(experts.servers) + " servers";
        Fail(place,
             name + " has the members of an expert group " + needs + ", but ranks 0, " +
                 Value(experts.tensor) + " ... " +
                 Value(uint64_t{experts.tensor} * (m_parallelism.expert - 1)) + " are " + are +
                 " of " + Value(m_training.network.gpusPerServer) +
                 " GPUs (network.gpusPerServer): use \"" + WorkloadName(fitting) +
                 "\", or change expert (" + Value(m_parallelism.expert) + ") or expertTensor (" +
                 Value(experts.tensor) + ")");
    }

    void Divides(const std::string& place, uint64_t value) const
    {
        if (value % m_parallelism.tensor != 0)
        {
            Fail(place,
                 Value(value) + " is no multiple of parallelism.tensor (" +
                     std::to_string(m_parallelism.tensor) + "): change one of them");
        }
    }

    void CheckLayers(uint32_t chunks) const
    {
        const std::vector<uint32_t>& layers = m_parallelism.layersPerChunk;
        if (layers.empty())
        {
            return;
        }
        if (layers.size() != chunks)
        {
            Fail("parallelism.layersPerChunk",
                 std::to_string(layers.size()) + " numbers, but pipeline * virtualStages is " +
                     std::to_string(chunks) + ": give as many");
        }
        const uint64_t sum = std::accumulate(layers.begin(), layers.end(), uint64_t{0});
        if (sum != m_model.layers)
        {
            Fail("parallelism.layersPerChunk",
                 "the numbers add up to " + std::to_string(sum) + ", but the model has " +
                     std::to_string(m_model.layers) + " layers");
        }
    }
};

} // namespace

void
CheckWorkloadTraining(const WorkloadTraining& training, const JsonText* text)
{
    const Checker checker(training, text);
    checker.CheckSizes();
    checker.CheckTensor();
    checker.CheckPipeline();
    checker.CheckExperts();
    checker.CheckGradients();
    CheckWorkloadTrainingVariants(training, text);
    checker.CheckTotals();
}

} // namespace ns3
