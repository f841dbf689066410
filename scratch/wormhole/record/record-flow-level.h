/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_FLOW_LEVEL_H
#define WORMHOLE_CLI_RECORD_FLOW_LEVEL_H

#include "plan/run-plan.h"
#include "record-files.h"
#include "record-series.h"
#include "record/network/record-rates.h"

#include "ns3/workload-flow-transport.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

/** What --record writes of flow level: flows.csv, rates.csv, topology.txt. */
class RecordedFlowLevel
{
  public:
    /**
     * Creates the files.
     * \param plan of the run
     * \param transport to record; must outlive it
     * \throws OutputError if a file cannot be created
     */
    RecordedFlowLevel(const RunPlan& plan, ns3::WorkloadFlowTransport& transport);

    /** \param kinds as of RecordedFlows::SetKinds */
    void SetKinds(std::vector<std::string> kinds)
    {
        m_flows.SetKinds(std::move(kinds));
    }

    /** A flow has ended. */
    void FlowEnded(const ns3::WorkloadFlowEnd& end);

    /** The simulation is over. \return what to say in the summary */
    nlohmann::ordered_json End();

    /** Writes the files. \throws OutputError for the first that is incomplete; the others are
     * completed all the same */
    void Finish();

  private:
    int64_t TimePasses(int64_t ps);
    std::vector<ns3::WorkloadFlowProgress> ListFlows();
    void TakeSamples(int64_t ns);
    std::vector<uint64_t> GetDelivered(const std::vector<ns3::WorkloadFlowProgress>& flows,
                                       int64_t ps);

    std::string m_folder; //!< as the summary says
    ns3::WorkloadFlowTransport& m_transport;
    RecordTimes m_times;
    RecordedNodes m_nodes;
    RecordedTopology m_topology;
    RecordedFlows m_flows;
    RecordedRates m_rates;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_FLOW_LEVEL_H
