/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_LATER_H
#define RDMA_EVENT_LATER_H

#include "rdma-event-calendar.h"
#include "rdma-event-wheel.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Entries that are not due next, where there are too many for a heap: in a calendar if they
 * are hundreds, in a wheel if they are more.
 */
class RdmaEventLater
{
  public:
    using Entry = RdmaEventEntry;

    static constexpr uint64_t NO_END = std::numeric_limits<uint64_t>::max();

    RdmaEventLater();
    ~RdmaEventLater();
    RdmaEventLater(RdmaEventLater&& other) noexcept;
    RdmaEventLater& operator=(RdmaEventLater&& other) noexcept;

    /** \return after which time entries are here; time steps, or NO_END if none is */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** \return what they are in; null if it is not a calendar */
    RdmaEventCalendar* GetCalendar()
    {
        return m_inCalendar ? m_calendar.get() : nullptr;
    }

    /** \return what they are in; null if it is not a wheel */
    RdmaEventWheel* GetWheel()
    {
        return m_inWheel ? m_wheel.get() : nullptr;
    }

    bool IsWheel() const
    {
        return m_inWheel;
    }

    /** What may be here is later than the first of \p entries; only if nothing is here. */
    void BeginCalendar(const std::vector<Entry>& entries);

    /** The same with a wheel. */
    void BeginWheel(const std::vector<Entry>& entries);

    /** \param entry later than GetEnd() \return whether IsUnfit may have changed */
    bool Insert(const Entry& entry)
    {
        return m_inCalendar ? m_calendar->Insert(entry) : InsertIntoWheel(entry);
    }

    /** \return whether it is time to take all out, and to begin again: a calendar's days are of the
     * wrong length, or it has \p most entries or more */
    bool IsUnfit(size_t most) const
    {
        return m_inCalendar && (m_calendar->IsUnfit() || m_calendar->GetCount() >= most);
    }

    /** Takes all entries out, and appends them to \p entries in no order. */
    void TakeAll(std::vector<Entry>& entries);

    /** Takes the earliest \p least entries, at least, out of the wheel, and appends them to
     * \p entries in no order. */
    void TakeFromWheel(size_t least, std::vector<Entry>& entries);

    /** Moves the first day of the calendar to \p heap. */
    void TakeFromCalendar(RdmaEventHeap& heap);

    /** As that, if it is near; \p heap has none that are later. */
    void TakeNear(RdmaEventHeap& heap);

  private:
    bool InsertIntoWheel(const Entry& entry);

    uint64_t m_end{NO_END};
    bool m_inCalendar{false};
    bool m_inWheel{false};
    std::unique_ptr<RdmaEventCalendar> m_calendar; //!< null if it was never needed
    std::unique_ptr<RdmaEventWheel> m_wheel;       //!< as well
};

} // namespace ns3

#endif // RDMA_EVENT_LATER_H
