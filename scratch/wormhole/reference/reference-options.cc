/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * \file
 * Options of the command line, from the descriptions that it parses by.
 */

#include "command/command-options.h"
#include "reference.h"
#include "workload/workload-options.h"

#include <sstream>

namespace po = boost::program_options;

namespace wormhole
{

namespace
{

/** \return all that the program can be asked for */
std::vector<CommandOptions>
AllCommands()
{
    std::vector<CommandOptions> commands{RunCommandOptions(),
                                         CompareCommandOptions(),
                                         TenantsCommandOptions(),
                                         SweepCommandOptions(),
                                         ReportCommandOptions(),
                                         NewCommandOptions(),
                                         TopologyCommandOptions(),
                                         TrafficCommandOptions(),
                                         TrainingCommandOptions(),
                                         TraceCommandOptions(),
                                         LiveCommandOptions()};
    for (const std::vector<CommandOptions>& actions : {GoalCommandOptions(), MemoCommandOptions()})
    {
        for (const CommandOptions& action : actions)
        {
            commands.push_back(action); // which insert cannot do: descriptions cannot be assigned
        }
    }
    commands.push_back(ReferenceCommandOptions());
    commands.push_back({"config-help", "", {}});
    return commands;
}

/** \return the heading of a group, which can be had from its text only */
std::string
HeadingOf(const po::options_description& group)
{
    std::ostringstream text;
    text << group;
    const std::string all = text.str();
    return all.substr(0, all.find(":\n"));
}

/** \return `--name VALUE` */
std::string
OptionText(const po::option_description& option)
{
    const std::string value = option.format_parameter();
    return "`" + option.canonical_display_name(po::command_line_style::allow_long) +
           (value.empty() ? "" : " " + value) + "`";
}

std::string
GroupMarkdown(const po::options_description& group, bool run)
{
    const std::vector<std::string> columns{"option", "modes", "meaning"};
    std::string text =
        run ? MarkdownHead(columns) : MarkdownHead({columns.front(), columns.back()});
    for (const auto& option : group.options())
    {
        std::vector<std::string> cells{OptionText(*option), option->description()};
        if (run)
        {
            cells.insert(cells.begin() + 1, ModesOfOption(option->long_name()));
        }
        text += MarkdownRow(cells);
    }
    return text;
}

} // namespace

std::string
OptionsMarkdown()
{
    std::string text =
        "# Options of the command line\n\n"
        "Options are written in full, each at most once unless it is called repeatable. Nothing "
        "that is asked for is ignored: an option\nthat is unknown, or has no effect in its "
        "combination, is an error. How the commands work together, which files they read and "
        "write,\nand exit codes: [command-line.md](../../contrib/rdma/doc/command-line.md), and "
        "[for workloads](../../contrib/workload/doc/command-line.md).\n\n"
        "\"modes\" says with which `--mode` an option of `wormhole run` may be given.\n";
    for (const CommandOptions& command : AllCommands())
    {
        text += "\n## wormhole " + command.command + "\n";
        text += command.arguments.empty() ? "" : "\n`" + command.arguments + "`\n";
        for (const po::options_description& group : command.groups)
        {
            const bool several = command.groups.size() > 1;
            text += (several ? "\n### " + HeadingOf(group) + "\n\n" : "\n") +
                    GroupMarkdown(group, command.command == "run");
        }
        text += command.groups.empty() ? "\nNo options.\n" : "";
    }
    return text;
}

} // namespace wormhole
