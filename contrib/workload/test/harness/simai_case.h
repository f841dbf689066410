/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_SIMAI_CASE_H
#define HARNESS_SIMAI_CASE_H

#include "ns3/workload-simai.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace harness
{

/**
 * Runs a SimAI workload on the packet level, in a process of its own, as SimAI.conf sets it up:
 * payload 9000, DCQCN, the largest window for all, 52 B of headers, whole nanoseconds below.
 * \param workload text of the workload file
 * \param topology a generator's specification
 * \return total_us, last_us, finished, flows, events, and csv
 */
nlohmann::json RunSimAiPackets(const std::string& workload,
                               const std::string& topology,
                               const ns3::WorkloadSimAiOptions& options);

/** \name Bus bandwidths of SimAI's tutorial, GiB/s, for 16, 32, 64 ... 512 MiB
 */
///@{
const std::vector<double> SIMAI_RING_BANDWIDTHS{141.84, 153.68, 160.60, 163.85, 165.72, 166.68};
const std::vector<double> SIMAI_NVLS_BANDWIDTHS{148.88, 178.04, 197.38, 208.70, 214.87, 218.09};
///@}

/** Runs the tutorial's all-reduces of tensor groups of 8, from 16 MiB up to \p mostMebibytes, on
 * the packet level, and expects the bus bandwidths within 0.5 %. */
void ExpectSimAiTutorial(const std::string& topology,
                         uint64_t mostMebibytes,
                         const ns3::WorkloadSimAiOptions& options,
                         const std::vector<double>& published);

} // namespace harness

#endif // HARNESS_SIMAI_CASE_H
