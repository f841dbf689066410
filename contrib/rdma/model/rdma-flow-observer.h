/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_FLOW_OBSERVER_H
#define RDMA_FLOW_OBSERVER_H

#include <cstdint>

namespace ns3
{

class RdmaPort;
class RdmaQueuePair;

/** \ingroup rdma What whoever is told of flows (RdmaFlow::onDelivered and onEnd, trace sources,
 * RdmaFlowObserver) and of pauses may do about it; the fewer, the greater. */
enum class RdmaReactions : uint8_t
{
    ANY,      ///< not known
    TO_FLOWS, ///< anything, when told of flows; of pauses he takes note
    NONE      ///< he takes note, unless no flow is left that has bytes to deliver
};

/**
 * \ingroup rdma
 * \brief Whoever must know what is about to happen to a network's flows: before it happens, and
 * before traces and callbacks tell others.
 */
class RdmaFlowObserver
{
  public:
    virtual ~RdmaFlowObserver() = default;

    /** \return what it may do now, while all frames are simulated (RdmaContext::apart is 0). With
     * less than ANY it is told of pauses and buffers, and with NONE of flows that are delivered or
     * over, a little later, with the clock at the time (RdmaProcesses). */
    virtual RdmaReactions GetReactions() const
    {
        return RdmaReactions::ANY;
    }

    /** \return whether it need not be told at \p now (time steps) that the buffer is tight at
     * \p port, as it was told lately. Several threads may ask at once. */
    virtual bool KnowsTight(const RdmaPort&, int64_t) const
    {
        return false;
    }

    /** \return whether it need not be told at \p now (time steps) of a pause or resume that is sent
     * from \p port, which is not frozen, as it was told of one lately. As KnowsTight. */
    virtual bool KnowsPause(const RdmaPort&, int64_t) const
    {
        return false;
    }

    /** \p qp has its routes and starts at this time.
     *  \return whether its first frame leaves at the end of the instant; else at once, as without an
     * observer */
    virtual bool FlowStarting(RdmaQueuePair& qp) = 0;

    /** The receiver has all bytes of \p qp; acknowledgements are still on their way. */
    virtual void FlowDelivered(RdmaQueuePair& qp) = 0;

    /** \p qp is over: acknowledged, or given up, perhaps without having been delivered. */
    virtual void FlowOver(RdmaQueuePair& qp) = 0;

    /** The link between these two ports is about to fail, to recover, or to lose another share of
     * frames. */
    virtual void LinkChanging(RdmaPort& a, RdmaPort& b) = 0;

    /** Somebody is about to set what \p qp, which is paused, sends by: it is to be resumed. */
    virtual void FlowChanging(RdmaQueuePair&)
    {
    }

    /** \p qp has other routes, or none; nothing has left by them yet. */
    virtual void FlowRerouted(RdmaQueuePair& qp) = 0;

    /** Something that belongs to none of the flows at \p port, which is paused, is to happen there:
     * at the end of this event, it is to be resumed and triggered. */
    virtual void PortTouched(RdmaPort& port) = 0;

    /** A pause or resume was sent from, or came to, \p port, or an ordinary packet is to leave
     * there. */
    virtual void PauseSeen(RdmaPort& port) = 0;

    /** A frame has come in at \p port of a switch whose buffer is then near to a pause or a loss:
     * what others leave of it matters from now on. */
    virtual void BufferTight(RdmaPort& port) = 0;
};

} // namespace ns3

#endif // RDMA_FLOW_OBSERVER_H
