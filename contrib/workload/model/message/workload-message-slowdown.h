/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGE_SLOWDOWN_H
#define WORKLOAD_MESSAGE_SLOWDOWN_H

#include "ns3/workload-jobs.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Computations that are slower while their process communicates.
 *
 * Between two marks (WorkloadMark) a GPU runs a communication kernel, which takes processors and
 * memory bandwidth from a computation beside it. The computation's work goes on at 1 / (1 + p/1000)
 * of its speed then, p being its operation's thousandths. A process has at most one such
 * computation at a time: they share a stream.
 */
class WorkloadMessageSlowdown
{
  public:
    /** \param jobs must outlive this */
    explicit WorkloadMessageSlowdown(const WorkloadJobs& jobs);

    /** \return whether an operation may be slowed down */
    bool Applies(const WorkloadOperation& operation) const
    {
        return m_any && operation.kind == WorkloadKind::CALC && operation.peer > 0;
    }

    /** A computation begins. \param now ps \return when it ends unless something changes, ps from
     * now */
    int64_t Begin(WorkloadStep step, int64_t now);

    /** \return generation of the process' timer, which rises whenever the end is moved: a timer of
     * an older one means nothing */
    uint32_t GetGeneration(uint32_t process) const
    {
        return m_states[process].generation;
    }

    /** \return the process' computation that goes on, or went on last */
    WorkloadStep GetStep(uint32_t process) const
    {
        return {process, m_states[process].operation};
    }

    /**
     * An operation is over: it may be a mark.
     * \return whether a computation's end is moved: it is \c GetRest from now
     */
    bool Over(WorkloadStep step, int64_t now);

    /** \return time until the process' computation ends unless something changes, ps */
    int64_t GetRest(uint32_t process) const;

    /** The process' computation is over. */
    void End(uint32_t process)
    {
        m_states[process].thousandths = 0;
    }

  private:
    struct State
    {
        uint32_t kernels{0};     //!< of communication, on the GPU now
        uint32_t thousandths{0}; //!< of the computation that goes on; 0 if none does
        uint32_t generation{0};
        uint32_t operation{0}; //!< the computation
        int64_t sincePs{0};    //!< time of \c workPs
        int64_t workPs{0};     //!< that was left then, at full speed
    };

    /** Counts the work done until \p now. */
    static void Advance(State& state, int64_t now);

    const WorkloadJobs& m_jobs;
    bool m_any{false};
    std::vector<State> m_states; //!< by process; empty unless a job has slowdowns
};

} // namespace ns3

#endif // WORKLOAD_MESSAGE_SLOWDOWN_H
