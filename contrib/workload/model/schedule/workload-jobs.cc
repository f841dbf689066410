/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-jobs.h"

#include "ns3/assert.h"
#include "ns3/input-error.h"

#include <algorithm>
#include <functional>

namespace ns3
{

namespace
{

/** Checks that a job has a node for every rank, and that no message leaves it. */
void
CheckJob(const WorkloadJob& job)
{
    const size_t ranks = job.schedule.ranks.size();
    if (job.nodes.size() != ranks)
    {
        throw InputError(job.schedule.origin,
                         0,
                         std::to_string(job.nodes.size()) + " nodes are given for " +
                             std::to_string(ranks) + " ranks; name one node per rank");
    }
    for (size_t r = 0; r < ranks; ++r)
    {
        for (const WorkloadOperation& operation : job.schedule.ranks[r].operations)
        {
            const bool any = operation.kind == WorkloadKind::RECV && operation.peer == WORKLOAD_ANY;
            if (operation.kind != WorkloadKind::CALC && operation.peer >= ranks && !any)
            {
                throw InputError(job.schedule.origin,
                                 0,
                                 "rank " + std::to_string(r) + " names rank " +
                                     std::to_string(operation.peer) + ", but only " +
                                     std::to_string(ranks) + " are declared");
            }
        }
    }
}

} // namespace

WorkloadJobs::WorkloadJobs(std::vector<WorkloadJob> jobs)
    : m_jobs(std::move(jobs))
{
    for (uint32_t j = 0; j < m_jobs.size(); ++j)
    {
        const WorkloadJob& job = m_jobs[j];
        CheckJob(job);
        m_first.push_back(GetProcessCount());
        for (size_t r = 0; r < job.nodes.size(); ++r)
        {
            m_processes.push_back({&job.schedule.ranks[r], j, job.nodes[r]});
            m_nodes = std::max(m_nodes, job.nodes[r] + 1);
        }
        m_nics = std::max<uint32_t>(m_nics, job.schedule.HighestNic() + 1U);
    }
}

std::string
WorkloadJobs::Describe(WorkloadStep step) const
{
    return m_jobs[GetJob(step.process)].schedule.Describe(GetRankNumber(step.process),
                                                          step.operation);
}

std::string
WorkloadJobs::Describe(const WorkloadOperation& operation) const
{
    uint32_t process = 0;
    for (const std::less<const WorkloadOperation*> before; process < GetProcessCount(); ++process)
    {
        const std::vector<WorkloadOperation>& all = GetRank(process).operations;
        if (!before(&operation, all.data()) && before(&operation, all.data() + all.size()))
        {
            break;
        }
    }
    NS_ASSERT_MSG(process < GetProcessCount(), "an operation of another job");
    return Describe(
        WorkloadStep{process,
                     static_cast<uint32_t>(&operation - GetRank(process).operations.data())});
}

std::string
WorkloadJobs::GetProcessName(uint32_t process) const
{
    const std::string rank = "rank " + std::to_string(GetRankNumber(process));
    return m_jobs.size() > 1 ? "job " + m_jobs[GetJob(process)].name + ", " + rank : rank;
}

} // namespace ns3
