/*
 * SPDX-License-Identifier: MIT
 */
#include "option-check.h"
#include "steady/sliding-window.h"
#include "steady/steady-judgement.h"

#include <cmath>
#include <string>

namespace wormhole
{

const SteadyStateOptions&
Validated(const SteadyStateOptions& options)
{
    const OptionCheck check("SteadyStateOptions");
    check.Require(options.theta > 0 && options.theta < 1,
                  "theta",
                  options.theta,
                  "above 0 and below 1");
    check.Require(options.window >= 4 && options.window <= SlidingWindow::LONGEST,
                  "window",
                  options.window,
                  "4 to 65535 samples");
    check.Require(options.maxPeriod >= options.window && options.maxPeriod <= 1000000,
                  "maxPeriod",
                  options.maxPeriod,
                  "window (" + std::to_string(options.window) + ") to 1000000 samples");
    check.Require(options.periods >= 2 && options.periods <= 64,
                  "periods",
                  options.periods,
                  "2 to 64");
    check.Require(options.queueTolerance >= 0 && std::isfinite(options.queueTolerance),
                  "queueTolerance",
                  options.queueTolerance,
                  "0 or more, and finite");
    return options;
}

} // namespace wormhole
