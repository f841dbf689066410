/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ARITHMETIC_H
#define RDMA_ARITHMETIC_H

#include <cmath>
#include <cstdint>

namespace ns3
{

// Sums of times and bytes that stop at the end of their range instead of wrapping.

/** \ingroup rdma Simulated time ends here, in steps of the clock (ps: 104 days): nothing happens at
 * it or later. What is added to an earlier time may reach beyond, but not wrap. */
constexpr int64_t RDMA_END_OF_TIME = 9'000'000'000'000'000'000;

/** \ingroup rdma \return \p time plus \p span, or INT64_MAX if it does not fit; neither is negative
 */
constexpr int64_t
RdmaLater(int64_t time, int64_t span)
{
    return span > INT64_MAX - time ? INT64_MAX : time + span;
}

/** \ingroup rdma \return a time from 0 in whole steps, rounded, or INT64_MAX if it does not fit */
inline int64_t
RdmaSteps(double time)
{
    return time < static_cast<double>(RDMA_END_OF_TIME) ? std::llround(time) : INT64_MAX;
}

/** \ingroup rdma \return the sum, or UINT64_MAX if it does not fit */
constexpr uint64_t
RdmaSum(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/** \ingroup rdma \return the product, or UINT64_MAX if it does not fit */
constexpr uint64_t
RdmaProduct(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/** \ingroup rdma \return the product, or UINT64_MAX if it does not fit */
template <typename... Others>
constexpr uint64_t
RdmaProduct(uint64_t a, uint64_t b, Others... others)
{
    return RdmaProduct(RdmaProduct(a, b), others...);
}

/** \ingroup rdma \return the quotient, rounded up; \p b is at least 1 */
constexpr uint64_t
RdmaShare(uint64_t a, uint64_t b)
{
    return a / b + (a % b == 0 ? 0 : 1);
}

} // namespace ns3

#endif // RDMA_ARITHMETIC_H
