/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-plan.h"

#include "command/command-options.h"
#include "result/files.h"
#include "run/run-options.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <fstream>
#include <map>
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

constexpr size_t MOST_SWEEP_RUNS = 1000000;

/** Options of `wormhole run` that take names or numbers: commas divide lists of them. */
const std::set<std::string> LISTED{"cc",
                                   "routing",
                                   "recovery",
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
                                     "memo",
                                     "help",
                                     "help-config",
                                     "help-workload"};

enum class SweepKind
{
    FLAG,      ///< an option without a value
    VALUE,     ///< an option with one
    TOGETHER,  ///< an option whose values all count for one run
    PARAMETER, ///< no option: it stands in values of others
};

/** An option or parameter, and what it is set to. */
struct SweepSetting
{
    std::string name;
    SweepKind kind;
    std::vector<Words> values; ///< of a run each; several words only if they count together
};

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

Words
OptionNames()
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
    for (uint64_t number = first; number <= last; ++number)
    {
        numbers.push_back(std::to_string(number));
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
                         (option ? "" : ns3::DidYouMean(name, OptionNames(), "--")));
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
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void
SweepSettings::ReadFile(const std::string& file)
{
    std::ifstream in(file);
    if (!in)
    {
        throw InputError(file, 0, "cannot be read; check the name and the permissions");
    }
    Json all;
    try
    {
        all = Json::parse(in, nullptr, true, true);
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

/** \return the text with {NAME} replaced by that parameter's value. \param used gets the names */
std::string
Substitute(const std::string& text,
           const std::map<std::string, std::string>& parameters,
           std::set<std::string>& used)
{
    std::string result;
    for (size_t at = 0; at < text.size();)
    {
        const size_t open = text.find('{', at);
        const size_t close = open == std::string::npos ? open : text.find('}', open);
        if (close == std::string::npos)
        {
            return result + text.substr(at);
        }
        const std::string name = text.substr(open + 1, close - open - 1);
        const auto parameter = parameters.find(name);
        if (parameter == parameters.end())
        {
            throw InputError(ns3::ShownText(text) + ": no parameter {" + ns3::ShownText(name) +
                             "}; give its values as --" + ns3::ShownText(name) + " A,B");
        }
        used.insert(name);
        result += text.substr(at, open - at) + parameter->second;
        at = close + 1;
    }
    return result;
}

std::string
HashOf(const Words& words)
{
    FileDigest digest;
    for (const std::string& word : words)
    {
        digest.Add(word.c_str(), word.size() + 1);
    }
    return digest.HashText();
}

/** \return "A + B" */
std::string
Joined(const Words& words)
{
    std::string text;
    for (const std::string& word : words)
    {
        text += (text.empty() ? "" : " + ") + word;
    }
    return text;
}

/** \return the run with the value of each setting that \p choice says. \param used gets names of
 * parameters that stand in some value */
SweepRun
MakeRun(const std::vector<SweepSetting>& settings,
        const std::vector<size_t>& choice,
        const std::string& memo,
        std::set<std::string>& used)
{
    std::map<std::string, std::string> parameters;
    bool fast = false;
    for (size_t i = 0; i < settings.size(); ++i)
    {
        const SweepSetting& setting = settings[i];
        if (setting.kind == SweepKind::PARAMETER)
        {
            parameters[setting.name] = setting.values[choice[i]].front();
        }
        fast |= setting.name == "mode" && setting.values[choice[i]].front() == "fast";
    }
    SweepRun run;
    const auto add = [&](const std::string& name, const std::string& value) {
        run.words.push_back("--" + name);
        run.words.push_back(Substitute(value, parameters, used));
    };
    for (size_t i = 0; i < settings.size(); ++i)
    {
        const SweepSetting& setting = settings[i];
        if (setting.kind == SweepKind::FLAG)
        {
            run.words.push_back("--" + setting.name);
        }
        else if (setting.kind == SweepKind::VALUE)
        {
            add(setting.name, setting.values[choice[i]].front());
        }
        else if (setting.kind == SweepKind::TOGETHER && (fast || setting.name != "fast"))
        {
            for (const std::string& value : setting.values[choice[i]])
            {
                add(setting.name, value);
            }
        }
        if (setting.kind == SweepKind::PARAMETER || setting.values.size() > 1)
        {
            run.values.push_back(Joined(setting.values[choice[i]]));
            run.title += (run.title.empty() ? "" : " ") + setting.name + "=" + run.values.back();
        }
    }
    run.hash = HashOf(run.words);
    if (fast && !memo.empty())
    {
        add("memo", memo);
    }
    return run;
}

/** Checks what can be without reading inputs. */
void
Check(const SweepRun& run)
{
    try
    {
        ParseRunOptions(run.words);
    }
    catch (const InputError& error)
    {
        throw InputError((run.title.empty() ? "" : "with " + run.title + ": ") + error.what());
    }
}

} // namespace

SweepPlan
MakeSweepPlan(const std::string& file, const Words& words, const std::string& memo)
{
    SweepSettings given;
    if (!file.empty())
    {
        given.ReadFile(file);
    }
    given.ReadWords(words);
    const std::vector<SweepSetting> settings = given.Take();
    SweepPlan plan;
    std::vector<size_t> counts;
    size_t runs = 1;
    for (const SweepSetting& setting : settings)
    {
        counts.push_back(setting.kind == SweepKind::FLAG ? 1 : setting.values.size());
        if (setting.kind == SweepKind::PARAMETER || counts.back() > 1)
        {
            plan.parameters.push_back(setting.name);
        }
        if (counts.back() > MOST_SWEEP_RUNS / runs)
        {
            throw InputError("a sweep has at most " + std::to_string(MOST_SWEEP_RUNS) + " runs");
        }
        runs *= counts.back();
    }
    std::set<std::string> used;
    std::vector<size_t> choice(settings.size(), 0);
    for (size_t number = 0; number < runs; ++number)
    {
        size_t rest = number;
        for (size_t i = settings.size(); i-- > 0; rest /= counts[i])
        {
            choice[i] = rest % counts[i];
        }
        plan.runs.push_back(MakeRun(settings, choice, memo, used));
    }
    for (const SweepSetting& setting : settings)
    {
        if (setting.kind == SweepKind::PARAMETER && !used.count(setting.name))
        {
            throw InputError("--" + ns3::ShownText(setting.name) +
                             ": no option of wormhole run, and no value has {" +
                             ns3::ShownText(setting.name) + "} in it" +
                             ns3::DidYouMean(setting.name, OptionNames(), "--"));
        }
    }
    std::map<std::string, std::string> titles; // by hash
    for (const SweepRun& run : plan.runs)
    {
        Check(run);
        const auto [same, added] = titles.emplace(run.hash, run.title);
        if (!added)
        {
            throw InputError("the runs with " + same->second + " and with " + run.title +
                             " are the same; give each value once");
        }
    }
    return plan;
}

} // namespace wormhole
