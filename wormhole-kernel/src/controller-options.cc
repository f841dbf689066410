/*
 * SPDX-License-Identifier: MIT
 */
#include "controller-impl.h"
#include "wormhole/error.h"

#include <cmath>
#include <sstream>

namespace wormhole
{
namespace
{

/** \throws UsageError unless \p valid */
void
Require(bool valid, const char* option, double value, const char* range)
{
    if (!valid)
    {
        std::ostringstream text;
        text << "ControllerOptions::" << option << " is " << value << ", but must be " << range;
        throw UsageError(text.str());
    }
}

} // namespace

const ControllerOptions&
Validated(const ControllerOptions& options)
{
    // What QuantiseLog takes.
    const auto isStep = [](double step) { return step >= 1.000001 && std::isfinite(step); };
    const char* const range = "at least 1.000001, and finite";
    Require(isStep(options.rateStep), "rateStep", options.rateStep, range);
    Require(isStep(options.queueStep), "queueStep", options.queueStep, range);
    Require(options.shortestSkip > 0, "shortestSkip", options.shortestSkip, "positive");
    Require(options.firstStretch >= options.shortestSkip,
            "firstStretch",
            options.firstStretch,
            "at least shortestSkip");
    Require(options.stretchGrowth >= 1, "stretchGrowth", options.stretchGrowth, "at least 1");
    Require(options.tailAlignment >= 0 && std::isfinite(options.tailAlignment),
            "tailAlignment",
            options.tailAlignment,
            "0 or more, and finite");
    Require(options.overhead >= 0, "overhead", options.overhead, "0 or more");
    Require(options.freeWork >= 0 && std::isfinite(options.freeWork),
            "freeWork",
            options.freeWork,
            "0 or more, and finite");
    Require(options.leastSaving >= 0 && options.leastSaving <= 1,
            "leastSaving",
            options.leastSaving,
            "0 to 1");
    const SteadyStateDetector checksThem(options.steady);
    return options;
}

} // namespace wormhole
