/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-arrivals.h"

#include "rdma-scatter.h"

#include "ns3/rdma-host.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Puts arrivals, of which few are far from where they belong, in order. */
void
InsertInOrder(std::vector<RdmaArrival>& arrivals)
{
    for (size_t i = 1; i < arrivals.size(); ++i)
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

/** Takes the first frame of \p train, which is due. \return whether the next one is, too */
inline bool
RdmaArrivals::TakeFirst(Train& train, const RdmaEventQueue& queue, Key end)
{
    RdmaFrame* const frame = train.wire->Pop();
    m_arrivals.emplace_back(); // filled in place: a copy would wait for its parts
    RdmaArrival& arrival = m_arrivals.back();
    arrival.place = train.due.place;
    arrival.time = train.due.time;
    arrival.frame = frame;
    arrival.to = train.to;
    const RdmaFrame* const next = train.wire->Front();
    RdmaFetch(next);
    RdmaFetch(&frame->timestamp); // the second cache line
    if (!train.toHost)
    {
        RdmaFetch(frame->route);
    }
    else if (frame->qp != train.qp)
    {
        train.qp = frame->qp;
        if (frame->qp)
        {
            frame->qp->Fetch(*frame, 1);
        }
    }
    if (!next)
    {
        train.due = {};
        return false;
    }
    train.due = {frame->nextArrivalTime, queue.Known(frame->nextArrivalPlace)};
    return RdmaEventEntry::MakeKey(train.due.time, train.due.place) < end;
}

void
RdmaArrivals::Take(const RdmaEventQueue& queue, int64_t begin, Key end)
{
    constexpr size_t FEW = 16; // sorted without buckets
    m_under.clear();
    for (uint32_t i = 0; i < m_trains.size(); ++i)
    {
        const RdmaDue& due = m_trains[i].due;
        if (RdmaEventEntry::MakeKey(due.time, due.place) < end)
        {
            m_under.push_back(i);
        }
    }
    const bool inOrder = m_under.size() < 2;
    m_fetched = nullptr;
    m_toHosts =
        std::all_of(m_trains.begin(), m_trains.end(), [](const Train& t) { return t.toHost; });
    while (!m_under.empty())
    {
        // by turns: so the next frames of all trains are fetched at once, not one after the other
        size_t kept = 0;
        for (const uint32_t i : m_under)
        {
            m_under[kept] = i;
            kept += TakeFirst(m_trains[i], queue, end);
        }
        m_under.resize(kept);
    }
    if (!inOrder)
    {
        if (m_arrivals.size() > FEW)
        {
            SortByBuckets(begin, static_cast<int64_t>(end >> 64));
        }
        InsertInOrder(m_arrivals);
    }
    m_arrivals.insert(
        m_arrivals.end(),
        AHEAD,
        {static_cast<uint64_t>(end), static_cast<int64_t>(end >> 64), nullptr, nullptr});
}

/** Lets memory be fetched that the queue pair of \p arrival, which is fetched already, leads to. */
void
RdmaArrivals::FetchFlow(const RdmaArrival& arrival)
{
    const RdmaQueuePair* const qp = arrival.frame->qp;
    if (qp && &qp->GetSender() == &arrival.to->GetOwner()) // else another thread may run the sender
    {
        qp->Fetch(*arrival.frame, 2);
    }
}

/** Puts the arrivals, all from \p begin to \p end, each near where it belongs. */
void
RdmaArrivals::SortByBuckets(int64_t begin, int64_t end)
{
    const auto span = static_cast<uint64_t>(end - begin);
    uint32_t shift = 0;
    while (span >> shift > 2 * m_arrivals.size())
    {
        ++shift;
    }
    const auto bucketOf = [&](const RdmaArrival& arrival) {
        return static_cast<uint64_t>(arrival.time - begin) >> shift;
    };
    m_sorted.resize(m_arrivals.size());
    RdmaScatter(m_arrivals.data(),
                m_arrivals.size(),
                (span >> shift) + 1,
                bucketOf,
                m_buckets,
                m_sorted.data());
    m_arrivals.swap(m_sorted);
}

} // namespace ns3
