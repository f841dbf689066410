/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-event-wheel.h"

#include <utility>

namespace ns3
{

RdmaEventWheel::RdmaEventWheel(uint64_t time)
    : m_time(time)
{
}

RdmaEventWheel::~RdmaEventWheel()
{
    std::vector<RdmaEventEntry> entries;
    TakeAll(entries);
    while (m_free)
    {
        delete std::exchange(m_free, m_free->next);
    }
}

void
RdmaEventWheel::AddChunk(Bucket& bucket)
{
    Chunk* const chunk = m_free ? std::exchange(m_free, m_free->next) : new Chunk;
    chunk->next = bucket.first;
    bucket.first = chunk;
    bucket.inFirst = 0;
}

RdmaEventWheel::Bucket
RdmaEventWheel::Remove(uint32_t level, uint32_t digit)
{
    m_filled[level] &= ~(uint64_t{1} << digit);
    if (!m_filled[level])
    {
        m_levels &= ~(1U << level);
    }
    return std::exchange(m_buckets[level][digit], Bucket());
}

template <typename Use>
void
RdmaEventWheel::Empty(Bucket bucket, Use use)
{
    for (uint32_t count = bucket.inFirst; bucket.first; count = Chunk::SIZE)
    {
        Chunk* const chunk = std::exchange(bucket.first, bucket.first->next);
        for (uint32_t i = 0; i < count; ++i)
        {
            use(chunk->entries[i]);
        }
        chunk->next = m_free;
        m_free = chunk;
    }
}

uint64_t
RdmaEventWheel::Take(size_t least, std::vector<RdmaEventEntry>& entries)
{
    while (m_levels && entries.size() < least)
    {
        const auto level = static_cast<uint32_t>(__builtin_ctz(m_levels));
        const auto digit = static_cast<uint32_t>(__builtin_ctzll(m_filled[level]));
        const uint32_t shift = level * DIGIT_BITS;
        const uint64_t width = uint64_t{1} << shift;
        // above the bucket's digit, its times are those of the wheel
        const uint64_t above = level + 1 < LEVELS ? ~(width * BUCKETS - 1) : 0;
        const uint64_t start = (m_time & above) | uint64_t{digit} << shift;
        const Bucket bucket = Remove(level, digit);
        if (level == 0 || bucket.count <= FEW)
        {
            m_time = start | (width - 1);
            m_count -= bucket.count;
            Empty(bucket, [&entries](const RdmaEventEntry& entry) { entries.push_back(entry); });
        }
        else
        {
            m_time = start;
            Empty(bucket, [this](const RdmaEventEntry& entry) { Put(entry); });
        }
    }
    return m_time;
}

void
RdmaEventWheel::TakeAll(std::vector<RdmaEventEntry>& entries)
{
    while (m_levels)
    {
        const auto level = static_cast<uint32_t>(__builtin_ctz(m_levels));
        const auto digit = static_cast<uint32_t>(__builtin_ctzll(m_filled[level]));
        Empty(Remove(level, digit),
              [&entries](const RdmaEventEntry& entry) { entries.push_back(entry); });
    }
    m_count = 0;
}

} // namespace ns3
