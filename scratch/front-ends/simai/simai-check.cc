/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simai-check.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/workload-simai-check.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-groups.h"
#include "ns3/workload-simai-program.h"
#include "ns3/workload-simai-shape.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <utility>

namespace wormhole
{

namespace
{

using ns3::InputError;

/** \throws InputError if a header lacks what SimAI divides by, unset or not */
void
CheckHeader(const std::string& workload, const std::string& line)
{
    std::istringstream words(line);
    std::set<std::string>
        missing{"model_parallel_NPU_group:", "ep:", "pp:", "vpp:", "ga:", "all_gpus:"};
    std::string word;
    words >> word;
    if (word != "HYBRID_TRANSFORMER" && word != "HYBRID_TRANSFORMER_FWD_IN_BCKWD")
    {
        throw InputError(workload,
                         1,
                         "policy " + ns3::ShownText(word) +
                             ", but must be HYBRID_TRANSFORMER or HYBRID_TRANSFORMER_FWD_IN_BCKWD: "
                             "with any other, SimAI does not read the sizes of groups that it "
                             "divides by (wormhole run --workload simai: runs others, too)");
    }
    while (words >> word)
    {
        const std::string key = word;
        uint64_t number = 0;
        if (missing.count(key) && words >> word && ns3::ParseInteger(word, number) && number > 0)
        {
            missing.erase(key);
        }
    }
    if (!missing.empty())
    {
        throw InputError(
            workload,
            1,
            "the header lacks (or has 0 for) " + ns3::ListText({missing.begin(), missing.end()}) +
                "; add them, as in \"ep: 1\" (1 for no parallelism): SimAI divides by them");
    }
}

/** \throws InputError if a layer lasts longer than SimAI can count: it takes times for an int */
void
CheckTimes(const ns3::WorkloadSimAiFile& file)
{
    constexpr uint64_t MOST_NS = std::numeric_limits<int32_t>::max();
    for (const ns3::WorkloadSimAiLayer& layer : file.layers)
    {
        uint64_t ns = layer.processNs;
        for (const ns3::WorkloadSimAiPart& part : layer.parts)
        {
            ns = std::max(ns, part.computeNs);
        }
        if (ns > MOST_NS)
        {
            throw InputError(file.origin,
                             layer.line,
                             ns3::ShownText(layer.name) + " takes " + std::to_string(ns) +
                                 " ns, but SimAI counts up to " + std::to_string(MOST_NS) +
                                 "; divide it among several layers");
        }
    }
}

/** \throws InputError if servers have no NVSwitch, which SimAI looks for by the server's number */
void
CheckServers(const SimAiServers& servers)
{
    if (servers.nvSwitches == 0)
    {
        throw InputError("the topology (-n) has no NVSwitches, but SimAI needs one in each server; "
                         "take one of gen_Topo_Template.py, or such as spectrum-x:gpus=" +
                         std::to_string(servers.gpus));
    }
}

/** \return the least size of which each message of the collective has a byte: SimAI divides it by
 * the members, and what is left by the channels of their rings, and makes no message of 0 bytes */
uint64_t
LeastBytes(const ns3::WorkloadSimAiOperation& operation,
           const ns3::WorkloadSimAiGroups& groups,
           const ns3::WorkloadSimAiServers& servers)
{
    const ns3::WorkloadSimAiShape shape = servers.ShapeOf(groups.GetRanks(operation.group, 0));
    const bool rings = operation.kind != ns3::WorkloadSimAiKind::ALL_TO_ALL;
    return uint64_t(shape.Count()) * (rings ? shape.Channels() : 1);
}

/** \return what is written for a collective in a column of the file */
std::string
NameOf(ns3::WorkloadSimAiPass pass)
{
    return pass == ns3::WorkloadSimAiPass::FWD  ? "forward pass"
           : pass == ns3::WorkloadSimAiPass::IG ? "input gradient"
                                                : "weight gradient";
}

/** \return a warning of the first of some corrections, and how many there are; why they are made */
std::string
WarningOf(const ns3::WorkloadSimAiFile& file,
          const std::vector<SimAiCorrection>& corrections,
          const std::string& why)
{
    const SimAiCorrection& first = corrections.front();
    const ns3::WorkloadSimAiLayer& layer = file.layers[first.layer];
    const ns3::WorkloadSimAiPart& part = layer.Part(first.pass);
    return file.origin + ":" + std::to_string(layer.line) + ": the " + NameOf(first.pass) + " of " +
           ns3::ShownText(layer.name) + ", an " + ns3::WorkloadSimAiKindName(part.kind) + " of " +
           std::to_string(part.bytes) + " B, " + why +
           (corrections.size() > 1 ? "; " + std::to_string(corrections.size() - 1) + " more like it"
                                   : "");
}

/** Finds collectives of which SimAI would make no message. */
void
FindEmpty(const ns3::WorkloadSimAiProgram& program,
          const ns3::WorkloadSimAiFile& file,
          const ns3::WorkloadSimAiGroups& groups,
          const ns3::WorkloadSimAiServers& servers,
          SimAiFindings& findings)
{
    std::vector<SimAiCorrection> empty;
    for (uint32_t layer = 0; layer < file.layers.size(); ++layer)
    {
        for (uint32_t column = 0; column < ns3::WORKLOAD_SIMAI_PASSES; ++column)
        {
            const auto pass = static_cast<ns3::WorkloadSimAiPass>(column);
            const ns3::WorkloadSimAiPart& part = file.layers[layer].Part(pass);
            if (part.kind != ns3::WorkloadSimAiKind::NONE && part.bytes == 0)
            {
                empty.push_back({layer, pass, 0});
            }
        }
    }
    std::vector<SimAiCorrection> small;
    std::set<std::pair<uint32_t, ns3::WorkloadSimAiPass>> seen; // recomputed layers come twice
    for (const ns3::WorkloadSimAiOperation& operation : program.operations)
    {
        const uint64_t least = LeastBytes(operation, groups, servers);
        if (operation.bytes < least && seen.emplace(operation.layer, operation.pass).second)
        {
            small.push_back({operation.layer, operation.pass, least});
        }
    }
    if (!empty.empty())
    {
        findings.warnings.push_back(WarningOf(file, empty, "is left out: it sends nothing"));
    }
    if (!small.empty())
    {
        findings.warnings.push_back(
            WarningOf(file,
                      small,
                      "has " + std::to_string(small.front().bytes) +
                          " B in place of them: SimAI would send nothing, and wait for it for "
                          "ever"));
    }
    findings.corrections = std::move(empty);
    findings.corrections.insert(findings.corrections.end(), small.begin(), small.end());
}

/** Finds out whether NVLS, which is asked for, can be used.
 * \param tensor GPUs of a tensor group
 * \throws InputError if SimAI uses it where it cannot be */
void
CheckNvls(const ns3::WorkloadSimAiProgram& program,
          uint32_t tensor,
          const ns3::WorkloadSimAiGroups& groups,
          const SimAiServers& servers,
          SimAiFindings& findings)
{
    ns3::WorkloadSimAiOptions options;
    options.nvls = true;
    options.gpuType = servers.gpuType;
    const auto warningOn = [&](uint32_t gpusPerServer) {
        return ns3::WarningOfWorkloadSimAiNvls(options, program, groups, {gpusPerServer, 1});
    };
    const std::string warning = warningOn(servers.gpusPerServer);
    if (warning.empty())
    {
        return;
    }
    if (warningOn(servers.gpus).empty()) // SimAI takes all GPUs for one server
    {
        throw InputError("AS_NVLS_ENABLE=1: tensor groups of " + std::to_string(tensor) +
                         " GPUs are on several servers of " +
                         std::to_string(servers.gpusPerServer) +
                         ", where SimAI sends nothing of their all-reduces, and waits for them for "
                         "ever; leave it out");
    }
    findings.warnings.push_back("AS_NVLS_ENABLE=1: " + warning);
}

} // namespace

SimAiFindings
CheckSimAiWorkload(const std::string& workload,
                   const SimAiServers& servers,
                   const SimAiEnvironment& environment)
{
    std::ifstream in(workload);
    std::string header;
    if (!std::getline(in, header))
    {
        if (in.bad())
        {
            throw InputError(workload, 0, "cannot be read; -w must name a file");
        }
        throw InputError(workload, 1, "the file is empty; give a workload of SimAI or AICB");
    }
    if (header.empty() || std::isupper(static_cast<unsigned char>(header.front())) == 0)
    {
        return {};
    }
    CheckHeader(workload, header);
    const ns3::WorkloadSimAiFile file = ns3::ReadWorkloadSimAi(workload);
    uint64_t countLine = file.line + 1;
    while (std::isspace(in.peek()) != 0)
    {
        countLine += in.get() == '\n';
    }
    uint64_t declared = 0;
    in >> declared;
    if (declared > file.layers.size())
    {
        throw InputError(workload,
                         countLine,
                         std::to_string(declared) + " layers are declared, but there are " +
                             std::to_string(file.layers.size()) +
                             "; complete the file, or correct the number: SimAI would run layers "
                             "that are not there");
    }
    CheckTimes(file);
    CheckServers(servers);
    SimAiFindings findings;
    try
    {
        const ns3::WorkloadSimAiGroups groups(servers.gpus, file.tp, file.ep);
        const ns3::WorkloadSimAiProgram program = ns3::MakeWorkloadSimAiProgram(file, {}, groups);
        FindEmpty(program, file, groups, {servers.gpusPerServer, 0}, findings);
        if (environment.nvls)
        {
            CheckNvls(program, file.tp, groups, servers, findings);
        }
    }
    catch (const InputError& error)
    {
        throw InputError(workload, file.line, error.what());
    }
    return findings;
}

} // namespace wormhole
