/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_PORT_CROSSING_H
#define RDMA_PORT_CROSSING_H

#include "ns3/rdma-port-flight.h"

namespace ns3
{

/** What is in flight on a link between two threads; that of the receiver has it, and copies of
 * what it asks of the port, which the other one writes to. */
struct alignas(RDMA_CACHE_LINE) RdmaPort::Crossing : public RdmaPooled
{
    Flight flight;
    bool used{false}; //!< else the link is within one thread
};

} // namespace ns3

#endif // RDMA_PORT_CROSSING_H
