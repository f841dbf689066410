/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NCCL_MATCHER_H
#define WORKLOAD_NCCL_MATCHER_H

#include "workload-nccl-goal.h"

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Brings together what the GPUs say of the same collectives and messages.
 *
 * The members of a communicator call its collectives in the same order, as NCCL demands, so that
 * the n-th one of each is the same. The n-th message from one member to another one is the n-th
 * that is received. GPUs are added one after the other; the first one that has a collective decides
 * how it is carried out.
 */
class WorkloadNcclMatcher
{
  public:
    WorkloadNcclMatcher(const WorkloadNcclTrace& trace, const WorkloadNcclOptions& options);

    /** What follows is of this GPU. */
    void Begin(uint32_t gpu);

    /**
     * Adds the GPU's part of its next collective.
     * \param cpu compute stream of its operations
     */
    WorkloadCollectivePart AddCollective(WorkloadScheduleBuilder& builder,
                                         const WorkloadNcclKernel& kernel,
                                         const WorkloadNcclCall& call,
                                         uint8_t cpu);

    /** Adds what the GPU sends and receives at once. \param calls all of one communicator */
    WorkloadCollectivePart AddMessages(WorkloadScheduleBuilder& builder,
                                       const std::vector<WorkloadNcclCall>& calls,
                                       uint8_t cpu);

    /** \throws InputError if a GPU has collectives or messages that others do not have */
    void Finish() const;

  private:
    /** A collective that some of its members have been added to. */
    struct Collective
    {
        WorkloadCollective how;
        uint32_t firstTag;
    };

    /** Messages from one member to another one. */
    struct Pair
    {
        std::vector<std::pair<uint64_t, uint32_t>> messages; //!< bytes, first tag
        uint32_t sent{0};
        uint32_t received{0};
    };

    using PairKey = std::tuple<uint32_t, uint32_t, uint32_t>; //!< communicator, from, to

    /** \return how a collective is carried out, from its kernel */
    WorkloadCollective HowOf(const WorkloadNcclKernel& kernel, const WorkloadNcclCall& call) const;
    void CheckSame(const WorkloadCollective& first, const WorkloadNcclCall& call) const;
    void CheckPeer(const WorkloadNcclCall& call, bool root) const;
    uint32_t IndexOf(uint32_t communicator) const;
    uint32_t NewTags(uint64_t count);
    [[noreturn]] void Fail(uint32_t communicator, const std::string& message) const;

    const WorkloadNcclTrace& m_trace;
    const WorkloadNcclOptions& m_options;
    uint32_t m_gpu{0};
    std::vector<std::vector<Collective>> m_collectives; //!< by communicator
    std::vector<std::vector<uint32_t>> m_counts;        //!< of collectives, by member
    std::map<PairKey, Pair> m_pairs;
    uint32_t m_nextTag{1};
};

} // namespace ns3

#endif // WORKLOAD_NCCL_MATCHER_H
