/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_REDUCER_H
#define WORKLOAD_TRAINING_REDUCER_H

#include "workload-training-chain.h"

#include "ns3/workload-training-model.h"
#include "ns3/workload-training-servers.h"
#include "ns3/workload-training-sizes.h"
#include "ns3/workload-training.h"

#include <cstdint>
#include <vector>

namespace ns3
{

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
     * \param groups of ranks that hold the same ones
     * \param chunks blocks of each of the stage's chunks
     */
    WorkloadTrainingReducer(const WorkloadTraining& training,
                            WorkloadTrainingChain& chain,
                            WorkloadTrainingShare share,
                            WorkloadTrainingGroups groups,
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

    /** The same by server: reduce-scatter in each, the collective of what each GPU has then across
     * them, all-gather in each. */
    void AddByServer(WorkloadCollective collective,
                     const char* category,
                     const WorkloadTrainingChain::Operations& after);

    /** \return time of a reduce-scatter or all-gather through NVLink, ns */
    uint64_t InServer(WorkloadCollectiveKind kind, uint64_t bytes) const;

    const WorkloadTraining& m_training;
    WorkloadTrainingChain& m_chain;
    WorkloadTrainingShare m_share;
    WorkloadTrainingGroups m_groups; //!< empty if each parameter is on one GPU only
    uint32_t m_perServer{1};         //!< members that are on one server, if that counts; else 1
    WorkloadTrainingGroups m_across; //!< members of each group that have the same place there
    WorkloadTrainingCosts m_costs;   //!< of its servers
    std::vector<WorkloadTrainingBuckets> m_buckets; //!< by chunk
    WorkloadTrainingBuckets m_current;
    uint64_t m_complete{0}; //!< parameters
    uint64_t m_ready{0};    //!< buckets
    uint64_t m_done{0};     //!< buckets
    WorkloadTrainingChain::Operations m_ends;
};

/** \ingroup workload \return the groups of a stage's ranks that hold the same parameters; none if
 * no two do. \param first rank of the stage */
WorkloadTrainingGroups MakeWorkloadTrainingReplicaGroups(const WorkloadTraining& training,
                                                         WorkloadTrainingShare share,
                                                         uint32_t first);

} // namespace ns3

#endif // WORKLOAD_TRAINING_REDUCER_H
