/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/recorders.h"
#include "run/network-attributes.h"
#include "run/simulator-setup.h"
#include "terminal/packet-progress.h"
#include "workload-fabric.h"

#include "ns3/rdma-link-schedule.h"
#include "ns3/rdma-loss-warnings.h"
#include "ns3/simulator.h"
#include "ns3/workload-endpoints.h"
#include "ns3/workload-rdma-transport.h"
#include "ns3/wormhole-helper.h"

namespace wormhole
{

namespace
{

ns3::WorkloadRdmaOptions
TransportOptions(const RunPlan& plan, const FabricRequest& request)
{
    ns3::WorkloadRdmaOptions options;
    options.window = !plan.flowOptions.window   ? ns3::WorkloadWindow::NONE
                     : plan.flowOptions.largest ? ns3::WorkloadWindow::LARGEST
                                                : ns3::WorkloadWindow::PAIR;
    // a link that comes back may give the route
    for (const ns3::RdmaLinkEvent& event : plan.events)
    {
        options.waitForRoute |= event.up;
    }
    options.connections = request.connections;
    return options;
}

class PacketFabric final : public WorkloadFabric
{
  public:
    PacketFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
        : m_plan(plan),
          m_ends(ns3::MakeWorkloadEndpoints(plan.topology, request.nvSwitches))
    {
        SetUpSimulator(options, plan.stopNs);
        m_network = plan.helper.Install(m_ends.topology);
        m_recorders = std::make_unique<Recorders>(plan, m_network);
        m_links = std::make_unique<ns3::RdmaLinkSchedule>(m_network, plan.topology, plan.events);
        m_transport = std::make_unique<ns3::WorkloadRdmaTransport>(m_network,
                                                                   m_ends,
                                                                   TransportOptions(plan, request));
        m_transport->SetEndCallback(
            [this](const ns3::WorkloadTransfer& transfer, const ns3::RdmaQueuePair& qp) {
                m_recorders->FlowEnded(qp, transfer.label);
                m_bytesEnded += static_cast<double>(qp.GetFlow().bytes);
            });
    }

    ~PacketFabric() override
    {
        m_transport.reset();
        ns3::Simulator::Destroy();
        m_network->Dispose();
    }

    PacketFabric(const PacketFabric&) = delete;
    PacketFabric& operator=(const PacketFabric&) = delete;

    ns3::WorkloadTransport& GetTransport() override
    {
        return *m_transport;
    }

    std::vector<std::string> GetWarnings() const override
    {
        return ns3::RdmaBufferWarnings(*m_network);
    }

    void SetLabels(std::vector<std::string> labels) override
    {
        if (RecordedNetwork* record = m_recorders->GetRecord())
        {
            record->SetKinds(std::move(labels));
        }
    }

    void Begin() override
    {
        m_links->Start();
    }

    std::vector<std::string> Flush() override
    {
        return m_recorders->Flush();
    }

    void AddProgress(ProgressState& state) const override
    {
        state.delivered = m_bytesEnded;
        AddPacketProgress(*m_network, state);
    }

    std::vector<std::string> ExplainWait(size_t most) const override
    {
        return ExplainFlows(*m_network, most);
    }

    void End(bool interrupted) override
    {
        const int64_t left =
            m_recorders->GetEndNs() - m_network->GetContext().NowNs(); // of a monitor's period
        if (!interrupted && left > 0)
        {
            ns3::Simulator::Stop(ns3::NanoSeconds(left));
            ns3::Simulator::Run();
        }
    }

    void FinishFiles() override
    {
        m_recorders->Finish();
    }

    void Describe(RunResult& result) const override
    {
        result.counters = m_network->GetContext().counters;
        result.losses = ns3::RdmaLossWarnings(*m_network);
        result.cut = m_recorders->ListCut();
        result.attributes = AttributesOf(m_plan, m_network);
        result.largestRttNs = m_transport->GetLargestRttNs();
        result.largestBdp = m_transport->GetLargestBdp();
        result.fast = ns3::WormholeHelper::GetReport();
        if (RecordedNetwork* record = m_recorders->GetRecord())
        {
            result.record = record->End();
        }
    }

  private:
    const RunPlan& m_plan;
    ns3::WorkloadEndpoints m_ends;
    ns3::Ptr<ns3::RdmaNetwork> m_network;
    std::unique_ptr<Recorders> m_recorders;
    std::unique_ptr<ns3::RdmaLinkSchedule> m_links;
    std::unique_ptr<ns3::WorkloadRdmaTransport> m_transport;
    double m_bytesEnded{0}; //!< of flows that have ended
};

} // namespace

std::unique_ptr<WorkloadFabric>
MakePacketFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
{
    return std::make_unique<PacketFabric>(plan, options, request);
}

} // namespace wormhole
