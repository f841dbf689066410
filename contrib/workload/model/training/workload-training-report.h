/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_REPORT_H
#define WORKLOAD_TRAINING_REPORT_H

#include "workload-training.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \return what a training job computes and sends in an iteration, from closed formulas: parameters,
 * floating-point operations, compute times and volumes by kind of traffic
 */
nlohmann::ordered_json DescribeWorkloadTraining(const WorkloadTraining& training);

/** \ingroup workload \return the same for people */
std::string WorkloadTrainingText(const WorkloadTraining& training);

/** \ingroup workload \return the volumes as rows of a Markdown table: job, kind, bytes, messages,
 * formula */
std::string WorkloadTrainingMarkdown(const WorkloadTraining& training);

} // namespace ns3

#endif // WORKLOAD_TRAINING_REPORT_H
