/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_CHAIN_H
#define WORKLOAD_TRAINING_CHAIN_H

#include "ns3/workload-collective.h"
#include "ns3/workload-schedule.h"
#include "ns3/workload-training.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload Groups of ranks; collectives are added group by group. */
using WorkloadTrainingGroups = std::vector<std::vector<uint32_t>>;

/** \ingroup workload \return the ranks first to first + count - 1 in groups of \p size neighbours
 */
WorkloadTrainingGroups MakeNeighbourGroups(uint32_t first, uint32_t count, uint32_t size);

/** \ingroup workload \return the ranks first to first + count - 1 in groups whose members are
 * \p stride apart */
WorkloadTrainingGroups MakeStridedGroups(uint32_t first, uint32_t count, uint32_t stride);

/** \ingroup workload Compute streams of the operations, so that kinds of communication overlap with
 * computation and with each other. */
enum WorkloadTrainingStream : uint8_t
{
    WORKLOAD_COMPUTE_STREAM,
    WORKLOAD_PIPELINE_STREAM,
    WORKLOAD_DATA_STREAM,
    WORKLOAD_EXPERT_DATA_STREAM,
    WORKLOAD_EXPERT_STREAM,
    WORKLOAD_TENSOR_STREAM,
    WORKLOAD_CONTEXT_STREAM
};

/**
 * \ingroup workload
 *
 * Adds a collective of a training job: with the times of its servers' types, and marked as
 * communication if that slows computation.
 * \param group ranks
 * \param collective what and how
 * \param after per member an operation that it waits for, or WORKLOAD_NONE
 * \param before the same, another one
 * \return its ends
 */
WorkloadCollectiveEnds AddWorkloadTrainingCollective(WorkloadScheduleBuilder& builder,
                                                     const WorkloadTraining& training,
                                                     const std::vector<uint32_t>& group,
                                                     WorkloadCollective collective,
                                                     const std::vector<uint32_t>& after,
                                                     const std::vector<uint32_t>& before);

/**
 * \ingroup workload
 * \brief What the ranks of a pipeline stage do one after the other, all the same.
 *
 * Computations that follow each other become one operation per rank.
 */
class WorkloadTrainingChain
{
  public:
    /** Operation of each rank of the stage, or WORKLOAD_NONE. */
    using Operations = std::vector<uint32_t>;

    /**
     * \param builder must outlive the chain
     * \param training must outlive the chain
     * \param first rank of the stage
     * \param count ranks of the stage
     */
    WorkloadTrainingChain(WorkloadScheduleBuilder& builder,
                          const WorkloadTraining& training,
                          uint32_t first,
                          uint32_t count);

    /** What comes next waits for \p operations, too. */
    void Wait(const Operations& operations);

    /** Adds a computation. \param ns per rank \param category of the schedule \param slowdown
     * thousandths more that it takes beside communication */
    void Compute(uint64_t ns, const char* category, uint32_t slowdown = 0);

    /** What comes next waits for \p operations alone, which have come before. */
    void Restart(const Operations& operations);

    /** \return the last operation of each rank; WORKLOAD_NONE if there is none yet. What has been
     * asked for so far is in it. */
    const Operations& Last();

    /** Adds a collective of each group, as part of the chain. \param category of the schedule */
    void Collective(const WorkloadTrainingGroups& groups,
                    const WorkloadCollective& collective,
                    const char* category);

    /**
     * Adds a collective of each group, beside the chain.
     * \param groups of ranks of the stage
     * \param collective what and how
     * \param category of the schedule
     * \param after operations that it waits for
     * \param before operations that it waits for, too: the end of the one before on this stream
     * \return its ends; WORKLOAD_NONE where no group has the rank
     */
    Operations Beside(const WorkloadTrainingGroups& groups,
                      const WorkloadCollective& collective,
                      const char* category,
                      const Operations& after,
                      const Operations& before);

    /**
     * Adds time of communication that is not on the network, beside the chain.
     * \param groups of ranks of the stage
     * \param ns per rank
     * \param collective whose stream it is on
     * \return its ends, as those of a collective; so are the other arguments
     */
    Operations BesideTime(const WorkloadTrainingGroups& groups,
                          uint64_t ns,
                          const WorkloadCollective& collective,
                          const char* category,
                          const Operations& after,
                          const Operations& before);

    /** \return operations of nothing */
    Operations None() const
    {
        return Operations(m_last.size(), WORKLOAD_NONE);
    }

    /** \return first rank of the stage */
    uint32_t GetFirst() const
    {
        return m_first;
    }

    /** \return ranks of the stage */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_last.size());
    }

  private:
    /** Adds the computation that has been put together. */
    void Flush();

    WorkloadScheduleBuilder& m_builder;
    const WorkloadTraining& m_training;
    uint32_t m_first;
    Operations m_last;
    std::vector<Operations> m_waits; //!< of the next operation
    uint64_t m_ns{0};                //!< of the computation that has not been added so far
    double m_slowdowns{0};           //!< of its parts, times their ns
    std::string m_category;          //!< of that; empty if there is none
};

} // namespace ns3

#endif // WORKLOAD_TRAINING_CHAIN_H
