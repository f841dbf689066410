/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_WHEEL_H
#define RDMA_EVENT_WHEEL_H

#include "rdma-event.h"

#include "ns3/rdma-memory.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup rdma That something is to fire at a time. Outdated if the event has another place by
 * now. */
struct RdmaEventEntry
{
    __extension__ using Key = unsigned __int128;

    uint64_t place; ///< in the order of scheduling
    int64_t time;   ///< time steps; one that has wrapped is negative, and later than all others
    RdmaEvent* event;

    static Key MakeKey(int64_t time, uint64_t place)
    {
        return static_cast<Key>(static_cast<uint64_t>(time)) << 64 | place;
    }

    /** \return what entries are ordered by */
    Key GetKey() const
    {
        return MakeKey(time, place);
    }

    /** \return whether the event fires then; else the entry is outdated */
    bool IsValid() const
    {
        return event->FiresAt(time, place);
    }
};

/**
 * \ingroup rdma
 * \brief Entries of the future, sorted no more than is needed to hand out the earliest some.
 *
 * A hierarchy of buckets, 64 to a level, each as wide as a level below: an entry is in the level of
 * the highest digit (base 64) in which its time differs from that of the wheel. Time comes to a
 * bucket of few entries, which are handed out, or of many, which go into the buckets of lower
 * levels (Varghese and Lauck, SOSP 1987, scheme 7; the rule of few and many is that of Tang, Goh
 * and Thng's ladder queue, TOMACS 2005). So an entry is written and read in sequence a few times,
 * wherever it stands in the order, and however many there are.
 */
class RdmaEventWheel
{
  public:
    /** \param time of the wheel: entries are later; time steps */
    explicit RdmaEventWheel(uint64_t time);
    ~RdmaEventWheel();
    RdmaEventWheel(const RdmaEventWheel&) = delete;
    RdmaEventWheel& operator=(const RdmaEventWheel&) = delete;

    /** \return how many entries it holds */
    size_t GetCount() const
    {
        return m_count;
    }

    /** \param time that the wheel is turned to; only if it is empty */
    void TurnTo(uint64_t time)
    {
        m_time = time;
    }

    /** \param entry later than the time of the wheel */
    void Insert(const RdmaEventEntry& entry)
    {
        ++m_count;
        Put(entry);
    }

    /**
     * Takes the earliest entries out, and all others of their buckets.
     * \param least how many, unless there are fewer
     * \param entries to which they are appended, in no order
     * \return the new time of the wheel, which none of them is later than
     */
    uint64_t Take(size_t least, std::vector<RdmaEventEntry>& entries);

    /** Takes all entries out, and appends them to \p entries in no order. */
    void TakeAll(std::vector<RdmaEventEntry>& entries);

  private:
    static constexpr uint32_t DIGIT_BITS = 6;
    static constexpr uint32_t BUCKETS = 1 << DIGIT_BITS;
    static constexpr uint32_t LEVELS = 64 / DIGIT_BITS + 1;
    static constexpr uint32_t FEW = 64;

    struct Chunk : public RdmaPooled
    {
        static constexpr uint32_t SIZE = 21; //!< makes 512 bytes

        Chunk* next;
        RdmaEventEntry entries[SIZE];
    };

    struct Bucket
    {
        Chunk* first{nullptr}; //!< the others are full
        uint32_t count{0};
        uint32_t inFirst{Chunk::SIZE};
    };

    void Put(const RdmaEventEntry& entry)
    {
        const auto time = static_cast<uint64_t>(entry.time);
        const auto level =
            static_cast<uint32_t>(63 - __builtin_clzll((time ^ m_time) | 1)) / DIGIT_BITS;
        const uint32_t digit = time >> (level * DIGIT_BITS) & (BUCKETS - 1);
        m_filled[level] |= uint64_t{1} << digit;
        m_levels |= 1U << level;
        Bucket& bucket = m_buckets[level][digit];
        if (bucket.inFirst == Chunk::SIZE)
        {
            AddChunk(bucket);
        }
        bucket.first->entries[bucket.inFirst++] = entry;
        ++bucket.count;
    }

    void AddChunk(Bucket& bucket);
    Bucket Remove(uint32_t level, uint32_t digit);

    /** Calls \p use with each entry of \p bucket, which is in the wheel no more. */
    template <typename Use>
    void Empty(Bucket bucket, Use use);

    uint64_t m_time;
    size_t m_count{0};
    uint32_t m_levels{0};                    //!< bit l: level l holds entries
    std::array<uint64_t, LEVELS> m_filled{}; //!< bit d: bucket d of the level holds entries
    std::array<std::array<Bucket, BUCKETS>, LEVELS> m_buckets;
    Chunk* m_free{nullptr};
};

} // namespace ns3

#endif // RDMA_EVENT_WHEEL_H
