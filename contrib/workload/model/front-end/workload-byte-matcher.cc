/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-byte-matcher.h"

#include "ns3/assert.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

size_t
WorkloadByteMatcher::Hash::operator()(const WorkloadMatchChannel& channel) const
{
    // the finaliser of SplitMix64, once per word: tags and ranks count up
    const auto mix = [](uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    };
    const uint64_t pair = static_cast<uint64_t>(channel.src) << 32 | channel.dst;
    return mix(mix(pair + 0x9e3779b97f4a7c15) + channel.tag);
}

std::vector<uint64_t>
WorkloadByteMatcher::Post(const WorkloadMatchChannel& channel, uint64_t bytes, uint64_t receive)
{
    Queue& queue = m_queues[channel];
    queue.waiting.push_back({receive, bytes});
    return Take(channel, queue);
}

std::vector<uint64_t>
WorkloadByteMatcher::Arrive(const WorkloadMatchChannel& channel, uint64_t bytes)
{
    Queue& queue = m_queues[channel];
    NS_ASSERT_MSG(bytes <= UINT64_MAX - queue.left, "more bytes are left than can be counted");
    queue.left += bytes;
    return Take(channel, queue);
}

std::vector<uint64_t>
WorkloadByteMatcher::Take(const WorkloadMatchChannel& channel, Queue& queue)
{
    std::vector<uint64_t> complete;
    while (!queue.waiting.empty() && queue.waiting.front().bytes <= queue.left)
    {
        queue.left -= queue.waiting.front().bytes;
        complete.push_back(queue.waiting.front().number);
        queue.waiting.pop_front();
    }
    if (queue.waiting.empty() && queue.left == 0)
    {
        m_queues.erase(channel);
    }
    return complete;
}

uint64_t
WorkloadByteMatcher::GetLeft(const WorkloadMatchChannel& channel) const
{
    const auto found = m_queues.find(channel);
    return found == m_queues.end() ? 0 : found->second.left;
}

std::vector<WorkloadByteMatcher::Waiting>
WorkloadByteMatcher::ListWaiting() const
{
    std::vector<Waiting> list;
    for (const auto& [channel, queue] : m_queues)
    {
        uint64_t come = queue.left; // the first one's: otherwise it would be complete
        for (const Receive& receive : queue.waiting)
        {
            list.push_back({channel, receive.number, receive.bytes, come});
            come = 0;
        }
    }
    std::sort(list.begin(), list.end(), [](const Waiting& a, const Waiting& b) {
        return std::tie(a.channel.dst, a.receive) < std::tie(b.channel.dst, b.receive);
    });
    return list;
}

std::vector<WorkloadByteMatcher::Surplus>
WorkloadByteMatcher::ListSurplus() const
{
    std::vector<Surplus> list;
    for (const auto& [channel, queue] : m_queues)
    {
        if (queue.waiting.empty())
        {
            list.push_back({channel, queue.left});
        }
    }
    std::sort(list.begin(), list.end(), [](const Surplus& a, const Surplus& b) {
        return std::tie(a.channel.dst, a.channel.src, a.channel.tag) <
               std::tie(b.channel.dst, b.channel.src, b.channel.tag);
    });
    return list;
}

} // namespace ns3
