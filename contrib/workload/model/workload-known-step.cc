/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-known-step.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/** Part of its length by which messages of a step may start at other times than in one that is
 * known: one simulated with fast-forward is not exact. */
constexpr double STEP_START_TOLERANCE = 5e-4;

} // namespace

int64_t
WorkloadKnownStep::GetTolerance() const
{
    return isOver
               ? static_cast<int64_t>(STEP_START_TOLERANCE * static_cast<double>(events.back().at))
               : -1;
}

bool
WorkloadKnownStep::IsNear(const std::vector<int64_t>& times) const
{
    return std::equal(times.begin(),
                      times.end(),
                      starts.begin(),
                      [most = GetTolerance()](auto a, auto b) { return std::abs(a - b) <= most; });
}

int64_t
WorkloadKnownStep::LargestDifference(const WorkloadKnownStep& other) const
{
    std::map<std::pair<uint32_t, bool>, int64_t> expected;
    for (const Event& event : events)
    {
        expected[{event.place, event.isEnd}] = event.at;
    }
    int64_t most = 0;
    for (const Event& event : other.events)
    {
        most = std::max(most, std::abs(event.at - expected[{event.place, event.isEnd}]));
    }
    return most;
}

} // namespace ns3
