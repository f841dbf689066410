/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_TEST_LOGGOPSIM_H
#define WORMHOLE_TEST_LOGGOPSIM_H

#include "ns3/workload-jobs.h"
#include "ns3/workload-loggops-network.h"

#include <cstdint>
#include <vector>

namespace harness
{

/** What LogGOPSim's rules give for a job. */
struct LogGopsimResult
{
    bool aborts{false};          ///< a message is received before it is there
    uint64_t ready{0};           ///< operations that became ready
    std::vector<int64_t> finish; ///< by rank, ns; empty if it aborts
};

/**
 * Follows the rules of LogGOPSim step by step, as they are written down, with no regard to speed: a
 * list of events that is searched from front to end.
 * \param job alone, on nodes whose numbers are below that of its ranks
 */
LogGopsimResult RunLogGopsim(const ns3::WorkloadJob& job, const ns3::WorkloadLogGops& parameters);

} // namespace harness

#endif // WORMHOLE_TEST_LOGGOPSIM_H
