/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-state.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <numeric>

// What RdmaPacketState tells of flows and ports.

namespace ns3
{

namespace
{

/** Acknowledgements that are before a flow that begins; more are other flows' data. */
constexpr int64_t MOST_ACKS = 4;

/** Frames of a flow to which it is of no matter whether an acknowledgement goes before. */
constexpr uint64_t LONG_FRAMES = 1000;

} // namespace

uint64_t
RdmaPacketState::GetDelivered(const RdmaQueuePair& qp)
{
    if (qp.m_state == RdmaFlowState::WAITING)
    {
        return 0; // it has no sender so far
    }
    return MayLose(qp) ? qp.m_expected : std::min(qp.m_expected + qp.m_partPassed, qp.m_size);
}

int64_t
RdmaPacketState::GetLastArrival(const RdmaQueuePair& qp)
{
    return qp.m_lastArrival;
}

uint64_t
RdmaPacketState::GetSize(const RdmaQueuePair& qp)
{
    return qp.m_size;
}

RdmaPacketState::Flows
RdmaPacketState::GetUndelivered() const
{
    Flows flows;
    for (RdmaQueuePair& qp : m_network.m_active)
    {
        if (qp.m_state == RdmaFlowState::ACTIVE && qp.m_deliveryTime < 0)
        {
            flows.push_back(&qp);
        }
    }
    return flows;
}

uint64_t
RdmaPacketState::GetInFlight(const RdmaQueuePair& qp)
{
    return qp.m_highestSent > qp.m_expected ? qp.m_highestSent - qp.m_expected : 0;
}

bool
RdmaPacketState::IsRecovering(const RdmaQueuePair& qp)
{
    const bool allLost = qp.m_highestSent > qp.m_sndUna && !qp.m_framesOut;
    return allLost || qp.m_timeouts || qp.m_expected < qp.m_recoverUntil ||
           qp.m_sndNxt < qp.m_highestSent || qp.m_ackNowUntil > qp.m_sndUna;
}

bool
RdmaPacketState::HasLost(const RdmaQueuePair& qp)
{
    return qp.m_lost;
}

uint64_t
RdmaPacketState::GetDraws(const RdmaQueuePair& qp)
{
    if (!qp.m_control || !qp.m_control->HeedsMarks())
    {
        return 0;
    }
    return std::accumulate(
        qp.m_dataRoute.begin(),
        qp.m_dataRoute.end(),
        uint64_t{0},
        [](uint64_t sum, const RdmaPort* port) { return sum + port->GetDraws(); });
}

uint64_t
RdmaPacketState::GetHops(const RdmaQueuePair& qp)
{
    return qp.m_dataSerial * uint64_t{qp.m_dataRoute.size()} +
           qp.m_ackSerial * uint64_t{qp.m_ackRoute.size()};
}

double
RdmaPacketState::GetHopsPerByte(const RdmaQueuePair& qp)
{
    return static_cast<double>(qp.m_dataRoute.size() + qp.m_ackRoute.size()) /
           static_cast<double>(qp.m_payloadSize);
}

int64_t
RdmaPacketState::GetControlPeriodNs(const RdmaQueuePair& qp)
{
    return qp.m_control ? qp.m_control->GetPeriodNs(qp) : 0;
}

bool
RdmaPacketState::HasNonRdmaPackets(const RdmaPort& port)
{
    const auto among = [](const RdmaFrame* frame) {
        while (frame && frame->kind != RdmaFrameKind::PACKET)
        {
            frame = frame->next;
        }
        return frame != nullptr;
    };
    return among(port.queues.Front(RdmaHost::NON_RDMA_QUEUE)) || among(port.m_wire.Front());
}

double
RdmaPacketState::GetAckLoad(const RdmaQueuePair& qp, double rate)
{
    return rate * qp.m_ackBytes / (qp.m_dataHeader + qp.m_payloadSize);
}

double
RdmaPacketState::WireRate(const RdmaQueuePair& qp, double rate)
{
    return rate * (qp.m_dataHeader + qp.m_payloadSize) / qp.m_payloadSize;
}

uint64_t
RdmaPacketState::GetAcksBefore(const RdmaQueuePair& qp)
{
    if (qp.m_sndNxt > 0 || qp.m_size >= LONG_FRAMES * qp.m_payloadSize)
    {
        return 0;
    }
    const int64_t one = std::max<int64_t>(qp.m_nic->TransmissionTime(qp.m_ackBytes), 1);
    const int64_t acks = (qp.m_nic->GetBusyTime() + one / 2) / one;
    return acks <= MOST_ACKS ? static_cast<uint64_t>(acks) : 0;
}

} // namespace ns3
