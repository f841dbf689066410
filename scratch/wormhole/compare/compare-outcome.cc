/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-outcome.h"

#include "report/csv-reader.h"
#include "result/files.h"
#include "result/result-file.h"
#include "result/result-shape.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::InputError;

namespace
{

Json
ReadSummary(const std::string& path)
{
    Json summary = ReadResultJson(path);
    if (!summary.is_object() || !summary.contains("configuration"))
    {
        throw InputError(path + ": this is no summary of a run; if the run was killed, run it "
                                "again, else give another folder");
    }
    CheckSummaryShape(summary, path);
    return summary;
}

/** \return whether a line of fct.txt is understood */
bool
ParseFlow(const std::string& line, CompareFlow& flow)
{
    constexpr size_t LEAST = 7;
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; words.size() <= LEAST + 1 && in >> word;)
    {
        words.push_back(word);
    }
    uint64_t sport = 0;
    uint64_t dport = 0;
    uint64_t alone = 0;
    if (words.size() < LEAST || words.size() > LEAST + 1 || !ns3::ParseInteger(words[2], sport) ||
        !ns3::ParseInteger(words[3], dport) || !ns3::ParseInteger(words[4], flow.bytes) ||
        !ns3::ParseInteger(words[5], flow.startNs) || !ns3::ParseInteger(words[6], flow.fctNs) ||
        (words.size() > LEAST && !ns3::ParseInteger(words[LEAST], alone)))
    {
        return false;
    }
    flow.src = words[0];
    flow.dst = words[1];
    flow.dport = static_cast<uint32_t>(dport);
    return dport <= UINT32_MAX && flow.fctNs <= UINT64_MAX - flow.startNs;
}

std::vector<CompareFlow>
ReadFlows(const std::string& path)
{
    std::ifstream in = OpenResultFile(path);
    std::vector<CompareFlow> flows;
    std::string line;
    for (uint64_t number = 1; std::getline(in, line); ++number)
    {
        const bool cut = in.eof();
        if (cut || !ParseFlow(line, flows.emplace_back()))
        {
            throw InputError(
                path,
                number,
                std::string(cut ? "the line is cut off" : "this is not what a run writes") +
                    "; run it again, or give another folder");
        }
    }
    std::stable_sort(flows.begin(), flows.end(), [](const CompareFlow& a, const CompareFlow& b) {
        return std::make_pair(a.Key(), a.startNs) < std::make_pair(b.Key(), b.startNs);
    });
    return flows;
}

std::vector<CompareLink>
ReadLinks(const std::string& path)
{
    constexpr double SECONDS_PER_NS = 1e-9;
    CsvReader csv(path, {"link", "from", "to", "bytes", "begin_ns", "end_ns"});
    std::vector<CompareLink> links;
    while (csv.Next())
    {
        const double ns = csv.Number(5) - csv.Number(4);
        links.push_back({csv.Text(0) + "," + csv.Text(1) + "," + csv.Text(2),
                         csv.Number(3),
                         ns * SECONDS_PER_NS});
    }
    return links;
}

std::vector<CompareRtt>
ReadRtts(const std::string& path)
{
    std::vector<CompareRtt> rtts;
    if (!FileExists(path))
    {
        return rtts;
    }
    CsvReader csv(path, {"time_ns", "seq", "rtt_ns"});
    while (csv.Next())
    {
        rtts.push_back({csv.Integer(1), csv.Number(2)});
    }
    std::stable_sort(rtts.begin(), rtts.end(), [](const CompareRtt& a, const CompareRtt& b) {
        return a.seq < b.seq;
    });
    return rtts;
}

std::optional<double>
Makespan(const Json& summary, const std::vector<CompareFlow>& flows)
{
    if (summary.contains("operations"))
    {
        const Json& operations = summary["operations"];
        if (operations.value("completed", 0.0) < operations.value("count", 0.0))
        {
            return {};
        }
        return summary.value("results", Json::object()).value("finish_ns", 0.0);
    }
    if (flows.empty() || !summary.contains("flows") ||
        summary["flows"].value("completed", 0.0) < summary["flows"].value("count", 0.0))
    {
        return {};
    }
    uint64_t begin = UINT64_MAX;
    uint64_t end = 0;
    for (const CompareFlow& flow : flows)
    {
        begin = std::min(begin, flow.startNs);
        end = std::max(end, flow.startNs + flow.fctNs);
    }
    return static_cast<double>(end - begin);
}

/** \param lacking whether fct.txt and links.csv may be missing */
CompareOutcome
ReadOutcome(const std::string& folder, bool lacking)
{
    const std::filesystem::path base(folder);
    CompareOutcome outcome;
    outcome.summary = ReadSummary((base / "summary.json").string());
    std::string fct = (base / "fct.txt").string();
    for (const Json& file : outcome.summary.value("outputs", Json::array()))
    {
        if (file.value("named_by", "") == "FCT_OUTPUT_FILE") // config.txt has its own name
        {
            fct = InFolder(folder, file.value("path", ""));
        }
    }
    const std::string links = (base / "links.csv").string();
    for (const std::string& needed : {fct, links})
    {
        if (!lacking && !FileExists(needed))
        {
            throw InputError(needed + " is not there; wormhole run --links --output DIR "
                                      "writes what can be compared");
        }
    }
    if (!lacking || FileExists(fct))
    {
        outcome.flows = ReadFlows(fct);
    }
    if (!lacking || FileExists(links))
    {
        outcome.links = ReadLinks(links);
    }
    outcome.rtts = ReadRtts((base / "rtts.csv").string());
    outcome.makespanNs = Makespan(outcome.summary, outcome.flows);
    return outcome;
}

} // namespace

CompareOutcome
ReadCompareOutcome(const std::string& folder)
{
    return ReadOutcome(folder, false);
}

CompareOutcome
ReadAnyOutcome(const std::string& folder)
{
    return ReadOutcome(folder, true);
}

Json
ScenarioOf(const Json& summary)
{
    Json scenario = summary.value("configuration", Json::object());
    scenario.erase("mode");
    scenario.erase("fast");
    if (scenario.value("config_txt", Json()).is_object())
    {
        for (const char* output : {"FCT_OUTPUT_FILE",
                                   "PFC_OUTPUT_FILE",
                                   "QLEN_MON_FILE",
                                   "BW_MON_FILE",
                                   "RATE_MON_FILE",
                                   "CNP_MON_FILE",
                                   "TRACE_OUTPUT_FILE"})
        {
            scenario["config_txt"].erase(output);
        }
    }
    scenario["inputs"] = summary.value("inputs", Json::array());
    return scenario;
}

} // namespace wormhole
