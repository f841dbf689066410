/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "student.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>

namespace wormhole
{

StudentMean
MeanOfSample(const std::vector<double>& values)
{
    constexpr double OUTSIDE = 0.05 / 2; // on either side of the interval
    const auto count = static_cast<double>(values.size());
    StudentMean result;
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
    if (values.size() < 2)
    {
        return result;
    }
    double squares = 0;
    for (const double value : values)
    {
        squares += (value - result.mean) * (value - result.mean);
    }
    const double error = std::sqrt(squares / (count - 1) / count);
    if (error <= 0)
    {
        result.half = 0;
        result.p = result.mean == 0 ? 1 : 0;
        return result;
    }
    const boost::math::students_t t(count - 1);
    result.half = boost::math::quantile(boost::math::complement(t, OUTSIDE)) * error;
    result.p = 2 * boost::math::cdf(boost::math::complement(t, std::abs(result.mean) / error));
    return result;
}

} // namespace wormhole
