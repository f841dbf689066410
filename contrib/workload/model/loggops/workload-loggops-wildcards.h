/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_WILDCARDS_H
#define WORKLOAD_LOGGOPS_WILDCARDS_H

#include "workload-pool.h"

#include "ns3/workload-jobs.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief What waits for its counterpart at a process where wildcards are used, in receives or in
 * messages: there, no list by source and tag tells who meets whom.
 *
 * Whoever was posted or came first goes first. Costs: O(what waits).
 */
class WorkloadLogGopsWildcards
{
  public:
    /** A message, and when all of it will be there. */
    struct Message
    {
        WorkloadStep send;
        int64_t ns;
    };

    /**
     * \param jobs outlive it
     * \param process that receives
     */
    WorkloadLogGopsWildcards(const WorkloadJobs& jobs, uint32_t process)
        : m_jobs(jobs),
          m_process(process)
    {
    }

    /** \return whether \p operation uses a wildcard */
    static bool IsNeeded(const WorkloadOperation& operation)
    {
        return operation.tag == WORKLOAD_ANY || operation.peer == WORKLOAD_ANY;
    }

    /** The receive of number \p recv waits for its message. */
    void Post(uint32_t recv)
    {
        m_posted.push_back(recv);
    }

    /** \p message waits for its receive. */
    void Arrive(const Message& message)
    {
        m_arrived.push_back(message);
    }

    /** \return the receive that the message of \p send gets, taken out; WORKLOAD_POOL_NONE if there
     * is none */
    uint32_t TakePosted(WorkloadStep send);

    /** \return whether there is a message for the receive of number \p recv, taken out */
    bool TakeArrived(uint32_t recv, Message& message);

  private:
    /** \return whether a receive and a message agree */
    bool Fit(uint32_t recv, WorkloadStep send) const;

    const WorkloadJobs& m_jobs;
    uint32_t m_process;
    std::vector<uint32_t> m_posted; //!< numbers of receives
    std::vector<Message> m_arrived;
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_WILDCARDS_H
