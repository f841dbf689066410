/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-units.h"

#include "ns3/input-error.h"
#include "ns3/rdma-arithmetic.h"

namespace ns3
{

void
FailWorkloadLate(const std::string& what)
{
    constexpr int64_t PS_PER_DAY = 86'400'000'000'000'000;
    throw InputError(what + " would not be over after " +
                     std::to_string(RDMA_END_OF_TIME / PS_PER_DAY) +
                     " days of simulated time, the most that can be counted; sizes are bytes, "
                     "durations nanoseconds: make them smaller, or the links faster");
}

} // namespace ns3
