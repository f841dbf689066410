/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_UNITS_H
#define WORKLOAD_UNITS_H

#include <cstdint>
#include <string>

namespace ns3
{

constexpr int64_t WORKLOAD_PS_PER_NS = 1000;
constexpr int64_t WORKLOAD_NS_PER_US = 1000;

constexpr uint32_t WORKLOAD_MOST_RANKS = 1U << 20; // of a workload that is generated

/** \ingroup workload Says that simulated time does not suffice. \param what FILE:LINE and what
 * would be over too late \throws InputError */
[[noreturn]] void FailWorkloadLate(const std::string& what);

} // namespace ns3

#endif // WORKLOAD_UNITS_H
