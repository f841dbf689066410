/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-state.h"
#include "rdma-saved-flow.h"

#include "ns3/rdma-network.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

// How RdmaPacketState restores what it saved.

namespace ns3
{

namespace
{

/** \return \p seq less \p bytes; the flow that was saved may have been farther from its start than
 * the one that goes on with its state, which has no bytes before its own */
uint64_t
Before(uint64_t seq, int64_t bytes)
{
    return bytes > 0 && static_cast<uint64_t>(bytes) > seq ? 0 : seq - static_cast<uint64_t>(bytes);
}

} // namespace

/** Puts back what was saved of flows and ports. */
class RdmaPacketState::Restoration
{
  public:
    /**
     * \param state that it belongs to, with clocks that stand at that time
     * \param at as of when
     */
    Restoration(RdmaPacketState& state, int64_t at)
        : m_state(state),
          m_at(at)
    {
    }

    /** \return when \p qp, of which \p text tells, is in turn at its NIC, among the flows that are
     * put back */
    RdmaNicScheduler::Turn Read(RdmaQueuePair& qp, const std::string& text);

    /** \param text what was saved of \p port; may be empty */
    void Read(RdmaPort& port, const std::string& text);

    /** All that was read gets to its place, in the order of time. */
    void PutAll();

  private:
    /** Something that is put back at a port: a frame, or the port's own events. */
    struct Placed
    {
        RdmaPort* port;   //!< null for what is at none
        RdmaFrame* frame; //!< null for an event
        uint32_t queue;   //!< or RdmaSavedFrame::FLYING, PIPED
        int64_t time;     //!< when it arrives, or is due; queued: which one in its queue
        int64_t order;    //!< among equal times
        RdmaDue PausedPort::*due{nullptr};
        bool watched{true}; //!< the end of a transmission: whether the owner waits for it
        RdmaTimer* timer{nullptr};
    };

    void ReadSender(RdmaQueuePair& qp, const RdmaSavedFlow& saved);

    /** Not all frames fit: \p qp may be nearer its end than the flow that was saved. */
    void ReadFrame(RdmaQueuePair& qp, const RdmaSavedFrame& saved);

    RdmaFrame& MakeFrame(RdmaQueuePair& qp, const RdmaSavedFrame& saved, uint64_t seq);
    void Put(const Placed& item, const RdmaDue& due);
    void PutOnWire(RdmaPort& port, RdmaFrame& frame, const RdmaDue& due);

    RdmaPacketState& m_state;
    int64_t m_at; //!< time steps
    std::vector<Placed> m_placed;
};

RdmaNicScheduler::Turn
RdmaPacketState::Restoration::Read(RdmaQueuePair& qp, const std::string& text)
{
    const RdmaSavedFlow saved = DecodeRdmaFlow(text);
    ReadSender(qp, saved);
    qp.m_chunks.origin = Before(qp.m_expected, static_cast<int64_t>(saved.inChunk));
    qp.m_lastArrival = saved.sinceArrival >= 0 ? m_at - saved.sinceArrival : -1;
    qp.m_lastCnp = saved.sinceCnp >= 0 ? m_at - saved.sinceCnp : -1;
    if (saved.retransmission.pending)
    {
        const RdmaSavedDue& due = saved.retransmission;
        m_placed.push_back({nullptr, nullptr, RdmaSavedFrame::FLYING, m_at + due.time, due.place});
        m_placed.back().timer = &qp.m_retransmission;
    }
    for (const RdmaSavedFrame& frame : saved.frames)
    {
        ReadFrame(qp, frame);
    }
    if (qp.m_control)
    {
        qp.m_control->LoadState(qp, qp.m_paused->control);
    }
    return saved.turn;
}

void
RdmaPacketState::Restoration::ReadSender(RdmaQueuePair& qp, const RdmaSavedFlow& saved)
{
    qp.m_paused->evicted = false;
    qp.m_paused->credit = 0;
    qp.m_rate = saved.rate;
    if (!qp.m_paused->goesOn) // else what is assumed is later than what was saved
    {
        qp.m_paused->control = saved.control;
        qp.m_window = saved.window;
    }
    qp.m_lastWireBytes = saved.lastWireBytes;
    qp.m_pacingKnown = saved.pacingKnown;
    qp.m_pacing = saved.pacing;
    const int64_t available = m_at + saved.nextAvailable;
    RdmaNicScheduler& scheduler = qp.m_sender->GetNic(*qp.m_nic).scheduler;
    if (!qp.m_scheduled)
    {
        scheduler.Add(qp, available);
    }
    scheduler.SetNextAvailable(qp, available);
    SkipTo(qp, std::min(qp.m_size, qp.m_expected + static_cast<uint64_t>(saved.nextSeq)));
    qp.m_sndUna = Before(qp.m_expected, saved.unacknowledged);
    qp.m_highestSent = qp.m_sndNxt;
    qp.m_ackNowUntil = 0;
    qp.m_lastProgress = m_at + saved.lastProgress;
    qp.UpdateWindow();
    scheduler.Update(qp);
}

void
RdmaPacketState::Restoration::ReadFrame(RdmaQueuePair& qp, const RdmaSavedFrame& saved)
{
    const bool data = saved.kind == RdmaFrameKind::DATA;
    const uint64_t seq = Before(qp.m_expected, -saved.seq);
    if (saved.queue == RdmaSavedFrame::PIPED && !data && qp.m_piped)
    {
        RdmaFrame& frame = MakeFrame(qp, saved, seq);
        m_placed.push_back({nullptr, &frame, saved.queue, m_at + saved.time, saved.order});
        return;
    }
    const auto& route = data ? qp.m_dataRoute : qp.m_ackRoute;
    const size_t index = data ? saved.hop : saved.hop - qp.m_dataRoute.size(); // wraps if too small
    RdmaPort* port = index < route.size() ? route[index] : nullptr;
    const bool queued = saved.queue != RdmaSavedFrame::FLYING;
    const bool fits = port && saved.queue <= RdmaSavedFrame::FLYING &&
                      (!queued || index > 0 || !port->GetOwner().IsTransit());
    if (!fits || (data && seq >= qp.m_size)) // nearer its end than the one before was
    {
        return;
    }
    RdmaFrame& frame = MakeFrame(qp, saved, seq);
    if (data && frame.seq + frame.payloadBytes > qp.m_size)
    {
        const auto payload = static_cast<uint32_t>(qp.m_size - frame.seq);
        frame.wireBytes -= frame.payloadBytes - payload;
        frame.payloadBytes = payload;
    }
    frame.route = route.data() + index + 1;
    frame.routeVersion = m_state.m_network.m_context.routeVersion;
    if (queued && port->GetOwner().IsTransit())
    {
        frame.ingress = route[index - 1]->GetPeer().GetIndex();
    }
    m_state.CountAgain(frame, queued, -1);
    m_placed.push_back({port, &frame, saved.queue, saved.time + (queued ? 0 : m_at), saved.order});
}

RdmaFrame&
RdmaPacketState::Restoration::MakeFrame(RdmaQueuePair& qp,
                                        const RdmaSavedFrame& saved,
                                        uint64_t seq)
{
    RdmaContext& context = m_state.m_network.m_context;
    RdmaFrame& frame = *context.frames.Take();
    frame.qp = &qp;
    frame.kind = saved.kind;
    frame.ce = saved.ce;
    frame.echo = saved.echo;
    frame.telemetry = saved.telemetry;
    frame.ackNow = false;
    frame.seq = seq;
    frame.payloadBytes = saved.payloadBytes;
    frame.last = seq + saved.payloadBytes >= qp.m_size;
    frame.wireBytes = saved.wireBytes;
    frame.priority = qp.m_flow.priority;
    frame.timestamp = m_at + saved.timestamp;
    const int64_t atNs = m_at / context.clock.StepsPerNs();
    frame.intHeader.hopCount = saved.intHeader.hopCount;
    for (uint32_t k = 0; k < frame.intHeader.GetRecords(); ++k)
    {
        frame.intHeader.hops[k] = saved.intHeader.hops[k];
        frame.intHeader.hops[k].time = static_cast<uint64_t>(atNs) - saved.intHeader.hops[k].time;
        // The first switch is behind the NIC. Networks number the rates of their links anew.
        frame.intHeader.rateIndex[k] =
            k + 1 < qp.m_dataRoute.size() ? qp.m_dataRoute[k + 1]->GetRateIndex() : 0;
    }
    if (saved.kind == RdmaFrameKind::DATA)
    {
        const uint64_t ahead = qp.PacketsIn(qp.m_sndNxt) - qp.PacketsIn(seq);
        frame.serial = static_cast<uint32_t>(qp.NextSerial() - ahead);
        ++qp.m_dataSerial; // it is sent again, but has its number
        --qp.m_passedOver;
        frame.again = qp.m_round;
    }
    else
    {
        frame.serial = qp.m_ackSerial++;
        frame.again = 0;
    }
    ++qp.m_framesOut;
    return frame;
}

void
RdmaPacketState::Restoration::Read(RdmaPort& port, const std::string& text)
{
    if (text.empty())
    {
        RdmaDue& txEnd = m_state.RecordOf(port).txEnd;
        txEnd = {m_at, m_state.EventQueue().ReserveSequence()};
        port.m_txEndTime = m_at;
        port.m_txEndPlace = txEnd.place;
        return;
    }
    const RdmaSavedPort saved = DecodeRdmaPort(text);
    const auto counted = static_cast<int64_t>(port.m_txBytes - saved.txBytes);
    port.m_txBytes = saved.txBytes;
    port.PassUnseen(counted);
    port.m_txEndTime = m_at;
    port.m_txEndPlace = 0; // idle
    const auto place = [&](const RdmaSavedDue& due, RdmaDue PausedPort::*event, bool watched) {
        if (due.pending)
        {
            m_placed.push_back({&port,
                                nullptr,
                                RdmaSavedFrame::FLYING,
                                m_at + due.time,
                                due.place,
                                event,
                                watched});
        }
    };
    place(saved.txEnd, &PausedPort::txEnd, saved.watched);
    place(saved.wake, &PausedPort::wake, true);
    if (!m_state.AwaitsAck(port)) // else they are here
    {
        port.ForgetAlone(m_at);
        for (const RdmaSavedPassing& frame : saved.passing)
        {
            port.PassAloneOnce(m_at + frame.time, frame.bytes);
        }
    }
}

void
RdmaPacketState::Restoration::PutAll()
{
    std::stable_sort(m_placed.begin(), m_placed.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.time, a.order) < std::tie(b.time, b.order);
    });
    for (const Placed& item : m_placed)
    {
        Put(item, {item.time, m_state.EventQueue().ReserveSequence()});
    }
}

void
RdmaPacketState::Restoration::Put(const Placed& item, const RdmaDue& due)
{
    if (item.timer)
    {
        m_state.m_network.m_context.timers.ScheduleAt(*item.timer, due);
    }
    else if (item.queue == RdmaSavedFrame::PIPED)
    {
        item.frame->qp->PutIntoPipe(*item.frame, due);
    }
    else if (!item.frame)
    {
        m_state.RecordOf(*item.port).*item.due = item.watched ? due : RdmaDue{};
        if (item.due == &PausedPort::txEnd)
        {
            item.port->m_txEndTime = due.time;
            item.port->m_txEndPlace = due.place;
        }
    }
    else if (item.queue == RdmaSavedFrame::FLYING)
    {
        PutOnWire(*item.port, *item.frame, due);
    }
    else
    {
        item.port->queues.Push(item.queue, item.frame);
        if (item.port->GetOwner().IsTransit() && item.queue != 0)
        {
            auto& sw = static_cast<RdmaSwitch&>(item.port->GetOwner());
            sw.m_buffer.Enter(item.frame->ingress, item.queue, item.frame->wireBytes);
        }
    }
}

void
RdmaPacketState::Restoration::PutOnWire(RdmaPort& port, RdmaFrame& frame, const RdmaDue& due)
{
    if (port.m_wire.IsEmpty())
    {
        m_state.RecordOf(port).arrival = due;
    }
    else
    {
        port.m_wire.Back()->nextArrivalTime = due.time;
        port.m_wire.Back()->nextArrivalPlace = due.place;
    }
    port.m_wire.Push(&frame);
}

void
RdmaPacketState::Restore(const std::vector<std::pair<RdmaQueuePair*, const std::string*>>& flows,
                         const std::vector<std::pair<RdmaPort*, const std::string*>>& ports,
                         int64_t at)
{
    EventQueue().Join(); // of which timers know, too
    BeginMoving();
    // Clocks stand at the past meanwhile, for timers are counted from the present.
    RdmaContext& context = m_network.m_context;
    auto timers = context.timers.Suspend();
    RdmaEventQueue::Suspension suspension = EventQueue().Suspend(at);
    Restoration restoration(*this, at);
    for (const auto& [port, text] : ports)
    {
        Freeze(*port);
        restoration.Read(*port, *text);
    }
    std::map<RdmaNicScheduler*, std::vector<std::pair<RdmaNicScheduler::Turn, RdmaQueuePair*>>>
        turns;
    for (const auto& [qp, text] : flows)
    {
        turns[&qp->m_sender->GetNic(*qp->m_nic).scheduler].emplace_back(
            restoration.Read(*qp, *text),
            qp);
    }
    for (auto& [scheduler, ofNic] : turns)
    {
        scheduler->SetTurns(std::move(ofNic));
    }
    restoration.PutAll();
    for (const auto& [qp, text] : flows)
    {
        // Anew: what the control has just scheduled is pending, as if it had run.
        HoldFlow(*qp);
    }
    EventQueue().Restore(std::move(suspension));
    context.timers.Restore(std::move(timers));
}

} // namespace ns3
