/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_MEDIANS_H
#define HARNESS_MEDIANS_H

#include <nlohmann/json.hpp>
#include <vector>

namespace harness
{

/** \return the middle of \p values, at least one; between two, their mean */
double Median(std::vector<double> values);

/** \return the first of \p runs, at least one, which have the same keys, with the median of all
 * in place of each number; also in the objects in it */
nlohmann::json MedianRun(const std::vector<nlohmann::json>& runs);

} // namespace harness

#endif // HARNESS_MEDIANS_H
