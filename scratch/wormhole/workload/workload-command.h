/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_WORKLOAD_COMMAND_H
#define WORMHOLE_CLI_WORKLOAD_COMMAND_H

#include "run/run-options.h"

namespace wormhole
{

/** `wormhole run --workload`. \return the exit code \throws as commands do */
int RunWorkloads(const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_WORKLOAD_COMMAND_H
