/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-host.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/rdma-extension-failed.h"
#include "ns3/rdma-flow-observer.h"
#include "ns3/rdma-network.h"
#include "ns3/rdma-routing.h"

#include <algorithm>
#include <string>

// The flows that a host sends: how they start and end, time-outs, and changes of their NIC.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaHost");

namespace
{
constexpr uint32_t MAX_BACKOFF = 10; //!< the time-out doubles that many times at most

/** Places in the order of events that are kept for what comes of a start: more than it takes. */
constexpr uint64_t LAUNCH_PLACES = 16;

} // namespace

uint64_t
RdmaHost::SendingKey(const RdmaQueuePair& qp)
{
    return static_cast<uint64_t>(RdmaRouting::AddressOf(qp.m_flow.dst)) << 32 |
           static_cast<uint64_t>(qp.m_sourcePort) << 16 | qp.m_flow.priority;
}

void
RdmaHost::StartFlow(RdmaQueuePair& qp, RdmaHost& receiver)
{
    qp.m_sender = this;
    qp.m_receiver = &receiver;
    qp.m_nic = qp.m_dataRoute.front();
    qp.m_receiverNic = qp.m_ackRoute.front();
    qp.m_state = RdmaFlowState::ACTIVE;
    qp.m_startTime = m_context->eventQueue->Now();
    qp.m_lastProgress = qp.m_startTime;
    qp.m_payloadSize = m_payloadSize;
    qp.m_selective = m_selectiveRepeat ? std::make_unique<RdmaSelectiveRepeat>() : nullptr;
    qp.m_rate = qp.m_maxRate = qp.m_nic->GetRate();
    qp.m_window = qp.m_flow.window;
    const auto own = m_classControls.find(qp.m_flow.priority);
    const bool isOwn = own != m_classControls.end();
    qp.m_varWindow = isOwn ? own->second.varWindow : m_varWindow;
    if (const auto& prototype = isOwn ? own->second.prototype : m_prototype)
    {
        // of a flow that sends elsewhere, only what all flows from there have in common is asked
        qp.m_control = IsElsewhere() ? prototype : prototype->Fork();
        qp.m_telemetry = qp.m_control->GetTelemetry();
        NS_ABORT_MSG_IF(m_context->balances && qp.m_telemetry == RdmaTelemetry::INT,
                        "RdmaSwitch::Routing: frames of a flow take several ways, of which "
                            << qp.m_control->GetInstanceTypeId().GetName()
                            << " would compare the telemetry; choose a control without it");
        NS_ABORT_MSG_IF(qp.m_telemetry == RdmaTelemetry::PINT && !m_context->pint,
                        qp.m_control->GetInstanceTypeId().GetName()
                            << " needs PINT of the switches; hosts must have it before the "
                               "network starts");
        qp.m_firstRecord =
            qp.m_telemetry == RdmaTelemetry::PINT ? RdmaIntHeader::NO_RECORDS : uint8_t{0};
        if (!IsElsewhere())
        {
            AskControl(qp, [&] { qp.m_control->OnStart(qp); });
        }
    }
    const uint32_t telemetry = RdmaTelemetryBytes(qp.m_telemetry, m_context->wire.pintBytes);
    qp.m_dataHeader = m_context->wire.DataHeader(telemetry);
    qp.m_ackBytes = m_context->wire.Ack(telemetry);
    qp.UpdateWindow();
    if (m_context->entropy)
    {
        const auto rate = static_cast<double>(qp.m_maxRate);
        const auto bdp = rate * static_cast<double>(qp.m_flow.baseRttNs) / 8e9;
        qp.m_entropy = std::make_unique<RdmaEntropy>(m_entropyRule,
                                                     m_entropyValues,
                                                     static_cast<uint32_t>(bdp / m_payloadSize) + 1,
                                                     m_freezingTime.GetTimeStep());
    }
    SetCloseFrom(qp);
    if (IsElsewhere())
    {
        return;
    }
    if (!m_sending.emplace(SendingKey(qp), &qp).second)
    {
        // another flow has this source port: both asked for it, or the count came round
        m_sending.emplace(~qp.m_id, &qp);
    }
    m_startTrace(qp);
    if (m_context->observer && !qp.m_flow.exact)
    {
        const RdmaDue end{m_context->eventQueue->Now(), m_context->eventQueue->TakeLastPlace()};
        if (m_context->observer->FlowStarting(qp))
        {
            qp.m_launchPlace = m_context->eventQueue->ReserveSequences(LAUNCH_PLACES);
            m_network->GetContext().timers.ScheduleAt(qp.m_launch, end); // of no process
            return;
        }
    }
    Launch(qp);
}

void
RdmaHost::LaunchLater(RdmaQueuePair& qp)
{
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    if (eventQueue.Now() != qp.m_startTime)
    {
        Launch(qp);
        return;
    }
    eventQueue.ReturnTo(qp.m_launchPlace, LAUNCH_PLACES, [&] { Launch(qp); });
}

/** Says from when on \p qp, which starts, may be delivered or end in any window (RdmaProcesses).
 * Where no short link leads to its hosts, nothing comes to them that was not on the last link when
 * the window began (RdmaContext::tellings). Elsewhere that is once its last bytes are sent, or
 * may be sent within the next window if short links lead all the way. */
void
RdmaHost::SetCloseFrom(RdmaQueuePair& qp) const
{
    if (m_context->window == 0 || (m_alone && qp.m_receiver->m_alone))
    {
        return;
    }
    uint64_t soon = 0;
    if (m_process == qp.m_receiver->m_process)
    {
        const uint32_t bytes = m_context->wire.DataHeader(0) + m_payloadSize;
        int64_t each = m_context->window;
        for (const RdmaPort* port : m_ports)
        {
            each = std::min(each, port->TransmissionTime(bytes));
        }
        soon = each > 0 ? (static_cast<uint64_t>(m_context->window / each) + 2) * m_payloadSize
                        : qp.m_size;
    }
    qp.m_closeFrom = qp.m_size - std::min(qp.m_size, soon);
    if (m_context->ranks)
    {
        qp.m_closeFrom = 0; // which the other ranks know without being told
    }
    if (qp.m_closeFrom == 0)
    {
        BeginClosing(qp);
    }
}

void
RdmaHost::BeginClosing(RdmaQueuePair& qp) const
{
    m_context->closing += !qp.m_closing;
    qp.m_closing = true;
}

void
RdmaHost::Launch(RdmaQueuePair& qp)
{
    const int64_t now = m_context->eventQueue->Now();
    qp.m_lastProgress = now;
    if (!qp.m_scheduled) // a change of routes may have added it already
    {
        GetNic(*qp.m_nic).scheduler.Add(qp, now);
    }
    if (const int64_t timeout = TimeoutOf(qp))
    {
        ScheduleTimer(qp.m_retransmission, now + timeout);
    }
    qp.m_nic->Trigger();
}

void
RdmaHost::Finish(RdmaQueuePair& qp)
{
    qp.m_sndUna = qp.m_sndNxt = qp.m_highestSent = qp.m_size;
    if (qp.m_scheduled)
    {
        GetNic(*qp.m_nic).scheduler.Remove(qp);
    }
    End(qp, RdmaFlowState::COMPLETED);
}

void
RdmaHost::End(RdmaQueuePair& qp, RdmaFlowState state)
{
    qp.m_state = state;
    qp.m_endTime = m_context->eventQueue->Now();
    m_context->doubtful -= qp.m_doubtful;
    m_context->closing -= qp.m_closing;
    RdmaContext::Count(m_context->apart, qp.m_counted, false);
    GetTimers().Cancel(qp.m_retransmission);
    if (qp.m_control)
    {
        AskControl(qp, [&] { qp.m_control->OnEnd(qp); });
    }
    if (state != RdmaFlowState::COMPLETED)
    {
        qp.m_sndNxt = qp.m_size = qp.m_sndUna; // nothing more to send
        qp.m_resends = false;
        if (qp.m_scheduled)
        {
            GetNic(*qp.m_nic).scheduler.Update(qp);
        }
    }
    const bool now = !m_context->eventQueue->IsInWindow(); // else all are told when it is over
    if (now && m_context->observer && !qp.m_flow.exact)
    {
        m_context->observer->FlowOver(qp);
    }
    m_network->Tell(*m_context, qp, RdmaNetwork::News::ENDED);
    const auto own = m_sending.find(SendingKey(qp));
    m_sending.erase(own != m_sending.end() && own->second == &qp ? own->first : ~qp.m_id);
    if (now)
    {
        m_network->FlowEnded(qp);
    }
}

void
RdmaHost::ControlFailed(const RdmaQueuePair& qp) const
{
    RdmaExtensionFailed(qp.m_control->GetInstanceTypeId().GetName() + ", control of flow " +
                            std::to_string(qp.m_id) + " from node " +
                            std::to_string(qp.m_flow.src) + " to node " +
                            std::to_string(qp.m_flow.dst),
                        m_context->NowNs());
}

void
RdmaHost::GoBack(RdmaQueuePair& qp, const char* reason)
{
    if (qp.m_sndNxt > qp.m_sndUna)
    {
        NS_LOG_INFO("flow " << qp.m_id << " sends bytes " << qp.m_sndUna << " to " << qp.m_sndNxt
                            << " again, after " << reason);
    }
    qp.m_recoverUntil = std::max(qp.m_recoverUntil, qp.m_highestSent);
    qp.m_sndNxt = qp.m_sndUna;
    qp.m_round = qp.m_rounds.Begin(qp.PacketsIn(qp.m_sndNxt));
    if (!qp.m_doubtful && (qp.m_ackNowUntil || qp.m_receiver->SendsCnps(qp)))
    {
        qp.m_doubtful = true;
        ++m_context->doubtful;
    }
}

int64_t
RdmaHost::TimeoutOf(const RdmaQueuePair& qp) const
{
    if (!qp.m_selective)
    {
        return m_timeout << std::min(qp.m_timeouts, MAX_BACKOFF);
    }
    const uint64_t inFlight = qp.PacketsIn(qp.m_highestSent) - qp.PacketsIn(qp.m_sndUna);
    const int64_t timeout = inFlight <= m_timeoutLowPackets ? m_timeoutLow : m_timeoutHigh;
    return timeout << std::min(qp.m_timeouts, MAX_BACKOFF);
}

void
RdmaHost::CheckProgress(RdmaQueuePair& qp)
{
    RdmaEventQueue& eventQueue = *m_context->eventQueue;
    const int64_t due = qp.m_lastProgress + TimeoutOf(qp);
    if (qp.m_highestSent == qp.m_sndUna)
    {
        qp.m_lastProgress = eventQueue.Now(); // nothing outstanding, so nothing to wait for
    }
    else if (eventQueue.Now() >= due)
    {
        ++m_context->counters.timeouts;
        if (++qp.m_timeouts > m_retryCount)
        {
            End(qp, RdmaFlowState::RETRY_ERROR);
            return;
        }
        NS_LOG_WARN("flow " << qp.m_id << " times out, " << qp.m_timeouts << " of at most "
                            << m_retryCount << " times in a row");
        qp.m_lastProgress = eventQueue.Now();
        if (qp.m_selective)
        {
            qp.m_selective->sender.TimeOut(qp.PacketsIn(qp.m_highestSent));
            qp.m_resends = qp.m_selective->sender.HasLost();
        }
        else
        {
            qp.m_ackNowUntil = qp.m_highestSent;
            GoBack(qp, "a time-out");
        }
        if (qp.m_entropy)
        {
            qp.m_entropy->OnTimeout(eventQueue.Now());
        }
        if (qp.m_control)
        {
            AskControl(qp, [&] { qp.m_control->OnTimeout(qp); });
        }
        if (qp.m_scheduled)
        {
            GetNic(*qp.m_nic).scheduler.Update(qp);
        }
        qp.m_nic->Trigger();
    }
    ScheduleTimer(qp.m_retransmission, qp.m_lastProgress + TimeoutOf(qp));
}

void
RdmaHost::RedistributeQueuePairs()
{
    std::vector<int64_t> available;
    for (const auto& [key, qp] : m_sending)
    {
        available.push_back(qp->m_scheduled ? GetNic(*qp->m_nic).scheduler.GetNextAvailable(*qp)
                                            : 0);
    }
    for (const auto& nic : m_nics)
    {
        nic->scheduler.Clear();
    }
    auto time = available.begin();
    for (const auto& [key, qp] : m_sending)
    {
        if (!qp->m_dataRoute.empty() && !qp->m_ackRoute.empty()) // else no way for now
        {
            qp->m_nic = qp->m_dataRoute.front();
            GetNic(*qp->m_nic).scheduler.Add(*qp, *time);
            qp->m_nic->Trigger();
        }
        ++time;
    }
}

} // namespace ns3
