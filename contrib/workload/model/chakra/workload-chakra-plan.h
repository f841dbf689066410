/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_PLAN_H
#define WORKLOAD_CHAKRA_PLAN_H

#include "workload-chakra-phase.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload What a rank does for a collective: for each chunk, one phase after another. */
struct WorkloadChakraPlan
{
    uint64_t chunks{0};
    std::vector<WorkloadChakraPhase> phases; ///< none if nobody else takes part
};

/**
 * \ingroup workload
 * \brief Divides collectives into chunks and phases as ASTRA-sim does.
 *
 * A chunk is bytes / splits, rounded down, but at least as many bytes as there are ranks
 * (all-gather: 1); what remains is a whole chunk again. Of several dimensions, an all-reduce visits
 * all in ascending order with all of the data, or, bandwidth-aware, does a reduce-scatter in all
 * but the last, an all-reduce there and all-gathers back; an all-gather visits them in descending
 * order, and the others in ascending order. A communicator smaller than all ranks is a single ring,
 * unless one algorithm is given for all dimensions.
 */
class WorkloadChakraPlanner
{
  public:
    /**
     * \param system must outlive the planner
     * \param dims of the logical topology; their product is the number of ranks
     * \throws InputError if an algorithm does not fit the dimensions
     */
    WorkloadChakraPlanner(const WorkloadAstraSystem& system, const std::vector<uint32_t>& dims);

    uint32_t GetRankCount() const
    {
        return m_ranks;
    }

    /**
     * \param rank that plans
     * \param group members of its communicator, which must outlive the plan; null for all ranks
     * \param collective what to do; not BROADCAST
     * \param bytes see WorkloadChakraPhase::bytes
     * \param involved dimensions; empty for all
     * \throws InputError if an algorithm does not fit the group
     */
    WorkloadChakraPlan Make(uint32_t rank,
                            const std::vector<uint32_t>* group,
                            WorkloadChakraCollective collective,
                            uint64_t bytes,
                            const std::vector<bool>& involved) const;

  private:
    /** A dimension of the logical topology, as a collective's algorithms see it. */
    struct Dimension
    {
        WorkloadAstraImplementation implementation;
        uint32_t size;
        uint32_t stride;
        uint32_t number;
    };

    /** Adds the phase of \p rank in one dimension. \return what is left of \p bytes for the next */
    uint64_t Add(WorkloadChakraPlan& plan,
                 uint32_t rank,
                 const Dimension& dimension,
                 WorkloadChakraCollective collective,
                 uint64_t bytes) const;

    /** Adds the phase of a communicator of several ranks, but not all. */
    void AddGroup(WorkloadChakraPlan& plan,
                  uint32_t rank,
                  const std::vector<uint32_t>& group,
                  WorkloadChakraCollective collective,
                  uint64_t chunk) const;

    /** Adds the phases of all ranks, dimension by dimension. */
    void AddDimensions(WorkloadChakraPlan& plan,
                       uint32_t rank,
                       WorkloadChakraCollective collective,
                       uint64_t chunk,
                       const std::vector<bool>& involved) const;
    std::vector<Dimension> Dimensions(WorkloadChakraCollective collective) const;
    void CheckFit(WorkloadChakraCollective collective) const;

    const WorkloadAstraSystem& m_system;
    std::vector<uint32_t> m_dims;
    uint32_t m_ranks;
};

} // namespace ns3

#endif // WORKLOAD_CHAKRA_PLAN_H
