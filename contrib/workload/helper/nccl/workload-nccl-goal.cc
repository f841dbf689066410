/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nccl-goal.h"

#include "workload-nccl-rank.h"

#include "ns3/workload-collective-spec.h"
#include "ns3/workload-goal-writer.h"

namespace ns3
{

WorkloadCollective
ParseWorkloadNcclKeys(const std::string& keys)
{
    WorkloadCollective how;
    how.protocol = WorkloadProtocol::AUTO;
    how.channels = 0;
    return keys.empty() ? how : ParseWorkloadCollectiveKeys("nccl:" + keys, how);
}

WorkloadNcclConversion
ConvertWorkloadNccl(const WorkloadNcclTrace& trace,
                    const WorkloadNcclOptions& options,
                    std::ostream& out,
                    bool binary)
{
    WorkloadNcclConversion done;
    done.ranks = static_cast<uint32_t>(trace.gpus.size());
    const auto writer = MakeWorkloadGoalWriter(out, done.ranks, binary);
    WorkloadNcclMatcher matcher(trace, options);
    for (uint32_t gpu = 0; out && gpu < done.ranks; ++gpu)
    {
        const WorkloadRank rank = WorkloadNcclRank(trace, gpu, options, matcher, done).Make();
        done.operations += rank.operations.size();
        done.dependencies += rank.waiters.size();
        writer->Write(rank);
    }
    matcher.Finish();
    writer->Finish();
    return done;
}

} // namespace ns3
