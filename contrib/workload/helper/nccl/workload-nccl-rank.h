/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NCCL_RANK_H
#define WORKLOAD_NCCL_RANK_H

#include "workload-nccl-matcher.h"

#include "ns3/workload-schedule.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Makes the graph of operations of one rank from what its GPU did.
 */
class WorkloadNcclRank
{
  public:
    /**
     * \param trace that has the GPU
     * \param gpu its rank
     * \param options what to make of it
     * \param matcher of the trace
     * \param done counts are added to it
     */
    WorkloadNcclRank(const WorkloadNcclTrace& trace,
                     uint32_t gpu,
                     const WorkloadNcclOptions& options,
                     WorkloadNcclMatcher& matcher,
                     WorkloadNcclConversion& done);

    /** \return the graph. \throws InputError as the matcher does, and for too many streams */
    WorkloadRank Make();

  private:
    /** A stream of kernels, as far as it has been added. */
    struct Stream
    {
        std::vector<uint64_t> endNs;   //!< of its kernels
        std::vector<uint32_t> end;     //!< operations that complete when they are done
        std::vector<size_t> waitedFor; //!< by stream: kernels of it that this one waited for
    };

    /** Operations that a call was made of. */
    struct Made
    {
        WorkloadNcclOperation operation;
        WorkloadCollectivePart part;
    };

    void Add(const WorkloadNcclKernel& kernel);
    /** \return what the kernel waits for on its own stream, the time between included */
    std::vector<uint32_t> OwnBefore(const WorkloadNcclKernel& kernel);
    /** Adds what it waits for on other streams. */
    void AddOtherBefore(const WorkloadNcclKernel& kernel, std::vector<uint32_t>& before);
    /** \return begin and end of the kernel's calls */
    WorkloadCollectivePart AddCalls(const WorkloadNcclKernel& kernel);
    void AddRest();
    /** Adds a computation. \param before operation that it waits for, or WORKLOAD_NONE */
    uint32_t Compute(uint64_t ns, uint32_t before, uint8_t cpu);
    /** \return the stream whose last kernel ended last, of those that ended by then, or null */
    const Stream* LastEnded(uint64_t byNs) const;
    void Count(const WorkloadRank& rank);

    const WorkloadNcclGpu& m_gpu;
    const uint32_t m_rank;
    const WorkloadNcclOptions& m_options;
    WorkloadNcclMatcher& m_matcher;
    WorkloadNcclConversion& m_done;
    WorkloadScheduleBuilder m_builder;
    std::vector<Stream> m_streams;
    std::vector<Made> m_made;
};

} // namespace ns3

#endif // WORKLOAD_NCCL_RANK_H
