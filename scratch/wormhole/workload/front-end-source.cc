/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "front-end-source.h"

#include "workload-replay.h"

#include "ns3/input-error.h"

#include <utility>

namespace wormhole
{

namespace
{

/** A run of another simulator on a transport; its rank r is host r. */
class FrontEndRun final : public WorkloadProgram
{
  public:
    FrontEndRun(std::string name,
                const ns3::WorkloadFrontEndOptions& options,
                const MakeFrontEnd& make,
                ns3::WorkloadTransport& transport)
        : m_name(std::move(name)),
          m_transport(transport),
          m_network(transport, options, this),
          m_frontEnd(make(m_network))
    {
    }

    uint64_t GetEventCount() const override
    {
        return m_transport.GetEventCount();
    }

    std::vector<std::string> Explain(size_t most) const override
    {
        std::vector<std::string> lines = m_frontEnd->Explain(most);
        // every rank that is stuck is named
        return lines.empty() ? m_network.ExplainStall(m_network.GetRankCount() + most) : lines;
    }

    uint64_t GetCompleted() const override
    {
        return m_network.GetCompleted();
    }

    nlohmann::ordered_json GetSummary() const override
    {
        return m_frontEnd->GetSummary();
    }

  private:
    std::vector<ns3::WorkloadResultsJob> Describe() const override
    {
        return {{m_name, m_network.GetRankCount(), m_network.GetCategories(), {}}};
    }

    uint32_t GetNode(uint32_t process) const override
    {
        return process;
    }

    std::vector<std::vector<uint32_t>> GetHosts() const override
    {
        std::vector<std::vector<uint32_t>> hosts(m_network.GetRankCount());
        for (uint32_t rank = 0; rank < hosts.size(); ++rank)
        {
            hosts[rank].push_back(rank);
        }
        return hosts;
    }

    std::vector<std::string> GetLabels() const override
    {
        return m_network.GetCategories();
    }

    uint64_t GetTotal() const override
    {
        return m_network.GetTotal();
    }

    bool IsTotalGrowing() const override
    {
        return true;
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return m_network.GetFinishPs(process);
    }

    int64_t GetNow() const override
    {
        return m_transport.Now();
    }

    void SetLook(const std::function<void()>& look) override
    {
        m_frontEnd->SetLook(look);
    }

    bool RunJobs(const std::function<void()>& pulse) override
    {
        m_transport.SetPulse(pulse);
        m_network.Schedule(0, 0, [this] { m_frontEnd->Begin(); });
        const bool complete = m_network.Run();
        m_frontEnd->End();
        return complete;
    }

    void StopJobs() override
    {
        m_transport.Stop();
    }

    std::string m_name;
    ns3::WorkloadTransport& m_transport;
    ns3::WorkloadFrontEnd m_network;
    std::unique_ptr<FrontEnd> m_frontEnd;
};

struct FrontEndReplay final : public WorkloadReplay
{
    bool UsesNvSwitches() const override
    {
        return nvSwitches;
    }

    std::vector<NamedFile> GetOutputs() const override
    {
        return {};
    }

    bool IsRepeatable() const override
    {
        return false;
    }

    void Disturb(uint64_t) override
    {
        throw ns3::InputError("--disturb: no effect on what another simulator above the network "
                              "does; leave it out");
    }

    std::unique_ptr<WorkloadProgram> MakeProgram(const std::string& name,
                                                 const ns3::RdmaTopology&,
                                                 ns3::WorkloadTransport& transport) override
    {
        return std::make_unique<FrontEndRun>(name, options, make, transport);
    }

    ns3::WorkloadFrontEndOptions options;
    bool nvSwitches{false};
    MakeFrontEnd make;
};

} // namespace

std::shared_ptr<WorkloadReplay>
MakeFrontEndReplay(const ns3::WorkloadFrontEndOptions& options, bool nvSwitches, MakeFrontEnd make)
{
    auto replay = std::make_shared<FrontEndReplay>();
    replay->options = options;
    replay->nvSwitches = nvSwitches;
    replay->make = std::move(make);
    return replay;
}

} // namespace wormhole
