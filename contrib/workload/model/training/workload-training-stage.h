/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_STAGE_H
#define WORKLOAD_TRAINING_STAGE_H

#include "workload-training-chain.h"
#include "workload-training-experts.h"
#include "workload-training-model.h"
#include "workload-training-pipeline.h"
#include "workload-training-sizes.h"
#include "workload-training.h"

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
 * \brief Gradients of one kind (dense or expert) of a stage, reduced bucket by bucket.
 *
 * Collectives follow each other on a stream of their own.
 */
class WorkloadTrainingReducer
{
  public:
    /**
     * \param training must outlive this
     * \param chain of the stage; must outlive this
     * \param share which parameters
     * \param chunks blocks of each of the stage's chunks
     */
    WorkloadTrainingReducer(const WorkloadTraining& training,
                            WorkloadTrainingChain& chain,
                            WorkloadTrainingShare share,
                            const std::vector<std::vector<WorkloadTrainingBlock>>& chunks);

    /** Starts on a chunk's gradients. */
    void Begin(uint32_t chunk);

    /** \param parameters whose gradients have become complete \param last whether no more follow
     * \return whether this completes a bucket */
    bool IsReady(uint64_t parameters, bool last);

    /** Reduces what has become complete. \param after operations that completed it \return the last
     * ends */
    const WorkloadTrainingChain::Operations& Reduce(const WorkloadTrainingChain::Operations& after);

    /** Reduces the gradients of one block. */
    const WorkloadTrainingChain::Operations& ReduceBlock(
        const WorkloadTrainingBlock& block,
        const WorkloadTrainingChain::Operations& after);

    /** Gathers the parameters of a chunk, bucket by bucket. */
    void GatherChunk(uint32_t chunk, const WorkloadTrainingChain::Operations& after);

    /** Gathers the parameters of one block. \return the ends; nothing if it has no such parameters
     */
    WorkloadTrainingChain::Operations GatherBlock(const WorkloadTrainingBlock& block,
                                                  const WorkloadTrainingChain::Operations& after);

    /** \return the end of what has been added last */
    const WorkloadTrainingChain::Operations& GetEnds() const
    {
        return m_ends;
    }

  private:
    void Add(WorkloadCollectiveKind kind,
             uint64_t parameters,
             const WorkloadTrainingChain::Operations& after);

    const WorkloadTraining& m_training;
    WorkloadTrainingChain& m_chain;
    WorkloadTrainingShare m_share;
    WorkloadTrainingGroups m_groups;                //!< empty if each parameter is on one GPU only
    std::vector<WorkloadTrainingBuckets> m_buckets; //!< by chunk
    WorkloadTrainingBuckets m_current;
    uint64_t m_complete{0}; //!< parameters
    uint64_t m_ready{0};    //!< buckets
    uint64_t m_done{0};     //!< buckets
    WorkloadTrainingChain::Operations m_ends;
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

    void AddUnit(const WorkloadTrainingUnit& unit);
    void AddForwardBlock(uint32_t chunk, uint32_t block);
    void AddBackwardBlock(uint32_t chunk, uint32_t block);

    /** A kernel of a block. */
    void Compute(const WorkloadTrainingBlock& block, WorkloadTrainingKernel kernel, bool forward);

    /** Tensor-parallel collectives, or their time. */
    void AddTensor(WorkloadCollectiveKind kind, uint32_t count);

    /** A collective of each of the groups, which are inside servers: on the network if
     * tensor-parallel traffic is, or its time on NVLink. */
    void AddInServer(WorkloadCollectiveKind kind,
                     const WorkloadTrainingGroups& groups,
                     uint64_t bytes,
                     const char* category);

    /** The routed experts of a block, with what moves tokens to them and back. */
    void AddExperts(const WorkloadTrainingBlock& block, bool forward);

    /** One all-to-all of each expert group. */
    void AddAllToAll();

    /** Time on NVLink. \param bytes that a GPU sends over it */
    void AddNvlinkTime(double bytes, const char* category);

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
        return chunk * m_training.parallelism.pipeline + m_stage;
    }

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
    Operations m_received[2];                    //!< the last receive, backward and forward
    Operations m_gate;                           //!< what came before the block before
    bool m_reduces{false}; //!< whether the current unit's gradients are reduced
};

} // namespace ns3

#endif // WORKLOAD_TRAINING_STAGE_H
