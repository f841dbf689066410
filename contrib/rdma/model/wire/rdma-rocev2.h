/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROCEV2_H
#define RDMA_ROCEV2_H

#include "ns3/rdma-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaPort;

/** \ingroup rdma Largest payload of a data frame, bytes: what an IPv4 packet has room for beside
 * IP, UDP, sequence number and priority, and INT, as HPCC's simulator counts them. */
constexpr uint32_t RDMA_MAX_PAYLOAD = 65535 - 20 - 8 - 6 - 42;

/**
 * \ingroup rdma
 * \brief Writes a frame as the bytes that a RoCEv2 NIC or an Ethernet switch would send.
 *
 * DATA, ACK, NACK and CNP become Ethernet, IPv4, UDP to port 4791, BTH (and AETH), payload, ICRC
 * (InfiniBand Architecture Specification 1.4 volume 1, chapter 9 and annex A17); PFC becomes a MAC
 * control frame (IEEE 802.3 annex 31D); an ordinary packet its own bytes behind an Ethernet header.
 * No frame check sequence. contrib/rdma/doc/traces.md says what each field holds.
 *
 * The simulation's sizes are those of HPCC's public simulator, so the bytes written here are not as
 * many as RdmaFrame::wireBytes.
 *
 * \param frame at txBeginTrace of \p from, or at rxTrace of the port on the other side
 * \param from the port that sends it on this link
 * \param bytes replaced by the frame
 */
void WriteRdmaRocev2(const RdmaFrame& frame, const RdmaPort& from, std::vector<uint8_t>& bytes);

/**
 * \ingroup rdma
 * \param flow number
 * \param receiver whether the receiving end is meant
 * \return number of the queue pair at one end of a flow, 24 bits: 16 more than the flow's modulo
 * 2^23 - 16 (0 and 1 are reserved by InfiniBand); at the receiver the top bit is set
 */
uint32_t RdmaRocev2QueuePair(uint64_t flow, bool receiver);

} // namespace ns3

#endif // RDMA_ROCEV2_H
