/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-replay.h"
#include "workload-source-kinds.h"

#include "ns3/workload-astra-layout.h"
#include "ns3/workload-astra-system.h"
#include "ns3/workload-chakra-reader.h"
#include "ns3/workload-chakra-runner.h"

#include <utility>

namespace wormhole
{

namespace
{

/** A run of a Chakra trace. */
class ChakraProgram final : public WorkloadProgram
{
  public:
    ChakraProgram(std::string name,
                  const ns3::WorkloadChakraTrace& trace,
                  const ns3::WorkloadChakraOptions& options,
                  ns3::WorkloadTransport& transport)
        : m_name(std::move(name)),
          m_trace(trace),
          m_options(options),
          m_transport(transport)
    {
        MakeRunner(nullptr); // to see whether the topology fits
    }

    std::vector<ns3::WorkloadResultsJob> Describe() const override
    {
        return {{m_name,
                 static_cast<uint32_t>(m_trace.ranks.size()),
                 ns3::WorkloadChakraRunner::GetCategories(),
                 {}}};
    }

    uint32_t GetNode(uint32_t process) const override
    {
        return process;
    }

    std::vector<std::vector<uint32_t>> GetHosts() const override
    {
        return RanksAreHosts(m_trace.ranks.size());
    }

    std::vector<std::string> GetLabels() const override
    {
        return ns3::WorkloadChakraRunner::GetCategories();
    }

    bool Run(ns3::WorkloadObserver& observer, const std::function<void()>& pulse) override
    {
        MakeRunner(&observer);
        m_transport.SetPulse(pulse);
        return m_runner->Run();
    }

    void Stop() override
    {
        m_transport.Stop();
    }

    uint64_t GetCompleted() const override
    {
        return m_runner->GetCompleted();
    }

    uint64_t GetTotal() const override
    {
        return m_runner->GetTotal();
    }

    int64_t GetNow() const override
    {
        return m_transport.Now();
    }

    uint64_t GetEventCount() const override
    {
        return m_transport.GetEventCount();
    }

    std::vector<std::string> Explain(size_t most) const override
    {
        return m_runner->ExplainStall(most);
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return m_runner->GetFinish(process);
    }

  private:
    void MakeRunner(ns3::WorkloadObserver* observer)
    {
        m_runner.reset(); // before there is another client of the transport
        m_runner =
            std::make_unique<ns3::WorkloadChakraRunner>(m_trace, m_options, m_transport, observer);
    }

    std::string m_name;
    const ns3::WorkloadChakraTrace& m_trace;
    const ns3::WorkloadChakraOptions& m_options;
    ns3::WorkloadTransport& m_transport;
    std::unique_ptr<ns3::WorkloadChakraRunner> m_runner;
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
OptionalInput(ns3::RdmaSpec& spec, const std::string& key, WorkloadSource& source)
{
    std::string file = spec.Word(key, "");
    if (!file.empty())
    {
        source.inputs.push_back({key, file});
    }
    return file;
}

} // namespace

void
ReadChakraSource(SourceRequest& request, WorkloadSource& source)
{
    ns3::RdmaSpec& spec = request.spec;
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
    if (!groups.empty())
    {
        replay->options.groups = ns3::ReadWorkloadAstraGroups(groups);
    }
    if (!logical.empty())
    {
        replay->options.dims = ns3::ReadWorkloadAstraDims(logical);
    }
    replay->trace = ns3::ReadWorkloadChakra(prefix);
    for (const ns3::WorkloadChakraRank& rank : replay->trace.ranks)
    {
        source.inputs.push_back({"--workload", rank.file});
    }
    source.replay = replay;
}

} // namespace wormhole
