/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-connections.h"

#include "ns3/rdma-random.h"

namespace ns3
{

namespace
{

constexpr uint16_t FIRST_SOURCE_PORT = 10000;

/** \return what tells connections apart; node numbers have 24 bits */
uint64_t
KeyOf(const RdmaFlow& flow)
{
    return static_cast<uint64_t>(flow.src) << 40 | static_cast<uint64_t>(flow.dst) << 16 |
           flow.sourcePort;
}

} // namespace

RdmaConnections::Place
RdmaConnections::Take(const RdmaFlow& flow)
{
    const uint64_t key = KeyOf(flow);
    const uint32_t place = m_flows[key]++;
    const auto counted = static_cast<uint16_t>(FIRST_SOURCE_PORT + place); // it may come round
    return {flow.sourcePort ? flow.sourcePort : counted, RdmaMix(RdmaMix(key) + place)};
}

void
RdmaConnections::GiveBack(const RdmaFlow& flow)
{
    --m_flows.at(KeyOf(flow));
}

} // namespace ns3
