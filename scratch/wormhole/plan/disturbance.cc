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

/** A rank of a job. */
struct RankPlace
{
    size_t job{0};
    uint32_t rank{0};
};

bool
IsComputation(const WorkloadOperation& operation)
{
    return operation.kind == ns3::WorkloadKind::CALC && operation.size > 0;
}

bool
Computes(const WorkloadRank& rank)
{
    return std::any_of(rank.operations.begin(), rank.operations.end(), IsComputation);
}

/** \return whether the rank has something to do at once; to wait for others later changes nothing
 */
bool
Begins(const WorkloadRank& rank)
{
    return std::any_of(rank.operations.begin(), rank.operations.end(), [](const auto& operation) {
        return operation.dependencies == 0 && operation.kind != ns3::WorkloadKind::RECV;
    });
}

/** \return the ranks of all jobs that are so */
std::vector<RankPlace>
FindRanks(const std::vector<WorkloadSource>& sources, bool (*isSo)(const WorkloadRank&))
{
    std::vector<RankPlace> found;
    for (size_t job = 0; job < sources.size(); ++job)
    {
        const std::vector<WorkloadRank>& ranks = sources[job].schedule.ranks;
        for (uint32_t rank = 0; rank < ranks.size(); ++rank)
        {
            if (isSo(ranks[rank]))
            {
                found.push_back({job, rank});
            }
        }
    }
    return found;
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

/** \return links of hosts, as others may carry nothing; not those within servers, nor those without
 * a delay, which must keep it for everything to happen in the same order */
std::vector<uint32_t>
FindLinks(const ns3::RdmaTopology& topology)
{
    using Kind = ns3::RdmaNodeKind;
    const auto isHost = [&](uint32_t node) { return topology.nodes[node] == Kind::HOST; };
    const auto isNvSwitch = [&](uint32_t node) { return topology.nodes[node] == Kind::NVSWITCH; };
    std::vector<uint32_t> found;
    for (uint32_t i = 0; i < topology.links.size(); ++i)
    {
        const ns3::RdmaLinkSpec& link = topology.links[i];
        if (link.delay.IsStrictlyPositive() && (isHost(link.a) || isHost(link.b)) &&
            !isNvSwitch(link.a) && !isNvSwitch(link.b))
        {
            found.push_back(i);
        }
    }
    return found;
}

} // namespace

void
DisturbLinks(uint64_t number, bool all, RunPlan& plan)
{
    std::vector<uint32_t> links = FindLinks(plan.topology);
    if (number == 0 || links.empty())
    {
        return;
    }
    uint64_t ns = number;
    plan.disturbedLink = "each link of a host takes ";
    if (!all)
    {
        const WorkloadDisturbance drawn = ns3::DrawWorkloadDisturbance(number, links.size());
        ns = static_cast<uint64_t>(drawn.ns);
        links = {links[drawn.which]};
        const ns3::RdmaLinkSpec& link = plan.topology.links[links.front()];
        plan.disturbedLink = "the link of nodes " + std::to_string(link.a) + " and " +
                             std::to_string(link.b) + " takes ";
    }
    plan.disturbedLink += std::to_string(ns) + " ns longer";
    for (const uint32_t longer : links)
    {
        ns3::RdmaLinkSpec& link = plan.topology.links[longer];
        link.delay += ns3::NanoSeconds(ns);
        link.delayUnit = ns3::Time::NS; // HPCC's way with others would cut the difference
    }
}

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
    std::vector<RankPlace> ranks = FindRanks(sources, Computes);
    const bool computes = !ranks.empty();
    ranks = computes ? ranks : FindRanks(sources, Begins);
    if (ranks.empty())
    {
        throw InputError("--disturb: no rank does anything that could happen later");
    }
    const WorkloadDisturbance drawn = ns3::DrawWorkloadDisturbance(number, ranks.size());
    const RankPlace place = ranks[drawn.which];
    WorkloadRank& rank = sources[place.job].schedule.ranks[place.rank];
    const std::string who =
        "job " + sources[place.job].name + ", rank " + std::to_string(place.rank);
    const std::string ns = std::to_string(drawn.ns) + " ns ";
    if (!computes)
    {
        DelayStart(rank, drawn.ns);
        return who + " begins " + ns + "later";
    }
    size_t longer = 0;
    for (WorkloadOperation& operation : rank.operations)
    {
        if (IsComputation(operation))
        {
            operation.size = ns3::RdmaSum(operation.size, static_cast<uint64_t>(drawn.ns));
            ++longer;
        }
    }
    return who + ": each of its " + std::to_string(longer) + " computations takes " + ns + "longer";
}

} // namespace wormhole
