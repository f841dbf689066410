/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_ENGINE_H
#define WORKLOAD_LOGGOPS_ENGINE_H

#include "workload-loggops-network.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-match-table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief What the two modes of WorkloadLogGopsNetwork share: costs, the lists of what waits for its
 * counterpart, the loop. Times are nanoseconds.
 */
class WorkloadLogGopsEngine
{
  public:
    explicit WorkloadLogGopsEngine(const WorkloadLogGops& parameters);
    virtual ~WorkloadLogGopsEngine() = default;

    void Begin(const WorkloadJobs& jobs, WorkloadNetwork::Listener& listener);

    /** Takes over an operation that is ready at \p ns. */
    virtual void HandOver(WorkloadStep step, int64_t ns) = 0;

    /** \return time until which the process was busy */
    virtual int64_t GetFinish(uint32_t process) const = 0;

    /** Runs events until there is none, or Stop(). */
    void Run();

    void Stop()
    {
        m_stop = true;
    }

    void SetPulse(std::function<void()> pulse)
    {
        m_pulse = std::move(pulse);
    }

    int64_t Now() const
    {
        return m_now;
    }

    uint64_t GetEventCount() const
    {
        return m_events;
    }

    std::string Explain(WorkloadStep step) const;

    /** Latest time, ns: 104 days. */
    static constexpr int64_t LATEST = RDMA_END_OF_TIME / 1000 - 1;

  protected:
    /** Sets up what depends on the jobs. */
    virtual void DoBegin() = 0;

    /** Runs the first event. \return false if there was none */
    virtual bool RunFirst() = 0;

    /** \return the process that a send goes to or a receive takes from; WORKLOAD_ANY for any */
    uint32_t GetPeer(uint32_t process, const WorkloadOperation& operation) const
    {
        return operation.peer == WORKLOAD_ANY ? WORKLOAD_ANY
                                              : m_jobs->GetPeer(process, operation.peer);
    }

    const WorkloadOperation& Operation(WorkloadStep step) const
    {
        return m_jobs->GetOperation(step);
    }

    /** \return what a message of this size costs; of the parameters that are the same for all, if
     * there are no rows */
    const WorkloadLogGopsRow& RowOf(const WorkloadOperation& operation) const
    {
        size_t row = 0;
        while (row + 1 < m_rows.size() && m_rows[row + 1].bytes <= SizeOf(operation))
        {
            ++row;
        }
        return m_rows[row];
    }

    /** \return whether a message is one of a process to itself, with costs of its own */
    bool IsToItself(WorkloadStep send) const
    {
        return !m_parameters.rows.empty() && GetPeer(send.process, Operation(send)) == send.process;
    }

    bool IsEager(const WorkloadOperation& operation) const
    {
        return m_parameters.rows.empty() ? SizeOf(operation) <= m_parameters.S
                                         : RowOf(operation).eager;
    }

    /** \return B: what the bytes of a message take on an interface */
    int64_t BytesTime(const WorkloadOperation& operation) const;

    /** \return P: overhead of a message */
    int64_t Overhead(const WorkloadOperation& operation) const;

    /** \return duration of a computation */
    int64_t Duration(const WorkloadOperation& operation) const;

    /** \return \p ns, when an operation is over. \throws InputError if it is later than LATEST
     */
    int64_t Checked(int64_t ns, const WorkloadOperation& operation) const
    {
        if (ns > LATEST)
        {
            FailLate(operation);
        }
        return ns;
    }

    /** \throws InputError since an operation would be over later than LATEST */
    [[noreturn]] void FailLate(const WorkloadOperation& operation) const;

    void TellStarted(WorkloadStep step, int64_t ns)
    {
        m_listener->Started(step, ns * 1000);
    }

    void TellCompleted(WorkloadStep step, int64_t ns)
    {
        m_listener->Completed(step, ns * 1000);
    }

    const WorkloadLogGops m_parameters;
    const std::vector<WorkloadLogGopsRow> m_rows; //!< at least one
    const WorkloadJobs* m_jobs{nullptr};
    std::vector<WorkloadMatchTable> m_waiting; //!< by process: receives and messages that wait
    WorkloadPool<WorkloadPosted> m_posted;
    WorkloadPool<WorkloadUnexpected> m_unexpected;
    int64_t m_now{0};

  private:
    static uint64_t SizeOf(const WorkloadOperation& operation)
    {
        return operation.size == 0 ? 1 : operation.size;
    }

    WorkloadNetwork::Listener* m_listener{nullptr};
    std::function<void()> m_pulse;
    uint64_t m_events{0};
    bool m_stop{false};
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_ENGINE_H
