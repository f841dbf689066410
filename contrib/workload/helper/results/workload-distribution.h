/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_DISTRIBUTION_H
#define WORKLOAD_DISTRIBUTION_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Mean, quantiles and maximum of many times, in bounded memory.
 *
 * All values are kept up to a number; beyond, they are counted in classes whose widths are at most
 * 1/256 of their values, and quantiles are a class' upper bound: too high by less than 0.4 %.
 * Count, mean and maximum are exact always.
 */
class WorkloadDistribution
{
  public:
    /** \param max values that are kept; 8 bytes each */
    explicit WorkloadDistribution(size_t max = 1 << 20)
        : m_limit(max)
    {
    }

    /** \param value at least 0 */
    void Add(int64_t value);

    uint64_t GetCount() const
    {
        return m_count;
    }

    /** \return the mean; 0 if there is no value */
    double GetMean() const
    {
        return m_count ? m_sum / static_cast<double>(m_count) : 0;
    }

    /** \return the largest value; 0 if there is none */
    int64_t GetMax() const
    {
        return m_max;
    }

    /** \return the least value that at least the \p share of all does not exceed, in (0, 1]; 0 if
     * there is none. O(n) */
    int64_t GetQuantile(double share) const;

    /** \return whether quantiles are exact */
    bool IsExact() const
    {
        return m_classes.empty();
    }

  private:
    static size_t ClassOf(uint64_t value);
    static uint64_t UpperBound(size_t number);

    size_t m_limit;
    uint64_t m_count{0};
    double m_sum{0};
    int64_t m_max{0};
    std::vector<int64_t> m_values;
    std::vector<uint64_t> m_classes; //!< values in each; empty as long as all are kept
};

} // namespace ns3

#endif // WORKLOAD_DISTRIBUTION_H
