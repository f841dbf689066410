/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "disturbance.h"

#include "workload/workload-replay.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-disturbance.h"

#include <algorithm>

namespace wormhole
{

using ns3::InputError;
using ns3::WorkloadDisturbance;
using ns3::WorkloadOperation;
using ns3::WorkloadRank;

namespace
{

/** A rank of a job, or one of its operations. */
struct Place
{
    size_t job{0};
    uint32_t rank{0};
    uint32_t operation{0};
};

bool
IsComputation(const WorkloadOperation& operation)
{
    return operation.kind == ns3::WorkloadKind::CALC && operation.size > 0;
}

uint64_t
CountComputations(const WorkloadRank& rank)
{
    return static_cast<uint64_t>(
        std::count_if(rank.operations.begin(), rank.operations.end(), IsComputation));
}

/** \return 1 if the rank has something to do at once; that it waits for others later is of no use
 */
uint64_t
CountStarts(const WorkloadRank& rank)
{
    return std::any_of(rank.operations.begin(), rank.operations.end(), [](const auto& operation) {
        return operation.dependencies == 0 && operation.kind != ns3::WorkloadKind::RECV;
    });
}

/** What there is to be moved in a rank: a function that counts it. */
using Count = uint64_t (*)(const WorkloadRank&);

uint64_t
CountAll(const std::vector<WorkloadSource>& sources, Count count)
{
    uint64_t all = 0;
    for (const WorkloadSource& source : sources)
    {
        for (const WorkloadRank& rank : source.schedule.ranks)
        {
            all += count(rank);
        }
    }
    return all;
}

/** \return the rank that has it, and as operation how many of its rank come before */
Place
Find(const std::vector<WorkloadSource>& sources, Count count, uint64_t which)
{
    Place place;
    for (place.job = 0; place.job < sources.size(); ++place.job)
    {
        const std::vector<WorkloadRank>& ranks = sources[place.job].schedule.ranks;
        for (place.rank = 0; place.rank < ranks.size(); ++place.rank)
        {
            const uint64_t own = count(ranks[place.rank]);
            if (which < own)
            {
                place.operation = static_cast<uint32_t>(which);
                return place;
            }
            which -= own;
        }
    }
    return place;
}

/** \return index of a rank's computation \param which of them, from 0 */
uint32_t
FindComputation(const WorkloadRank& rank, uint32_t which)
{
    uint32_t operation = 0;
    while (!IsComputation(rank.operations[operation]) || which-- > 0)
    {
        ++operation;
    }
    return operation;
}

/** Whatever could begin at once waits for a computation. */
void
DelayStart(WorkloadRank& rank, int64_t ns)
{
    std::vector<ns3::WorkloadDependency> dependencies;
    const auto count = static_cast<uint32_t>(rank.operations.size());
    for (uint32_t operation = 0; operation < count; ++operation)
    {
        for (auto waiter = rank.BeginWaiters(operation); waiter != rank.EndWaiters(operation);
             ++waiter)
        {
            dependencies.push_back({operation, *waiter});
        }
        if (rank.operations[operation].dependencies == 0)
        {
            dependencies.push_back({count, ns3::WorkloadWaiter(operation, false)});
        }
    }
    WorkloadOperation delay;
    delay.size = static_cast<uint64_t>(ns);
    delay.cpu = rank.operations.front().cpu;
    rank.operations.push_back(delay);
    ns3::SetWorkloadDependencies(rank, dependencies);
}

std::string
DescribeRank(const WorkloadSource& source, uint32_t rank)
{
    return "job " + source.name + ", rank " + std::to_string(rank);
}

} // namespace

void
DisturbFlows(uint64_t number, RunPlan& plan)
{
    if (number == 0)
    {
        return;
    }
    if (plan.flows.empty())
    {
        throw InputError(plan.flowOrigin, 0, "--disturb: there is no flow that could start later");
    }
    const WorkloadDisturbance drawn = ns3::DrawWorkloadDisturbance(number, plan.flows.size());
    plan.disturbed =
        DescribeFlow(plan, drawn.which) + " starts " + std::to_string(drawn.ns) + " ns later";
    plan.flows[drawn.which].start += ns3::NanoSeconds(drawn.ns);
    std::stable_sort(plan.flows.begin(), plan.flows.end(), [](const auto& a, const auto& b) {
        return a.start < b.start;
    });
}

std::string
DisturbJobs(uint64_t number, std::vector<WorkloadSource>& sources)
{
    if (number == 0)
    {
        return "";
    }
    if (sources.front().replay)
    {
        sources.front().replay->Disturb(number);
        return "";
    }
    const uint64_t computations = CountAll(sources, CountComputations);
    const uint64_t starts = CountAll(sources, CountStarts);
    if (starts == 0)
    {
        throw InputError("--disturb: no rank does anything that could happen later");
    }
    const Count count = computations > 0 ? CountComputations : CountStarts;
    const WorkloadDisturbance drawn =
        ns3::DrawWorkloadDisturbance(number, computations > 0 ? computations : starts);
    const Place place = Find(sources, count, drawn.which);
    WorkloadSource& source = sources[place.job];
    WorkloadRank& rank = source.schedule.ranks[place.rank];
    const std::string ns = std::to_string(drawn.ns) + " ns ";
    if (computations == 0)
    {
        DelayStart(rank, drawn.ns);
        return DescribeRank(source, place.rank) + " begins " + ns + "later";
    }
    const uint32_t index = FindComputation(rank, place.operation);
    WorkloadOperation& operation = rank.operations[index];
    const std::string what = DescribeRank(source, place.rank) + ", operation " +
                             std::to_string(index) + ", a computation of " +
                             std::to_string(operation.size) + " ns, takes " + ns + "longer";
    operation.size = ns3::RdmaSum(operation.size, static_cast<uint64_t>(drawn.ns));
    return what;
}

} // namespace wormhole
