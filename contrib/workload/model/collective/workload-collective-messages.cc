/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-member.h"
#include "workload-collective-servers.h"
#include "workload-collective-tuning.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** How one message moves: its protocol, and its chunks. */
struct WayOfMessage
{
    WorkloadCollective collective;
    WorkloadChunking chunking;
};

WayOfMessage
MakeWay(const WorkloadCollective& how, uint32_t members, uint32_t servers, uint64_t bytes)
{
    WayOfMessage way;
    way.collective = how;
    way.collective.kind = WorkloadCollectiveKind::SEND_RECV;
    way.collective.algorithm = WorkloadCollectiveAlgorithm::RING;
    way.collective.bytes = bytes;
    way.collective.channels = 1;
    TuneWorkloadCollective(way.collective, members, servers);
    way.chunking = MakeWorkloadChunking(way.collective, members, servers, 0);
    return way;
}

uint32_t
ServersOfMembers(const std::vector<uint32_t>& members, uint32_t ranksPerServer)
{
    return static_cast<uint32_t>(GroupWorkloadServers(members, ranksPerServer).size());
}

uint64_t
CountChunks(const WayOfMessage& way, uint64_t bytes)
{
    const uint64_t chunk = way.chunking.chunk == 0 ? bytes : way.chunking.chunk;
    return bytes == 0 ? 0 : (bytes - 1) / chunk + 1;
}

/** Adds one end of a message. */
void
AddMessage(WorkloadCollectiveMember& member,
           const WayOfMessage& way,
           const WorkloadMemberMessage& message)
{
    WorkloadCollectiveLink link = member.Link(message.peer);
    const uint64_t chunks = CountChunks(way, message.bytes);
    for (uint64_t chunk = 0; chunk < chunks; ++chunk)
    {
        const uint64_t begin = chunk * way.chunking.chunk;
        const WorkloadRange range{begin,
                                  chunk + 1 == chunks ? message.bytes : begin + way.chunking.chunk};
        const uint64_t tag = message.firstTag + chunk;
        if (message.receives)
        {
            member.Finish(member.Receive(link, range, tag, false));
        }
        else
        {
            member.Send(link, range, tag, member.Begin());
        }
    }
}

} // namespace

uint64_t
CountWorkloadMessageTags(const std::vector<uint32_t>& members,
                         const WorkloadCollective& collective,
                         uint64_t bytes)
{
    const uint32_t servers = ServersOfMembers(members, collective.ranksPerServer);
    const auto count = static_cast<uint32_t>(members.size());
    return CountChunks(MakeWay(collective, count, servers, bytes), bytes);
}

WorkloadCollectivePart
AddWorkloadMessages(WorkloadScheduleBuilder& builder,
                    const std::vector<uint32_t>& members,
                    const WorkloadCollective& collective,
                    uint32_t index,
                    const std::vector<WorkloadMemberMessage>& messages)
{
    const auto count = static_cast<uint32_t>(members.size());
    const uint32_t servers = ServersOfMembers(members, collective.ranksPerServer);
    WayOfMessage way{collective, {}}; // of the message that is being added
    WorkloadCollectiveJob job{builder, members, way.collective, way.chunking, nullptr};
    job.costOnly = !collective.nvlinkOnNetwork && servers == 1;
    job.only = index;
    job.ends.begin.resize(count);
    job.ends.end.resize(count);
    WorkloadCollectiveMember member(job, index);
    for (const WorkloadMemberMessage& message : messages)
    {
        if (message.peer != index)
        {
            way = MakeWay(collective, count, servers, message.bytes);
            AddMessage(member, way, message);
        }
    }
    member.End();
    return {job.ends.begin[index], job.ends.end[index], 0};
}

} // namespace ns3
