/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fast-options.h"

#include "command/options.h"
#include "plan/settings.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/string.h"
#include "ns3/wormhole-helper.h"

#include <algorithm>
#include <map>

namespace po = boost::program_options;

namespace wormhole
{

using ns3::InputError;

namespace
{

const char* const TYPE = "ns3::WormholeSimulatorImpl";

/** Attributes that are words, of which ns-3 does not know which there are. */
const std::map<std::string, Words> CHOICES{
    {"Detail", {"ports", "flows"}},
    {"Acknowledgements", {"auto", "include", "watch"}},
    {"SharedBuffers", {"include", "watch"}},
};

std::pair<std::string, std::string>
ParseAttribute(const std::string& text)
{
    const std::string shown = "--fast " + ns3::ShownText(text);
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 >= text.size())
    {
        throw InputError(shown + ": must be NAME=VALUE, such as Theta=0.02");
    }
    const std::string name = text.substr(0, equals);
    const std::string value = text.substr(equals + 1);
    if (name == "MemoFile")
    {
        throw InputError(shown + ": use --memo");
    }
    CheckAttribute(shown, TYPE, name, value);
    const auto choices = CHOICES.find(name);
    if (choices != CHOICES.end() &&
        std::find(choices->second.begin(), choices->second.end(), value) == choices->second.end())
    {
        throw InputError(shown + ": there are " + ns3::ListText(choices->second));
    }
    return {name, value};
}

/** A store that nobody looks into or adds to. */
void
RejectIdleMemo(const FastOptions& options)
{
    for (const char* name : {"Memo", "Enabled"})
    {
        if (!options.memo.empty() && !IsSet(options.attributes, name, true))
        {
            throw InputError(std::string("--memo: no effect with --fast ") + name +
                             "=false; remove one of them");
        }
    }
}

/** Flows that are to be carried on without packets, where nothing is skipped that only seems
 * steady. */
void
RejectIdleForesee(const FastOptions& options)
{
    if (!IsSet(options.attributes, "Foresee", false))
    {
        return;
    }
    const std::pair<const char*, bool> NEEDED[] = {{"Enabled", true},
                                                   {"Skip", true},
                                                   {"Guard", true},
                                                   {"Strict", false}};
    for (const auto& [name, needed] : NEEDED)
    {
        if (IsSet(options.attributes, name, needed) != needed)
        {
            throw InputError(std::string("--fast Foresee=true: no effect with --fast ") + name +
                             (needed ? "=false" : "=true") + "; remove one of them");
        }
    }
}

} // namespace

po::options_description
FastOptionGroup()
{
    po::options_description group("Fast-forward (--mode fast)");
    group.add_options()("memo",
                        po::value<std::string>()->value_name("FILE"),
                        "episodes are looked up in this file, and kept there for other runs "
                        "(default: in memory, for this run)")(
        "fast",
        po::value<Words>()->composing()->value_name("NAME=VALUE"),
        "an attribute of ns3::WormholeSimulatorImpl, such as Theta=0.02; repeatable (wormhole "
        "reference attributes lists them)");
    return group;
}

FastOptions
ParseFastOptions(const po::variables_map& values, RunMode mode)
{
    FastOptions options;
    for (const char* name : {"memo", "fast"})
    {
        if (values.count(name) && mode != RunMode::FAST)
        {
            throw InputError(std::string("--") + name + ": no effect with --mode " +
                             RunModeName(mode) + "; it belongs to fast");
        }
    }
    if (mode != RunMode::FAST)
    {
        return options;
    }
    ns3::WormholeHelper(); // so that the linker keeps the module, and the TypeId is known
    options.memo = TextOption(values, "memo");
    RejectTwice(values, "fast");
    for (const std::string& text : values.count("fast") ? values["fast"].as<Words>() : Words())
    {
        options.attributes.push_back(ParseAttribute(text));
    }
    RejectIdleMemo(options);
    RejectIdleForesee(options);
    return options;
}

void
EnableFastForward(const FastOptions& options, const std::string& code)
{
    ns3::WormholeHelper helper;
    for (const auto& [name, value] : options.attributes)
    {
        helper.Set(name, *CheckAttribute("--fast " + name, TYPE, name, value));
    }
    if (!code.empty())
    {
        helper.Set("Code", ns3::StringValue(code));
    }
    if (!options.memo.empty())
    {
        helper.Set("MemoFile", ns3::StringValue(options.memo));
    }
    helper.Enable();
}

} // namespace wormhole
