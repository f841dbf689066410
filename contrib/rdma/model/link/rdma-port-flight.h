/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_FLIGHT_H
#define RDMA_PORT_FLIGHT_H

#include "rdma-port.h"

namespace ns3
{

/** Frames on the link of a port that the port itself does not keep (RdmaPort::m_wire). */
struct RdmaPort::Flight
{
    Flight()
        : arrival(this)
    {
    }

    void Deliver();
    void HandOver(RdmaArrivals& arrivals);

    /** \param from the port that they leave by */
    void SetPort(const RdmaPort& from)
    {
        peer = from.m_peer;
        toHost = from.m_toHost;
        arrival.SetProcess(from.m_arrival.GetProcess());
    }

    /** Adds \p added, the first of which arrives when it is \p due. \return the event that is to
     * be scheduled then; null if others come before */
    RdmaEvent* Add(const RdmaDue& due, RdmaFrameFifo& added);

    /** Of the first frame. */
    RdmaMemberEvent<Flight, &Flight::Deliver, nullptr, nullptr, &Flight::HandOver> arrival;
    RdmaFrameFifo frames;
    RdmaPort* peer{nullptr};
    bool toHost{false};
};

} // namespace ns3

#endif // RDMA_PORT_FLIGHT_H
