/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMMAND_RUN_H
#define WORMHOLE_CLI_COMMAND_RUN_H

namespace wormhole
{

struct RunOptions;

/** Carries out `wormhole run`. \param options ask for no help and no estimate \return the exit code
 * \throws InputError, OutputError */
int RunWith(const RunOptions& options);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMMAND_RUN_H
