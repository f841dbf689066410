/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-settings.h"

#include "command/command-options.h"
#include "run/run-options.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace po = boost::program_options;

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::InputError;

namespace
{

/** Options of `wormhole run` that take names or numbers: commas divide lists of them. */
const std::set<std::string> LISTED{"cc",
                                   "routing",
                                   "recovery",
                                   "flow-control",
                                   "scheduler",
                                   "mode",
                                   "seed",
                                   "network-seed",
                                   "payload",
                                   "timing",
                                   "window",
                                   "stop",
                                   "disturb"};

/** Ranges such as 1-10 are for these. */
const std::set<std::string> RANGED{"seed", "network-seed", "disturb"};

/** Options that a run of a sweep cannot have. */
const std::set<std::string> EXCLUDED{"output",
                                     "json",
                                     "quiet",
                                     "no-progress",
                                     "estimate",
                                     "pcap",
                                     "pcap-nodes",
                                     "twin",
                                     "memo",
                                     "help",
                                     "help-config",
                                     "help-workload"};

/** \return what `wormhole run` calls the option \p name, which may be its plural */
std::string
OptionName(const std::string& name)
{
    return name == "seeds" ? "seed" : name == "network-seeds" ? "network-seed" : name;
}

/** \return what kind of option of `wormhole run` this is; nullopt if it is none */
std::optional<SweepKind>
KindOf(const std::string& name)
{
    const CommandOptions run = RunCommandOptions();
    for (const po::options_description& group : run.groups)
    {
        if (const po::option_description* option = group.find_nothrow(name, false))
        {
            return option->semantic()->max_tokens() == 0 ? SweepKind::FLAG
                   : option->semantic()->is_composing()  ? SweepKind::TOGETHER
                                                         : SweepKind::VALUE;
        }
    }
    return std::nullopt;
}

/** \return whether this is the load of networks, a parameter of studies, not run's option of that
 * name, whose values are files */
bool
IsLoadParameter(const std::string& name, const std::optional<std::string>& value)
{
    double number = 0;
    return name == "load" && value && ns3::ParseNumber(value->substr(0, value->find(',')), number);
}

/** \return the numbers of a range such as 1-10; the text alone if it is none */
Words
ExpandRange(const std::string& text, const std::string& shown)
{
    const size_t dash = text.find('-', 1);
    uint64_t first = 0;
    uint64_t last = 0;
    if (dash == std::string::npos || !ns3::ParseInteger(text.substr(0, dash), first) ||
        !ns3::ParseInteger(text.substr(dash + 1), last))
    {
        return {text};
    }
    if (last < first || last - first >= MOST_SWEEP_RUNS)
    {
        throw InputError(shown + ": a range goes upwards, and has at most " +
                         std::to_string(MOST_SWEEP_RUNS) + " numbers");
    }
    Words numbers;
    for (uint64_t beyond = 0; beyond <= last - first; ++beyond)
    {
        numbers.push_back(std::to_string(first + beyond));
    }
    return numbers;
}

Words
SplitList(const std::string& text, const std::string& shown)
{
    Words parts;
    for (size_t begin = 0; begin <= text.size();)
    {
        const size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        if (parts.back().empty())
        {
            throw InputError(shown + ": a value is missing between commas");
        }
        begin = end + 1;
    }
    return parts;
}

/** Collects settings from the file and the words. */
class SweepSettings
{
  public:
    void ReadFile(const std::string& file);
    void ReadWords(const Words& words);
    std::vector<SweepSetting> Take() const;

  private:
    void Add(std::vector<SweepSetting>& to,
             const std::string& name,
             const std::optional<std::string>& value,
             const std::string& shown,
             bool begins = false);
    void AddLists(const std::string& name, const Json& lists, const std::string& shown);

    std::vector<SweepSetting> m_file;
    std::vector<SweepSetting> m_words;
};

void
SweepSettings::Add(std::vector<SweepSetting>& to,
                   const std::string& given,
                   const std::optional<std::string>& value,
                   const std::string& shown,
                   bool begins)
{
    const std::string name = OptionName(given);
    if (EXCLUDED.count(name))
    {
        throw InputError(shown + ": not for the runs of a sweep" +
                         (name == "output" || name == "memo" || name == "quiet"
                              ? "; give it to the sweep itself"
                              : ""));
    }
    const std::optional<SweepKind> option =
        IsLoadParameter(name, value) ? std::nullopt : KindOf(name);
    const SweepKind kind = option.value_or(SweepKind::PARAMETER);
    if (!value != (kind == SweepKind::FLAG))
    {
        throw InputError(shown + (value ? ": takes no value" : ": needs a value") +
                         (option ? "" : ns3::DidYouMean(name, SweepOptionNames(), "--")));
    }
    auto setting = std::find_if(to.begin(), to.end(), [&](const SweepSetting& other) {
        return other.name == name && other.kind == kind;
    });
    if (setting == to.end())
    {
        setting = to.insert(to.end(), {name, kind, {}});
    }
    if (!value)
    {
        return;
    }
    if (kind == SweepKind::TOGETHER)
    {
        if (begins || setting->values.empty())
        {
            setting->values.emplace_back();
        }
        setting->values.back().push_back(*value);
        return;
    }
    const bool list = kind == SweepKind::PARAMETER || LISTED.count(name);
    for (const std::string& part : list ? SplitList(*value, shown) : Words{*value})
    {
        for (const std::string& text : RANGED.count(name) ? ExpandRange(part, shown) : Words{part})
        {
            setting->values.push_back({text});
        }
    }
}

void
SweepSettings::ReadWords(const Words& words)
{
    for (size_t i = 0; i < words.size(); ++i)
    {
        const std::string& word = words[i];
        if (word.rfind("--", 0) != 0 || word.size() == 2)
        {
            throw InputError(
                "\"" + ns3::ShownText(word) +
                "\": options and parameters begin with -- (see wormhole sweep --help)");
        }
        const size_t equals = word.find('=');
        const std::string name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
        std::optional<std::string> value;
        if (equals != std::string::npos)
        {
            value = word.substr(equals + 1);
        }
        else if (KindOf(OptionName(name)) != SweepKind::FLAG && i + 1 < words.size() &&
                 words[i + 1].rfind("--", 0) != 0)
        {
            value = words[++i];
        }
        Add(m_words, name, value, "--" + ns3::ShownText(name));
    }
}

/** \return a value of the file as a word */
std::string
SweepText(const Json& value, const std::string& shown)
{
    if (!value.is_string() && !value.is_number())
    {
        throw InputError(shown + ": must be a text, a number, a list of them, or true");
    }
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find('\0') != std::string::npos)
    {
        throw InputError(shown + ": no value of an option has a character \\u0000");
    }
    return text;
}

void
SweepSettings::ReadFile(const std::string& file)
{
    std::ifstream in(file);
    if (!in || std::filesystem::is_directory(file))
    {
        throw InputError(file,
                         0,
                         "cannot be read; check that it is a file, its name and the permissions");
    }
    std::set<std::string> names;
    const auto once = [&](int depth, Json::parse_event_t event, const Json& key) {
        if (depth == 1 && event == Json::parse_event_t::key &&
            key.get_ref<const std::string&>().empty())
        {
            throw InputError(file, 0, "a key is empty, but must name an option or a parameter");
        }
        if (depth == 1 && event == Json::parse_event_t::key && !names.insert(key).second)
        {
            throw InputError(file, 0, ns3::ShownText(key) + " is given twice; make it one list");
        }
        return true;
    };
    Json all;
    try
    {
        all = Json::parse(in, once, true, true);
    }
    catch (const Json::parse_error& error)
    {
        throw InputError(file, 0, std::string("is not JSON: ") + error.what());
    }
    if (!all.is_object())
    {
        throw InputError(file, 0, "must be an object, such as {\"cc\": [\"hpcc\", \"dcqcn\"]}");
    }
    for (const auto& [name, values] : all.items())
    {
        const std::string shown = file + ": " + ns3::ShownText(name);
        if (values == Json(true))
        {
            Add(m_file, name, std::nullopt, shown);
            continue;
        }
        if (values.is_array() && values.empty())
        {
            throw InputError(shown + ": the list is empty");
        }
        const Json list = values.is_array() ? values : Json::array({values});
        if (list.front().is_array() && KindOf(OptionName(name)) == SweepKind::TOGETHER)
        {
            AddLists(name, list, shown);
            continue;
        }
        for (const Json& value : list)
        {
            Add(m_file, name, SweepText(value, shown), shown);
        }
    }
}

/** Adds lists whose values count together, each for runs of its own. */
void
SweepSettings::AddLists(const std::string& name, const Json& lists, const std::string& shown)
{
    for (const Json& list : lists)
    {
        if (!list.is_array() || list.empty())
        {
            throw InputError(shown + ": must be lists throughout, none of them empty");
        }
        for (const Json& value : list)
        {
            Add(m_file, name, SweepText(value, shown), shown, &value == &list.front());
        }
    }
}

std::vector<SweepSetting>
SweepSettings::Take() const
{
    std::vector<SweepSetting> all = m_file;
    for (const SweepSetting& setting : m_words)
    {
        const auto same =
            std::find_if(all.begin(), all.end(), [&setting](const SweepSetting& other) {
                return other.name == setting.name && other.kind == setting.kind;
            });
        same == all.end() ? all.push_back(setting) : void(*same = setting);
    }
    return all;
}

} // namespace

Words
SweepOptionNames()
{
    Words names;
    const CommandOptions run = RunCommandOptions();
    for (const po::options_description& group : run.groups)
    {
        for (const auto& option : group.options())
        {
            names.push_back(option->long_name());
        }
    }
    return names;
}

std::vector<SweepSetting>
ReadSweepSettings(const std::string& file, const Words& words)
{
    SweepSettings given;
    if (!file.empty())
    {
        given.ReadFile(file);
    }
    given.ReadWords(words);
    return given.Take();
}

} // namespace wormhole
