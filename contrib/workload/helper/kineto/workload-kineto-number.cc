/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-kineto-number.h"

#include <cmath>
#include <cstddef>

namespace ns3
{

namespace
{

/** Takes the digits of \p text from \p at on. \return false if the number does not fit */
bool
TakeDecimalDigits(const std::string& text, size_t& at, size_t most, uint64_t& number)
{
    constexpr uint64_t MOST = UINT64_MAX / 10000; // fits a thousand times
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
    {
        if (most > 0)
        {
            --most;
            number = 10 * number + static_cast<uint64_t>(text[at] - '0');
        }
        if (number > MOST)
        {
            return false;
        }
    }
    return true;
}

} // namespace

WorkloadKinetoNumber
ParseWorkloadKinetoNumber(const std::string& text, double value)
{
    WorkloadKinetoNumber number;
    size_t at = 0;
    bool exact = TakeDecimalDigits(text, at, text.size(), number.value) && at > 0;
    uint64_t decimals = 0;
    size_t count = 0;
    if (exact && at < text.size() && text[at] == '.')
    {
        const size_t first = ++at;
        exact = TakeDecimalDigits(text, at, 3, decimals);
        count = at - first;
    }
    if (exact && at == text.size()) // no exponent
    {
        for (; count < 3; ++count)
        {
            decimals *= 10;
        }
        return {true, number.value, 1000 * number.value + decimals};
    }
    if (!(value >= 0 && value < 0x1p53))
    {
        return {};
    }
    const double thousand = std::floor(value * 1000);
    return {true,
            static_cast<uint64_t>(value),
            thousand < 0x1p63 ? static_cast<uint64_t>(thousand) : UINT64_MAX};
}

} // namespace ns3
