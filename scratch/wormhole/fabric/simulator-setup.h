/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SIMULATOR_SETUP_H
#define WORMHOLE_CLI_SIMULATOR_SETUP_H

#include "run/run-options.h"

#include <cstdint>
#include <string>

namespace wormhole
{

/**
 * Chooses ns-3's simulator, before anything else uses it.
 * \param options mode, and what suits it
 * \param stopNs simulated time at which to stop; 0 for no limit
 */
void SetUpSimulator(const RunOptions& options, double stopNs);

/** \return the TypeId of the simulator that SetUpSimulator chooses; empty if no packets are
 * simulated
 */
std::string SimulatorName(const RunOptions& options);

/** \return largest memory of the process so far, KiB */
uint64_t PeakMemoryKib();

} // namespace wormhole

#endif // WORMHOLE_CLI_SIMULATOR_SETUP_H
