/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "record/flow-level-files.h"
#include "workload-fabric.h"

#include "ns3/workload-flow-transport.h"

namespace wormhole
{

namespace
{

ns3::WorkloadFlowOptions
TransportOptions(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
{
    ns3::WorkloadFlowOptions flow = FlowLevelOptions(plan, options);
    flow.nvSwitches = request.nvSwitches;
    flow.connections = request.connections;
    return flow;
}

class FlowFabric final : public WorkloadFabric
{
  public:
    FlowFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
        : m_transport(plan.topology, TransportOptions(plan, options, request)),
          m_files(plan, m_transport, FlowLevelOptions(plan, options).payloadBytes)
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

    void SetLabels(std::vector<std::string> labels) override
    {
        if (RecordedFlowLevel* record = m_files.GetRecord())
        {
            record->SetKinds(std::move(labels));
        }
    }

    void Begin() override
    {
    }

    std::vector<std::string> Flush() override
    {
        return m_files.Flush();
    }

    void AddProgress(ProgressState&) const override
    {
    }

    std::vector<std::string> ExplainWait(size_t) const override
    {
        return {};
    }

    void End(bool) override
    {
    }

    void FinishFiles() override
    {
        m_files.Finish();
    }

    void Describe(RunResult& result) const override
    {
        if (RecordedFlowLevel* record = m_files.GetRecord())
        {
            result.record = record->End();
        }
    }

  private:
    ns3::WorkloadFlowTransport m_transport;
    FlowLevelFiles m_files;
};

} // namespace

std::unique_ptr<WorkloadFabric>
MakeFlowFabric(const RunPlan& plan, const RunOptions& options, const FabricRequest& request)
{
    return std::make_unique<FlowFabric>(plan, options, request);
}

} // namespace wormhole
