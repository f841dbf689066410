/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMMANDS_H
#define WORMHOLE_CLI_COMMANDS_H

#include <string>
#include <vector>

namespace wormhole
{

/** The words after the subcommand. */
using Words = std::vector<std::string>;

// Each returns the exit code and throws InputError for a mistake of the user's, OutputError
// for a file that cannot be written.

/** `wormhole run`: simulates. */
int RunCommand(const Words& words);

/** `wormhole compare`: simulates packet by packet and faster, and tells the difference. */
int CompareCommand(const Words& words);

/** `wormhole tenants`: simulates workloads together and each alone, and tells the slowdown. */
int TenantsCommand(const Words& words);

/** `wormhole sweep`: simulates every combination of options, and makes a table of results. */
int SweepCommand(const Words& words);

/** `wormhole new`: writes a congestion control to start from. */
int NewCommand(const Words& words);

/** `wormhole topology`: generates a topology file. */
int TopologyCommand(const Words& words);

/** `wormhole traffic`: generates a flow file. */
int TrafficCommand(const Words& words);

/** `wormhole training`: describes a training job. */
int TrainingCommand(const Words& words);

/** `wormhole goal`: converts, checks, counts and draws schedules. */
int GoalCommand(const Words& words);

/** `wormhole trace`: runs an MPI program, and records its calls. */
int TraceCommand(const Words& words);

/** `wormhole live`: runs an MPI program on the simulated network. */
int LiveCommand(const Words& words);

/** `wormhole report`: shows what runs found. */
int ReportCommand(const Words& words);

/** `wormhole memo`: lists, explains, deletes and merges episodes. */
int MemoCommand(const Words& words);

/** `wormhole reference`: prints the parts of the reference that are made from the program. */
int ReferenceCommand(const Words& words);

/** `wormhole config-help`: lists the keys of config.txt. */
int ConfigHelpCommand(const Words& words);

} // namespace wormhole

#endif // WORMHOLE_CLI_COMMANDS_H
