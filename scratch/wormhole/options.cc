/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "options.h"

#include "ns3/rdma-input-error.h"
#include "ns3/rdma-line-file.h"
#include "ns3/rdma-number.h"
#include "ns3/rdma-spec-parser.h"

#include <algorithm>
#include <iostream>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::RdmaInputError;

po::variables_map
ParseOptions(const std::string& command,
             const Words& words,
             const po::options_description& description,
             const std::string& argument,
             size_t arguments)
{
    const std::string help = " (see wormhole " + command + " --help)";
    po::options_description all;
    all.add(description);
    all.add_options()("argument", po::value<Words>());
    po::positional_options_description positions;
    positions.add("argument", -1);
    po::variables_map values;
    try
    {
        // no guessing: an abbreviation would change its meaning when an option is added
        const int style =
            po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
        po::store(
            po::command_line_parser(words).options(all).positional(positions).style(style).run(),
            values);
    }
    catch (const po::error& error)
    {
        throw RdmaInputError(error.what() + help);
    }
    const size_t given = values.count("argument") ? values["argument"].as<Words>().size() : 0;
    const size_t taken = argument.empty() ? 0 : arguments;
    if (given > taken)
    {
        throw RdmaInputError("unexpected argument \"" +
                             ns3::RdmaShownText(values["argument"].as<Words>()[taken]) + "\"" +
                             help);
    }
    return values;
}

std::string
TextOption(const po::variables_map& values, const std::string& name)
{
    if (!values.count(name))
    {
        return "";
    }
    auto text = values[name].as<std::string>();
    if (text.empty())
    {
        throw RdmaInputError("--" + name + ": the value is empty");
    }
    return text;
}

uint64_t
IntegerOption(const po::variables_map& values,
              const std::string& name,
              uint64_t least,
              uint64_t most)
{
    const std::string text = TextOption(values, name);
    uint64_t value = 0;
    if (!ns3::ParseRdmaInteger(text, value) || value < least || value > most)
    {
        throw RdmaInputError("--" + name + " " + ns3::RdmaShownText(text) +
                             ": expected is a whole number from " + std::to_string(least) + " to " +
                             std::to_string(most));
    }
    return value;
}

std::string
Choice(const po::variables_map& values, const std::string& name, const Words& choices)
{
    std::string text = TextOption(values, name);
    if (!text.empty() && std::find(choices.begin(), choices.end(), text) == choices.end())
    {
        throw RdmaInputError("--" + name + " " + ns3::RdmaShownText(text) + ": there are " +
                             ns3::RdmaListText(choices));
    }
    return text;
}

void
PrintText(const std::string& text)
{
    std::cout << text << std::flush;
    if (!std::cout)
    {
        throw ns3::RdmaOutputError("standard output cannot be written");
    }
}

} // namespace wormhole
