/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_EGRESS_SCHEDULER_H
#define RDMA_EGRESS_SCHEDULER_H

#include "ns3/object.h"

#include <cstdint>

namespace ns3
{

class RdmaPort;

/**
 * \ingroup rdma
 * \brief Chooses which queue of a port sends next. Derive from it, give the class a TypeId, and
 * write Fork and DoChoose; without any, queues take turns frame by frame (RdmaEgressQueues).
 *
 * Each port of a switch or host has one of its own, forked from a prototype. Queue 0, that of
 * control frames, goes before all others and is not asked about. At a host, a queue stands for the
 * flows of that class, which take turns within it.
 */
class RdmaEgressScheduler : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return a copy, for one port, that has not chosen yet */
    virtual Ptr<RdmaEgressScheduler> Fork() const = 0;

    /**
     * \param port that is free to send
     * \param ready bit q, of 1 to 7: queue q has a frame that may be sent; not 0
     * \return the queue that sends now
     */
    uint32_t Choose(const RdmaPort& port, uint32_t ready);

    /** A frame begins to leave from \p queue, not of control frames. \param bytes on the wire */
    virtual void OnSent(uint32_t queue, uint32_t bytes);

  private:
    /** \return one of the queues of \p ready; as Choose */
    virtual uint32_t DoChoose(const RdmaPort& port, uint32_t ready) = 0;
};

} // namespace ns3

#endif // RDMA_EGRESS_SCHEDULER_H
