/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program-transport.h"
#include "workload-replay.h"
#include "workload-source-kinds.h"

#include "ns3/workload-astra-layout.h"
#include "ns3/workload-astra-system.h"
#include "ns3/workload-chakra-reader.h"
#include "ns3/workload-chakra-runner.h"

#include <filesystem>

namespace wormhole
{

namespace
{

/** A run of a Chakra trace. */
class ChakraProgram final : public TransportProgram<ns3::WorkloadChakraRunner,
                                                    ns3::WorkloadChakraTrace,
                                                    ns3::WorkloadChakraOptions>
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
        return GetInput().ranks.size();
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return GetRunner().GetFinish(process);
    }
};

struct ChakraReplay final : public WorkloadReplay
{
    bool UsesNvSwitches() const override
    {
        return false;
    }

    std::vector<NamedFile> GetOutputs() const override
    {
        return {};
    }

    void Disturb(uint64_t number) override
    {
        options.disturbance = number;
    }

    std::unique_ptr<WorkloadProgram> MakeProgram(const std::string& name,
                                                 const ns3::RdmaTopology&,
                                                 ns3::WorkloadTransport& transport) override
    {
        return std::make_unique<ChakraProgram>(name, trace, options, transport);
    }

    ns3::WorkloadChakraTrace trace;
    ns3::WorkloadChakraOptions options;
};

/** \return the file that a key names, which becomes an input; empty if it is not given */
std::string
OptionalInput(ns3::InputSpec& spec, const std::string& key, WorkloadSource& source)
{
    std::string file = spec.Word(key, "");
    if (!file.empty())
    {
        RejectPipe(file);
        source.inputs.push_back({key, file});
    }
    return file;
}

} // namespace

void
ReadChakraSource(SourceRequest& request, WorkloadSource& source)
{
    ns3::InputSpec& spec = request.spec;
    spec.Require("prefix", "TRACE");
    const std::string prefix = spec.Word("prefix", "");
    const std::string system = OptionalInput(spec, "system", source);
    const std::string groups = OptionalInput(spec, "groups", source);
    const std::string logical = OptionalInput(spec, "logical", source);
    auto replay = std::make_shared<ChakraReplay>();
    replay->options.receiveAtAcknowledgement = spec.Flag("receive-at-ack", false);
    spec.Finish();
    if (!system.empty())
    {
        replay->options.system = ns3::ReadWorkloadAstraSystem(system);
    }
    replay->trace = ns3::ReadWorkloadChakra(prefix);
    if (!groups.empty())
    {
        replay->options.groups = ns3::ReadWorkloadAstraGroups(groups, replay->trace.ranks.size());
    }
    if (!logical.empty())
    {
        replay->options.dims = ns3::ReadWorkloadAstraDims(logical);
    }
    for (const ns3::WorkloadChakraRank& rank : replay->trace.ranks)
    {
        source.inputs.push_back({"--workload", rank.file});
    }
    source.name = std::filesystem::path(replay->trace.origin).filename().string();
    source.replay = replay;
}

} // namespace wormhole
