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
}

void
RdmaNicScheduler::Add(RdmaQueuePair& qp, int64_t now)
{
    qp.m_slot = static_cast<uint32_t>(m_qps.size());
    qp.m_scheduled = true;
    m_qps.push_back(&qp);
    m_nextAvailable.push_back(now);
    const size_t words = (m_qps.size() + 63) / 64;
    m_ready.resize(words);
    m_unsent.resize(words);
    m_finished.resize(words);
    Update(qp);
}

void
RdmaNicScheduler::Remove(const RdmaQueuePair& qp)
{
    Update(qp);
    RemoveFinished(qp.m_slot, NONE);
}

void
RdmaNicScheduler::Clear()
{
    for (RdmaQueuePair* qp : m_qps)
    {
        qp->m_scheduled = false;
    }
    m_qps.clear();
    m_nextAvailable.clear();
    m_ready.clear();
    m_unsent.clear();
    m_finished.clear();
    m_finishedCount = 0;
}

void
RdmaNicScheduler::Update(const RdmaQueuePair& qp)
{
    const uint32_t i = qp.m_slot;
    const bool unsent = qp.HasUnsent();
    Set(m_unsent, i, unsent);
    Set(m_ready, i, unsent && !qp.IsWindowBound());
    const bool finished = qp.IsFinished();
    if (finished != Test(m_finished, i))
    {
        Set(m_finished, i, finished);
        m_finishedCount += finished ? 1 : -1;
    }
}

uint32_t
RdmaNicScheduler::FindReady(uint32_t begin, uint32_t end, uint32_t paused, int64_t now) const
{
    for (uint32_t i = begin; i < end;)
    {
        const uint64_t word = m_ready[i / 64] >> (i % 64);
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
        if (m_nextAvailable[i] <= now && !(paused >> m_qps[i]->GetFlow().priority & 1))
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
        if (Test(m_finished, i))
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
    for (uint32_t i = from; i < m_qps.size(); ++i)
    {
        if (Test(m_finished, i))
        {
            m_qps[i]->m_scheduled = false;
            continue;
        }
        if (i == chosen)
        {
            place = kept;
        }
        m_qps[kept] = m_qps[i];
        m_qps[kept]->m_slot = kept;
        m_nextAvailable[kept] = m_nextAvailable[i];
        Set(m_ready, kept, Test(m_ready, i));
        Set(m_unsent, kept, Test(m_unsent, i));
        ++kept;
    }
    m_finishedCount -= static_cast<uint32_t>(m_qps.size()) - kept;
    for (uint32_t i = from; i < m_qps.size(); ++i)
    {
        Set(m_finished, i, false);
        if (i >= kept)
        {
            Set(m_ready, i, false);
            Set(m_unsent, i, false);
        }
    }
    m_qps.resize(kept);
    m_nextAvailable.resize(kept);
    return place;
}

RdmaQueuePair*
RdmaNicScheduler::Next(uint32_t paused, int64_t now)
{
    const auto count = static_cast<uint32_t>(m_qps.size());
    if (!count)
    {
        return nullptr;
    }
    const uint32_t start =
        (m_last + 1) % count; // the number last served may be past the end by now
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
    return m_qps[chosen];
}

int64_t
RdmaNicScheduler::EarliestPaced(int64_t now) const
{
    int64_t earliest = std::numeric_limits<int64_t>::max();
    for (size_t w = 0; w < m_unsent.size(); ++w)
    {
        for (uint64_t word = m_unsent[w]; word; word &= word - 1)
        {
            earliest = std::min(earliest, m_nextAvailable[w * 64 + __builtin_ctzll(word)]);
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
    return m_nextAvailable[qp.m_slot];
}

void
RdmaNicScheduler::SetNextAvailable(const RdmaQueuePair& qp, int64_t time)
{
    m_nextAvailable[qp.m_slot] = time;
}

} // namespace ns3
