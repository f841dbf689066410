/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_IP_PACKET_H
#define RDMA_IP_PACKET_H

#include "rdma-frame.h"

#include "ns3/ptr.h"

namespace ns3
{

class Packet;

/** \ingroup rdma Reads what switches route \p packet, an ordinary one, by. \param nonRdma its
 * protocol is known; the rest is set, to 0 what the packet does not have */
void ReadRdmaAddresses(Ptr<const Packet> packet, NonRdmaPacket& nonRdma);

/** \ingroup rdma Marks \p packet congestion experienced, if it is of an ECN-capable transport. */
void MarkRdmaPacket(Ptr<Packet> packet);

} // namespace ns3

#endif // RDMA_IP_PACKET_H
