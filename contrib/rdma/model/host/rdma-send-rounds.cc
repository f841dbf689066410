/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-send-rounds.h"

#include "ns3/rdma-random.h"

namespace ns3
{

uint8_t
RdmaSendRounds::Begin(uint64_t packet)
{
    m_times = packet == m_from ? m_times + 1 : 1;
    m_from = packet;
    const auto round = static_cast<uint8_t>(1 + RdmaMix(RdmaMix(packet) + m_times) % 255);
    m_round = round == m_round ? static_cast<uint8_t>(round % 255 + 1) : round;
    return m_round;
}

} // namespace ns3
