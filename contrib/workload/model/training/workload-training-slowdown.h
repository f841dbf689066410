/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_TRAINING_SLOWDOWN_H
#define WORKLOAD_TRAINING_SLOWDOWN_H

#include "workload-training.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload \return the names of the built-in tables: the ends of the ranges that Echo's
 * authors measured over GPUs and versions of CUDA (Feng et al., "Echo: Simulating Distributed
 * Training At Scale", arXiv 2412.12487) */
const std::vector<std::string>& WorkloadTrainingSlowdownTables();

/**
 * \ingroup workload
 *
 * How much longer kernels take beside a communication kernel. A table has a factor for each kind of
 * kernel and number of channels: `gemm`, `layernorm`, or one of `compute.ns`; the row with the most
 * channels that are not more than the job's counts. A kernel without rows of its own is a mixture
 * of `gemm` and `layernorm`.
 * \param table a built-in one, or a CSV file whose first line is `kernel,channels,factor`
 * \param channels of the job's collectives
 * \param norms share of a kernel's own time that is `layernorm`, 0 to 1
 * \return thousandths more
 * \throws InputError naming file, line and value, or a kernel that has no factor
 */
WorkloadTrainingSlowdowns ReadWorkloadTrainingSlowdowns(const std::string& table,
                                                        uint32_t channels,
                                                        double norms);

/** \ingroup workload Does the same for the text of a table. \param file for messages */
WorkloadTrainingSlowdowns ReadWorkloadTrainingSlowdowns(std::istream& in,
                                                        const std::string& file,
                                                        uint32_t channels,
                                                        double norms);

} // namespace ns3

#endif // WORKLOAD_TRAINING_SLOWDOWN_H
