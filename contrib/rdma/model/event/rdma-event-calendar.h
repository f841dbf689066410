/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_CALENDAR_H
#define RDMA_EVENT_CALENDAR_H

#include "rdma-event-heap.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Some hundreds of entries of the future, handed out in the order of (time, place).
 *
 * Near time is cut into days (Brown's calendar queue, CACM 1988), each of which has a list of its
 * entries, in order; a bit tells whether there are any. Days are so short that most have one entry
 * at most. What is later than the last day is in a heap. So an entry costs the same however many
 * there are, and hardly a branch depends on when it is: O(1), where a heap takes O(log entries)
 * comparisons, each of which waits for the one before. Entries of one day take a step each.
 *
 * What is inserted must be later than GetEnd(), the end of the day that was taken last.
 */
class RdmaEventCalendar
{
  public:
    using Entry = RdmaEventEntry;

    RdmaEventCalendar();

    /** \return how many entries it holds */
    size_t GetCount() const
    {
        return m_near + m_far.GetSize();
    }

    /** \return the end of the day that was taken last; time steps */
    uint64_t GetEnd() const
    {
        return ((m_today + 1) << m_shift) - 1;
    }

    /** \return whether \p time, not after GetEnd(), is of an earlier day */
    bool IsBeforeToday(int64_t time) const
    {
        return static_cast<uint64_t>(time) >> m_shift < m_today;
    }

    /** Begins on the day of the first of \p entries, of which there is one at least, with days of a
     * length that suits them, or what was inserted before; only if it is empty. None of them is
     * inserted. */
    void Begin(const std::vector<Entry>& entries);

    /** \param entry later than GetEnd() \return whether IsUnfit may have changed, or there may
     * be more entries than ever */
    bool Insert(const Entry& entry)
    {
        const uint64_t day = static_cast<uint64_t>(entry.time) >> m_shift;
        const uint32_t at = day % DAYS;
        uint64_t& word = m_filled[at / 64];
        const uint64_t bit = uint64_t{1} << at % 64;
        const uint32_t slip = m_free;
        Slip& s = m_slips[slip];
        // one question for what is rare, and no branch before that leads here
        if ((day - m_today >= DAYS - 64) | ((word & bit) != 0) | (s.next == 0))
        {
            InsertAside(entry.place, entry.time, entry.event);
            return true;
        }
        ++m_near;
        m_free = s.next;
        s.entry.place = entry.place; // its parts one by one: they have just been written so
        s.entry.time = entry.time;
        s.entry.event = entry.event;
        s.next = slip;
        word |= bit;
        m_words |= uint64_t{1} << at / 64;
        m_last[at] = slip;
        return false;
    }

    /** Takes note that an entry was not inserted, but put to many others of today. */
    void NoteCrowd()
    {
        ++m_crowded;
    }

    /** \return whether many entries did not suit the length of days, so that it is time to take all
     * and to begin again */
    bool IsUnfit() const
    {
        return m_tooFar + m_crowded >= m_bearable;
    }

    /** Moves the entries of the first day into \p heap; only if there are any. */
    void Take(RdmaEventHeap& heap);

    /** As Take, unless what is first is far, or there is nothing. \param heap has none that are
     * later \return GetEnd() */
    uint64_t TakeNear(RdmaEventHeap& heap)
    {
        if (m_words)
        {
            const uint64_t day = FindDay();
            if (day < m_farDay)
            {
                m_today = day;
                TakeDay(day % DAYS, heap);
            }
        }
        return GetEnd();
    }

    /** Takes all entries out, and appends them to \p entries in no order. */
    void TakeAll(std::vector<Entry>& entries);

  private:
    static constexpr uint32_t DAYS = 4096;  //!< 64 words of 64 bits
    static constexpr uint64_t FAR_COST = 4; //!< of a far entry, in steps over others of its day
    static constexpr uint64_t BEARABLE = 1024;

    /** An entry, and the next one of its day; after the last, the first. */
    struct alignas(32) Slip
    {
        Entry entry;
        uint32_t next;
    };

    /** \return the first day that has entries; only if one has */
    uint64_t FindDay() const
    {
        // no day of the next turn is in the word of today, whose earlier days are over; no branch,
        // since nobody could guess it
        const uint32_t from = m_today % DAYS;
        const uint32_t word = from / 64;
        const uint64_t turned = m_words >> word | m_words << (64 - word) % 64;
        const uint32_t found = (word + static_cast<uint32_t>(__builtin_ctzll(turned))) % 64;
        const uint32_t at = found * 64 + static_cast<uint32_t>(__builtin_ctzll(m_filled[found]));
        return m_today + (at - from) % DAYS;
    }

    /** Appends the entries of day \p at, of which there are some, to \p heap. */
    void TakeDay(uint32_t at, RdmaEventHeap& heap)
    {
        uint64_t& word = m_filled[at / 64];
        word &= word - 1; // it is the first of all
        m_words &= ~(uint64_t{!word} << at / 64);
        const uint32_t last = m_last[at];
        Slip& s = m_slips[last];
        const uint32_t first = s.next;
        if (first != last)
        {
            TakeMany(first, last, heap);
        }
        heap.Append(s.entry);
        --m_near;
        s.next = m_free;
        m_free = first;
    }

    void Adapt();
    void AddSlips();
    void AddToDay(uint32_t at, uint32_t slip);
    void InsertAside(uint64_t place, int64_t time, RdmaEvent* event);
    __attribute__((noinline)) void TakeMany(uint32_t first, uint32_t last, RdmaEventHeap& heap);
    void FindFarDay();

    static constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max();

    uint64_t m_today{0};           //!< day that was taken last; times from it on, shifted
    uint64_t m_farDay{NEVER};      //!< of the first far entry; NEVER if there is none
    uint32_t m_shift{0};           //!< a day has 2^m_shift time steps
    uint32_t m_free{0};            //!< first slip without an entry; there is one at least
    uint64_t m_words{0};           //!< bit w: m_filled[w] has bits
    size_t m_near{0};              //!< entries that are not far
    bool m_begun{false};           //!< whether m_shift has been chosen
    bool m_longer{false};          //!< days became longer when they were adapted last, not shorter
    uint64_t m_tooFar{0};          //!< cost of entries beyond the last day since
    uint64_t m_crowded{0};         //!< cost of several entries of a day since
    uint64_t m_bearable{BEARABLE}; //!< both, until days are adapted
    std::vector<Slip> m_slips;
    RdmaEventHeap m_far;                        //!< of later days, when they were inserted
    std::array<uint64_t, DAYS / 64> m_filled{}; //!< bit d: the day has entries
    std::array<uint32_t, DAYS> m_last;          //!< slip of each such day
};

} // namespace ns3

#endif // RDMA_EVENT_CALENDAR_H
