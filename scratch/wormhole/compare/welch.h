/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WELCH_H
#define WORMHOLE_CLI_WELCH_H

#include <vector>

namespace wormhole
{

/** How far two means are apart. */
struct MeanDifference
{
    double difference{0};
    double low{0}; ///< of the 95 % confidence interval
    double high{0};
};

/**
 * Welch's interval: for samples of normal distributions whose variances may differ, with Student's
 * t at the degrees of freedom of Welch and Satterthwaite (B. L. Welch, Biometrika 34, 1947).
 * \param from at least 2 values
 * \param to at least 2 values
 * \return mean of \p to minus mean of \p from, and an interval without width if no value differs
 * from its sample's mean
 */
MeanDifference WelchDifference(const std::vector<double>& from, const std::vector<double>& to);

} // namespace wormhole

#endif // WORMHOLE_CLI_WELCH_H
