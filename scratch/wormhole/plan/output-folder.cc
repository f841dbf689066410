/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "output-folder.h"

#include "plan-parts.h"
#include "result/result-file.h"
#include "result/result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-line-file.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

namespace wormhole
{

using Json = nlohmann::ordered_json;

namespace
{

/** Results that readers look for by these names, if a run has written them. */
constexpr const char* RESULTS[]{"fct.txt", "pfc.txt", "links.csv", "rtts.csv", "ranks.csv"};

/** \return files that the run wrote whose summary is \p path; none if there is no such summary */
std::vector<std::string>
OutputsOf(const std::string& path)
{
    std::vector<std::string> names;
    try
    {
        const Json summary = ReadResultJson(path);
        if (summary.is_object())
        {
            CheckSummaryShape(summary, path);
            for (const Json& file : summary.value("outputs", Json::array()))
            {
                names.push_back(fs::path(file.value("path", "")).filename().string());
            }
        }
    }
    catch (const ns3::InputError&)
    {
        names.clear(); // whatever it is
    }
    return names;
}

void
RemoveOutdated(const std::string& folder, const RunPlan& plan)
{
    const std::vector<std::string> written = OutputsOf(plan.outputs.summary);
    for (const char* name : RESULTS)
    {
        const std::string path = InFolder(folder, name);
        const auto isPath = [&](const NamedFile& file) {
            return TargetOf(file.path) == TargetOf(path);
        };
        const bool isUsed = std::any_of(plan.outputFiles.begin(), plan.outputFiles.end(), isPath) ||
                            std::any_of(plan.inputs.begin(), plan.inputs.end(), isPath);
        if (!isUsed && std::find(written.begin(), written.end(), name) != written.end())
        {
            std::error_code error; // what cannot be removed could not be overwritten
            fs::remove(path, error);
        }
    }
}

} // namespace

OutputFolder::OutputFolder(const RunOptions& options, const RunPlan& plan)
{
    const bool ours = !options.output.empty() || !plan.config;
    const fs::path folder = fs::path(plan.outputs.summary).parent_path();
    if (ours && !folder.empty())
    {
        m_lock.emplace(folder.string(), "run");
        RemoveOutdated(folder.string(), plan);
    }
    else if (!folder.empty() && !fs::is_directory(folder))
    {
        // SimAI.conf as it comes names folders of the machine that it was written on
        throw ns3::OutputError(
            folder.string() + ": there is no such folder, but FCT_OUTPUT_FILE of " +
            plan.config->file + " is in it; make it, or give --output DIR for all results");
    }
    PrepareRecordFolder(plan.record);
}

} // namespace wormhole
