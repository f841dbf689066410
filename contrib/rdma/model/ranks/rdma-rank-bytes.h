/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANK_BYTES_H
#define RDMA_RANK_BYTES_H

#include "rdma-ranks.h"

#include "ns3/abort.h"

#include <cstring>
#include <type_traits>

namespace ns3
{

/** \ingroup rdma Writes what a rank tells another: the same program runs there, so values go as
 * they are in memory. */
class RdmaRankWriter
{
  public:
    explicit RdmaRankWriter(RdmaRanks::Bytes& bytes)
        : m_bytes(bytes)
    {
    }

    template <typename T>
    void Put(const T& value)
    {
        PutMany(&value, 1);
    }

    template <typename T>
    void PutList(const std::vector<T>& list)
    {
        Put(uint64_t{list.size()});
        PutMany(list.data(), list.size());
    }

  private:
    template <typename T>
    void PutMany(const T* values, size_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>, "its bytes are sent");
        const auto* const begin = reinterpret_cast<const std::byte*>(values);
        m_bytes.insert(m_bytes.end(), begin, begin + count * sizeof(T));
    }

    RdmaRanks::Bytes& m_bytes;
};

/** \ingroup rdma Reads what RdmaRankWriter wrote, in the same order. */
class RdmaRankReader
{
  public:
    explicit RdmaRankReader(const RdmaRanks::Bytes& bytes)
        : m_bytes(bytes)
    {
    }

    template <typename T>
    T Take()
    {
        T value;
        TakeMany(&value, 1);
        return value;
    }

    template <typename T>
    void TakeList(std::vector<T>& list)
    {
        const auto count = Take<uint64_t>();
        Check(count, sizeof(T));
        list.resize(count);
        TakeMany(list.data(), count);
    }

    bool IsAtEnd() const
    {
        return m_at == m_bytes.size();
    }

  private:
    void Check(uint64_t count, size_t size) const
    {
        NS_ABORT_MSG_IF(count > (m_bytes.size() - m_at) / size,
                        "RdmaRanks: a rank has sent too little; do all run the same program?");
    }

    template <typename T>
    void TakeMany(T* values, uint64_t count)
    {
        static_assert(std::is_trivially_copyable_v<T>, "its bytes are sent");
        Check(count, sizeof(T));
        if (count > 0)
        {
            std::memcpy(values, m_bytes.data() + m_at, count * sizeof(T));
        }
        m_at += count * sizeof(T);
    }

    const RdmaRanks::Bytes& m_bytes;
    size_t m_at{0};
};

} // namespace ns3

#endif // RDMA_RANK_BYTES_H
