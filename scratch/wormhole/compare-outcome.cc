/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "compare-outcome.h"

#include "files.h"

#include "ns3/rdma-input-error.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

namespace wormhole
{

using Json = nlohmann::ordered_json;
using ns3::RdmaInputError;

namespace
{

std::ifstream
Open(const std::string& path)
{
    std::ifstream in(path);
    if (!in)
    {
        throw RdmaInputError(path + " cannot be read; a folder of results is what wormhole run "
                                    "--links --output DIR writes");
    }
    return in;
}

/** Calls \p parse for each line; it says whether it understands it. */
void
ForEachLine(const std::string& path,
            bool header,
            const std::function<bool(std::istringstream& in)>& parse)
{
    std::ifstream in = Open(path);
    std::string line;
    for (uint64_t number = 1; std::getline(in, line); ++number)
    {
        std::istringstream words(line);
        if ((number > 1 || !header) && !parse(words))
        {
            throw RdmaInputError(path,
                                 number,
                                 "this is not what a run writes; run it again, or give another "
                                 "folder");
        }
    }
}

Json
ReadSummary(const std::string& path)
{
    std::ifstream in = Open(path);
    Json summary = Json::parse(in, nullptr, false);
    if (!summary.is_object() || !summary.contains("configuration") ||
        !summary["configuration"].is_object())
    {
        throw RdmaInputError(path +
                             ": this is no summary of a run; if the run was killed, run it again");
    }
    return summary;
}

std::vector<CompareFlow>
ReadFlows(const std::string& path)
{
    std::vector<CompareFlow> flows;
    ForEachLine(path, false, [&flows](std::istringstream& in) {
        CompareFlow flow;
        uint32_t sport = 0;
        in >> flow.src >> flow.dst >> sport >> flow.dport >> flow.bytes >> flow.startNs >>
            flow.fctNs;
        const bool understood = !in.fail();
        in >> flow.aloneNs; // 0 if it is missing
        flows.push_back(flow);
        return understood;
    });
    std::stable_sort(flows.begin(), flows.end(), [](const CompareFlow& a, const CompareFlow& b) {
        return std::make_pair(a.Key(), a.startNs) < std::make_pair(b.Key(), b.startNs);
    });
    return flows;
}

std::vector<CompareLink>
ReadLinks(const std::string& path)
{
    std::vector<CompareLink> links;
    ForEachLine(path, true, [&links](std::istringstream& in) {
        CompareLink link;
        std::string from;
        std::string to;
        char comma = 0;
        double begin = 0;
        double end = 0;
        std::getline(in, link.name, ',');
        std::getline(in, from, ',');
        std::getline(in, to, ',');
        in >> link.bytes >> comma >> begin >> comma >> end;
        link.name += "," + from + "," + to;
        link.seconds = (end - begin) * 1e-9;
        links.push_back(link);
        return !in.fail();
    });
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
    ForEachLine(path, true, [&rtts](std::istringstream& in) {
        CompareRtt rtt;
        uint64_t time = 0;
        char comma = 0;
        in >> time >> comma >> rtt.seq >> comma >> rtt.ns;
        rtts.push_back(rtt);
        return !in.fail();
    });
    std::stable_sort(rtts.begin(), rtts.end(), [](const CompareRtt& a, const CompareRtt& b) {
        return a.seq < b.seq;
    });
    return rtts;
}

/** \return from the first start to the last end; of workloads: from 0, computing times included */
std::optional<double>
JobTime(const Json& summary, const std::vector<CompareFlow>& flows)
{
    if (summary.contains("operations"))
    {
        const Json& operations = summary["operations"];
        if (operations.value("completed", 0.0) < operations.value("count", 0.0))
        {
            return {};
        }
        return summary["results"].value("finish_ns", 0.0);
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
    if (!lacking || FileExists(fct))
    {
        outcome.flows = ReadFlows(fct);
    }
    if (!lacking || FileExists(links))
    {
        outcome.links = ReadLinks(links);
    }
    outcome.rtts = ReadRtts((base / "rtts.csv").string());
    outcome.jobNs = JobTime(outcome.summary, outcome.flows);
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

} // namespace wormhole
