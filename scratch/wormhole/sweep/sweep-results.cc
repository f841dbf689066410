/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sweep-results.h"

#include "result/files.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <filesystem>
#include <fstream>
#include <set>

namespace wormhole
{

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace
{

/** Parts of a summary that say what was run, not what came of it. */
const std::set<std::string> NO_RESULTS{"program", "command", "configuration", "inputs", "outputs"};

/** Adds each number of \p part, named by where it stands. */
void
AddNumbers(const Json& part, const std::string& name, SweepNumbers& numbers)
{
    if (part.is_number() || part.is_boolean())
    {
        numbers.emplace_back(name, part.is_boolean() ? Json(int{part.get<bool>()}) : part);
    }
    else if (part.is_object())
    {
        for (const auto& [key, value] : part.items())
        {
            if (!name.empty() || !NO_RESULTS.count(key))
            {
                AddNumbers(value,
                           name.empty() ? SweepColumnName(key) : name + "_" + SweepColumnName(key),
                           numbers);
            }
        }
    }
}

SweepTable
RunsTable(const Words& parameters, const std::vector<SweepResult>& results)
{
    SweepTable table;
    for (const SweepResult& result : results)
    {
        table.BeginRow();
        table.Set("hash", result.run->hash);
        const auto setParameters = [&]() {
            for (size_t i = 0; i < parameters.size(); ++i)
            {
                table.Set(SweepColumnName(parameters[i]), SweepValue(result.run->values[i]));
            }
        };
        setParameters();
        table.Set("commit_id", result.summary.at("program").value("commit", ""));
        for (const auto& [name, value] : NumbersOfSummary(result.summary))
        {
            table.Set(name, value);
        }
        setParameters(); // also if one has the name of a result
    }
    return table;
}

SweepTable
ConfigurationsTable(const std::vector<SweepResult>& results)
{
    SweepTable table;
    for (const SweepResult& result : results)
    {
        table.BeginRow();
        table.Set("hash", result.run->hash);
        table.Set("folder", result.folder);
        table.Set("options", Json(result.run->words).dump());
        table.Set("configuration", result.summary.at("configuration").dump());
        table.Set("inputs", result.summary.at("inputs").dump());
    }
    return table;
}

} // namespace

SweepNumbers
NumbersOfSummary(const Json& summary)
{
    SweepNumbers numbers;
    AddNumbers(summary, "", numbers);
    return numbers;
}

Json
SweepValue(const std::string& text)
{
    uint64_t whole = 0;
    double number = 0;
    return ns3::ParseInteger(text, whole)   ? Json(whole)
           : ns3::ParseNumber(text, number) ? Json(number)
                                            : Json(text);
}

const std::string&
SweepSummaryReader::HashOf(const std::string& path)
{
    const auto known = m_hashes.find(path);
    return known != m_hashes.end()
               ? known->second
               : m_hashes.emplace(path, DigestFile(path).HashText()).first->second;
}

std::optional<Json>
SweepSummaryReader::Read(const std::string& folder)
{
    std::ifstream in(fs::path(folder) / "summary.json");
    Json summary = in ? Json::parse(in, nullptr, false) : Json();
    if (!summary.is_object() || summary.value("interrupted", true))
    {
        return std::nullopt;
    }
    try
    {
        for (const Json& input : summary.at("inputs"))
        {
            if (HashOf(input.at("path")) != input.at("fnv1a_64"))
            {
                return std::nullopt;
            }
        }
    }
    catch (const ns3::InputError&)
    {
        return std::nullopt; // the run will say what it misses
    }
    catch (const Json::exception&)
    {
        return std::nullopt; // another program's, or damaged
    }
    return summary;
}

void
WriteSweepResults(const std::string& folder,
                  const Words& parameters,
                  const std::vector<SweepResult>& results,
                  const std::vector<SweepStatisticsTable>& statistics)
{
    const SweepTable runs = RunsTable(parameters, results);
    WriteSweepCsv(InFolder(folder, "results.csv"), runs);
    for (const auto& [name, table] : statistics)
    {
        const std::string path = InFolder(folder, name + ".csv");
        std::error_code error;
        table.IsEmpty() ? void(fs::remove(path, error)) : WriteSweepCsv(path, table);
    }
    if (results.empty())
    {
        return; // a table has columns
    }
    SweepDatabase database(InFolder(folder, "results.db"));
    database.Write("runs", runs, "hash");
    database.Write("configurations", ConfigurationsTable(results), "hash");
    for (const auto& [name, table] : statistics)
    {
        if (!table.IsEmpty())
        {
            database.Write(name, table);
        }
    }
    database.Close();
}

} // namespace wormhole
