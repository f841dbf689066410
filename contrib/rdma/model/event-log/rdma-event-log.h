/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EVENT_LOG_H
#define RDMA_EVENT_LOG_H

#include "rdma-event-record.h"

#include "ns3/rdma-in-order.h"
#include "ns3/rdma-port.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ns3
{

class RdmaNetwork;
class RdmaQueuePair;

/**
 * \ingroup rdma
 * \brief Tells of all that happens to frames and flows of a network, in order.
 *
 * It only looks on, so windows and threads go on, and the order is that of one queue
 * (RdmaInOrder). A record also has the number that the node itself gave the event as it ran, so
 * that a node that ran its events in another order is found even if what they did is the same.
 */
class RdmaEventLog
{
  public:
    using Take = std::function<void(const RdmaEventRecord&)>;

    /**
     * \param network that has started; the log must outlive what happens there
     * \param take is told of each event
     */
    RdmaEventLog(RdmaNetwork& network, Take take);

    RdmaEventLog(const RdmaEventLog&) = delete;
    RdmaEventLog& operator=(const RdmaEventLog&) = delete;

  private:
    /** What connects to a port. */
    struct PortSink
    {
        void Receive(const RdmaFrame& frame);
        void Send(const RdmaFrame& frame);
        void Lose(const RdmaFrame& frame, RdmaDropReason reason);

        RdmaEventLog& log;
        RdmaPort& port;
    };

    void Add(RdmaPort& at, RdmaEventRecord::What what, const RdmaFrame& frame, uint64_t state);
    void AddFlow(uint32_t node, RdmaEventRecord::What what, const RdmaQueuePair& qp);
    void FlowStarted(const RdmaQueuePair& qp);
    void FlowDelivered(const RdmaQueuePair& qp);
    void FlowEnded(const RdmaQueuePair& qp);

    RdmaNetwork& m_network;
    Take m_take;
    RdmaInOrder<RdmaEventRecord> m_records;
    std::vector<uint64_t> m_counts; //!< of what happened to frames, by node
    std::deque<PortSink> m_ports;   //!< never moved
};

} // namespace ns3

#endif // RDMA_EVENT_LOG_H
