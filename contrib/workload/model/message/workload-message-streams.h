/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGE_STREAMS_H
#define WORKLOAD_MESSAGE_STREAMS_H

#include "workload-message-table.h"

#include "ns3/workload-jobs.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/** \ingroup workload Something that occupies a stream. */
struct WorkloadTask
{
    WorkloadStep step;
    uint32_t message{WorkloadMessage::NONE}; ///< that a receive takes
};

/** \ingroup workload \brief The compute streams of all processes, and what takes turns on each. */
class WorkloadMessageStreams
{
  public:
    /** \param jobs must outlive this */
    explicit WorkloadMessageStreams(const WorkloadJobs& jobs)
        : m_jobs(jobs)
    {
        for (uint32_t process = 0; process < jobs.GetProcessCount(); ++process)
        {
            uint32_t streams = 1;
            for (const WorkloadOperation& operation : jobs.GetRank(process).operations)
            {
                streams = std::max(streams, operation.cpu + 1U);
            }
            m_first.push_back(m_first.back() + streams);
        }
        m_streams.resize(m_first.back());
    }

    /** \return the operation's stream, among those of all processes */
    uint32_t StreamOf(WorkloadStep step) const
    {
        return m_first[step.process] + m_jobs.GetOperation(step).cpu;
    }

    /** Puts a task behind the others of its stream. \return the stream */
    uint32_t Push(const WorkloadTask& task)
    {
        const uint32_t stream = StreamOf(task.step);
        m_streams[stream].tasks.push_back(task);
        return stream;
    }

    /** \return whether a task waits for nothing else */
    bool HasNext(uint32_t stream) const
    {
        return !m_streams[stream].busy && !m_streams[stream].tasks.empty();
    }

    /** \return the first task; there is one */
    const WorkloadTask& First(uint32_t stream) const
    {
        return m_streams[stream].tasks.front();
    }

    /** \return the first task, which leaves the stream; there is one */
    WorkloadTask Pop(uint32_t stream)
    {
        const WorkloadTask task = First(stream);
        m_streams[stream].tasks.pop_front();
        return task;
    }

    /** \param busy whether no other task may begin */
    void SetBusy(uint32_t stream, bool busy)
    {
        m_streams[stream].busy = busy;
    }

    /** \return whether the operation occupies its stream now */
    bool Occupies(WorkloadStep step) const
    {
        const Stream& stream = m_streams[StreamOf(step)];
        return stream.busy && !stream.tasks.empty() &&
               stream.tasks.front().step.process == step.process &&
               stream.tasks.front().step.operation == step.operation;
    }

  private:
    struct Stream
    {
        std::deque<WorkloadTask> tasks; //!< the first has the stream
        bool busy{false};
    };

    const WorkloadJobs& m_jobs;
    std::vector<uint32_t> m_first{0}; //!< of each process, and the end
    std::vector<Stream> m_streams;
};

} // namespace ns3

#endif // WORKLOAD_MESSAGE_STREAMS_H
