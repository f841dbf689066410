/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program-transport.h"
#include "workload-replay.h"
#include "workload-source-kinds.h"

#include "ns3/input-line-file.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-report.h"
#include "ns3/workload-simai-runner.h"

#include <fstream>
#include <sstream>

namespace wormhole
{

namespace
{

constexpr uint64_t MOST_GPUS = 1 << 20;
constexpr uint64_t MOST_LATENCY_NS = 1000000000;

/** A run of a SimAI workload. */
class SimAiProgram final : public TransportProgram<ns3::WorkloadSimAiRunner,
                                                   ns3::WorkloadSimAiFile,
                                                   ns3::WorkloadSimAiOptions>
{
  public:
    using TransportProgram::TransportProgram;

    std::vector<std::string> GetWarnings() const override
    {
        return GetRunner().GetWarnings();
    }

  private:
    size_t CountRanks() const override
    {
        return GetRunner().GetRanks().size();
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return GetRunner().GetRanks()[process].finishPs;
    }

    nlohmann::ordered_json GetSummary() const override
    {
        const ns3::WorkloadSimAiSummary s = ns3::SummarizeWorkloadSimAi(GetInput(), GetRunner());
        const bool complete = GetRunner().GetCompleted() == GetRunner().GetTotal();
        const auto ifComplete = [complete](double ns) {
            return complete ? nlohmann::ordered_json(ns) : nlohmann::ordered_json();
        };
        return {{"total_ns", ifComplete(s.totalNs)},
                {"compute_ns", s.computeNs},
                {"exposed_ns", s.exposedNs},
                {"exposed_tp_ns", s.tpNs},
                {"exposed_dp_ns", s.dpNs},
                {"exposed_ep_ns", s.epNs},
                {"exposed_dp_ep_ns", s.dpEpNs},
                {"pipeline_bubble_ns", s.bubbleNs},
                {"last_rank_ns", ifComplete(s.lastNs)},
                {"flows", GetRunner().GetFlowCount()}};
    }

    void WriteOutputs(const std::vector<NamedFile>& files) const override
    {
        for (const NamedFile& file : files)
        {
            std::ostringstream text;
            ns3::WriteWorkloadSimAiEndToEnd(text, GetInput(), GetRunner(), GetName());
            ns3::LineFile out(file.path);
            out.Write(text.str());
            out.Close();
        }
    }
};

struct SimAiReplay final : public WorkloadReplay
{
    bool UsesNvSwitches() const override
    {
        return options.nvls;
    }

    std::vector<NamedFile> GetOutputs() const override
    {
        return {{"SimAI's report", "ncclFlowModel_EndToEnd.csv"}};
    }

    void Disturb(uint64_t number) override
    {
        options.disturbance = number;
    }

    std::unique_ptr<WorkloadProgram> MakeProgram(const std::string& name,
                                                 const ns3::RdmaTopology& topology,
                                                 ns3::WorkloadTransport& transport) override
    {
        return std::make_unique<SimAiProgram>(name,
                                              file,
                                              ns3::ResolveWorkloadSimAiOptions(options, topology),
                                              transport);
    }

    ns3::WorkloadSimAiFile file;
    ns3::WorkloadSimAiOptions options;
};

uint32_t
Size(ns3::InputSpec& spec, const std::string& key)
{
    return static_cast<uint32_t>(spec.Integer(key, 0, 1, MOST_GPUS));
}

/** Choices of rules 1.7, which have no effect under 1.6. */
void
ReadNewRules(ns3::InputSpec& spec, ns3::WorkloadSimAiOptions& options)
{
    for (const char* key :
         {"nvls-min-bytes", "pat", "pat-min-bytes", "pat-max-bytes", "protocol-aware", "protocol"})
    {
        if (options.rules == ns3::WorkloadSimAiRules::SIMAI_1_6 && spec.Has(key))
        {
            spec.Fail(std::string(key) + " has no effect with rules=1.6; give rules=1.7");
        }
    }
    using Pat = ns3::WorkloadSimAiPat;
    using Protocol = ns3::WorkloadSimAiProtocol;
    options.nvlsMinBytes = spec.Integer("nvls-min-bytes", options.nvlsMinBytes, 0, UINT64_MAX);
    const std::string pat = spec.Choice("pat", "auto", {"off", "force", "auto"});
    options.pat = pat == "off" ? Pat::OFF : pat == "force" ? Pat::FORCE : Pat::AUTO;
    options.patMinBytes = spec.Integer("pat-min-bytes", options.patMinBytes, 0, UINT64_MAX);
    options.patMaxBytes = spec.Integer("pat-max-bytes", options.patMaxBytes, 0, UINT64_MAX);
    options.protocolAware = spec.Flag("protocol-aware", options.protocolAware);
    const std::string protocol =
        spec.Choice("protocol", "by-size", {"by-size", "ll", "ll128", "simple"});
    options.forceProtocol = protocol == "ll"       ? Protocol::LL
                            : protocol == "ll128"  ? Protocol::LL128
                            : protocol == "simple" ? Protocol::SIMPLE
                                                   : Protocol::UNDEFINED;
}

ns3::WorkloadSimAiOptions
ReadOptions(ns3::InputSpec& spec)
{
    ns3::WorkloadSimAiOptions options;
    options.tp = Size(spec, "tp");
    options.ep = Size(spec, "ep");
    options.pp = Size(spec, "pp");
    options.vpp = Size(spec, "vpp");
    options.ga = Size(spec, "ga");
    options.allGpus = Size(spec, "all-gpus");
    options.gpusPerServer = Size(spec, "gpus-per-server");
    if (spec.Has("gpu-type"))
    {
        options.gpuType = spec.Choice("gpu-type", "", ns3::RdmaGpuTypes());
    }
    options.rules = spec.Choice("rules", "1.6", {"1.6", "1.7"}) == "1.7"
                        ? ns3::WorkloadSimAiRules::SIMAI_1_7
                        : ns3::WorkloadSimAiRules::SIMAI_1_6;
    options.nvls = spec.Flag("nvls", options.nvls);
    options.pxn = spec.Flag("pxn", options.pxn);
    ReadNewRules(spec, options);
    if (spec.Has("send-latency"))
    {
        options.sendLatency =
            static_cast<int64_t>(spec.Integer("send-latency", 0, 0, MOST_LATENCY_NS));
    }
    options.literalLatency = spec.Flag("literal-latency", options.literalLatency);
    options.literal = spec.Flag("literal", options.literal);
    return options;
}

} // namespace

void
ReadSimAiSource(SourceRequest& request, WorkloadSource& source)
{
    const std::string file = InputFile(request, source);
    auto replay = std::make_shared<SimAiReplay>();
    replay->options = ReadOptions(request.spec);
    request.spec.Finish();
    replay->file = ns3::ReadWorkloadSimAi(file, replay->options);
    source.notes = replay->file.warnings;
    source.replay = replay;
}

} // namespace wormhole
