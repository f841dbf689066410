/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORD_NETWORK_H
#define WORMHOLE_CLI_RECORD_NETWORK_H

#include "plan/run-plan.h"
#include "record-over-time.h"
#include "record-pauses.h"
#include "record-queues.h"
#include "record-rates.h"
#include "record/record-files.h"
#include "record/record-series.h"

#include "ns3/rdma-network.h"

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace wormhole
{

class RecordedDecisions;

/** A flow between a recorded pair of hosts that has not ended. */
struct RecordedFlowUnderWay
{
    const ns3::RdmaQueuePair* qp{nullptr};
    size_t pair{0}; //!< its number
};

/**
 * What --record writes of packets, with fast-forward or without.
 *
 * It looks at the network between events (ns3::RdmaClockWatch), so that results do not depend on
 * it. Samples begin with the first flow.
 */
class RecordedNetwork final : private ns3::RdmaClockWatch
{
  public:
    /**
     * Creates the files.
     * \param plan of the run
     * \param network to record; fast-forwarded if the simulator is WormholeSimulatorImpl
     * \throws OutputError if a file cannot be created
     */
    RecordedNetwork(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network);
    ~RecordedNetwork() override;

    /** \param kinds as of RecordedFlows::SetKinds */
    void SetKinds(std::vector<std::string> kinds)
    {
        m_flows.SetKinds(std::move(kinds));
    }

    /** A flow ended. \param kind of it */
    void FlowEnded(const ns3::RdmaQueuePair& qp, uint32_t kind);

    /** The simulation is over, and has not been destroyed. \return what to say in the summary */
    nlohmann::ordered_json End();

    /** Writes the files. \throws OutputError for the first that is incomplete; the others are
     * completed all the same */
    void Finish();

  private:
    /** Crossings of links by frames. */
    struct Events
    {
        uint64_t run{0};
        uint64_t skipped{0};
        uint64_t replayed{0};

        bool operator==(const Events& o) const
        {
            return run == o.run && skipped == o.skipped && replayed == o.replayed;
        }
    };

    int64_t TimePasses(int64_t time) override;
    void FlowStarted(const ns3::RdmaQueuePair& qp);
    void TakeSamples(int64_t ns);
    void EndInterval(int64_t ns);
    std::vector<uint64_t> GetDelivered(int64_t time);
    uint64_t DeliveredOf(const ns3::RdmaQueuePair& qp, int64_t time) const;
    Events CountEvents() const;
    void WriteEvents();

    std::string m_folder; //!< as the summary says
    ns3::Ptr<ns3::RdmaNetwork> m_network;
    int64_t m_stepsPerNs;
    RecordTimes m_times;
    RecordedNodes m_nodes;
    RecordedTopology m_topology;
    RecordedFlows m_flows;
    RecordedRates m_rates;
    RecordedQueues m_queues;
    RecordedPauses m_pauses;
    RecordedOverTime m_overTime;
    int64_t m_endNs{0};
    ns3::LineFile m_eventsFile;
    RecordSeries<Events> m_events;
    std::unique_ptr<RecordedDecisions> m_decisions; //!< null without fast-forward
    std::vector<RecordedFlowUnderWay> m_underWay;   //!< between recorded pairs
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORD_NETWORK_H
