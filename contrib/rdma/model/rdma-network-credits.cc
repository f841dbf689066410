/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

#include <algorithm>

// Links with credits instead of PFC (RdmaCredits): how many, and what must fit them.

namespace ns3
{

namespace
{

/** \return the class whose pauses stop acknowledgements at \p host; 0 for that of their flow */
uint64_t
AckPauseClassOf(const RdmaNode& host)
{
    UintegerValue value;
    host.GetAttribute("AckPauseClass", value);
    return value.Get();
}

} // namespace

/**
 * \return bytes that keep the link from \p from busy: what it carries while a frame is sent and
 * crosses it, its room is told behind the largest frame and an update of each other class, and that
 * crosses it back; what is free but not told of; a frame that has begun to leave; and the largest
 * frame, which must fit for the next to be sent
 */
uint64_t
RdmaNetwork::CreditBufferOf(const RdmaPort& from) const
{
    if (m_creditBuffer)
    {
        return m_creditBuffer;
    }
    const uint32_t largest = m_context.largestFrame;
    const int64_t frame = std::max<int64_t>(from.TransmissionTime(largest), 1);
    const int64_t updates =
        RdmaEgressQueues::COUNT * from.GetPeer().TransmissionTime(RdmaWireFormat::CREDIT);
    const int64_t loop = 2 * from.GetDelay() + 2 * frame + updates;
    // counted in frames, so that no rounding of their times makes a byte too few
    return (static_cast<uint64_t>(loop / frame) + 3) * largest + m_creditUpdate;
}

void
RdmaNetwork::StartCredits()
{
    const bool high = m_rdmaNodes.front()->HasAckHighPriority();
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        NS_ABORT_MSG_IF(node->HasAckHighPriority() != high,
                        "RdmaNetwork::FlowControl: with credits, both ends of a link must count "
                        "acknowledgements alike; set AckHighPriority of RdmaHost and of RdmaSwitch "
                        "to the same");
        NS_ABORT_MSG_IF(!node->IsTransit() && AckPauseClassOf(*node) != 0,
                        "RdmaNetwork::FlowControl: with credits, acknowledgements take those of "
                        "their own class; leave RdmaHost::AckPauseClass at 0");
        for (RdmaPort* port : node->GetPorts())
        {
            const uint64_t buffer = CreditBufferOf(*port);
            NS_ABORT_MSG_IF(buffer < uint64_t{m_context.largestFrame} + m_creditUpdate,
                            "RdmaNetwork::CreditBuffer ("
                                << buffer << ") must hold the largest frame ("
                                << m_context.largestFrame << ") and CreditUpdate ("
                                << m_creditUpdate << ")");
            port->StartCredits(buffer, m_creditUpdate);
        }
    }
}

} // namespace ns3
