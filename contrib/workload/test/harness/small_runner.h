/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SMALL_RUNNER_H
#define HARNESS_SMALL_RUNNER_H

#include "ns3/workload-jobs.h"
#include "ns3/workload-network.h"

#include <cstdint>
#include <vector>

namespace harness
{

/** Runs jobs on a network the simplest way, and notes when each operation started and completed. */
class SmallRunner : public ns3::WorkloadNetwork::Listener
{
  public:
    static constexpr int64_t NEVER = -1;

    SmallRunner(const ns3::WorkloadJobs& jobs, ns3::WorkloadNetwork& network)
        : m_jobs(jobs),
          m_network(network)
    {
        for (uint32_t p = 0; p < jobs.GetProcessCount(); ++p)
        {
            const size_t operations = jobs.GetRank(p).operations.size();
            started.emplace_back(operations, NEVER);
            completed.emplace_back(operations, NEVER);
            m_left.emplace_back();
            for (const ns3::WorkloadOperation& operation : jobs.GetRank(p).operations)
            {
                m_left.back().push_back(operation.dependencies);
            }
        }
    }

    /** \return whether all operations completed */
    bool Run()
    {
        m_network.Begin(m_jobs, *this);
        for (uint32_t p = 0; p < m_left.size(); ++p)
        {
            for (uint32_t o = 0; o < m_left[p].size(); ++o)
            {
                if (m_jobs.GetOperation({p, o}).dependencies == 0)
                {
                    HandOver({p, o}, 0);
                }
            }
        }
        m_network.Run();
        for (const auto& process : completed)
        {
            for (const int64_t ps : process)
            {
                if (ps == NEVER)
                {
                    return false;
                }
            }
        }
        return true;
    }

    void Started(ns3::WorkloadStep step, int64_t ps) override
    {
        started[step.process][step.operation] = ps;
        Release(step, ps, true);
    }

    void Completed(ns3::WorkloadStep step, int64_t ps) override
    {
        completed[step.process][step.operation] = ps;
        Release(step, ps, false);
    }

    std::vector<std::vector<int64_t>> started;   ///< ps, by process and operation
    std::vector<std::vector<int64_t>> completed; ///< ps, by process and operation

  private:
    void Release(ns3::WorkloadStep step, int64_t ps, bool onStart)
    {
        const ns3::WorkloadRank& rank = m_jobs.GetRank(step.process);
        for (auto w = rank.BeginWaiters(step.operation); w != rank.EndWaiters(step.operation); ++w)
        {
            if (w->OnStart() == onStart && --m_left[step.process][w->Operation()] == 0)
            {
                HandOver({step.process, w->Operation()}, ps);
            }
        }
    }

    void HandOver(ns3::WorkloadStep step, int64_t ps)
    {
        switch (m_jobs.GetOperation(step).kind)
        {
        case ns3::WorkloadKind::SEND:
            m_network.Send(step, ps);
            break;
        case ns3::WorkloadKind::RECV:
            m_network.Receive(step, ps);
            break;
        case ns3::WorkloadKind::CALC:
            m_network.Compute(step, ps);
            break;
        }
    }

    const ns3::WorkloadJobs& m_jobs;
    ns3::WorkloadNetwork& m_network;
    std::vector<std::vector<uint32_t>> m_left; //!< dependencies
};

} // namespace harness

#endif // HARNESS_SMALL_RUNNER_H
