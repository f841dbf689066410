/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"
#include "rdma-saved-flow.h"

#include <algorithm>
#include <utility>

// How RdmaPacketState lets flows get on that have no frames, or whose frames stand still.

namespace ns3
{

void
RdmaPacketState::AssumeRate(RdmaQueuePair& qp, double rate)
{
    if (qp.m_piped)
    {
        SetLoad(qp, static_cast<int64_t>(GetAckLoad(qp, rate)));
    }
}

void
RdmaPacketState::SetLoad(RdmaQueuePair& qp, int64_t load)
{
    const int64_t difference = load - std::exchange(qp.m_paused->load, load);
    if (difference)
    {
        const auto& route = qp.m_ackRoute;
        for (size_t hop = 0; hop < route.size(); ++hop)
        {
            RdmaPort* next = hop + 1 < route.size() ? route[hop + 1] : nullptr;
            route[hop]->ChangeBackground(difference, qp.m_ackBytes, next);
        }
    }
}

uint64_t
RdmaPacketState::Credit(RdmaQueuePair& qp, uint64_t bytes)
{
    const uint64_t before = GetDelivered(qp);
    bytes = MayLose(qp) ? PassFrames(qp, bytes) : WholeFrames(qp, bytes);
    CountUnseen(qp, bytes);
    qp.m_expected += bytes;
    qp.m_chunks.origin += bytes;
    qp.m_sndUna += bytes;
    SkipTo(qp, qp.m_sndNxt + bytes);
    qp.m_highestSent += bytes;
    qp.m_paused->credit += bytes;
    if (qp.m_paused->evicted)
    {
        SkipTo(qp, qp.m_expected);
        qp.m_sndUna = qp.m_highestSent = qp.m_expected;
    }
    return GetDelivered(qp) - before;
}

uint64_t
RdmaPacketState::WholeFrames(RdmaQueuePair& qp, uint64_t bytes)
{
    const uint64_t left = qp.m_size - qp.m_expected;
    const uint64_t known = qp.m_partPassed + bytes;
    const uint64_t whole =
        known < left ? known / qp.m_payloadSize * qp.m_payloadSize : left; // its last one, too
    qp.m_partPassed = static_cast<uint32_t>(known - std::min(known, whole));
    return whole;
}

void
RdmaPacketState::SkipTo(RdmaQueuePair& qp, uint64_t next)
{
    qp.m_passedOver += static_cast<uint32_t>(qp.PacketsIn(next) - qp.PacketsIn(qp.m_sndNxt));
    qp.m_sndNxt = next;
}

void
RdmaPacketState::AssumeState(RdmaQueuePair& qp, const std::string& text)
{
    if (!qp.m_control || !qp.m_control->GoesOnUnseen())
    {
        return;
    }
    const RdmaSavedFlow saved = DecodeRdmaFlow(text);
    qp.m_paused->control = saved.control;
    qp.m_paused->inFlight = static_cast<uint64_t>(saved.nextSeq + saved.unacknowledged);
    qp.m_paused->goesOn = false;
    qp.m_window = saved.window;
    qp.UpdateWindow();
}

void
RdmaPacketState::Skipped(RdmaQueuePair& qp, uint64_t bytes)
{
    RdmaPausedFlow& paused = *qp.m_paused;
    if (bytes == 0 || !qp.m_control || !qp.m_control->GoesOnUnseen() ||
        !qp.m_control->LoadState(qp, paused.control))
    {
        return;
    }
    const uint64_t inFlight = paused.evicted ? paused.inFlight : qp.m_sndNxt - qp.m_sndUna;
    qp.m_sender->AskControl(qp, [&] { qp.m_control->OnSkipped(qp, bytes, inFlight); });
    qp.m_control->SaveState(qp, paused.control);
    paused.goesOn = true;
}

void
RdmaPacketState::Complete(RdmaQueuePair& qp, const std::string& end)
{
    const int64_t now = EventQueue().Now();
    SetLoad(qp, 0);
    qp.m_paused.reset();
    --m_network.m_context.besides;
    qp.m_expected = qp.m_sndUna = qp.m_sndNxt = qp.m_highestSent = qp.m_size;
    qp.m_deliveryTime = now;
    if (!qp.m_piped)
    {
        AckWay(qp).PassLast();
    }
    FinishAt(qp, now + (end.empty() ? AckWay(qp).GetLastLatency() : DecodeRdmaLatency(end)));
    m_network.Tell(m_network.m_context, qp, RdmaNetwork::News::DELIVERED);
}

} // namespace ns3
