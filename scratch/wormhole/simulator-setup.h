/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SIMULATOR_SETUP_H
#define WORMHOLE_CLI_SIMULATOR_SETUP_H

#include <cstdint>

namespace wormhole
{

/**
 * Chooses ns-3's simulator, before anything else uses it.
 * \param native whether ns3::RdmaSimulatorImpl runs the simulation, not ns-3's default
 * \param stopNs simulated time at which to stop; 0 for no limit
 */
void SetUpSimulator(bool native, double stopNs);

/** \return the TypeId of the simulator that SetUpSimulator chooses */
const char* SimulatorName(bool native);

/** \return largest memory of the process so far, KiB */
uint64_t PeakMemoryKib();

} // namespace wormhole

#endif // WORMHOLE_CLI_SIMULATOR_SETUP_H
