/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "step-series.h"

#include <algorithm>
#include <set>
#include <utility>

namespace wormhole
{

void
StepSeries::Set(double time, double value)
{
    if (!times.empty() && times.back() >= time)
    {
        values.back() = value;
        return;
    }
    if (values.empty() || values.back() < value || values.back() > value)
    {
        times.push_back(time);
        values.push_back(value);
    }
}

void
StepSeries::Thin(size_t most)
{
    constexpr size_t KEPT = 3; // least, greatest, last
    if (times.size() <= most)
    {
        return;
    }
    const size_t parts = std::max<size_t>(most / KEPT, 1);
    const double width = (times.back() - times.front()) / static_cast<double>(parts);
    StepSeries thin;
    size_t begin = 0;
    for (size_t part = 0; part < parts && begin < times.size(); ++part)
    {
        const double until = times.front() + width * static_cast<double>(part + 1);
        const size_t end =
            part + 1 == parts
                ? times.size()
                : static_cast<size_t>(std::lower_bound(times.begin(), times.end(), until) -
                                      times.begin());
        if (begin == end)
        {
            continue;
        }
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = values.begin() + static_cast<std::ptrdiff_t>(end);
        const auto [least, greatest] = std::minmax_element(first, last);
        for (const size_t i : std::set<size_t>{static_cast<size_t>(least - values.begin()),
                                               static_cast<size_t>(greatest - values.begin()),
                                               end - 1})
        {
            thin.times.push_back(times[i]);
            thin.values.push_back(values[i]);
        }
        begin = end;
    }
    *this = std::move(thin);
}

} // namespace wormhole
