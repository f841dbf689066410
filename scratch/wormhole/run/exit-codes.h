/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_EXIT_CODES_H
#define WORMHOLE_CLI_EXIT_CODES_H

namespace wormhole
{

/** How the program ends. */
enum ExitCode : int
{
    EXIT_DONE = 0,       ///< all flows completed, or there was nothing to simulate
    EXIT_IO = 1,         ///< a file could not be written, memory ran out, or runs of --twin differ
    EXIT_USAGE = 2,      ///< wrong options or input
    EXIT_UNFINISHED = 3, ///< the simulation ended, but not all flows completed
    EXIT_INTERRUPTED = 130 ///< by a signal (EndingSignals); what was computed has been written
};

} // namespace wormhole

#endif // WORMHOLE_CLI_EXIT_CODES_H
