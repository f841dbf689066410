/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_FLOW_MONITORS_H
#define RDMA_SIMAI_FLOW_MONITORS_H

#include "rdma-simai-monitor.h"

#include "ns3/callback.h"
#include "ns3/rdma-in-order.h"
#include "ns3/rdma-network.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup rdma A number per queue pair, of which each change is written once at the next sample.
 */
class RdmaFlowValueMonitor : public RdmaSimAiMonitor
{
  protected:
    /** \param column name of the value; further parameters as of RdmaSimAiMonitor */
    RdmaFlowValueMonitor(const std::string& file,
                         const std::string& column,
                         const RdmaSamplingTimes& times);

    bool Sample(int64_t timeNs) override;
    void StopListening() override;

    /** Connects to a trace source of all hosts, which is told in order. */
    void Listen(RdmaNetwork& network, const std::string& source, const CallbackBase& sink);

    /** Looks on at a trace source of all hosts. */
    template <typename Trace>
    void LookOn(RdmaNetwork& network, Trace& (RdmaHost::*trace)(), const CallbackBase& sink)
    {
        for (RdmaHost* host : GetHosts(network))
        {
            (host->*trace)().LookOn(sink);
            m_stops.emplace_back([host, trace, sink]() { (host->*trace)().StopLookingOn(sink); });
        }
    }

    /** What there is of a queue pair. */
    struct Flow
    {
        std::string description; //!< "src, dst, sport, dport, size, "
        uint64_t value{0};
        uint64_t written{0}; //!< in the last line
        bool changed{false}; //!< since the last sample
        bool ended{false};   //!< to be forgotten at the next sample
    };

    /** \return what there is of \p qp, which is about to change; null if no sample is to come */
    Flow* Touch(const RdmaQueuePair& qp);

    /** Forgets a flow at once. */
    void Forget(const RdmaQueuePair& qp);

  private:
    static std::vector<RdmaHost*> GetHosts(RdmaNetwork& network);

    std::vector<std::function<void()>> m_stops; //!< each disconnects from a trace source
    std::map<uint64_t, Flow> m_flows;           //!< by number
    std::vector<uint64_t> m_changed;            //!< numbers
};

/**
 * \ingroup rdma
 * \brief SimAI's RATE_MON_FILE: the rate of each queue pair that sends.
 *
 * Lines `time, src, dst, sport, dport, size, curr_rate`: ns, nodes, ports, bytes, bit/s.
 */
class RdmaRateMonitor : public RdmaFlowValueMonitor
{
  public:
    /** \param network whose flows are watched; further parameters as of RdmaSimAiMonitor */
    RdmaRateMonitor(RdmaNetwork& network, const std::string& file, const RdmaSamplingTimes& times);

  private:
    void StartFlow(const RdmaQueuePair& qp);
    void ChangeRate(const RdmaQueuePair& qp, uint64_t before);
    void EndFlow(const RdmaQueuePair& qp);

    /** The rate that a flow has from now on. */
    struct Change
    {
        const RdmaQueuePair* qp;
        uint64_t rate; //!< bit/s
    };

    RdmaInOrder<Change> m_changes;
};

/**
 * \ingroup rdma
 * \brief SimAI's CNP_MON_FILE: congestion notifications that each queue pair has had so far.
 *
 * Lines `time, src, dst, sport, dport, size, cnp_number`: ns, nodes, ports, bytes, count. The total
 * of a flow that ended is written at the next sample.
 */
class RdmaCnpMonitor : public RdmaFlowValueMonitor
{
  public:
    /** \param network whose flows are watched; further parameters as of RdmaSimAiMonitor */
    RdmaCnpMonitor(RdmaNetwork& network, const std::string& file, const RdmaSamplingTimes& times);

  private:
    void Notify(const RdmaQueuePair& qp);
    void EndFlow(const RdmaQueuePair& qp);

    RdmaInOrder<const RdmaQueuePair*> m_notifications;
};

} // namespace ns3

#endif // RDMA_SIMAI_FLOW_MONITORS_H
