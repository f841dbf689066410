/*
 * SPDX-License-Identifier: MIT
 */
#include "steady-judgement.h"
#include "wormhole/error.h"

#include <cmath>
#include <sstream>
#include <string>

namespace wormhole
{
namespace
{

template <class T>
void
Require(bool valid, const char* name, T value, const std::string& range)
{
    if (!valid)
    {
        std::ostringstream text;
        text << "SteadyStateOptions::" << name << " is " << value << ", but must be " << range;
        throw UsageError(text.str());
    }
}

} // namespace

const SteadyStateOptions&
Validated(const SteadyStateOptions& options)
{
    Require(options.theta > 0 && options.theta < 1, "theta", options.theta, "above 0 and below 1");
    Require(options.window >= 4 && options.window <= 65535,
            "window",
            options.window,
            "4 to 65535 samples");
    Require(options.maxPeriod >= options.window && options.maxPeriod <= 1000000,
            "maxPeriod",
            options.maxPeriod,
            "window (" + std::to_string(options.window) + ") to 1000000 samples");
    Require(options.periods >= 2 && options.periods <= 64, "periods", options.periods, "2 to 64");
    Require(options.queueTolerance >= 0 && std::isfinite(options.queueTolerance),
            "queueTolerance",
            options.queueTolerance,
            "0 or more, and finite");
    return options;
}

} // namespace wormhole
