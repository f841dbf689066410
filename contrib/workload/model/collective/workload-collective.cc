/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective.h"

#include "workload-collective-algorithms.h"
#include "workload-collective-names.h"
#include "workload-collective-servers.h"
#include "workload-collective-tuning.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

using Algorithm = WorkloadCollectiveAlgorithm;
using Kind = WorkloadCollectiveKind;

[[noreturn]] void
Fail(const WorkloadCollective& collective, const std::string& message)
{
    throw InputError(WorkloadName(collective.kind) + ": " + message);
}

/** \return the ways to carry out a kind, besides AUTO */
std::vector<Algorithm>
AlgorithmsOf(Kind kind)
{
    switch (kind)
    {
    case Kind::ALL_REDUCE:
        return {Algorithm::RING, Algorithm::TREE, Algorithm::DOUBLE_BINARY_TREE};
    case Kind::BROADCAST:
    case Kind::REDUCE:
        return {Algorithm::RING, Algorithm::TREE};
    case Kind::ALL_TO_ALL:
        return {Algorithm::DIRECT};
    default:
        return {Algorithm::RING};
    }
}

void
CheckAlgorithm(const WorkloadCollective& collective)
{
    const std::vector<Algorithm> possible = AlgorithmsOf(collective.kind);
    if (collective.algorithm == Algorithm::AUTO ||
        std::find(possible.begin(), possible.end(), collective.algorithm) != possible.end())
    {
        return;
    }
    std::string names = WorkloadName(Algorithm::AUTO);
    for (const Algorithm algorithm : possible)
    {
        names += ", " + WorkloadName(algorithm);
    }
    Fail(collective,
         "algorithm " + WorkloadName(collective.algorithm) + " is none of its own; use one of " +
             names);
}

void
CheckCost(const WorkloadCollective& collective, const std::string& what, double nsPerByte)
{
    // So that what a message costs fits into whole nanoseconds.
    const double max = 0x1p62 / std::max(1.0, static_cast<double>(collective.bytes) * 2);
    if (!(nsPerByte >= 0 && nsPerByte <= max))
    {
        Fail(collective,
             what + " " + std::to_string(nsPerByte) + " ns per byte; use 0 to " + NumberText(max));
    }
}

void
CheckNumbers(const WorkloadCollective& collective)
{
    constexpr uint32_t MAX_CHANNELS = 64;
    constexpr uint64_t MAX_BYTES = uint64_t{1} << 60;
    const auto range = [&](const std::string& what, uint64_t value, uint64_t min, uint64_t max) {
        if (value < min || value > max)
        {
            Fail(collective,
                 what + " is " + std::to_string(value) + "; use " + std::to_string(min) + " to " +
                     std::to_string(max));
        }
    };
    range("bytes", collective.bytes, 0, MAX_BYTES);
    range("channels", collective.channels, 0, MAX_CHANNELS);
    range("element bytes", collective.elementBytes, 1, UINT32_MAX);
    range("ranks per server", collective.ranksPerServer, 1, UINT32_MAX);
    range("NCCL's channels", collective.tuning.channels, 1, 32);
    if (collective.chunkBytes != 0 && collective.chunkBytes < collective.elementBytes)
    {
        Fail(collective,
             "chunks of " + std::to_string(collective.chunkBytes) +
                 " bytes cannot hold an element of " + std::to_string(collective.elementBytes) +
                 "; use larger chunks");
    }
    CheckCost(collective, "a reduction of", collective.reduceNsPerByte);
    CheckCost(collective, "a copy of", collective.copyNsPerByte);
    const auto rate = [&](const std::string& what, double value) {
        if (!(value >= 1e-6 && value <= 1e9))
        {
            Fail(collective,
                 what + " is " + std::to_string(value) + " GB/s; use 0.000001 to 1000000000");
        }
    };
    if (!collective.nvlinkOnNetwork)
    {
        rate("NVLink's rate", collective.nvlinkBytesPerNs);
        CheckCost(collective, "NVLink takes", 1 / collective.nvlinkBytesPerNs);
    }
    rate("a server's bandwidth", collective.tuning.serverGBps);
    rate("a NIC's bandwidth", collective.tuning.nicGBps);
}

void
CheckMembers(const WorkloadCollective& collective, const std::vector<uint32_t>& members)
{
    if (members.empty())
    {
        Fail(collective, "has no members; name one rank at least");
    }
    std::vector<uint32_t> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        Fail(collective, "rank " + std::to_string(*twice) + " is a member twice; name it once");
    }
    const bool rooted = collective.kind == Kind::BROADCAST || collective.kind == Kind::REDUCE;
    if (rooted && collective.root >= members.size())
    {
        Fail(collective,
             "the root is member " + std::to_string(collective.root) + ", but there are only " +
                 std::to_string(members.size()) + ", counted from 0");
    }
}

void
CheckRanks(const WorkloadCollective& collective,
           const std::vector<uint32_t>& members,
           const std::vector<uint32_t>& after,
           uint32_t ranks)
{
    const uint32_t highest = *std::max_element(members.begin(), members.end());
    if (highest >= ranks)
    {
        Fail(collective,
             "rank " + std::to_string(highest) + " is a member, but the schedule has only " +
                 std::to_string(ranks) + " ranks");
    }
    if (!after.empty() && after.size() != members.size())
    {
        Fail(collective,
             std::to_string(members.size()) + " members, but " + std::to_string(after.size()) +
                 " operations to wait for; give one per member, or none");
    }
}

uint32_t
CountServers(const WorkloadCollective& collective, const std::vector<uint32_t>& members)
{
    return static_cast<uint32_t>(GroupWorkloadServers(members, collective.ranksPerServer).size());
}

/** One member has what it needs. */
void
AddAlone(WorkloadCollectiveJob& job)
{
    WorkloadCollectiveMember(job, 0).End();
}

void
AddMembers(WorkloadCollectiveJob& job)
{
    const bool tree = job.collective.algorithm == Algorithm::TREE ||
                      job.collective.algorithm == Algorithm::DOUBLE_BINARY_TREE;
    if (job.members.size() == 1)
    {
        AddAlone(job);
        return;
    }
    switch (job.collective.kind)
    {
    case Kind::ALL_TO_ALL:
        AddWorkloadAllToAll(job);
        break;
    case Kind::SEND_RECV:
        AddWorkloadShift(job);
        break;
    case Kind::BROADCAST:
    case Kind::REDUCE:
        (tree ? AddWorkloadTree : AddWorkloadChain)(job);
        break;
    default:
        (tree ? AddWorkloadTree : AddWorkloadRing)(job);
    }
}

/** \return how a collective without AUTO is cut into messages */
WorkloadChunking
ChunkingOf(const WorkloadCollective& collective, const std::vector<uint32_t>& members)
{
    const auto count = static_cast<uint32_t>(members.size());
    const uint32_t servers = CountServers(collective, members);
    const uint32_t threads =
        WorkloadNcclThreads({collective.kind, collective.bytes, count, servers},
                            collective.algorithm,
                            collective.protocol,
                            collective.channels);
    return MakeWorkloadChunking(collective, count, servers, threads);
}

/** Adds all members, or the one that is asked for. */
void
AddJob(WorkloadCollectiveJob& job)
{
    const size_t count = job.members.size();
    job.costOnly =
        !job.collective.nvlinkOnNetwork && CountServers(job.collective, job.members) == 1;
    job.ends.begin.resize(count);
    job.ends.end.resize(count);
    AddMembers(job);
}

} // namespace

WorkloadCollective
ResolveWorkloadCollective(const WorkloadCollective& collective,
                          const std::vector<uint32_t>& members)
{
    CheckAlgorithm(collective);
    CheckNumbers(collective);
    CheckMembers(collective, members);
    WorkloadCollective resolved = collective;
    TuneWorkloadCollective(resolved,
                           static_cast<uint32_t>(members.size()),
                           CountServers(collective, members));
    if (resolved.algorithm == Algorithm::DOUBLE_BINARY_TREE)
    {
        resolved.channels += resolved.channels % 2;
    }
    return resolved;
}

WorkloadCollectiveEnds
AddWorkloadCollective(WorkloadScheduleBuilder& builder,
                      const std::vector<uint32_t>& members,
                      const WorkloadCollective& collective,
                      const std::vector<uint32_t>& after,
                      WorkloadCollectiveTrace* trace)
{
    const WorkloadCollective resolved = ResolveWorkloadCollective(collective, members);
    CheckRanks(collective, members, after, builder.GetRankCount());
    const WorkloadChunking chunking = ChunkingOf(resolved, members);
    WorkloadCollectiveJob job{builder, members, resolved, chunking, trace};
    job.after = after;
    AddJob(job);
    return job.ends;
}

WorkloadCollectivePart
AddWorkloadCollectivePart(WorkloadScheduleBuilder& builder,
                          const std::vector<uint32_t>& members,
                          const WorkloadCollective& collective,
                          uint32_t index,
                          uint32_t firstTag)
{
    const WorkloadChunking chunking = ChunkingOf(collective, members);
    WorkloadCollectiveJob job{builder, members, collective, chunking, nullptr};
    job.firstTag = firstTag;
    job.only = index;
    AddJob(job);
    return {job.ends.begin[index], job.ends.end[index], job.tags};
}

} // namespace ns3
