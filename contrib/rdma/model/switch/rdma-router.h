/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROUTER_H
#define RDMA_ROUTER_H

#include "ns3/object.h"

#include <vector>

namespace ns3
{

class RdmaPort;
struct RdmaContext;
struct RdmaFrame;

/**
 * \ingroup rdma
 * \brief Chooses which of the equally short ways a data frame takes at a switch. Derive from it,
 * give the class a TypeId, and write Fork and DoChoose.
 *
 * Each switch has one of its own, forked from a prototype. What it knows should be of its switch
 * alone: then windows and threads give the same bytes.
 */
class RdmaRouter : public Object
{
  public:
    using Ways = std::vector<RdmaPort*>;

    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \return a copy, for one switch, that has not chosen yet */
    virtual Ptr<RdmaRouter> Fork() const = 0;

    /**
     * \param context has the time (RdmaEventQueue::Now) and the seed of draws
     * \param ways egress ports of the switch, two at least, always in the same order for a
     * destination while no link fails
     * \param frame data of a flow
     * \return the port to send it by
     */
    RdmaPort* Choose(const RdmaContext& context, const Ways& ways, const RdmaFrame& frame);

  private:
    /** \return one of \p ways; as Choose */
    virtual RdmaPort* DoChoose(const RdmaContext& context,
                               const Ways& ways,
                               const RdmaFrame& frame) = 0;
};

} // namespace ns3

#endif // RDMA_ROUTER_H
