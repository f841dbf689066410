/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TEST_COMPAT_H
#define RDMA_TEST_COMPAT_H

#include "ns3/test.h"

#include <type_traits>

namespace ns3
{

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct RdmaTestDurations
{
    static constexpr auto QUICK = T::QUICK;
    static constexpr auto TAKES_FOREVER = T::TAKES_FOREVER;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct RdmaTestDurations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
    static constexpr auto TAKES_FOREVER = T::Duration::TAKES_FOREVER;
};

/** For AddTestCase. */
inline constexpr auto RDMA_TEST_QUICK = RdmaTestDurations<TestCase>::QUICK;
/** For AddTestCase in a suite whose name ends in "-slow". */
inline constexpr auto RDMA_TEST_SLOW = RdmaTestDurations<TestCase>::TAKES_FOREVER;

/** For a TestSuite's constructor; Type was an unscoped enumeration before ns-3.42. */
inline constexpr auto RDMA_TEST_UNIT = TestSuite::Type::UNIT;
/** For a TestSuite's constructor: a test of several components together. */
inline constexpr auto RDMA_TEST_SYSTEM = TestSuite::Type::SYSTEM;

} // namespace ns3

#endif // RDMA_TEST_COMPAT_H
