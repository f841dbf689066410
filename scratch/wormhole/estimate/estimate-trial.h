/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_ESTIMATE_TRIAL_H
#define WORMHOLE_CLI_ESTIMATE_TRIAL_H

#include "plan/run-plan.h"
#include "run/run-options.h"

#include <optional>

namespace wormhole
{

/** The beginning of a run, and what it cost. */
struct Trial
{
    double crossings{0};    ///< of links, by data packets
    double setupSeconds{0}; ///< processor time
    double runSeconds{0};   ///< processor time
    double simulatedSeconds{0};
    bool finished{false}; ///< whether it was the whole run
};

/**
 * Runs the beginning of a run at packet level in a process of its own, which writes nothing.
 * \param options of a run at packet level
 * \param plan of it
 * \param seconds of processor time after set-up
 * \return what it cost; nothing if the process did not end well
 */
std::optional<Trial> TryRun(const RunOptions& options, const RunPlan& plan, double seconds);

} // namespace wormhole

#endif // WORMHOLE_CLI_ESTIMATE_TRIAL_H
