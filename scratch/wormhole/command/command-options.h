/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_COMMAND_OPTIONS_H
#define WORMHOLE_CLI_COMMAND_OPTIONS_H

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** What a command takes: its parser works from this, and so does the reference. */
struct CommandOptions
{
    std::string command;   ///< with its action, such as "goal make"
    std::string arguments; ///< words that stand without an option, such as "SPEC OUT"
    std::vector<boost::program_options::options_description> groups; ///< options, by heading
};

// One for each command that has options or actions.

/** \return what `wormhole run` takes */
CommandOptions RunCommandOptions();

/** \return what `wormhole compare` takes beside that */
CommandOptions CompareCommandOptions();

/** \return what `wormhole tenants` takes beside that */
CommandOptions TenantsCommandOptions();

/** \return what `wormhole sweep` takes beside that */
CommandOptions SweepCommandOptions();

/** \return what `wormhole report` takes */
CommandOptions ReportCommandOptions();

/** \return what `wormhole new` takes */
CommandOptions NewCommandOptions();

/** \return what `wormhole topology` takes */
CommandOptions TopologyCommandOptions();

/** \return what `wormhole traffic` takes */
CommandOptions TrafficCommandOptions();

/** \return what `wormhole training` takes */
CommandOptions TrainingCommandOptions();

/** \return what the actions of `wormhole goal` take */
std::vector<CommandOptions> GoalCommandOptions();

/** \return what `wormhole trace` takes */
CommandOptions TraceCommandOptions();

/** \return what `wormhole live` takes beside the options of `wormhole run` */
CommandOptions LiveCommandOptions();

/** \return what the actions of `wormhole memo` take */
std::vector<CommandOptions> MemoCommandOptions();

/** \return what `wormhole reference` takes */
CommandOptions ReferenceCommandOptions();

} // namespace wormhole

#endif // WORMHOLE_CLI_COMMAND_OPTIONS_H
