/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_SERIES_H
#define WORMHOLE_CLI_RECORD_SERIES_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormhole
{

/**
 * When samples are taken: every period from an origin on. Whenever there would be more than MOST,
 * the period doubles, and every second sample that was taken before is dropped.
 */
class RecordTimes
{
  public:
    static constexpr int64_t MOST = 2048;
    static constexpr int64_t FIRST_PERIOD_NS = 1000;

    /** Begins. \param ns time of the first sample */
    void Start(int64_t ns)
    {
        m_originNs = ns;
        m_started = true;
    }

    bool HasStarted() const
    {
        return m_started;
    }

    /**
     * Takes the samples that are due; nothing has changed since the first of them. Which they are
     * does not depend on how often this is called.
     * \param ns time that has come
     * \param thin called when the period has doubled
     * \param sample called for each: its number, and whether it is the first one of this call
     */
    template <typename Thin, typename Sample>
    void TakeUpTo(int64_t ns, Thin thin, Sample sample)
    {
        for (bool first = true; m_started && TimeOf(m_next) <= ns;)
        {
            if (m_next >= MOST)
            {
                m_periodNs *= 2;
                m_next = (m_next + 1) / 2;
                thin();
                continue;
            }
            sample(m_next++, std::exchange(first, false));
        }
    }

    /** \return ns of sample \p number */
    int64_t TimeOf(int64_t number) const
    {
        return m_originNs + number * m_periodNs;
    }

    /** \return ns of the next sample */
    int64_t GetNextNs() const
    {
        return TimeOf(m_next);
    }

    /** \return samples taken and kept */
    int64_t GetCount() const
    {
        return m_next;
    }

    int64_t GetPeriodNs() const
    {
        return m_periodNs;
    }

    int64_t GetOriginNs() const
    {
        return m_originNs;
    }

  private:
    int64_t m_originNs{0};
    int64_t m_periodNs{FIRST_PERIOD_NS};
    int64_t m_next{0}; //!< number of the next sample
    bool m_started{false};
};

/** One quantity at these times, kept where it changes. \tparam Value that can be compared */
template <typename Value>
class RecordSeries
{
  public:
    /** \param number of the sample, not lower than before \param value of it */
    void Add(int64_t number, const Value& value)
    {
        if (!m_entries.empty() && m_entries.back().number == number)
        {
            m_entries.pop_back();
        }
        if (m_entries.empty() || !(m_entries.back().value == value))
        {
            m_entries.push_back({static_cast<int32_t>(number), value});
        }
    }

    /** Sample 2 k becomes sample k; the odd ones are dropped. */
    void Thin()
    {
        size_t kept = 0;
        for (const Entry& entry : m_entries)
        {
            const Entry moved{(entry.number + 1) / 2, entry.value};
            kept -= kept > 0 && m_entries[kept - 1].number == moved.number;
            if (kept == 0 || !(m_entries[kept - 1].value == moved.value))
            {
                m_entries[kept++] = moved;
            }
        }
        m_entries.resize(kept);
    }

    /** The last value. \param times of the samples, all taken \param ns when */
    void End(const RecordTimes& times, int64_t ns, const Value& value)
    {
        if (ns == times.TimeOf(times.GetCount() - 1))
        {
            Add(times.GetCount() - 1, value);
            return;
        }
        m_endNs = ns;
        m_end = value;
    }

    bool IsEmpty() const
    {
        return m_entries.empty();
    }

    /**
     * \param times of the samples
     * \param straight whether what lies between two lines is on the straight line between them, so
     * that the last sample before a change is a line too; else a line holds until the next one
     * \param line called for each: ns, and the value
     */
    template <typename Line>
    void ForEachLine(const RecordTimes& times, bool straight, Line line) const
    {
        const Entry* before = nullptr;
        const auto hold = [&](int64_t next) {
            if (straight && before && next > before->number + 1)
            {
                line(times.TimeOf(next - 1), before->value);
            }
        };
        for (const Entry& entry : m_entries)
        {
            hold(entry.number);
            line(times.TimeOf(entry.number), entry.value);
            before = &entry;
        }
        if (before && m_endNs >= 0 && !(before->value == m_end))
        {
            hold(times.GetCount());
            line(m_endNs, m_end);
        }
    }

  private:
    struct Entry
    {
        int32_t number;
        Value value;
    };

    std::vector<Entry> m_entries;
    Value m_end{};
    int64_t m_endNs{-1};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_SERIES_H
