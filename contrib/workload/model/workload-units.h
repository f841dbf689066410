/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_UNITS_H
#define WORKLOAD_UNITS_H

#include <cstdint>

namespace ns3
{

constexpr int64_t WORKLOAD_PS_PER_NS = 1000;
constexpr int64_t WORKLOAD_NS_PER_US = 1000;

constexpr double WORKLOAD_LONGEST_PS = 4e18; // a time that can be counted: 46 days

constexpr uint32_t WORKLOAD_MOST_RANKS = 1U << 20; // of a workload that is generated

} // namespace ns3

#endif // WORKLOAD_UNITS_H
