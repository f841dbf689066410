/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_BUSY_TIME_H
#define WORKLOAD_BUSY_TIME_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief How long at least one of many spans of time is under way: the measure of their union, in
 * bounded memory.
 *
 * Spans come in any order; in the order of their ends each costs O(1) amortised. Up to MOST
 * stretches of busy time are told apart. Beyond, the older ones are joined in pairs, keeping how
 * much of them is busy; only a span that begins or ends within such a pair is then estimated, and
 * GetUncertainty() says by how much the total may be wrong.
 */
class WorkloadBusyTime
{
  public:
    /** Stretches that are told apart. */
    static constexpr size_t MAX = 256;

    /** \param begin ps \param end ps, not before \p begin */
    void Add(int64_t begin, int64_t end);

    /** Forgets all after a time. \param end ps */
    void Cut(int64_t end);

    /** \return the measure of the union, ps */
    int64_t GetTotal() const
    {
        return m_total;
    }

    /** \return largest error of the total, ps; 0 if it is exact */
    int64_t GetUncertainty() const
    {
        return m_uncertainty;
    }

  private:
    struct Stretch
    {
        int64_t begin;
        int64_t end;
        int64_t busy; //!< of it, ps
    };

    void Join(size_t first, size_t last, int64_t begin, int64_t end);
    int64_t Outside(const Stretch& stretch, int64_t begin, int64_t end);
    void Coarsen();

    std::vector<Stretch> m_stretches; //!< by time, none touching another
    int64_t m_total{0};
    int64_t m_uncertainty{0};
};

} // namespace ns3

#endif // WORKLOAD_BUSY_TIME_H
