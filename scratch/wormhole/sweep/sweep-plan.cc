/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-plan.h"

#include "result/files.h"
#include "run/run-options.h"
#include "sweep-settings.h"
#include "sweep-statistics.h"
#include "sweep-table.h"

#include "ns3/input-error.h"
#include "ns3/input-nearest-name.h"
#include "ns3/input-number.h"

#include <map>
#include <set>

namespace wormhole
{

using ns3::InputError;

namespace
{

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

/** Checks that the parameter \p name stands in some value, and adds its column to the others. */
void
CheckParameter(const std::string& name,
               const std::set<std::string>& used,
               std::set<std::string>& columns)
{
    const std::string shown = ns3::ShownText(name);
    if (!used.count(name))
    {
        throw InputError("--" + shown + ": no option of wormhole run, and no value has {" + shown +
                         "} in it" + ns3::DidYouMean(name, SweepOptionNames(), "--"));
    }
    const std::string column = SweepColumnName(name);
    if (!columns.insert(column).second)
    {
        throw InputError("--" + shown + ": the results have a column of that name, " + column +
                         "; give the parameter another one");
    }
}

/** Checks what can be without reading inputs. */
void
CheckRun(const SweepRun& run)
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

void
CheckRuns(const std::vector<SweepRun>& runs)
{
    std::map<std::string, std::string> titles; // by hash
    for (const SweepRun& run : runs)
    {
        CheckRun(run);
        const auto [same, added] = titles.emplace(run.hash, run.title);
        if (!added)
        {
            throw InputError("the runs with " + same->second + " and with " + run.title +
                             " are the same; give each value once");
        }
    }
}

/** \return how many values each setting has */
std::vector<size_t>
CountValues(const std::vector<SweepSetting>& settings)
{
    std::vector<size_t> counts;
    size_t runs = 1;
    for (const SweepSetting& setting : settings)
    {
        counts.push_back(setting.kind == SweepKind::FLAG ? 1 : setting.values.size());
        if (counts.back() > MOST_SWEEP_RUNS / runs)
        {
            throw InputError("a sweep has at most " + std::to_string(MOST_SWEEP_RUNS) + " runs");
        }
        runs *= counts.back();
    }
    return counts;
}

} // namespace

SweepPlan
MakeSweepPlan(const std::string& file, const Words& words, const std::string& memo)
{
    const std::vector<SweepSetting> settings = ReadSweepSettings(file, words);
    const std::vector<size_t> counts = CountValues(settings);
    SweepPlan plan;
    size_t runs = 1;
    for (size_t i = 0; i < settings.size(); ++i)
    {
        runs *= counts[i];
        if (settings[i].kind == SweepKind::PARAMETER || counts[i] > 1)
        {
            plan.parameters.push_back(settings[i].name);
        }
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
    std::set<std::string> columns = SWEEP_COLUMNS;
    for (const SweepSetting& setting : settings)
    {
        if (setting.kind == SweepKind::PARAMETER)
        {
            CheckParameter(setting.name, used, columns);
        }
    }
    CheckRuns(plan.runs);
    return plan;
}

} // namespace wormhole
