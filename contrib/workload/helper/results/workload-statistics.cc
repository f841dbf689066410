/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ns3
{

namespace
{

/** \return the sum, at most 2^64 - 1 */
uint64_t
Plus(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

} // namespace

void
WorkloadSpread::Add(uint32_t rank, uint64_t value)
{
    min = std::min(min, value);
    sum = Plus(sum, value);
    if (value > max)
    {
        max = value;
        maxRank = rank;
    }
}

void
WorkloadStatistics::CountMessage(const WorkloadOperation& operation)
{
    if (operation.peer == WORKLOAD_ANY)
    {
        ++anySource;
    }
    if (operation.tag == WORKLOAD_ANY)
    {
        ++anyTag;
    }
    else
    {
        tags.insert(operation.tag);
        lowestTag = std::min(lowestTag, operation.tag);
        highestTag = std::max(highestTag, operation.tag);
    }
    nics[operation.nic] = true;
}

void
WorkloadStatistics::Add(const WorkloadRank& rank)
{
    uint64_t sent = 0;
    uint64_t received = 0;
    uint64_t computed = 0;
    for (const WorkloadOperation& operation : rank.operations)
    {
        cpus[operation.cpu] = true;
        if (operation.kind == WorkloadKind::CALC)
        {
            ++calcs;
            computed = Plus(computed, operation.size);
            continue;
        }
        CountMessage(operation);
        if (operation.kind == WorkloadKind::SEND)
        {
            ++sends;
            ++sizes[operation.size];
            sent = Plus(sent, operation.size);
        }
        else
        {
            ++receives;
            received = Plus(received, operation.size);
        }
    }
    for (const WorkloadWaiter waiter : rank.waiters)
    {
        ++(waiter.OnStart() ? onStart : onCompletion);
    }
    operations.Add(ranks, rank.operations.size());
    bytesSent.Add(ranks, sent);
    bytesReceived.Add(ranks, received);
    calcNs.Add(ranks, computed);
    leastNs.Add(ranks, LeastTime(rank));
    memory += sizeof(WorkloadRank) + rank.operations.size() * sizeof(WorkloadOperation) +
              rank.firstWaiter.size() * sizeof(uint32_t) +
              rank.waiters.size() * sizeof(WorkloadWaiter);
    ++ranks;
}

uint64_t
WorkloadStatistics::LeastTime(const WorkloadRank& rank)
{
    std::array<uint64_t, 256> busy{};
    uint64_t min = 0;
    m_order.clear();
    m_missing.clear();
    m_ready.assign(rank.operations.size(), 0);
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        m_missing.push_back(rank.operations[i].dependencies);
        if (m_missing.back() == 0)
        {
            m_order.push_back(i);
        }
    }
    for (size_t next = 0; next < m_order.size(); ++next)
    {
        const uint32_t i = m_order[next];
        const WorkloadOperation& operation = rank.operations[i];
        const uint64_t duration = operation.kind == WorkloadKind::CALC ? operation.size : 0;
        const uint64_t end = Plus(m_ready[i], duration);
        uint64_t& stream = busy[operation.cpu];
        stream = Plus(stream, duration);
        min = std::max({min, end, stream});
        for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
        {
            uint64_t& ready = m_ready[w->Operation()];
            ready = std::max(ready, w->OnStart() ? m_ready[i] : end);
            if (--m_missing[w->Operation()] == 0)
            {
                m_order.push_back(w->Operation());
            }
        }
    }
    return min;
}

uint64_t
WorkloadStatistics::GetSizePercentile(double share) const
{
    const auto needed = std::max(1.0, std::ceil(share * static_cast<double>(sends)));
    uint64_t count = 0;
    for (const auto& [size, messages] : sizes)
    {
        count += messages;
        if (static_cast<double>(count) >= needed)
        {
            return size;
        }
    }
    return 0;
}

} // namespace ns3
