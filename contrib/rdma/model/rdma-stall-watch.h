/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_STALL_WATCH_H
#define RDMA_STALL_WATCH_H

#include "ns3/rdma-event-driver.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

class RdmaNetwork;

/**
 * \ingroup rdma
 * \brief Ends a simulation in which nothing will move any more, although timers go on for ever.
 *
 * A pause lasts until the frame that ends it comes. If a link loses that frame, or if pauses wait
 * for each other in a circle, they last for ever. Flows behind them have nothing outstanding, so no
 * time-out ends them, but their timers and those of their controls fire on: until the end of time.
 *
 * It looks once per second of simulated time, or per two of the longest delay of a link if that is
 * longer. Where no frame has crossed a link between two looks, and all flows that are left are
 * stuck, it stops the simulation. It has no events, so nothing else depends on it.
 */
class RdmaStallWatch : public RdmaClockWatch
{
  public:
    /**
     * \param network started, in one process; its clock must have no other watch; must outlive this
     * \param awaitsMore \return whether anything else than a frame may still begin something: a
     *                   flow, a computation, a link that changes
     */
    RdmaStallWatch(RdmaNetwork& network, std::function<bool()> awaitsMore);
    ~RdmaStallWatch() override;
    RdmaStallWatch(const RdmaStallWatch&) = delete;
    RdmaStallWatch& operator=(const RdmaStallWatch&) = delete;

    int64_t TimePasses(int64_t time) override;

    /** \return whether it has stopped the simulation */
    bool HasStopped() const
    {
        return m_stopped;
    }

    /** \return whether flows are left, and each waits for a route, or at its sender for a resume or
     * credits, with nothing outstanding, while no port sends. What is on a link is not looked at.
     * O(flows and links) */
    static bool IsStalled(const RdmaNetwork& network);

    /** \return what holds the flows of a stalled network up, for people */
    static std::string Explain(const RdmaNetwork& network);

  private:
    RdmaNetwork& m_network;
    std::function<bool()> m_awaitsMore;
    int64_t m_period; //!< time steps
    uint64_t m_moved; //!< crossings of links by the last look
    bool m_stopped{false};
};

} // namespace ns3

#endif // RDMA_STALL_WATCH_H
