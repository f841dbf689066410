/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "goal-action.h"

#include "command/command-options.h"
#include "command/options.h"
#include "terminal/units-text.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <system_error>

namespace fs = std::filesystem;
namespace po = boost::program_options;

namespace wormhole
{

po::variables_map
ParseGoalAction(const std::string& action, const Words& words, size_t arguments)
{
    const std::string command = "goal " + action;
    for (const CommandOptions& options : GoalCommandOptions())
    {
        if (options.command == command)
        {
            return ParseOptions(command, words, options.groups.front(), "FILE", arguments);
        }
    }
    throw std::logic_error(command + " has no options");
}

bool
WantsBinaryGoal(const std::string& to, const std::string& out, bool fromBinary)
{
    if (!to.empty() && to != "text" && to != "binary")
    {
        throw ns3::InputError("--to " + ns3::ShownText(to) + ": must be text or binary");
    }
    if (!to.empty())
    {
        return to == "binary";
    }
    const std::string ending = fs::path(out).extension().string();
    if (ending == ".goal" || ending == ".txt" || ending == ".bin")
    {
        return ending == ".bin";
    }
    return !fromBinary;
}

void
TellGoalWritten(const std::string& file, const std::string& text)
{
    std::error_code unknown;
    const bool isOutput = fs::equivalent(file, "/dev/stdout", unknown);
    if (fs::is_regular_file(file) && !isOutput)
    {
        PrintText(text);
    }
    else
    {
        std::cerr << text;
    }
}

std::string
WrittenGoalText(const std::string& file,
                bool binary,
                uint64_t ranks,
                uint64_t operations,
                uint64_t dependencies)
{
    return file + ": " + (binary ? "binary" : "text") + ", " + CountText(ranks) + " ranks, " +
           CountText(operations) + " operations, " + CountText(dependencies) + " dependencies\n";
}

} // namespace wormhole
