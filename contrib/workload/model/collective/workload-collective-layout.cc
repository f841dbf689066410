/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-layout.h"

#include <algorithm>

namespace ns3
{

namespace
{

uint64_t
CeilDivide(uint64_t value, uint64_t by)
{
    return value / by + (value % by != 0);
}

/** \return the piece of a range that begins at \p offset and has \p length, as far as it is inside
 */
WorkloadRange
Piece(WorkloadRange range, uint64_t offset, uint64_t length)
{
    const uint64_t begin = range.begin + std::min(offset, range.Length());
    return {begin, begin + std::min(length, range.end - begin)};
}

} // namespace

WorkloadRange
CutWorkloadRange(WorkloadRange range, uint64_t index, uint64_t count, uint32_t elementBytes)
{
    const uint64_t elements = CeilDivide(range.Length(), elementBytes);
    const uint64_t each = elements / count;
    const uint64_t more = elements % count;
    const uint64_t first = index * each + std::min(index, more);
    const uint64_t length = each + (index < more);
    return Piece(range, first * elementBytes, length * elementBytes);
}

WorkloadCollectiveLayout::WorkloadCollectiveLayout(uint64_t bytes,
                                                   uint32_t members,
                                                   WorkloadParts parts,
                                                   uint32_t channels,
                                                   uint32_t elementBytes,
                                                   const WorkloadChunking& chunking)
    : m_bytes(bytes),
      m_members(members),
      m_parts(parts),
      m_channels(channels),
      m_elementBytes(elementBytes),
      m_chunking(chunking)
{
    if (m_chunking.align != 0 && m_bytes != 0)
    {
        const uint64_t length =
            m_parts == WorkloadParts::OWNED
                ? CutWorkloadRange({0, m_bytes}, 0, m_members, m_elementBytes).Length()
                : m_bytes;
        m_perChannel =
            CeilDivide(CeilDivide(length, channels), m_chunking.align) * m_chunking.align;
        m_channels = static_cast<uint32_t>(CeilDivide(length, m_perChannel));
    }
    m_firstRound.assign(1, 0);
    for (uint32_t channel = 0; channel < m_channels; ++channel)
    {
        m_firstRound.push_back(m_firstRound.back() + CountRounds(channel));
    }
}

WorkloadRange
WorkloadCollectiveLayout::Channel(uint32_t channel, uint32_t part) const
{
    WorkloadRange range{0, m_bytes};
    if (m_parts == WorkloadParts::OWNED)
    {
        range = CutWorkloadRange(range, part, m_members, m_elementBytes);
    }
    return m_perChannel ? Piece(range, channel * m_perChannel, m_perChannel)
                        : CutWorkloadRange(range, channel, m_channels, m_elementBytes);
}

uint64_t
WorkloadCollectiveLayout::CountRounds(uint32_t channel) const
{
    const uint64_t length = Channel(channel, 0).Length(); // no part is longer than the first
    const uint64_t chunk = m_chunking.chunk;
    if (chunk == 0 || length == 0)
    {
        return length != 0;
    }
    const uint64_t chunks = CeilDivide(length, chunk);
    return m_parts == WorkloadParts::SPLIT ? CeilDivide(chunks, m_members) : chunks;
}

WorkloadRange
WorkloadCollectiveLayout::Part(uint32_t channel, uint64_t round, uint32_t part) const
{
    const WorkloadRange all = Channel(channel, part);
    uint64_t chunk = m_chunking.chunk;
    if (m_parts != WorkloadParts::SPLIT)
    {
        return chunk ? Piece(all, round * chunk, chunk) : all;
    }
    const bool last = round + 1 == GetRounds(channel);
    const uint64_t begin = round * chunk * m_members; // chunk * members < length unless last
    const WorkloadRange rest = Piece(all, begin, UINT64_MAX);
    if (last && m_chunking.align == 0)
    {
        return CutWorkloadRange(rest, part, m_members, m_elementBytes);
    }
    if (last)
    {
        // NCCL takes whole chunks again if the last round is a full one.
        const uint64_t even = CeilDivide(rest.Length(), m_members);
        chunk = std::min(chunk, CeilDivide(even, m_chunking.align) * m_chunking.align);
    }
    return Piece(rest, part * chunk, chunk);
}

WorkloadRange
WorkloadCollectiveLayout::Slice(WorkloadRange part, uint32_t slice) const
{
    if (m_chunking.slices == 1)
    {
        return part;
    }
    const uint64_t unit = uint64_t{16} * m_elementBytes;
    const uint64_t even = CeilDivide(part.Length(), unit * m_chunking.slices) * unit;
    const uint64_t length = std::max(even, m_chunking.leastSlice / m_elementBytes * m_elementBytes);
    return Piece(part, slice * length, length);
}

} // namespace ns3
