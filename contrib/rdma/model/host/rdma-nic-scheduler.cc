/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-nic-scheduler.h"

#include "rdma-queue-pair.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{
constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
constexpr uint32_t PRIORITIES = 8;
} // namespace

void
RdmaNicScheduler::Add(RdmaQueuePair& qp, int64_t now)
{
    qp.m_slot = static_cast<uint32_t>(m_places.size());
    qp.m_scheduled = true;
    m_places.push_back({&qp, now});
    m_bits.resize((m_places.size() + 63) / 64);
    Update(qp);
}

void
RdmaNicScheduler::Remove(const RdmaQueuePair& qp)
{
    Update(qp);
    RemoveFinished(qp.m_slot, NONE);
}

void
RdmaNicScheduler::Leave(RdmaQueuePair& qp, int64_t time)
{
    const uint32_t i = qp.m_slot;
    m_finishedCount -= Test(&Bits::finished, i);
    for (uint64_t Bits::*which : {&Bits::ready, &Bits::unsent, &Bits::finished})
    {
        Set(which, i, false);
    }
    qp.m_scheduled = false;
    m_places[i] = {nullptr, time};
    m_earliestLeave = std::min(m_earliestLeave, time);
}

void
RdmaNicScheduler::FinishLeaving(int64_t now)
{
    m_earliestLeave = std::numeric_limits<int64_t>::max();
    for (uint32_t i = 0; i < m_places.size(); ++i)
    {
        const Place& place = m_places[i];
        if (place.qp || Test(&Bits::finished, i))
        {
            continue;
        }
        if (place.nextAvailable <= now)
        {
            Set(&Bits::finished, i, true);
            ++m_finishedCount;
        }
        else
        {
            m_earliestLeave = std::min(m_earliestLeave, place.nextAvailable);
        }
    }
}

void
RdmaNicScheduler::Clear()
{
    for (const Place& place : m_places)
    {
        if (place.qp)
        {
            place.qp->m_scheduled = false;
        }
    }
    m_earliestLeave = std::numeric_limits<int64_t>::max();
    m_places.clear();
    m_bits.clear();
    m_finishedCount = 0;
}

std::vector<RdmaQueuePair*>
RdmaNicScheduler::GetQueuePairs() const
{
    std::vector<RdmaQueuePair*> qps;
    for (const Place& place : m_places)
    {
        if (place.qp)
        {
            qps.push_back(place.qp);
        }
    }
    return qps;
}

void
RdmaNicScheduler::Update(const RdmaQueuePair& qp)
{
    const uint32_t i = qp.m_slot;
    const bool unsent = qp.HasUnsent();
    Set(&Bits::unsent, i, unsent);
    Set(&Bits::ready, i, unsent && !qp.IsWindowBound());
    const bool finished = qp.IsFinished();
    if (finished != Test(&Bits::finished, i))
    {
        Set(&Bits::finished, i, finished);
        m_finishedCount += finished ? 1 : -1;
    }
}

uint32_t
RdmaNicScheduler::FindReady(uint32_t begin, uint32_t end, uint32_t paused, int64_t now) const
{
    for (uint32_t i = begin; i < end;)
    {
        const uint64_t word = m_bits[i / 64].ready >> (i % 64);
        if (!word)
        {
            i = (i / 64 + 1) * 64;
            continue;
        }
        i += __builtin_ctzll(word);
        if (i >= end)
        {
            break;
        }
        const Place& place = m_places[i];
        if (place.nextAvailable <= now &&
            !(paused && paused >> place.qp->m_priority & 1)) // mostly not read
        {
            return i;
        }
        ++i;
    }
    return NONE;
}

uint32_t
RdmaNicScheduler::FindFinished(uint32_t begin, uint32_t end) const
{
    for (uint32_t i = begin; i < end; ++i)
    {
        if (Test(&Bits::finished, i))
        {
            return i;
        }
    }
    return NONE;
}

uint32_t
RdmaNicScheduler::RemoveFinished(uint32_t from, uint32_t chosen)
{
    uint32_t kept = from;
    uint32_t place = chosen;
    for (uint32_t i = from; i < m_places.size(); ++i)
    {
        if (Test(&Bits::finished, i))
        {
            if (m_places[i].qp)
            {
                m_places[i].qp->m_scheduled = false;
            }
            continue;
        }
        if (i == chosen)
        {
            place = kept;
        }
        m_places[kept] = m_places[i];
        if (m_places[kept].qp)
        {
            m_places[kept].qp->m_slot = kept;
        }
        Set(&Bits::ready, kept, Test(&Bits::ready, i));
        Set(&Bits::unsent, kept, Test(&Bits::unsent, i));
        ++kept;
    }
    m_finishedCount -= static_cast<uint32_t>(m_places.size()) - kept;
    for (uint32_t i = from; i < m_places.size(); ++i)
    {
        Set(&Bits::finished, i, false);
        if (i >= kept)
        {
            Set(&Bits::ready, i, false);
            Set(&Bits::unsent, i, false);
        }
    }
    m_places.resize(kept);
    return place;
}

RdmaQueuePair*
RdmaNicScheduler::Next(uint32_t paused, int64_t now)
{
    if (m_earliestLeave <= now)
    {
        FinishLeaving(now);
    }
    const auto count = static_cast<uint32_t>(m_places.size());
    if (!count)
    {
        return nullptr;
    }
    // the number last served may be past the end by now; mostly no division is needed
    const uint32_t next = m_last + 1;
    const uint32_t start = next < count ? next : next == count ? 0 : next % count;
    uint32_t chosen = FindReady(start, count, paused, now);
    if (chosen == NONE)
    {
        chosen = FindReady(0, start, paused, now);
    }
    if (m_finishedCount)
    {
        // passed over: from the start of the search up to the choice, or everything
        uint32_t first = NONE;
        if (chosen == NONE)
        {
            first = FindFinished(0, count);
        }
        else if (chosen >= start)
        {
            first = FindFinished(start, chosen);
        }
        else
        {
            first = FindFinished(0, chosen);
            first = first == NONE ? FindFinished(start, count) : first;
        }
        if (first != NONE)
        {
            chosen = RemoveFinished(first, chosen);
        }
    }
    if (chosen == NONE)
    {
        return nullptr;
    }
    m_last = chosen;
    if (chosen + 1 < m_places.size())
    {
        FetchQueuePair(chosen + 1); // the next in turn may have waited for long
    }
    return m_places[chosen].qp;
}

uint32_t
RdmaNicScheduler::GetReadyClasses(uint32_t paused, int64_t now) const
{
    uint32_t classes = 0;
    for (size_t w = 0; w < m_bits.size(); ++w)
    {
        for (uint64_t word = m_bits[w].ready; word; word &= word - 1)
        {
            const Place& place = m_places[w * 64 + __builtin_ctzll(word)];
            classes |= place.nextAvailable <= now ? 1U << place.qp->m_priority : 0;
        }
    }
    return classes & ~paused;
}

RdmaQueuePair*
RdmaNicScheduler::NextOfClass(uint32_t priority, int64_t now)
{
    m_lastOfClass.resize(PRIORITIES);
    m_last = m_lastOfClass[priority];
    RdmaQueuePair* qp = Next(~(1U << priority), now);
    m_lastOfClass[priority] = m_last;
    return qp;
}

int64_t
RdmaNicScheduler::EarliestReady(uint32_t paused) const
{
    int64_t earliest = std::numeric_limits<int64_t>::max();
    for (size_t w = 0; w < m_bits.size(); ++w)
    {
        for (uint64_t word = m_bits[w].ready; word; word &= word - 1)
        {
            const Place& place = m_places[w * 64 + __builtin_ctzll(word)];
            if (!(paused >> place.qp->m_priority & 1))
            {
                earliest = std::min(earliest, place.nextAvailable);
            }
        }
    }
    return earliest;
}

void
RdmaNicScheduler::FetchQueuePair(uint32_t i) const
{
    const RdmaQueuePair* const qp = m_places[i].qp;
    RdmaFetch(qp, 2); // all that a frame that leaves touches
}

void
RdmaNicScheduler::FetchPlace(const RdmaQueuePair& qp) const
{
    RdmaFetch(&m_places[qp.m_slot]);
}

void
RdmaNicScheduler::Fetch(uint32_t stage) const
{
    if (m_places.empty())
    {
        return;
    }
    const uint32_t next = m_last + 1 < m_places.size() ? m_last + 1 : 0;
    if (stage == 1)
    {
        RdmaFetch(&m_places[next]);
        RdmaFetch(&m_bits[next / 64]);
    }
    else
    {
        FetchQueuePair(next);
    }
}

int64_t
RdmaNicScheduler::EarliestPaced(int64_t now) const
{
    int64_t earliest = std::numeric_limits<int64_t>::max();
    for (size_t w = 0; w < m_bits.size(); ++w)
    {
        for (uint64_t word = m_bits[w].unsent; word; word &= word - 1)
        {
            earliest = std::min(earliest, m_places[w * 64 + __builtin_ctzll(word)].nextAvailable);
            if (earliest <= now)
            {
                return earliest;
            }
        }
    }
    return earliest;
}

int64_t
RdmaNicScheduler::GetNextAvailable(const RdmaQueuePair& qp) const
{
    return m_places[qp.m_slot].nextAvailable;
}

void
RdmaNicScheduler::SetNextAvailable(const RdmaQueuePair& qp, int64_t time)
{
    m_places[qp.m_slot].nextAvailable = time;
}

RdmaNicScheduler::Turn
RdmaNicScheduler::GetTurn(const RdmaQueuePair& qp) const
{
    const auto count = static_cast<uint32_t>(m_places.size());
    return {qp.m_slot, ((m_last + 1) % count + count - 1 - qp.m_slot) % count};
}

void
RdmaNicScheduler::SetTurns(std::vector<std::pair<Turn, RdmaQueuePair*>> turns)
{
    if (turns.empty())
    {
        return;
    }
    std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
        return a.first.place < b.first.place;
    });
    std::vector<uint32_t> slots;
    std::vector<Place> places;
    for (const auto& [turn, qp] : turns)
    {
        slots.push_back(qp->m_slot);
        places.push_back(m_places[qp->m_slot]);
    }
    std::sort(slots.begin(), slots.end());
    for (size_t i = 0; i < slots.size(); ++i)
    {
        m_places[slots[i]] = places[i];
        places[i].qp->m_slot = slots[i];
    }
    for (const Place& place : places)
    {
        Update(*place.qp);
    }
    const auto [last, next] =
        std::minmax_element(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
            return a.first.since < b.first.since;
        });
    // Where the last served is not among them, the first of them is next.
    const auto count = static_cast<uint32_t>(m_places.size());
    m_last =
        last->first.since == 0 ? last->second->m_slot : (next->second->m_slot + count - 1) % count;
}

} // namespace ns3
