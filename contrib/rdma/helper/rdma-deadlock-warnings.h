/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_DEADLOCK_WARNINGS_H
#define RDMA_DEADLOCK_WARNINGS_H

#include "ns3/rdma-network.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 *
 * Under PFC, frames that wait at a port hold back those that wait for them at the port before. If
 * ports can wait for one another in a circle, a network may stop for good: its routes are free of
 * deadlock if and only if there is no such circle (Dally and Seitz, "Deadlock-Free Message Routing
 * in Multiprocessor Interconnection Networks", IEEE Transactions on Computers 36(5), 1987,
 * theorem 1). All shortest routes between hosts are looked at, whatever the traffic.
 * \param network started
 * \return nodes on such a circle, in order; empty if there is none. Also empty where the number of
 * switches with hosts, times ports, exceeds 2^22: there it is not sought
 */
std::vector<uint32_t> FindRdmaDeadlock(RdmaNetwork& network);

/** \ingroup rdma \return a line that names that circle, or says that frames take detours, where
 * there may be one; if switches have PFC or links have credits. None otherwise */
std::vector<std::string> RdmaDeadlockWarnings(RdmaNetwork& network);

} // namespace ns3

#endif // RDMA_DEADLOCK_WARNINGS_H
