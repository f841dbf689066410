/*
 * SPDX-License-Identifier: MIT
 */
#include "controller/controller-impl.h"
#include "option-check.h"

#include <cmath>

namespace wormhole
{

const ControllerOptions&
Validated(const ControllerOptions& options)
{
    const OptionCheck check("ControllerOptions");
    // What QuantiseLog takes.
    const auto isStep = [](double step) { return step >= 1.000001 && std::isfinite(step); };
    const char* const range = "at least 1.000001, and finite";
    check.Require(isStep(options.rateStep), "rateStep", options.rateStep, range);
    check.Require(isStep(options.queueStep), "queueStep", options.queueStep, range);
    check.Require(options.shortestSkip > 0, "shortestSkip", options.shortestSkip, "positive");
    check.Require(options.firstStretch >= options.shortestSkip,
                  "firstStretch",
                  options.firstStretch,
                  "at least shortestSkip");
    check.Require(options.stretchGrowth >= 1, "stretchGrowth", options.stretchGrowth, "at least 1");
    check.Require(options.tailAlignment >= 0 && std::isfinite(options.tailAlignment),
                  "tailAlignment",
                  options.tailAlignment,
                  "0 or more, and finite");
    check.Require(options.overhead >= 0, "overhead", options.overhead, "0 or more");
    check.Require(options.freeWork >= 0 && std::isfinite(options.freeWork),
                  "freeWork",
                  options.freeWork,
                  "0 or more, and finite");
    check.Require(options.minSaving >= 0 && options.minSaving <= 1,
                  "minSaving",
                  options.minSaving,
                  "0 to 1");
    check.Require(options.audit >= 0 && options.audit <= 1, "audit", options.audit, "0 to 1");
    check.Require(options.auditBound > 0, "auditBound", options.auditBound, "positive");
    const SteadyStateDetector checksThem(options.steady);
    return options;
}

} // namespace wormhole
