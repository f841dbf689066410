/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-cycles.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return whether every operation stands before those that wait for it */
bool
PointsForward(const WorkloadRank& rank)
{
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
        {
            if (w->Operation() <= i)
            {
                return false;
            }
        }
    }
    return true;
}

/** \return of each operation how many of those that it waits for cannot be put before it */
std::vector<uint32_t>
CountUnsorted(const WorkloadRank& rank)
{
    std::vector<uint32_t> missing;
    std::vector<uint32_t> sorted;
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        missing.push_back(rank.operations[i].dependencies);
        if (missing.back() == 0)
        {
            sorted.push_back(i);
        }
    }
    for (size_t i = 0; i < sorted.size(); ++i)
    {
        for (const auto* w = rank.BeginWaiters(sorted[i]); w != rank.EndWaiters(sorted[i]); ++w)
        {
            if (--missing[w->Operation()] == 0)
            {
                sorted.push_back(w->Operation());
            }
        }
    }
    return missing;
}

} // namespace

void
FindWorkloadCircles(uint32_t count,
                    const std::function<uint32_t(uint32_t)>& next,
                    const std::function<void(const std::vector<uint32_t>&)>& found)
{
    // when a walk first came here; the number of the walk is that of its first member, plus 1
    std::vector<uint32_t> walk(count);
    std::vector<uint32_t> path;
    for (uint32_t first = 0; first < count; ++first)
    {
        path.clear();
        uint32_t at = first;
        while (at != WORKLOAD_NOBODY && walk[at] == 0)
        {
            walk[at] = first + 1;
            path.push_back(at);
            at = next(at);
        }
        if (at == WORKLOAD_NOBODY || walk[at] != first + 1)
        {
            continue;
        }
        std::vector<uint32_t> circle(std::find(path.begin(), path.end(), at), path.end());
        std::rotate(circle.begin(), std::min_element(circle.begin(), circle.end()), circle.end());
        found(circle);
    }
}

void
FindWorkloadCycles(const WorkloadRank& rank,
                   const std::function<void(const std::vector<uint32_t>&)>& found)
{
    if (PointsForward(rank))
    {
        return;
    }
    const std::vector<uint32_t> missing = CountUnsorted(rank);
    std::vector<uint32_t> waitsFor(rank.operations.size(), WORKLOAD_NOBODY);
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        for (const auto* w = rank.BeginWaiters(i); missing[i] && w != rank.EndWaiters(i); ++w)
        {
            if (missing[w->Operation()])
            {
                waitsFor[w->Operation()] = i;
            }
        }
    }
    FindWorkloadCircles(
        static_cast<uint32_t>(waitsFor.size()),
        [&waitsFor](uint32_t i) { return waitsFor[i]; },
        found);
}

} // namespace ns3
