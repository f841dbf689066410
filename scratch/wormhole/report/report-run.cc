/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "report-run.h"

#include "result/result-file.h"
#include "result/result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace wormhole
{

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ns3::InputError;

namespace
{

std::string
PathIn(const std::string& folder, const std::string& file)
{
    return (fs::path(folder) / file).string();
}

/** \return the last part of a path: "out" of "results/out/" */
std::string
BaseName(const std::string& folder)
{
    std::error_code error;
    fs::path path = fs::weakly_canonical(fs::absolute(folder, error), error);
    return error || path.filename().empty() ? folder : path.filename().string();
}

ReportRun
ReadRun(const std::string& name, const std::string& folder)
{
    ReportRun run;
    run.name = name;
    run.folder = folder;
    run.outcome = WithSummaryOf(run, [&folder] { return ReadAnyOutcome(folder); });
    return run;
}

/** Adds a run, with a note if its files do not belong together. */
void
AddRun(ReportRun run, ReportRuns& all)
{
    const Json flows = run.outcome.summary.value("flows", Json::object());
    const auto found = static_cast<double>(run.outcome.flows.size());
    if (flows.contains("completed") && flows["completed"] != found)
    {
        all.notes.push_back(run.folder + ": summary.json counts " + flows["completed"].dump() +
                            " completed flows, but the file of completion times has " +
                            std::to_string(run.outcome.flows.size()) +
                            "; one of them is of another run, or incomplete");
    }
    all.runs.push_back(std::move(run));
}

/** \return whether this is the name of something in a folder, and not of the folder or its parent
 */
bool
IsPlainName(const std::string& name)
{
    return !name.empty() && name != "." && name != ".." && fs::path(name).filename() == name;
}

Json
ReadComparison(const std::string& path)
{
    Json comparison = ReadResultJson(path);
    CheckComparisonShape(comparison, path);
    return comparison;
}

/** Takes the runs of a comparison, in its order, packet level first. */
void
AddComparison(const std::string& folder, ReportRuns& all)
{
    const std::string path = PathIn(folder, "compare.json");
    const Json comparison = ReadComparison(path);
    const bool first = all.runs.empty();
    for (const auto& [mode, figures] : comparison["modes"].items())
    {
        const std::string own = PathIn(folder, mode);
        if (!IsPlainName(mode) || !FileExists(PathIn(own, "summary.json")))
        {
            std::string note = folder;
            note += ": the results of \"";
            note += mode;
            note += "\" are not in this folder; they are left out";
            all.notes.push_back(note);
            continue;
        }
        ReportRun run = ReadRun(mode, own);
        if (figures.value("wall_s", Json()).is_number())
        {
            run.wallSeconds = figures["wall_s"].get<double>();
        }
        if (figures.contains("peak_memory_kib"))
        {
            run.peakMemoryKib = figures["peak_memory_kib"].get<uint64_t>();
        }
        AddRun(std::move(run), all);
    }
    for (const char* part : {"notes", "failures"})
    {
        for (const Json& note : comparison.value(part, Json::array()))
        {
            all.notes.push_back(note.is_string() ? note.get<std::string>() : note.dump());
        }
    }
    // errors of other seeds are against the comparison's own packet level
    if (first && !all.runs.empty() && all.runs.front().name == "packet")
    {
        all.seeds = comparison.value("seeds", Json::array());
        all.disturbed = comparison.value("disturbed", Json());
    }
}

/** Names that occur twice become the folders they stand for. */
void
MakeNamesDiffer(std::vector<ReportRun>& runs)
{
    std::set<std::string> seen;
    std::set<std::string> twice;
    for (const ReportRun& run : runs)
    {
        if (!seen.insert(run.name).second)
        {
            twice.insert(run.name);
        }
    }
    std::set<std::string> taken;
    for (ReportRun& run : runs)
    {
        run.name = twice.count(run.name) ? run.folder : run.name;
        if (!taken.insert(run.name).second)
        {
            throw InputError(ns3::ShownText(run.folder) + " is given twice; give each run once");
        }
    }
}

/** \return the files that a run read and wrote, and its comparison */
std::vector<std::string>
PathsOf(const ReportRun& run)
{
    std::vector<std::string> paths;
    for (const char* name : {"summary.json", "fct.txt", "links.csv", "ranks.csv", "rtts.csv"})
    {
        paths.push_back(PathIn(run.folder, name));
    }
    paths.push_back(PathIn(fs::path(run.folder).parent_path().string(), "compare.json"));
    for (const Json& output : run.outcome.summary.value("outputs", Json::array()))
    {
        paths.push_back(InFolder(run.folder, output.value("path", "")));
    }
    for (const Json& input : run.outcome.summary.value("inputs", Json::array()))
    {
        const std::string path = input.value("path", "");
        if (FileExists(path))
        {
            paths.push_back(path);
        }
    }
    std::error_code error;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(PathIn(run.folder, "record"), error))
    {
        paths.push_back(entry.path().string());
    }
    return paths;
}

} // namespace

void
ThrowNoSummary(const std::string& folder, const std::string& why)
{
    throw InputError(PathIn(folder, "summary.json") + ": this is no summary of a run: " + why);
}

std::string
ReportRun::Mode() const
{
    return outcome.summary["configuration"].value("mode", "packet");
}

bool
ReportRun::IsRecorded() const
{
    return outcome.summary.contains("record") && outcome.summary["record"].is_object();
}

std::string
ReportRun::Recorded(const std::string& file) const
{
    return IsRecorded() ? FileOf((fs::path("record") / file).string()) : "";
}

std::string
ReportRun::FileOf(const std::string& file) const
{
    const std::string path = PathIn(folder, file);
    return FileExists(path) ? path : "";
}

ReportRuns
ReadReportRuns(const std::vector<std::string>& folders)
{
    ReportRuns all;
    for (const std::string& folder : folders)
    {
        std::error_code error;
        if (!fs::is_directory(folder, error))
        {
            throw InputError(ns3::ShownText(folder) +
                             " is no folder; give what wormhole run, compare or sweep "
                             "--output wrote");
        }
        if (FileExists(PathIn(folder, "compare.json")))
        {
            AddComparison(folder, all);
        }
        else if (FileExists(PathIn(folder, "summary.json")))
        {
            AddRun(ReadRun(BaseName(folder), folder), all);
        }
        else if (FileExists(PathIn(folder, "statistics.csv")))
        {
            all.sweeps.push_back(folder);
        }
        else
        {
            throw InputError(ns3::ShownText(folder) +
                             ": there is no summary.json in it, so it is not what wormhole "
                             "run --output wrote, and no statistics.csv, so it is no sweep");
        }
    }
    if (all.runs.empty() && all.sweeps.empty())
    {
        throw InputError(ns3::ShownText(folders.front()) + ": the comparison has no results yet");
    }
    MakeNamesDiffer(all.runs);
    return all;
}

std::vector<NamedFile>
FilesOf(const ReportRuns& runs)
{
    std::vector<NamedFile> files;
    for (const ReportRun& run : runs.runs)
    {
        for (const std::string& path : WithSummaryOf(run, [&run] { return PathsOf(run); }))
        {
            files.push_back({"of the run " + run.name, path});
        }
    }
    for (const std::string& sweep : runs.sweeps)
    {
        for (const char* name : SWEEP_TABLES)
        {
            files.push_back({"of the sweep " + sweep, PathIn(sweep, name)});
        }
    }
    return files;
}

} // namespace wormhole
