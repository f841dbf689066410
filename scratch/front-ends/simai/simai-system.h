/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_SYSTEM_H
#define WORMHOLE_SIMAI_SYSTEM_H

#include "simai-check.h"
#include "workload/front-end-source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** What SimAI's options, environment and topology say. */
struct SimAiInputs
{
    std::string workload;                     ///< file
    std::string results;                      ///< prefix of its CSVs
    std::string gpuType;                      ///< as in the topology; empty for none
    uint32_t gpus{0};                         ///< the first nodes
    uint32_t nvSwitches{0};                   ///< the nodes after them
    uint32_t gpusPerServer{1};                ///< at least 1
    int64_t sendLatencyNs{6000000};           ///< before each message
    std::vector<SimAiCorrection> corrections; ///< of the file
};

/**
 * SimAI's system and workload layers (1.6), of the tree that this is built with. They are used once
 * in a process, since they keep static state. Where their input is wrong they end the process
 * themselves.
 * \param network that it posts to; its ranks are GPUs, then NVSwitches
 */
std::unique_ptr<FrontEnd> MakeSimAiSystem(const SimAiInputs& inputs,
                                          ns3::WorkloadFrontEnd& network);

} // namespace wormhole

#endif // WORMHOLE_SIMAI_SYSTEM_H
