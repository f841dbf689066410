/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_STANDALONE_H
#define RDMA_STANDALONE_H

#include "ns3/rdma-network.h"

namespace ns3
{

/**
 * \ingroup rdma
 * \brief What a flow takes at least: alone in the network, always at the rate of its NIC.
 *
 * Its frames follow each other through the links of its route, each stored before it is forwarded,
 * and the acknowledgement of the last one comes back behind that of the last but one. No control or
 * window holds it back, so no flow is faster, and without these a flow alone takes exactly as long.
 * \param qp a flow that has started
 * \return ns; 0 if it has no route now
 */
uint64_t RdmaStandaloneNs(const RdmaQueuePair& qp);

/**
 * \ingroup rdma
 * The last column of fct.txt: what a flow would take alone by the formula of HPCC's simulator, the
 * round-trip time of \p facts, and the bytes with 48 of headers per packet at the rate of the
 * slowest link.
 * \param facts of its route
 * \param bytes payload of the flow
 * \param payload of a full packet, bytes
 * \return ns
 */
uint64_t RdmaHpccStandaloneNs(const RdmaPathProperties& facts, uint64_t bytes, uint32_t payload);

} // namespace ns3

#endif // RDMA_STANDALONE_H
