/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_FLOW_LIST_H
#define WORMHOLE_CLI_FLOW_LIST_H

#include "plan/run-plan.h"
#include "result/flow-results.h"
#include "run/program.h"

#include "ns3/rdma-network.h"
#include "ns3/workload-flow-transport.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** The flows of a file or a generator, whatever moves their bytes. */
class FlowList : public Program
{
  public:
    void AddProgress(ProgressState& state) const final;
    void Report(RunResult& result) override;

  protected:
    /** \param plan of the run; must outlive the list */
    explicit FlowList(const RunPlan& plan);

    /** \return flows that did not complete, as they stand */
    virtual std::vector<UnfinishedFlow> ListUnfinished() const = 0;

    /** \return the flow as one that did not complete */
    static UnfinishedFlow Unfinished(const ns3::RdmaFlowSpec& flow,
                                     bool failed,
                                     const std::string& reason);

    /** \return why the flow has not begun when the run is over */
    static std::string NotBegun(const ns3::RdmaFlowSpec& flow);

    const RunPlan& m_plan;
    FlowResults m_results; //!< of the flows that have ended

  private:
    double m_bytes{0}; //!< of all flows
};

/** \param ended told of every flow that ends, and its kind \param monitorsLeftNs simulated time
 * until the last monitor ends, ns; at most 0 if all have ended \return the plan's flows at packet
 * level: each starts as HPCC's driver starts it. Plan and network must outlive them */
std::unique_ptr<Program> MakePacketFlowList(
    const RunPlan& plan,
    const ns3::Ptr<ns3::RdmaNetwork>& network,
    std::function<void(const ns3::RdmaQueuePair&, uint32_t)> ended,
    std::function<int64_t()> monitorsLeftNs);

/** \param onEnd set to what is to be told of every transfer that ends \return the plan's flows at
 * flow level: each is a transfer that a timer starts. Plan and transport must outlive them */
std::unique_ptr<Program> MakeFluidFlowList(const RunPlan& plan,
                                           ns3::WorkloadTransport& transport,
                                           std::function<void(const ns3::WorkloadFlowEnd&)>& onEnd);

} // namespace wormhole

#endif // WORMHOLE_CLI_FLOW_LIST_H
