/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/approach.h"

#include <chrono>
#include <cmath>
#include <cstddef>

namespace wormhole
{
namespace
{

double
InSeconds(Duration time)
{
    return std::chrono::duration<double>(time).count();
}

} // namespace

Rate
Approach::After(Rate rate, Duration time) const
{
    const double to = target.InBytesPerSecond();
    const double off = rate.InBytesPerSecond() - to;
    return speed > 0 ? Rate::BytesPerSecond(to + off * std::exp(-speed * InSeconds(time))) : rate;
}

Rate
Approach::Mean(Rate rate, Duration time) const
{
    const double turns = speed * InSeconds(time);
    const double to = target.InBytesPerSecond();
    const double off = rate.InBytesPerSecond() - to;
    return turns > 0 ? Rate::BytesPerSecond(to - off * std::expm1(-turns) / turns) : rate;
}

void
Follow(std::vector<Rate>& rates, const std::vector<Approach>& approaches, Duration time)
{
    for (std::size_t i = 0; i < approaches.size(); ++i)
    {
        rates[i] = approaches[i].After(rates[i], time);
    }
}

} // namespace wormhole
