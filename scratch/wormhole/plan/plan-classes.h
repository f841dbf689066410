/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PLAN_CLASSES_H
#define WORMHOLE_CLI_PLAN_CLASSES_H

#include "run-plan.h"

namespace wormhole
{

/** Works out what `--class` and `--scheduler` mean: controls, weights and marks of classes.
 * \throws InputError for a mistake in them, or where they have no effect */
void PlanClasses(const RunOptions& options, RunPlan& plan);

} // namespace wormhole

#endif // WORMHOLE_CLI_PLAN_CLASSES_H
