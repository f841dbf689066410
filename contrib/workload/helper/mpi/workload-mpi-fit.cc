/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-fit.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

using Times = std::vector<WorkloadMpiTime>;

double
At(const WorkloadMpiLine& line, uint64_t bytes)
{
    const uint64_t more = bytes == 0 ? 0 : bytes - 1;
    return line.base + line.perByte * static_cast<double>(more);
}

/** \return the line with the least squares of relative errors, for the times [first, end) */
WorkloadMpiLine
LineThrough(const Times& times, size_t first, size_t end, double least)
{
    double w = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
    for (size_t i = first; i < end; ++i)
    {
        const auto more = static_cast<double>(times[i].bytes - 1);
        const double weight = 1 / (times[i].ns * times[i].ns);
        w += weight;
        x += weight * more;
        y += weight * times[i].ns;
        xx += weight * more * more;
        xy += weight * more * times[i].ns;
    }
    WorkloadMpiLine line{times[first].bytes, y / w, 0};
    const double spread = xx - x * x / w;
    if (end - first > 1 && spread > 0)
    {
        line.perByte = std::max((xy - x * y / w) / spread, 0.0);
        line.base = (y - line.perByte * x) / w;
    }
    if (line.base < least)
    {
        line.base = least;
        line.perByte = xx > 0 ? std::max((xy - least * x) / xx, 0.0) : 0;
    }
    return line;
}

bool
IsNear(const WorkloadMpiLine& line, const Times& times, size_t first, size_t end, double tolerance)
{
    return std::all_of(times.begin() + static_cast<std::ptrdiff_t>(first),
                       times.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const WorkloadMpiTime& time) {
                           return std::abs(At(line, time.bytes) - time.ns) <= tolerance * time.ns;
                       });
}

} // namespace

std::vector<WorkloadMpiLine>
FitWorkloadMpiLines(const Times& times, double least, double tolerance)
{
    std::vector<WorkloadMpiLine> lines;
    for (size_t first = 0; first < times.size();)
    {
        size_t over = first + 1;
        WorkloadMpiLine best = LineThrough(times, first, over, least);
        for (size_t end = first + 2; end <= times.size(); ++end)
        {
            const WorkloadMpiLine line = LineThrough(times, first, end, least);
            if (IsNear(line, times, first, end, tolerance))
            {
                best = line;
                over = end;
            }
        }
        lines.push_back(best);
        first = over;
    }
    return lines;
}

WorkloadMpiLine
WorkloadMpiLineFrom(const WorkloadMpiLine& line, double least, uint64_t bytes)
{
    if (line.base >= least)
    {
        return line;
    }
    const double over = At(line, bytes) - least;
    return {line.from, least, bytes > 1 ? std::max(over / static_cast<double>(bytes - 1), 0.0) : 0};
}

double
WorkloadMpiTimeOf(const std::vector<WorkloadMpiLine>& lines, uint64_t bytes)
{
    const auto next =
        std::upper_bound(lines.begin(), lines.end(), bytes, [](uint64_t size, const auto& line) {
            return size < line.from;
        });
    return At(next == lines.begin() ? lines.front() : *std::prev(next), bytes);
}

} // namespace ns3
