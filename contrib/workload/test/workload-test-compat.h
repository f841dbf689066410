/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TEST_COMPAT_H
#define WORKLOAD_TEST_COMPAT_H

#include "ns3/test.h"

#include <type_traits>

namespace ns3
{

/** Up to ns-3.41, durations are enumerators of TestCase itself. */
template <typename T, typename = void>
struct WorkloadTestDurations
{
    static constexpr auto QUICK = T::QUICK;
};

/** From ns-3.42 on, they are those of a scoped enumeration. */
template <typename T>
struct WorkloadTestDurations<T, std::void_t<typename T::Duration>>
{
    static constexpr auto QUICK = T::Duration::QUICK;
};

/** For AddTestCase. */
inline constexpr auto WORKLOAD_TEST_QUICK = WorkloadTestDurations<TestCase>::QUICK;

/** For a TestSuite's constructor; Type was an unscoped enumeration before ns-3.42. */
inline constexpr auto WORKLOAD_TEST_UNIT = TestSuite::Type::UNIT;

} // namespace ns3

#endif // WORKLOAD_TEST_COMPAT_H
