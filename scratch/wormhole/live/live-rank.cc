/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "live-rank.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <optional>

namespace wormhole
{

using ns3::InputError;

LiveCommunicator&
LiveRank::Find(uint32_t comm)
{
    const auto found = communicators.find(comm);
    if (found == communicators.end())
    {
        throw InputError("communicator " + std::to_string(comm) + ", which nobody has made");
    }
    return found->second;
}

uint32_t
LiveRank::MemberOf(const LiveCommunicator& comm, uint32_t member) const
{
    if (member >= comm.group->members.size())
    {
        throw InputError("rank " + std::to_string(member) + " of a communicator of " +
                         std::to_string(comm.group->members.size()));
    }
    return comm.group->members[member];
}

void
LiveRank::AddCommunicator(const ns3::WorkloadMpiRecord& record,
                          uint32_t own,
                          ns3::WorkloadMpiCommunicators& all)
{
    const auto place = std::find(record.members.begin(), record.members.end(), own);
    std::vector<uint32_t> sorted = record.members;
    std::sort(sorted.begin(), sorted.end());
    if (place == record.members.end() ||
        std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() ||
        communicators.count(record.comm))
    {
        throw InputError("communicator " + std::to_string(record.comm) +
                         " is made twice, or has a member twice, or not the rank that made it");
    }
    const uint32_t parent = Find(record.parent).group->number;
    const ns3::WorkloadMpiGroup& first = all.Find(parent, record.members, 0);
    const uint32_t before = again[&first]++;
    const ns3::WorkloadMpiGroup& group =
        before == 0 ? first : all.Find(parent, record.members, before);
    communicators[record.comm] = {&group, static_cast<uint32_t>(place - record.members.begin()), 0};
}

LiveRequest&
LiveRank::AddRequest(uint32_t number)
{
    const auto [place, isNew] = requests.try_emplace(number);
    if (!isNew)
    {
        throw InputError("request " + std::to_string(number) + " begins twice");
    }
    return place->second;
}

void
LiveRank::BeginWait(const LiveMessage& wait)
{
    awaited = 0;
    anyOver = false;
    for (const uint32_t number : wait.requests)
    {
        const auto found = requests.find(number);
        if (found == requests.end())
        {
            throw InputError("waits for request " + std::to_string(number) +
                             ", which has not begun, or has ended");
        }
        LiveRequest& request = found->second;
        anyOver |= request.over;
        awaited += request.over || request.awaited ? 0 : 1;
        request.awaited = !request.over;
    }
}

bool
LiveRank::IsOver(const LiveMessage& wait) const
{
    return awaited == 0 || (anyOver && (wait.bits & WORMHOLE_LIVE_ALL) == 0);
}

std::string
LiveRank::ExplainWait() const
{
    std::string text;
    size_t others = 0;
    for (const uint32_t number : message.requests)
    {
        const auto found = requests.find(number);
        if (found == requests.end() || found->second.over || !found->second.envelope)
        {
            continue;
        }
        const LiveEnvelope& asked = *found->second.envelope;
        const bool sends = found->second.sends;
        const uint32_t peer = sends ? asked.dst : asked.src;
        others += text.empty() ? 0 : 1;
        text = !text.empty()
                   ? text
                   : std::string(sends ? ", for its message to " : ", for a message from ") +
                         (peer == LiveEnvelope::ANY ? "any rank" : "rank " + std::to_string(peer)) +
                         (asked.tag == LiveEnvelope::ANY ? ", any tag"
                                                         : ", tag " + std::to_string(asked.tag));
    }
    return text + (others == 0 ? "" : " (and " + std::to_string(others) + " more)");
}

void
LiveRank::End(LiveRequest& request)
{
    request.over = true;
    anyOver |= request.awaited;
    awaited -= request.awaited ? 1 : 0;
    request.awaited = false;
}

int64_t
LiveRank::EndPs(const LiveMessage& wait) const
{
    const bool all = (wait.bits & WORMHOLE_LIVE_ALL) != 0;
    std::optional<int64_t> end;
    for (const uint32_t number : wait.requests)
    {
        const auto found = requests.find(number);
        if (found != requests.end() && found->second.over)
        {
            const int64_t ps = found->second.overPs;
            end = !end ? ps : all ? std::max(*end, ps) : std::min(*end, ps);
        }
    }
    return std::max(sincePs, end.value_or(sincePs));
}

void
LiveRank::PutOver(const LiveMessage& wait, LiveAnswer& answer)
{
    std::vector<std::pair<uint32_t, LiveRequest>> over;
    for (const uint32_t number : wait.requests)
    {
        const auto found = requests.find(number);
        if (found == requests.end())
        {
            continue; // it was named twice
        }
        found->second.awaited = false;
        if (found->second.over)
        {
            over.emplace_back(number, found->second);
            requests.erase(found);
        }
    }
    answer.Put(over.size());
    for (const auto& [number, request] : over)
    {
        answer.Put(number);
        answer.Put(request.end);
        if (request.end == WORMHOLE_LIVE_RECEIVED)
        {
            answer.Put(request.got.envelope.src);
            answer.Put(request.got.envelope.tag);
            answer.Put(request.got.bytes);
            answer.Put(request.got.number);
        }
    }
}

} // namespace wormhole
