/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-fabric.h"

#include "ns3/workload-flow-transport.h"

namespace wormhole
{

namespace
{

ns3::WorkloadFlowOptions
TransportOptions(const RunOptions& options, const FabricRequest& request)
{
    ns3::WorkloadFlowOptions flow;
    flow.payloadBytes = options.payload.value_or(flow.payloadBytes);
    flow.nvSwitches = request.nvSwitches;
    flow.connections = request.connections;
    return flow;
}

class FlowFabric final : public WorkloadFabric
{
  public:
    FlowFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
        : m_transport(plan.topology, TransportOptions(options, request))
    {
    }

    ns3::WorkloadTransport& GetTransport() override
    {
        return m_transport;
    }

    std::vector<std::string> GetWarnings() const override
    {
        return {};
    }

    void Begin() override
    {
    }

    void Flush() override
    {
    }

    void End(bool) override
    {
    }

    void FinishFiles() override
    {
    }

    void Describe(RunResult&) const override
    {
    }

  private:
    ns3::WorkloadFlowTransport m_transport;
};

} // namespace

std::unique_ptr<WorkloadFabric>
MakeFlowFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
{
    return std::make_unique<FlowFabric>(plan, options, request);
}

} // namespace wormhole
