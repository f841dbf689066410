/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RUN_ENDING_H
#define WORMHOLE_CLI_RUN_ENDING_H

#include "run.h"

#include "ns3/input-line-file.h"

namespace wormhole
{

/**
 * Writes the files of a run that is over, and tells the user what came out; a file that is
 * incomplete does not keep the rest from being told.
 * \throws OutputError for such a file, at the end
 */
void EndRun(const RunOptions& options, const RunPlan& plan, Run& run, ns3::LineFile& summaryFile);

/** \return the exit code of a run that is over */
int ExitCodeOf(const RunResult& result);

} // namespace wormhole

#endif // WORMHOLE_CLI_RUN_ENDING_H
