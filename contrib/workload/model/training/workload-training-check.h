/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_CHECK_H
#define WORKLOAD_TRAINING_CHECK_H

#include "workload-training.h"

#include "ns3/input-json-text.h"

namespace ns3
{

/**
 * \ingroup workload
 *
 * Checks what several settings must agree on: whether the model can be divided so, and whether all
 * that is set has an effect.
 * \param training each number within its own bounds
 * \param text that it was read from, for lines in messages; may be null
 * \throws InputError naming the place in the JSON, the value and the remedy
 */
void CheckWorkloadTraining(const WorkloadTraining& training, const JsonText* text = nullptr);

} // namespace ns3

#endif // WORKLOAD_TRAINING_CHECK_H
