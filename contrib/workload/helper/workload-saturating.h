/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_SATURATING_H
#define WORKLOAD_SATURATING_H

#include <cstdint>

namespace ns3
{

/** \ingroup workload \return the sum, or UINT64_MAX if it does not fit */
constexpr uint64_t
WorkloadSum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** \ingroup workload \return the product, or UINT64_MAX if it does not fit */
constexpr uint64_t
WorkloadProduct(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/** \ingroup workload \return the product, or UINT64_MAX if it does not fit */
template <typename... Others>
constexpr uint64_t
WorkloadProduct(uint64_t a, uint64_t b, Others... others)
{
    return WorkloadProduct(WorkloadProduct(a, b), others...);
}

/** \ingroup workload \return the quotient, rounded up; \p b is at least 1 */
constexpr uint64_t
WorkloadShare(uint64_t a, uint64_t b)
{
    return a / b + (a % b == 0 ? 0 : 1);
}

} // namespace ns3

#endif // WORKLOAD_SATURATING_H
