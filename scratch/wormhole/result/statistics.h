/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_STATISTICS_H
#define WORMHOLE_CLI_STATISTICS_H

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace wormhole
{

/** What a list of numbers looks like; all 0 for an empty one. */
struct Statistics
{
    double mean{0};
    double p50{0}; ///< the least value that at least half of the list does not exceed
    double p90{0};
    double p95{0};
    double p99{0};
    double max{0};
};

/** \return the statistics of the values, in any order. O(n log n) */
template <typename T>
Statistics
Describe(std::vector<T> values)
{
    if (values.empty())
    {
        return {};
    }
    std::sort(values.begin(), values.end());
    const auto count = static_cast<double>(values.size());
    auto rank = [&](double share) {
        const auto place = static_cast<size_t>(std::ceil(share * count));
        return static_cast<double>(values[std::max<size_t>(place, 1) - 1]);
    };
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {sum / count,
            rank(0.5),
            rank(0.9),
            rank(0.95),
            rank(0.99),
            static_cast<double>(values.back())};
}

/** \return R. Jain's index of fairness (DEC-TR-301, 1984), sum^2 / (n sum of squares): 1 if all
 * values are equal, 1 / n if only one is not 0. \param values one at least is more than 0 */
inline double
JainIndex(const std::vector<double>& values)
{
    double sum = 0;
    double squares = 0;
    for (const double value : values)
    {
        sum += value;
        squares += value * value;
    }
    return sum * sum / (static_cast<double>(values.size()) * squares);
}

} // namespace wormhole

#endif // WORMHOLE_CLI_STATISTICS_H
