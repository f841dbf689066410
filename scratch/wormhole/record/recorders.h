/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_RECORDERS_H
#define WORMHOLE_CLI_RECORDERS_H

#include "plan/run-plan.h"
#include "record/network/record-network.h"
#include "result/link-loads.h"
#include "rtt-recorder.h"
#include "run/run-options.h"
#include "run/run-result.h"

#include "ns3/rdma-binary-trace.h"
#include "ns3/rdma-fct-writer.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-pcap.h"
#include "ns3/rdma-pfc-writer.h"
#include "ns3/rdma-queue-monitor.h"
#include "ns3/rdma-simai-monitors.h"

#include <memory>
#include <string>
#include <vector>

namespace wormhole
{

/** All that writes results while the simulation runs. */
class Recorders
{
  public:
    /**
     * Creates the output files.
     * \param plan of the run
     * \param network to record
     * \throws OutputError if a file cannot be created
     */
    Recorders(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network);

    /** A flow ended. \param kind label of a transfer; 0 of other flows */
    void FlowEnded(const ns3::RdmaQueuePair& qp, uint32_t kind = 0);

    /** \return what --record writes of the network; null if it is not given */
    RecordedNetwork* GetRecord() const
    {
        return m_record.get();
    }

    /** Hands what there is to the operating system. \return what the user should know of that, each
     * once */
    std::vector<std::string> Flush();

    /** \return what recordings lack since they reached their limit */
    std::vector<CutFile> ListCut() const;

    /** Ends all recordings. \throws OutputError for the first file that is incomplete; the
     * others are completed all the same */
    void Finish();

    /** \return simulated time up to which something is recorded even when no flow is left, ns; 0 if
     * nothing is */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

  private:
    void SetLimits(uint64_t bytes);
    void StartMonitors(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network);
    void StartCapture(const RunPlan& plan, ns3::Ptr<ns3::RdmaNetwork> network);

    ns3::Ptr<ns3::RdmaNetwork> m_network;
    ns3::RdmaFctWriter m_fct;
    ns3::RdmaPfcWriter m_pfc;
    std::unique_ptr<LinkLoads> m_links;
    std::unique_ptr<RttRecorder> m_rtts;
    std::unique_ptr<RecordedNetwork> m_record;
    std::unique_ptr<ns3::RdmaBinaryTrace> m_trace;
    std::unique_ptr<ns3::RdmaQueueMonitor> m_queues;
    std::unique_ptr<ns3::RdmaSimAiMonitors> m_simai;
    std::unique_ptr<ns3::RdmaPcap> m_capture;
    int64_t m_endNs{0};
    std::vector<ns3::LineFile*> m_limited; //!< all but results, which every flow has one line of
    size_t m_cutTold{0};                   //!< recordings whose limit the user has been told of
    bool m_warned{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_RECORDERS_H
