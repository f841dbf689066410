/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_SOURCE_H
#define RDMA_FLOW_SOURCE_H

#include "rdma-flow-file.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-windows.h"

#include <functional>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Starts flows at their times, one pending event for all of them. It must live until the
 * simulation has run: those that it has not started when it is destroyed do not start.
 */
class RdmaFlowSource
{
  public:
    /**
     * \param network started; must outlive the source
     * \param flows in any order; those that start together keep theirs
     * \param options windows; as HPCC has them unless given
     */
    RdmaFlowSource(Ptr<RdmaNetwork> network,
                   std::vector<RdmaFlowSpec> flows,
                   const RdmaFlowOptions& options = {});

    /** Begins; before the simulation runs. */
    void Start();

    /** \param onEnd called when a flow has completed or failed */
    void SetEndCallback(std::function<void(const RdmaQueuePair&)> onEnd);

    /** \return flows started so far */
    size_t GetStarted() const
    {
        return m_next;
    }

    /** \return flows in all */
    size_t GetCount() const
    {
        return m_flows.size();
    }

    /** \return largest round-trip time without queues of all pairs of hosts, ns; 0 unless the
     * options ask for it */
    int64_t GetLargestRttNs() const
    {
        return m_windows.GetLargestRttNs();
    }

    /** \return largest bandwidth-delay product of all pairs of hosts, bytes; 0 unless the options
     * ask for it */
    uint64_t GetLargestBdp() const
    {
        return m_windows.GetLargestBdp();
    }

    /**
     * Checks that flows fit a topology.
     * \param flows the flows
     * \param topology the topology
     * \param name stands for the flows' file in messages
     * \throws InputError for a source or destination that is no host, or the same host
     */
    static void Check(const std::vector<RdmaFlowSpec>& flows,
                      const struct RdmaTopology& topology,
                      const std::string& name);

  private:
    int64_t TimeOf(size_t flow) const;
    void ScheduleNext();
    void WaitForRest();
    void StartDue();

    Ptr<RdmaNetwork> m_network;
    std::vector<RdmaFlowSpec> m_flows;
    std::vector<RdmaPathProperties> m_properties; //!< of each flow before any link failed, unless
                                                  //!< the largest are asked for
    RdmaWindows m_windows;
    std::function<void(const RdmaQueuePair&)> m_onEnd;
    size_t m_next{0};
    RdmaMemberEvent<RdmaFlowSource, &RdmaFlowSource::WaitForRest> m_due; //!< of the next flow
    RdmaMemberEvent<RdmaFlowSource, &RdmaFlowSource::StartDue> m_start;
};

} // namespace ns3

#endif // RDMA_FLOW_SOURCE_H
