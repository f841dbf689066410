/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_STUDENT_H
#define WORMHOLE_CLI_STUDENT_H

#include <optional>
#include <vector>

namespace wormhole
{

/** A sample's mean, and how sure it is. */
struct StudentMean
{
    double mean{0};
    std::optional<double>
        half;                ///< of the 95 % confidence interval, on either side; none of 1 value
    std::optional<double> p; ///< probability of a mean as far from 0, if the true one is 0
};

/**
 * Student's t with one degree of freedom less than there are values (Student, Biometrika 6, 1908):
 * for values of a normal distribution. Of the differences between pairs, this is the paired test.
 * \param values 1 at least
 */
StudentMean MeanOfSample(const std::vector<double>& values);

} // namespace wormhole

#endif // WORMHOLE_CLI_STUDENT_H
