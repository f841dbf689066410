/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_PORT_MONITORS_H
#define RDMA_SIMAI_PORT_MONITORS_H

#include "rdma-simai-monitor.h"

#include "ns3/rdma-network.h"

#include <deque>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief SimAI's QLEN_MON_FILE: length of each queue of each switch port.
 *
 * Lines `time, sw_id, port_id, q_id, q_len, port_len`: ns, numbers, bytes. All eight queues count.
 */
class RdmaQueueLengthMonitor : public RdmaSimAiMonitor
{
  public:
    /** \param network whose switches are watched; further parameters as of RdmaSimAiMonitor */
    RdmaQueueLengthMonitor(RdmaNetwork& network,
                           const std::string& file,
                           const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;

  private:
    /** A port's queues. */
    struct Port
    {
        void Change(uint32_t queue, uint64_t before, uint64_t after);

        RdmaQueueLengthMonitor& monitor;
        RdmaPort& port;
        uint64_t bytes[RdmaEgressQueues::COUNT]{};
        uint64_t written[RdmaEgressQueues::COUNT]{}; //!< in the last line of each
        bool changed{false};                         //!< since the last sample
    };

    std::deque<Port> m_ports; //!< never moved
    std::vector<Port*> m_changed;
};

/**
 * \ingroup rdma
 * \brief SimAI's BW_MON_FILE: what each port sent, on average over the interval before each sample.
 *
 * Lines `time, node_id, port_id, bandwidth`: ns, numbers, Gb/s. A frame counts where its
 * transmission begins, with all its bytes on the wire.
 */
class RdmaBandwidthMonitor : public RdmaSimAiMonitor
{
  public:
    /** \param network whose hosts and switches are watched; further parameters as of
     * RdmaSimAiMonitor */
    RdmaBandwidthMonitor(RdmaNetwork& network,
                         const std::string& file,
                         const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;

  private:
    /** What a port sends. */
    struct Port
    {
        void Transmit(const RdmaFrame& frame);

        RdmaBandwidthMonitor& monitor;
        RdmaPort& port;
        uint64_t bytes{0};   //!< since the last sample
        uint64_t written{0}; //!< bytes of an interval, in the last line
        bool active{false};
    };

    std::deque<Port> m_ports;    //!< never moved
    std::vector<Port*> m_active; //!< those that sent since the last sample, or in the last line
};

} // namespace ns3

#endif // RDMA_SIMAI_PORT_MONITORS_H
