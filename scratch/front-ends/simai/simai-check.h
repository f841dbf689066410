/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_SIMAI_CHECK_H
#define WORMHOLE_SIMAI_CHECK_H

#include "simai-environment.h"

#include "ns3/workload-simai.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wormhole
{

/** What SimAI is to take a collective for. With the size of its file it would make no message of
 * it, and wait for that message for ever. */
struct SimAiCorrection
{
    uint32_t layer{0}; ///< from 0
    ns3::WorkloadSimAiPass pass{};
    uint64_t bytes{0}; ///< 0: there is no collective
};

/** The servers of a topology, which are alike. */
struct SimAiServers
{
    uint32_t gpus{0};          ///< of all, at least 1
    uint32_t gpusPerServer{1}; ///< at least 1
    uint32_t nvSwitches{0};    ///< of all
    std::string gpuType;       ///< as in the topology; empty for none
};

/** What is found in a workload that can run. */
struct SimAiFindings
{
    std::vector<SimAiCorrection> corrections;
    std::vector<std::string> warnings;
};

/**
 * Checks what SimAI reads without a check, and divides by, indexes with or waits for. A file that
 * does not begin with a policy is left to SimAI, which says so.
 * \param workload file
 * \param servers that it is to run on
 * \param environment with which it is to run
 * \return what must be corrected so that the run can end
 * \throws InputError with file and line
 */
SimAiFindings CheckSimAiWorkload(const std::string& workload,
                                 const SimAiServers& servers,
                                 const SimAiEnvironment& environment);

} // namespace wormhole

#endif // WORMHOLE_SIMAI_CHECK_H
