/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-training-model.h"
#include "workload-training-rules.h"
#include "workload-training-servers.h"
#include "workload-training-sizes.h"

#include <utility>

namespace ns3
{

namespace
{

/** Rules of what a job does otherwise than by default. */
class VariantChecker : public WorkloadTrainingRules
{
  public:
    using WorkloadTrainingRules::WorkloadTrainingRules;

    void CheckContext() const
    {
        const uint64_t context = m_parallelism.context;
        const uint64_t parts =
            context * (m_parallelism.sequence ? m_parallelism.tensor : uint64_t{1});
        if (context > 1 && m_model.sequence % parts != 0)
        {
            Fail("parallelism.context",
                 Value(context) + ", but model.sequence (" + Value(m_model.sequence) +
                     ") is no multiple of " + Value(parts) +
                     " GPUs that share its tokens: change one of them");
        }
        if (context > m_model.sequence)
        {
            Fail("parallelism.context",
                 Value(context) + ", more than the tokens of a sample (model.sequence): make it "
                                  "smaller");
        }
    }

    void CheckDualPipe() const
    {
        if (!m_training.IsMirrored())
        {
            return;
        }
        const uint32_t stages = m_parallelism.pipeline;
        const uint32_t microBatches = m_training.GetMicroBatchCount();
        if (stages % 2 != 0)
        {
            Fail("parallelism.pipeline",
                 Value(stages) + ", but the schedule \"dualpipe\" needs an even number of stages");
        }
        if (microBatches % 2 != 0 || microBatches < 2 * stages)
        {
            Fail("batch.global",
                 Value(m_training.globalBatch) + " makes " + Value(microBatches) +
                     " micro-batches per replica, but the schedule \"dualpipe\" needs an even "
                     "number of at least 2 * parallelism.pipeline (" +
                     Value(uint64_t{2} * stages) + ")");
        }
        if (m_parallelism.sharding > 1)
        {
            Fail("parallelism.sharding",
                 Value(m_parallelism.sharding) +
                     " is not possible with the schedule \"dualpipe\", which keeps each chunk on "
                     "two stages: use 0 or 1");
        }
        for (const auto& [key, given] :
             {std::pair{"overlap", m_training.gradients.overlap},
              std::pair{"embeddingAllReduce", m_training.gradients.embeddingAllReduce}})
        {
            if (given)
            {
                Fail(std::string("gradients.") + key,
                     "true is not possible with the schedule \"dualpipe\", where two stages reduce "
                     "gradients together after their passes: remove it");
            }
        }
    }

    void CheckComputation() const
    {
        const WorkloadTrainingGpu& gpu = m_training.gpu;
        const bool table = gpu.compute == WorkloadTrainingCompute::TABLE;
        const bool selective = gpu.recompute == WorkloadTrainingRecompute::SELECTIVE;
        const bool core = selective || m_parallelism.context > 1 || m_training.IsMirrored();
        if (table && gpu.core.forward == 0 && (selective || m_parallelism.context > 1))
        {
            Fail("compute.ns.attentionCore",
                 std::string("missing; ") +
                     (selective ? "compute.recompute \"selective\"" : "parallelism.context") +
                     " needs the time of attention's core: give "
                     "{\"forward\": ns, \"backward\": ns}");
        }
        if (gpu.core.forward > 0 && !core)
        {
            Fail("compute.ns.attentionCore",
                 "has no effect without compute.recompute \"selective\", parallelism.context or "
                 "the schedule \"dualpipe\": remove it");
        }
        const bool none = gpu.compute == WorkloadTrainingCompute::NONE;
        if (none && gpu.recompute != WorkloadTrainingRecompute::NONE &&
            (selective || !CommunicatesAgain()))
        {
            Fail("compute.recompute",
                 "has no effect without compute times: remove it, or set compute.times");
        }
        if (gpu.overlap.empty())
        {
            return;
        }
        if (none)
        {
            Fail("compute.overlap",
                 "has no effect without compute times: remove it, or set compute.times");
        }
        if (!m_training.gradients.overlap && m_parallelism.context == 1 && !m_training.IsMirrored())
        {
            Fail("compute.overlap",
                 "has no effect, since no communication goes on beside computation: set "
                 "gradients.overlap, parallelism.context or the schedule \"dualpipe\", or remove "
                 "it");
        }
    }

    void CheckServers() const
    {
        const std::vector<WorkloadTrainingServerType>& types = m_training.network.serverTypes;
        const uint32_t perServer = m_training.network.gpusPerServer;
        for (size_t i = 0; i < types.size(); ++i)
        {
            const std::string place = "network.serverTypes." + types[i].name;
            if (i == 0 && types[i].firstServer != 0)
            {
                Fail(place + ".firstServer",
                     Value(types[i].firstServer) +
                         ", but one type must begin at server 0: give it 0, or add another type");
            }
            if (i > 0 && types[i].firstServer == types[i - 1].firstServer)
            {
                Fail(place + ".firstServer",
                     Value(types[i].firstServer) + ", as that of " + types[i - 1].name +
                         ": each type must begin at another server");
            }
            if (uint64_t{types[i].firstServer} * perServer >= m_training.GetRankCount())
            {
                Fail(place + ".firstServer",
                     Value(types[i].firstServer) + ", but the " + Value(m_training.GetRankCount()) +
                         " GPUs are on servers 0 to " +
                         Value((m_training.GetRankCount() - 1) / perServer) +
                         " of network.gpusPerServer each: make it smaller");
            }
        }
        if (m_training.collectives.hierarchical)
        {
            CheckHierarchy();
        }
    }

  private:
    /** \return whether what is computed again communicates on the network */
    bool CommunicatesAgain() const
    {
        return m_training.network.tensorOnNetwork || m_parallelism.expert > 1 ||
               m_parallelism.context > 1;
    }

    void CheckHierarchy() const
    {
        const std::string place = "collectives.hierarchical";
        if (m_training.network.tensorOnNetwork)
        {
            Fail(place,
                 "true needs NVLink in servers, but network.tensorParallel is \"network\": remove "
                 "one of them");
        }
        bool effect = false;
        for (const auto share : {WorkloadTrainingShare::DENSE, WorkloadTrainingShare::EXPERTS})
        {
            if (share == WorkloadTrainingShare::EXPERTS && m_model.moe.experts == 0)
            {
                continue;
            }
            const uint32_t members = CountWorkloadTrainingServerReplicas(m_training, share);
            if (members == 0)
            {
                Fail(place,
                     "true needs as many GPUs with the same parameters on each server, but a group "
                     "of " +
                         Value(CountWorkloadTrainingReplicas(m_training, share)) +
                         " has not, with network.gpusPerServer " +
                         Value(m_training.network.gpusPerServer) + ": remove it");
            }
            effect = effect || members > 1;
        }
        if (!effect)
        {
            Fail(place,
                 "true has no effect, since no two GPUs of a server hold the same parameters: "
                 "remove it");
        }
    }
};

} // namespace

void
CheckWorkloadTrainingVariants(const WorkloadTraining& training, const JsonText* text)
{
    const VariantChecker checker(training, text);
    checker.CheckContext();
    checker.CheckDualPipe();
    checker.CheckComputation();
    checker.CheckServers();
}

} // namespace ns3
