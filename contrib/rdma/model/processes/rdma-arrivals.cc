/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-arrivals.h"

#include "ns3/rdma-queue-pair.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/** Puts arrivals, of which few are far from where they belong, in order. */
void
InsertInOrder(RdmaArrival* arrivals, size_t count)
{
    for (size_t i = 1; i < count; ++i)
    {
        const RdmaArrivals::Key key = arrivals[i].GetKey();
        if (arrivals[i - 1].GetKey() < key)
        {
            continue;
        }
        const RdmaArrival arrival = arrivals[i];
        size_t to = i;
        for (; to > 0 && key < arrivals[to - 1].GetKey(); --to)
        {
            arrivals[to] = arrivals[to - 1];
        }
        arrivals[to] = arrival;
    }
}

} // namespace

RdmaDue
RdmaArrivals::Take(RdmaFrameFifo& wire, RdmaDue due, RdmaPort& to, bool host)
{
    RdmaArrival arrival{due.place, due.time, nullptr, &to};
    const RdmaQueuePair* qp = nullptr;
    while (arrival.GetKey() < m_end)
    {
        m_inOrder &= m_taken.empty() || m_taken.back().GetKey() < arrival.GetKey();
        const RdmaFrame* const frame = arrival.frame = wire.Pop();
        m_taken.push_back(arrival);
        RdmaFetch(frame, 1);
        if (!host)
        {
            RdmaFetch(frame->route);
        }
        else if (frame->qp && frame->qp != qp)
        {
            qp = frame->qp;
            qp->Fetch(*frame, 1);
        }
        if (wire.IsEmpty())
        {
            return {};
        }
        arrival.time = frame->nextArrivalTime;
        arrival.place = m_queue->Known(frame->nextArrivalPlace);
    }
    return {arrival.time, arrival.place};
}

const RdmaArrival*
RdmaArrivals::Sort()
{
    constexpr size_t FEW = 16; // sorted without buckets
    const size_t count = m_taken.size();
    if (!m_inOrder && count > FEW)
    {
        SortByBuckets();
        m_taken.swap(m_sorted);
    }
    if (!m_inOrder)
    {
        InsertInOrder(m_taken.data(), count);
    }
    m_taken.resize(
        count + AHEAD,
        {static_cast<uint64_t>(m_end), static_cast<int64_t>(m_end >> 64), nullptr, nullptr});
    return m_taken.data();
}

/** Puts what was taken into m_sorted, each near where it belongs. */
void
RdmaArrivals::SortByBuckets()
{
    const auto span = static_cast<uint64_t>(m_end >> 64) - static_cast<uint64_t>(m_begin);
    uint32_t shift = 0;
    while (span >> shift > 2 * m_taken.size())
    {
        ++shift;
    }
    m_buckets.assign((span >> shift) + 2, 0);
    const auto bucketOf = [&](const RdmaArrival& arrival) {
        return static_cast<uint64_t>(arrival.time - m_begin) >> shift;
    };
    for (const RdmaArrival& arrival : m_taken)
    {
        ++m_buckets[bucketOf(arrival) + 1];
    }
    std::partial_sum(m_buckets.begin(), m_buckets.end(), m_buckets.begin());
    m_sorted.resize(m_taken.size());
    for (const RdmaArrival& arrival : m_taken)
    {
        m_sorted[m_buckets[bucketOf(arrival)]++] = arrival;
    }
}

} // namespace ns3
