/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_GUARDED_H
#define WORMHOLE_CLI_GUARDED_H

#include "commands.h"

namespace wormhole
{

/**
 * Runs a program, in picoseconds; a mistake or a failure becomes one line on standard error.
 * \param argc of main()
 * \param argv of main()
 * \param work what it does with the words behind its name; returns the exit code
 * \return the exit code
 */
int RunProgram(int argc, char** argv, int (*work)(const Words&));

} // namespace wormhole

#endif // WORMHOLE_CLI_GUARDED_H
