/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-report.h"

#include "ns3/input-error.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <cstdio>
#include <ostream>

namespace ns3
{

namespace
{

constexpr double GIBIBYTE = 1073741824.0;
constexpr double US_PER_SECOND = 1e6;

using Pass = WorkloadSimAiPass;

/** \return with \p digits decimals */
std::string
Fixed(double value, int digits)
{
    char text[400]; // 309 digits of the greatest double, and the decimals
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string
Us(double ns)
{
    return Fixed(ns / WORKLOAD_NS_PER_US, 6);
}

/** Sizes of groups as SimAI's report takes them, of the header; of the run where it has none. */
uint32_t
ReportedSize(const WorkloadSimAiFile& file,
             const WorkloadSimAiRunner& runner,
             WorkloadSimAiGroup group)
{
    const uint64_t stage = uint64_t(file.tp) * file.pp;
    if (!file.HasParallelism() || file.allGpus < stage)
    {
        return runner.GetGroups().GetSize(group);
    }
    const uint32_t dp = uint32_t(file.allGpus / stage);
    switch (group)
    {
    case WorkloadSimAiGroup::TP:
        return file.tp;
    case WorkloadSimAiGroup::EP:
        return file.ep;
    case WorkloadSimAiGroup::DP_EP:
        return dp / file.ep;
    case WorkloadSimAiGroup::DP:
    case WorkloadSimAiGroup::ALL:
        break;
    }
    return dp;
}

/** \return ",total,algbw,busbw" of a part: us and GiB/s, to the digit as SimAI's 32-bit floats give
 * them */
std::string
Bandwidths(const WorkloadSimAiFile& file,
           const WorkloadSimAiRunner& runner,
           const WorkloadSimAiPart& part,
           const WorkloadSimAiPartTotals& totals)
{
    const double us = double(totals.totalPs) / WORKLOAD_PS_PER_NS / WORKLOAD_NS_PER_US;
    const auto bytes = double(WorkloadSimAiFloatBytes(totals.bytes));
    const auto algorithm = float(us > 0 ? bytes / us * US_PER_SECOND / GIBIBYTE : 0);
    const auto members = float(std::max(1U, ReportedSize(file, runner, part.group)));
    const float factor = part.kind == WorkloadSimAiKind::NONE         ? 0
                         : part.kind == WorkloadSimAiKind::ALL_REDUCE ? 2
                                                                      : 1;
    const auto bus = float(double(algorithm * factor * (members - 1)) / double(members));
    return "," + Us(double(totals.totalPs) / WORKLOAD_PS_PER_NS) + "," + Fixed(algorithm, 6) + "," +
           Fixed(bus, 6);
}

const Pass REPORTED[]{Pass::FWD, Pass::WG, Pass::IG}; // the order of SimAI's columns

void
WriteLayer(std::ostream& out,
           const WorkloadSimAiFile& file,
           const WorkloadSimAiRunner& runner,
           const std::string& runName,
           size_t index)
{
    const WorkloadSimAiLayer& layer = file.layers[index];
    const WorkloadSimAiLayerTotals& totals = runner.GetLayers()[index];
    out << layer.name << "," << runName;
    for (Pass pass : REPORTED)
    {
        out << "," << Us(double(totals.parts[static_cast<uint32_t>(pass)].computeNs));
    }
    for (Pass pass : REPORTED)
    {
        out << ","
            << Us(double(totals.parts[static_cast<uint32_t>(pass)].exposedPs) / WORKLOAD_PS_PER_NS);
    }
    for (Pass pass : REPORTED)
    {
        out << Bandwidths(file,
                          runner,
                          layer.Part(pass),
                          totals.parts[static_cast<uint32_t>(pass)]);
    }
    out << "," << Us(double(runner.GetRanks().front().finishPs) / WORKLOAD_PS_PER_NS) << "\n";
}

void
WriteSums(std::ostream& out, const WorkloadSimAiRunner& runner, const std::string& runName)
{
    double compute[WORKLOAD_SIMAI_PASSES]{};
    double exposed[WORKLOAD_SIMAI_PASSES]{};
    double total[WORKLOAD_SIMAI_PASSES]{};
    for (const WorkloadSimAiLayerTotals& layer : runner.GetLayers())
    {
        for (uint32_t pass = 0; pass < WORKLOAD_SIMAI_PASSES; ++pass)
        {
            compute[pass] += double(layer.parts[pass].computeNs);
            exposed[pass] += double(layer.parts[pass].exposedPs) / WORKLOAD_PS_PER_NS;
            total[pass] += double(layer.parts[pass].totalPs) / WORKLOAD_PS_PER_NS;
        }
    }
    out << "SUM," << runName;
    for (const auto* times : {compute, exposed})
    {
        for (Pass pass : REPORTED)
        {
            out << "," << Us(times[static_cast<uint32_t>(pass)]);
        }
    }
    for (Pass pass : REPORTED)
    {
        out << "," << Us(total[static_cast<uint32_t>(pass)]) << ",NONE,NONE";
    }
    out << "\n";
}

void
WriteSummary(std::ostream& out, const WorkloadSimAiSummary& summary, const std::string& runName)
{
    out << "File name, Expose DP comm, Expose DP_EP comm, Expose TP comm, Expose_EP_comm, "
           "Expose_PP_comm, bubble time, total comp, total exposed comm, Total time\n"
        << runName;
    const double pipeline = 0; // SimAI's overlap ratio of pipeline traffic is 1
    for (double ns : {summary.dpNs,
                      summary.dpEpNs,
                      summary.tpNs,
                      summary.epNs,
                      pipeline,
                      summary.bubbleNs,
                      summary.computeNs,
                      summary.exposedNs})
    {
        const double share = summary.totalNs > 0 ? ns / summary.totalNs * 100 : 0;
        out << ", " << Fixed(ns / WORKLOAD_NS_PER_US, 0) << " (" << Fixed(share, 2) << "%)";
    }
    out << ", " << Fixed(summary.totalNs / WORKLOAD_NS_PER_US, 0) << "\n";
}

} // namespace

WorkloadSimAiOptions
ResolveWorkloadSimAiOptions(const WorkloadSimAiOptions& options, const RdmaTopology& topology)
{
    WorkloadSimAiOptions resolved = options;
    const uint32_t hosts = topology.Count(RdmaNodeKind::HOST);
    if (resolved.gpusPerServer == 0)
    {
        resolved.gpusPerServer = topology.gpusPerServer;
    }
    else if (hosts % resolved.gpusPerServer != 0)
    {
        throw InputError("gpus-per-server=" + std::to_string(resolved.gpusPerServer) +
                         ", but it must divide the " + std::to_string(hosts) + " hosts of " +
                         topology.origin);
    }
    if (resolved.gpuType.empty())
    {
        resolved.gpuType = topology.gpuType;
    }
    resolved.nvSwitches = topology.Count(RdmaNodeKind::NVSWITCH);
    return resolved;
}

WorkloadSimAiSummary
SummarizeWorkloadSimAi(const WorkloadSimAiFile& file, const WorkloadSimAiRunner& runner)
{
    WorkloadSimAiSummary summary;
    for (size_t i = 0; i < file.layers.size(); ++i)
    {
        const WorkloadSimAiLayer& layer = file.layers[i];
        const auto& parts = runner.GetLayers()[i].parts;
        const WorkloadSimAiPartTotals& forward = parts[static_cast<uint32_t>(Pass::FWD)];
        const WorkloadSimAiPartTotals& inputs = parts[static_cast<uint32_t>(Pass::IG)];
        const WorkloadSimAiPartTotals& weights = parts[static_cast<uint32_t>(Pass::WG)];
        const double model = double(forward.exposedPs + inputs.exposedPs) / WORKLOAD_PS_PER_NS;
        const double data = double(weights.exposedPs) / WORKLOAD_PS_PER_NS;
        const double compute = double(forward.computeNs + inputs.computeNs + weights.computeNs);
        summary.computeNs += compute;
        summary.bubbleNs += layer.name == "embedding_layer" ? 0 : model + compute;
        (layer.Part(Pass::FWD).group == WorkloadSimAiGroup::EP ? summary.epNs : summary.tpNs) +=
            model;
        (layer.Part(Pass::WG).group == WorkloadSimAiGroup::DP_EP ? summary.dpEpNs : summary.dpNs) +=
            data;
    }
    const double slots = double(file.ga) * file.vpp;
    summary.bubbleNs *= file.HasParallelism() && slots > 0 ? (file.pp - 1.0) / slots : 0;
    const std::vector<WorkloadSimAiRankTotals>& ranks = runner.GetRanks();
    summary.totalNs = double(ranks.front().finishPs) / WORKLOAD_PS_PER_NS;
    // what rank 0 did not end, as after Ctrl-C, has no total
    summary.exposedNs = summary.totalNs > 0
                            ? summary.totalNs - summary.computeNs
                            : summary.tpNs + summary.epNs + summary.dpNs + summary.dpEpNs;
    for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    {
        const double finish = double(ranks[rank].finishPs) / WORKLOAD_PS_PER_NS;
        if (finish > summary.lastNs)
        {
            summary.lastNs = finish;
            summary.lastRank = rank;
        }
    }
    return summary;
}

void
WriteWorkloadSimAiEndToEnd(std::ostream& out,
                           const WorkloadSimAiFile& file,
                           const WorkloadSimAiRunner& runner,
                           const std::string& runName)
{
    const WorkloadSimAiSummary summary = SummarizeWorkloadSimAi(file, runner);
    WriteSummary(out, summary, runName);
    out << "layer_name," << runName
        << ",fwd compute,wg compute,ig compute,fwd exposed comm,wg exposed comm,ig exposed comm,"
           "fwd total comm,algbw,busbw,wg total comm,algbw,busbw,ig total comm,algbw,busbw,"
           "workload finished at\n";
    for (size_t i = 0; i < file.layers.size(); ++i)
    {
        WriteLayer(out, file, runner, runName, i);
    }
    WriteSums(out, runner, runName);
    out << "total exposed comm," << Us(summary.exposedNs) << ",total comp," << Us(summary.computeNs)
        << ",total time," << Us(summary.totalNs) << "\n";
}

WorkloadSimAiFlowWriter::WorkloadSimAiFlowWriter(std::ostream& out)
    : m_out(out)
{
    m_out << "collective,op,data_size,algorithm,protocol,channel_id,flow_id,src,dest,flow_size,"
             "chunk_id,chunk_count,conn_type,parent_flow_ids,prev_flow_ids\n";
}

void
WorkloadSimAiFlowWriter::Began(const WorkloadSimAiCollective& collective)
{
    static const char* const passes[]{"fwd", "ig", "wg"};
    const WorkloadSimAiFlowSet& set = collective.set;
    const WorkloadSimAiOperation& operation = collective.operation;
    const bool switched = collective.choice.algorithm == WorkloadSimAiAlgorithm::NVLS;
    const char* const tag =
        collective.choice.algorithm == WorkloadSimAiAlgorithm::PAT ? "PAT" : "RING";
    for (uint32_t i = 0; i < set.flows.size(); ++i)
    {
        const WorkloadSimAiFlow& flow = set.flows[i];
        m_out << collective.layer.name << ":" << passes[static_cast<uint32_t>(operation.pass)]
              << ":" << WorkloadSimAiGroupName(operation.group) << ","
              << WorkloadSimAiKindName(operation.kind) << "," << operation.bytes << ","
              << int(collective.choice.algorithm) << "," << int(collective.choice.protocol) << ","
              << flow.channel << "," << collective.firstFlow + i << "," << collective.ends[flow.src]
              << "," << collective.ends[flow.dst] << "," << collective.flowBytes << "," << flow.step
              << "," << set.steps << ","
              << (switched       ? "NVLS"
                  : flow.relayed ? "PXN_INIT"
                                 : tag)
              << ",";
        for (uint32_t parent = set.parentBegin[i]; parent < set.parentBegin[i + 1]; ++parent)
        {
            m_out << (parent > set.parentBegin[i] ? " " : "")
                  << collective.firstFlow + set.parents[parent];
        }
        m_out << "," << collective.ends[flow.previous] << "\n";
    }
}

} // namespace ns3
