/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMAI_PORT_MONITORS_H
#define RDMA_SIMAI_PORT_MONITORS_H

#include "rdma-simai-monitor.h"

#include "ns3/rdma-in-order.h"
#include "ns3/rdma-network.h"

#include <deque>
#include <vector>

namespace ns3
{

/** \ingroup rdma What SimAI's two monitors of ports have in common: what they keep of each port. */
class RdmaPortMonitor : public RdmaSimAiMonitor
{
  protected:
    /** Bytes of a port, by queue where that matters. */
    struct Port
    {
        void Queue(uint32_t queue, uint64_t before, uint64_t after);
        void Transmit(const RdmaFrame& frame);

        RdmaPortMonitor& monitor;
        RdmaPort& port;
        uint64_t bytes[RdmaEgressQueues::COUNT]{};
        uint64_t written[RdmaEgressQueues::COUNT]{}; //!< in the last line of each
        bool changed{false};
    };

    /** As of RdmaSimAiMonitor. */
    RdmaPortMonitor(const std::string& file,
                    const std::string& header,
                    const RdmaSamplingTimes& times);

    /** Sorts what has changed by node and interface. */
    void SortChanged();

    std::deque<Port> m_ports;     //!< never moved
    std::vector<Port*> m_changed; //!< those that may differ from their last line

  private:
    /** Bytes of a port change. */
    struct Change
    {
        Port* port;
        uint32_t queue;
        uint64_t difference; //!< modulo 2^64
    };

    void Apply(const Change& change);

    RdmaInOrder<Change> m_changes;
};

/**
 * \ingroup rdma
 * \brief SimAI's QLEN_MON_FILE: length of each queue of each switch port.
 *
 * Lines `time, sw_id, port_id, q_id, q_len, port_len`: ns, numbers, bytes. All eight queues count.
 */
class RdmaQueueLengthMonitor : public RdmaPortMonitor
{
  public:
    /** \param network whose switches are watched; further parameters as of RdmaSimAiMonitor */
    RdmaQueueLengthMonitor(RdmaNetwork& network,
                           const std::string& file,
                           const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;
    void StopListening() override;
};

/**
 * \ingroup rdma
 * \brief SimAI's BW_MON_FILE: what each port sent, on average over the interval before each sample.
 *
 * Lines `time, node_id, port_id, bandwidth`: ns, numbers, Gb/s. A frame counts where its
 * transmission begins, with all its bytes on the wire.
 */
class RdmaBandwidthMonitor : public RdmaPortMonitor
{
  public:
    /** \param network whose hosts and switches are watched; further parameters as of
     * RdmaSimAiMonitor */
    RdmaBandwidthMonitor(RdmaNetwork& network,
                         const std::string& file,
                         const RdmaSamplingTimes& times);

  protected:
    bool Sample(int64_t timeNs) override;
    void StopListening() override;
};

} // namespace ns3

#endif // RDMA_SIMAI_PORT_MONITORS_H
