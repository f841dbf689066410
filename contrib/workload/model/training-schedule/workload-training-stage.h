/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_STAGE_H
#define WORKLOAD_TRAINING_STAGE_H

#include "workload-training-chain.h"
#include "workload-training-pipeline.h"
#include "workload-training-reducer.h"

#include "ns3/workload-training-experts.h"
#include "ns3/workload-training-model.h"
#include "ns3/workload-training-sizes.h"
#include "ns3/workload-training.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload Tags of messages between stages. */
struct WorkloadTrainingTags
{
    uint32_t first{0}; ///< 2 * micro-batches * chunks tags from here on
    uint32_t microBatches{0};
    uint32_t chunks{0};

    /** \return tag of what the forward pass of \p chunk (of all stages) takes in, or its backward
     * pass gives out */
    uint32_t Get(bool forward, uint32_t microBatch, uint32_t chunk) const
    {
        return first + ((forward ? 0 : microBatches) + microBatch) * chunks + chunk;
    }
};

/**
 * \ingroup workload
 * \brief The operations of a pipeline stage's ranks. Not to be moved: its parts refer to each
 * other.
 */
class WorkloadTrainingStage
{
  public:
    /**
     * \param training must outlive this
     * \param builder must outlive this
     * \param stage from 0
     * \param tags of the messages between stages
     */
    WorkloadTrainingStage(const WorkloadTraining& training,
                          WorkloadScheduleBuilder& builder,
                          uint32_t stage,
                          const WorkloadTrainingTags& tags);

    WorkloadTrainingStage(const WorkloadTrainingStage&) = delete;
    WorkloadTrainingStage& operator=(const WorkloadTrainingStage&) = delete;

    /** Adds the forward and backward passes, and the reduction of gradients. */
    void AddPasses();

    /** What comes next waits for \p operations, too. */
    void Wait(const WorkloadTrainingChain::Operations& operations)
    {
        m_chain.Wait(operations);
    }

    /** \return the ranks' last operations; all gradients are reduced when they have completed */
    const WorkloadTrainingChain::Operations& JoinGradients();

    /** Adds the optimizer's step and what follows. \param after operations that it waits for */
    void AddOptimizer(const WorkloadTrainingChain::Operations& after);

    /** \return operations of nothing */
    WorkloadTrainingChain::Operations None() const
    {
        return m_chain.None();
    }

  private:
    using Operations = WorkloadTrainingChain::Operations;

    using Part = WorkloadTrainingPart;

    /** What is computed of a block. */
    enum class Pass : uint8_t
    {
        FORWARD,
        AGAIN, ///< forward, in the backward pass
        BACKWARD,
        INPUTS, ///< backward, without gradients of weights
        WEIGHTS ///< these
    };

    /** Two units at the same time. */
    void AddPair(const WorkloadTrainingUnit& one, const WorkloadTrainingUnit& other);

    void AddUnit(const WorkloadTrainingUnit& unit);
    void AddBackward(const WorkloadTrainingUnit& unit);
    void AddBackwardBlock(const WorkloadTrainingUnit& unit, uint32_t block);

    /** The forward pass of a block: the first time, or again since its results were not kept. */
    void AddForwardBlock(const WorkloadTrainingBlock& block, Pass pass);

    /** A kernel of a block, with what goes round meanwhile. */
    void Compute(const WorkloadTrainingBlock& block, WorkloadTrainingKernel kernel, Pass pass);

    /** Time of a kernel. \param ns per GPU */
    void ComputeFor(uint64_t ns, WorkloadTrainingKernel kernel, Pass pass);

    /** The core of attention, while keys and values go round the ranks that share a sample: ring
     * attention (Liu et al., 2023). Backward, their gradients follow them. */
    void AddRing(uint64_t coreNs, Pass pass);

    /** One hop of the ring. \return its ends */
    Operations AddHop(uint64_t bytes, const Operations& before);

    /** Tensor-parallel collectives, or their time. */
    void AddTensor(WorkloadCollectiveKind kind, uint32_t count);

    /** A collective of each of the groups, which are inside servers: on the network if
     * tensor-parallel traffic is, or its time on NVLink. */
    void AddInServer(WorkloadCollectiveKind kind,
                     const WorkloadTrainingGroups& groups,
                     uint64_t bytes,
                     const char* category);

    /** The routed experts of a block, with what moves tokens to them and back. */
    void AddExperts(const WorkloadTrainingBlock& block, Pass pass);

    /** One all-to-all of each expert group. */
    void AddAllToAll();

    /** Time on NVLink. \param bytes that a GPU sends over it \param added bytes that it adds up */
    void AddNvlinkTime(double bytes, double added, const char* category);

    /** Receives what a unit takes in. */
    void Receive(const WorkloadTrainingUnit& unit);

    /** Sends what a unit has given out. */
    void Send(const WorkloadTrainingUnit& unit);

    /** Gathers a block's parameters before it is computed (sharding 3). */
    void GatherParameters(const WorkloadTrainingBlock& block);

    /** Reduces what the backward pass of a block completes. */
    void ReduceGradients(uint32_t chunk, uint32_t block);

    /** \return whether the gradients of a chunk are reduced after this micro-batch */
    bool Reduces(const WorkloadTrainingUnit& unit) const;

    /** \return number of the stage's own chunk in the model */
    uint32_t GlobalChunk(uint32_t chunk) const
    {
        return m_training.GetChunk(m_stage, chunk);
    }

    /** \return the stage that a unit's result goes to, or, backwards, that its input is from */
    uint32_t Neighbour(const WorkloadTrainingUnit& unit, bool next) const;

    const WorkloadTraining& m_training;
    WorkloadScheduleBuilder& m_builder;
    uint32_t m_stage;
    WorkloadTrainingTags m_tags;
    WorkloadTrainingChain m_chain;
    std::vector<std::vector<WorkloadTrainingBlock>> m_chunks;
    std::vector<WorkloadTrainingReducer> m_reducers; //!< dense, experts
    WorkloadTrainingGroups m_tensorGroups;
    WorkloadTrainingExperts m_experts;
    WorkloadTrainingGroups m_expertGroups;       //!< of an all-to-all on the network
    WorkloadTrainingGroups m_expertTensorGroups; //!< ranks that share an expert
    WorkloadTrainingGroups m_contextGroups;      //!< ranks that share a sample
    WorkloadTrainingCosts m_costs;               //!< of collectives in the stage's servers
    Operations m_received[4];                    //!< the last receive, by direction of the pipeline
    Operations m_gate;                           //!< what came before the block before
    bool m_reduces{false}; //!< whether the current unit's gradients are reduced
};

} // namespace ns3

#endif // WORKLOAD_TRAINING_STAGE_H
