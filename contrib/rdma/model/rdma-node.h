/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_NODE_H
#define RDMA_NODE_H

#include "rdma-context.h"
#include "rdma-memory.h"

#include "ns3/object.h"

#include <vector>

namespace ns3
{

class RdmaPort;
class RdmaRouting;

/**
 * \ingroup rdma
 * \brief What a host and a switch have in common: ports, and being told what happens at them.
 * Aggregated to an ns3::Node.
 */
class alignas(RDMA_CACHE_LINE) RdmaNode : public Object, public RdmaPooled
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Puts the node into a network, once, before its ports.
     * \param context of the network
     * \param routing of the network
     * \param id number of the node in the topology
     */
    void Install(RdmaContext& context, RdmaRouting& routing, uint32_t id);

    /** \return number of the node in the topology */
    uint32_t GetRdmaId() const
    {
        return m_id;
    }

    /** Ports that a node of a network may have: frames, MAC addresses and event logs number them,
     * from 1, by 16 bits. */
    static constexpr size_t MOST_PORTS = 65535;

    /**
     * Adds the next port; the port must outlive the node.
     * \param port a port that belongs to no node yet
     * \param portId number of the port in the network
     */
    void AddPort(RdmaPort& port, uint32_t portId);

    /** All links are connected: work out what depends on them. */
    virtual void Start();

    /** Nothing will happen here any more: the network goes. */
    virtual void CancelEvents();

    /** \param process that what happens here belongs to (RdmaProcesses)
     * \param alone whether nothing else does */
    virtual void SetProcess(uint32_t process, bool alone);

    /** \param context of the thread that runs the node (RdmaProcesses), or the network's */
    virtual void SetContext(RdmaContext& context);

    /** \param elsewhere whether another rank runs the node (RdmaRanks): nothing happens here then
     */
    void SetElsewhere(bool elsewhere)
    {
        m_elsewhere = elsewhere;
    }

    bool IsElsewhere() const
    {
        return m_elsewhere;
    }

    const std::vector<RdmaPort*>& GetPorts() const
    {
        return m_ports;
    }

    /** The transmitter of \p port is free, or a pause ended: send what there is. */
    virtual void PortFree(RdmaPort& port) = 0;

    /** \p frame (not PFC) has been received at \p port; it is now ours. */
    virtual void Receive(RdmaPort& port, RdmaFrame* frame) = 0;

    /** Lets memory be fetched that Receive of \p frame at \p port will touch; changes nothing.
     * \param stage 1 to RDMA_FETCH_STAGES - 2, one after the other */
    virtual void FetchReceipt(const RdmaPort& port, const RdmaFrame& frame, uint32_t stage) const;

    /** The same for PortFree of \p port. */
    virtual void FetchSending(const RdmaPort& port, uint32_t stage) const;

    /** The link at \p port went down or up; what was queued at the port is gone already. */
    virtual void LinkChanged(RdmaPort& port) = 0;

    /** \return whether frames may pass through (a switch), as opposed to ending here (a host) */
    virtual bool IsTransit() const = 0;

    /** \return the attribute AckHighPriority, which hosts and switches have */
    bool HasAckHighPriority() const;

  protected:
    RdmaContext* m_context{nullptr};
    RdmaRouting* m_routing{nullptr};
    std::vector<RdmaPort*> m_ports;

  private:
    uint32_t m_id{0};
    bool m_elsewhere{false};
};

} // namespace ns3

#endif // RDMA_NODE_H
