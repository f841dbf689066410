/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-traffic-patterns.h"

namespace ns3
{

namespace
{

/** \return whether no host would send to itself */
bool
MovesAll(const std::vector<uint32_t>& hosts, const std::vector<uint32_t>& targets)
{
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        if (hosts[i] == targets[i])
        {
            return false;
        }
    }
    return true;
}

/** Fisher and Yates. */
void
Shuffle(std::vector<uint32_t>& items, RdmaTrafficRandom& random)
{
    for (size_t i = items.size(); i > 1; --i)
    {
        std::swap(items[i - 1], items[random.Below(i)]);
    }
}

} // namespace

std::vector<RdmaHostPair>
RdmaPermutationPairs(const std::vector<uint32_t>& hosts, RdmaTrafficRandom& random)
{
    std::vector<uint32_t> targets = hosts;
    do
    {
        Shuffle(targets, random); // fits in one of e = 2.7 cases
    } while (!MovesAll(hosts, targets));
    std::vector<RdmaHostPair> pairs;
    for (size_t i = 0; i < hosts.size(); ++i)
    {
        pairs.emplace_back(hosts[i], targets[i]);
    }
    return pairs;
}

std::vector<RdmaHostPair>
RdmaIncastPairs(const std::vector<uint32_t>& hosts, uint32_t receiver, uint64_t fanIn)
{
    std::vector<RdmaHostPair> pairs;
    for (uint32_t host : hosts)
    {
        if (host != receiver && pairs.size() < fanIn)
        {
            pairs.emplace_back(host, receiver);
        }
    }
    return pairs;
}

std::vector<RdmaHostPair>
RdmaAllToAllPairs(const std::vector<uint32_t>& hosts, RdmaAllToAllOrder order)
{
    const size_t count = hosts.size();
    std::vector<RdmaHostPair> pairs;
    pairs.reserve(count * (count - 1));
    for (size_t outer = 0; outer < count; ++outer)
    {
        for (size_t inner = 0; inner < count; ++inner)
        {
            const size_t src = order == RdmaAllToAllOrder::SHIFT ? inner : outer;
            const size_t dst = order == RdmaAllToAllOrder::SHIFT ? (inner + outer) % count : inner;
            if (src != dst)
            {
                pairs.emplace_back(hosts[src], hosts[dst]);
            }
        }
    }
    return pairs;
}

std::vector<RdmaHostPair>
RdmaRingPairs(const std::vector<uint32_t>& hosts, uint64_t stride)
{
    const size_t count = hosts.size();
    const size_t step = stride % count;
    std::vector<RdmaHostPair> pairs;
    std::vector<bool> done(count);
    for (size_t first = 0; first < count; ++first)
    {
        for (size_t i = first; !done[i]; i = (i + step) % count)
        {
            done[i] = true;
            pairs.emplace_back(hosts[i], hosts[(i + step) % count]);
        }
    }
    return pairs;
}

} // namespace ns3
