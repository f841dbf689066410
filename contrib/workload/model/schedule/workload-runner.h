/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RUNNER_H
#define WORKLOAD_RUNNER_H

#include "workload-network.h"
#include "workload-observer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Executes jobs on a network: hands over every operation when all that it depends on is
 * done, with the latest of those times.
 *
 * Besides the schedules it takes 4 bytes per operation, 16 more per operation with several
 * dependencies, and 8 more per operation if there is an observer. An event costs constant time and
 * no allocation.
 */
class WorkloadRunner : private WorkloadNetwork::Listener
{
  public:
    /**
     * \param jobs must outlive the runner
     * \param network not yet begun; must outlive the runner
     * \param observer told of every operation that completes; null for none
     */
    WorkloadRunner(const WorkloadJobs& jobs,
                   WorkloadNetwork& network,
                   WorkloadObserver* observer = nullptr);

    /**
     * Runs until nothing is under way any more, or the network is stopped. Call it again to go on
     * after a stop.
     * \return whether all operations have completed
     */
    bool Run();

    /** \return operations that have completed */
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    /** \return operations in all */
    uint64_t GetTotal() const
    {
        return m_state.size();
    }

    /**
     * Explains, after Run() has returned false, why operations are left: who waits for whom in a
     * circle, then a line per process that is not done.
     * \param max lines of either kind; one more says how many were left out
     * \return lines without line ends; empty if all operations have completed
     */
    std::vector<std::string> ExplainStall(size_t max) const;

    /** What has become of an operation. */
    enum class State : uint8_t
    {
        WAITING, ///< for operations of its own process
        ISSUED,  ///< handed over
        STARTED, ///< for messages: begun or posted
        COMPLETED
    };

    /** \return what has become of an operation */
    State GetState(WorkloadStep step) const;

  private:
    /** What an operation with several dependencies waits for. */
    struct Gate
    {
        uint32_t missing;
        int64_t latestPs;
    };

    /** A span whose end lies ahead. */
    struct Pending
    {
        WorkloadSpan span;
        uint64_t number;

        bool operator>(const Pending& other) const
        {
            return span.endPs != other.span.endPs ? span.endPs > other.span.endPs
                                                  : number > other.number;
        }
    };

    void Started(WorkloadStep step, int64_t ps) override;
    void Completed(WorkloadStep step, int64_t ps) override;

    /** Sets up gates, and hands over the operations that depend on nothing. */
    void Begin();

    /** Tells those who wait for a start or a completion. */
    void Release(WorkloadStep step, bool start, int64_t ps);
    void Issue(WorkloadStep step, int64_t ps);

    /** Tells the observer of spans that end until \p ps. */
    void Observe(int64_t ps);
    void AddSpan(WorkloadStep step, int64_t ps);

    size_t Index(WorkloadStep step) const
    {
        return m_first[step.process] + step.operation;
    }

    const WorkloadJobs& m_jobs;
    WorkloadNetwork& m_network;
    WorkloadObserver* m_observer;
    bool m_startsCarryTime;
    std::vector<size_t> m_first;   //!< by process: index of its first operation
    std::vector<uint32_t> m_state; //!< by operation: a gate, or one of the marks in the source
    std::vector<Gate> m_gates;
    std::vector<int64_t> m_begins; //!< by operation, ps; empty without an observer
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> m_spans;
    uint64_t m_spanCount{0};
    uint64_t m_completed{0};
    bool m_begun{false};
};

} // namespace ns3

#endif // WORKLOAD_RUNNER_H
