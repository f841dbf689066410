/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_KINETO_NUMBER_H
#define WORKLOAD_KINETO_NUMBER_H

#include <cstdint>
#include <string>

namespace ns3
{

/** \ingroup workload A number of a trace, as far as it is a whole one that is not negative. */
struct WorkloadKinetoNumber
{
    bool fits{false};
    uint64_t value{0};
    uint64_t thousand{0}; ///< a thousand times, rounded down: nanoseconds of microseconds
};

/**
 * \ingroup workload
 *
 * Microseconds since 1970 with three decimals have more digits than a double: they are read from
 * the text.
 * \param text of a number with a point or an exponent
 * \param value of it, as a double
 * \return the number
 */
WorkloadKinetoNumber ParseWorkloadKinetoNumber(const std::string& text, double value);

} // namespace ns3

#endif // WORKLOAD_KINETO_NUMBER_H
