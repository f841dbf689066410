/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "options.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/input-units.h"

#include <algorithm>
#include <cctype>
#include <iostream>
#include <set>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

/** No guessing: an abbreviation would change its meaning when an option is added. */
constexpr int STYLE = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

/** \return the option that a wrong one may have been meant for, for a message */
std::string
SimilarOption(const std::string& wrong, const po::options_description& description)
{
    Words names;
    for (const auto& option : description.options())
    {
        names.push_back(option->long_name());
    }
    return ns3::DidYouMean(wrong.substr(std::min(wrong.find_first_not_of('-'), wrong.size())),
                           names,
                           "--");
}

} // namespace

void
RejectSwallowed(const std::vector<po::option>& options)
{
    for (const po::option& option : options)
    {
        const Words& tokens = option.original_tokens;
        if (tokens.size() == 2 && option.position_key < 0 && tokens[1].rfind("--", 0) == 0)
        {
            throw InputError("--" + option.string_key + ": its value is missing before " +
                             ns3::ShownText(tokens[1]) + "; a value that begins so is given as --" +
                             option.string_key + "=VALUE");
        }
    }
}

void
RejectTwice(const po::variables_map& values, const std::string& name)
{
    std::set<std::string> seen;
    for (const std::string& text : values.count(name) ? values[name].as<Words>() : Words())
    {
        const std::string attribute = text.substr(0, text.find('='));
        if (!seen.insert(attribute).second)
        {
            throw InputError("--" + name + " " + ns3::ShownText(attribute) +
                             ": it is set twice; remove one of them");
        }
    }
}

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
        const po::parsed_options parsed =
            po::command_line_parser(words).options(all).positional(positions).style(STYLE).run();
        RejectSwallowed(parsed.options);
        po::store(parsed, values);
    }
    catch (const po::unknown_option& error)
    {
        throw InputError(error.what() + SimilarOption(error.get_option_name(), description) + help);
    }
    catch (const po::error& error)
    {
        throw InputError(error.what() + help);
    }
    const size_t given = values.count("argument") ? values["argument"].as<Words>().size() : 0;
    const size_t taken = argument.empty() ? 0 : arguments;
    if (given > taken)
    {
        throw InputError("unexpected argument \"" +
                         ns3::ShownText(values["argument"].as<Words>()[taken]) + "\"" + help);
    }
    return values;
}

po::variables_map
TakeOptions(const Words& words,
            const po::options_description& description,
            const std::string& hint,
            Words& rest)
{
    try
    {
        const po::parsed_options parsed = po::command_line_parser(words)
                                              .options(description)
                                              .style(STYLE)
                                              .allow_unregistered()
                                              .run();
        RejectSwallowed(parsed.options);
        rest = po::collect_unrecognized(parsed.options, po::include_positional);
        po::variables_map values;
        po::store(parsed, values);
        return values;
    }
    catch (const po::error& error)
    {
        throw InputError(std::string(error.what()) + " " + hint);
    }
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
        throw InputError("--" + name + ": the value is empty");
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
    if (!ns3::ParseInteger(text, value) || value < least || value > most)
    {
        throw InputError("--" + name + " " + ns3::ShownText(text) +
                         ": must be a whole number from " + std::to_string(least) + " to " +
                         std::to_string(most));
    }
    return value;
}

bool
ParseTimeText(const std::string& text, ns3::Time& time)
{
    double seconds = 0;
    return ns3::ParseTime(ns3::ParseNumber(text, seconds) ? text + "s" : text, time);
}

ns3::Time
TimeOption(const po::variables_map& values, const std::string& name, const ns3::Time& most)
{
    const std::string text = TextOption(values, name);
    ns3::Time time;
    if (!ParseTimeText(text, time) || time > most)
    {
        throw InputError("--" + name + " " + ns3::ShownText(text) + ": must be a time from 0 to " +
                         std::to_string(static_cast<uint64_t>(most.GetSeconds())) +
                         "s, such as 2.5ms; a number without a unit counts seconds");
    }
    return time;
}

std::string
Choice(const po::variables_map& values, const std::string& name, const Words& choices)
{
    const std::string text = TextOption(values, name);
    const auto isText = [&](const std::string& choice) {
        return std::equal(
            choice.begin(),
            choice.end(),
            text.begin(),
            text.end(),
            [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    const auto found = std::find_if(choices.begin(), choices.end(), isText);
    if (!text.empty() && found == choices.end())
    {
        throw InputError("--" + name + " " + ns3::ShownText(text) + ": there are " +
                         ns3::ListText(choices) + ns3::DidYouMean(text, choices));
    }
    return text.empty() ? "" : *found;
}

void
PrintText(const std::string& text)
{
    std::cout << text << std::flush;
    if (!std::cout)
    {
        throw ns3::OutputError("standard output cannot be written");
    }
}

bool
IsOptionWord(const std::string& word, const Words& names)
{
    return std::any_of(names.begin(), names.end(), [&word](const std::string& name) {
        return word == "--" + name || word.rfind("--" + name + "=", 0) == 0;
    });
}

Words
WithoutOptions(const Words& words, const Words& names)
{
    Words left;
    for (size_t i = 0; i < words.size(); ++i)
    {
        if (!IsOptionWord(words[i], names))
        {
            left.push_back(words[i]);
        }
        else if (words[i].find('=') == std::string::npos)
        {
            ++i; // its value
        }
    }
    return left;
}

} // namespace wormhole
