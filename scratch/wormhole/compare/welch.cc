/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "welch.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace wormhole
{

namespace
{

/** A sample's mean, and how sure that is. */
struct Mean
{
    double value{0};
    double variance{0}; ///< of the mean
    double freedom{0};  ///< degrees of
};

Mean
MeanAndError(const std::vector<double>& sample)
{
    const auto count = static_cast<double>(sample.size());
    const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / count;
    double squares = 0;
    for (const double value : sample)
    {
        squares += (value - mean) * (value - mean);
    }
    return {mean, squares / (count - 1) / count, count - 1};
}

} // namespace

MeanDifference
WelchDifference(const std::vector<double>& from, const std::vector<double>& to)
{
    constexpr double OUTSIDE = 0.05 / 2; // on either side of the interval
    const Mean a = MeanAndError(from);
    const Mean b = MeanAndError(to);
    const double variance = a.variance + b.variance;
    const double difference = b.value - a.value;
    if (variance <= 0)
    {
        return {difference, difference, difference};
    }
    const double shareA = a.variance / variance;
    const double shareB = b.variance / variance;
    const double freedom = 1 / (shareA * shareA / a.freedom + shareB * shareB / b.freedom);
    const boost::math::students_t t(freedom);
    const double half =
        boost::math::quantile(boost::math::complement(t, OUTSIDE)) * std::sqrt(variance);
    return {difference, difference - half, difference + half};
}

} // namespace wormhole
