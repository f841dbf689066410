/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_RESULTS_H
#define WORKLOAD_RESULTS_H

#include "workload-busy-time.h"
#include "workload-distribution.h"

#include "ns3/workload-jobs.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload What results need to know about a job. */
struct WorkloadResultsJob
{
    std::string name;
    uint32_t ranks{0};
    std::vector<std::string> categories; ///< that its spans refer to by index

    /** What all its ranks send, by category; empty if that is not known beforehand. */
    struct Volume
    {
        uint64_t messages{0};
        uint64_t bytes{0};
    };

    std::vector<Volume> volumes;
};

/** \ingroup workload Where the time of one rank went, ps. */
struct WorkloadRankTimes
{
    int64_t finish{0};        ///< when it was last busy
    int64_t computation{0};   ///< at least one computation is under way
    int64_t communication{0}; ///< at least one send, receive or collective is under way
    int64_t exposed{0};       ///< communication without computation
    int64_t idle{0};          ///< neither, until it finished
    int64_t moving{0};        ///< a transfer from or to its host is under way, without computation
    int64_t waiting{0};       ///< communication without computation, but no transfer either
    int64_t uncertainty{0};   ///< largest error of any of these; see WorkloadBusyTime
    uint64_t operations{0};   ///< that were completed
};

/** \ingroup workload Where the time of one kind of operation went, over the ranks of a job, ps. */
struct WorkloadCategoryTimes
{
    std::string name;
    bool communication{false};
    uint64_t operations{0};
    uint32_t ranks{0};     ///< that took part
    double mean{0};        ///< time in which at least one is under way, mean over all ranks
    int64_t max{0};        ///< of the rank with most of it
    int64_t end{0};        ///< when the last of them ended
    double exposedMean{0}; ///< that, without a computation under way; 0 for computations
    int64_t exposedMax{0};
};

/**
 * \ingroup workload
 * \brief Gathers where time goes while a workload runs, in memory that does not grow with the
 * number of operations.
 *
 * A rank's time of a category is the union of its operations' spans, so overlapping messages
 * count once. An operation's span is from when it could begin to its completion: a receive's
 * includes waiting for the sender. Per operation: O(1), and O(categories of communication) for a
 * computation.
 */
class WorkloadResults final : public WorkloadObserver, public WorkloadTransport::Recorder
{
  public:
    /** What transfers of one label took. */
    struct Flows
    {
        uint64_t bytes{0};
        WorkloadDistribution times; ///< from start to delivery, ps
    };

    /** \param jobs in the order of their processes */
    explicit WorkloadResults(std::vector<WorkloadResultsJob> jobs);
    ~WorkloadResults() override;

    void Done(const WorkloadSpan& span) override;
    void Record(const WorkloadTransferRecord& record) override;

    /**
     * Says which transfers are whose, so that exposed communication can be told apart: data move,
     * or a rank waits for others. Before anything is recorded.
     * \param processes by end point, those that run there; each counts all transfers of its host
     */
    void SetHosts(std::vector<std::vector<uint32_t>> processes)
    {
        m_hosts = std::move(processes);
    }

    /** \return whether SetHosts was called: whether WorkloadRankTimes::moving is known */
    bool KnowsTransfers() const
    {
        return !m_hosts.empty();
    }

    /** Says when a process finished; without it, that is the end of its last span. */
    void SetFinish(uint32_t process, int64_t ps);

    /** Says that operations are left: then no job is said to have finished. */
    void SetIncomplete()
    {
        m_complete = false;
    }

    bool IsComplete() const
    {
        return m_complete;
    }

    const std::vector<WorkloadResultsJob>& GetJobs() const
    {
        return m_jobs;
    }

    /** \return first process of a job */
    uint32_t GetFirst(uint32_t job) const
    {
        return m_first[job];
    }

    WorkloadRankTimes GetRank(uint32_t process) const;

    /** \return kinds of operations of a job that occurred, those with most time first */
    std::vector<WorkloadCategoryTimes> GetCategories(uint32_t job) const;

    /** \return transfers by label; labels without any are empty */
    const std::vector<Flows>& GetFlows() const
    {
        return m_flows;
    }

    /** \return when the last process finished, ps */
    int64_t GetFinish() const;

  private:
    struct Process;

    void AddTransfer(uint32_t endpoint, const WorkloadTransferRecord& record);

    std::vector<WorkloadResultsJob> m_jobs;
    std::vector<uint32_t> m_first;
    bool m_complete{true};
    std::vector<Process> m_processes;
    std::vector<std::vector<uint32_t>> m_hosts; //!< processes by end point
    std::vector<Flows> m_flows;
};

/** \ingroup workload \return what results need to know about schedules. Linear in their operations
 */
std::vector<WorkloadResultsJob> DescribeWorkloadJobs(const WorkloadJobs& jobs);

} // namespace ns3

#endif // WORKLOAD_RESULTS_H
