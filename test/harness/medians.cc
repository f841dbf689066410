/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "medians.h"

#include <algorithm>

namespace harness
{

double
Median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

nlohmann::json
MedianRun(const std::vector<nlohmann::json>& runs)
{
    nlohmann::json result = runs.front();
    for (auto& [key, value] : result.items())
    {
        std::vector<nlohmann::json> values;
        for (const nlohmann::json& run : runs)
        {
            values.push_back(run.at(key));
        }
        const auto isSame = [&value = value](const nlohmann::json& v) { return v == value; };
        if (value.is_object())
        {
            value = MedianRun(values);
        }
        else if (value.is_number() && !std::all_of(values.begin(), values.end(), isSame))
        {
            value = Median({values.begin(), values.end()}); // counts that all share stay whole
        }
    }
    return result;
}

} // namespace harness
