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

/** Of times that are saved, seconds: nothing takes longer that is not stuck. */
constexpr int64_t FARTHEST_SECONDS = 1000;

/** Of positions in a flow that are saved, which are relative. */
constexpr int64_t FARTHEST_BYTE = int64_t{1} << 61;

constexpr RdmaFrameKind LAST_KIND = RdmaFrameKind::PACKET;

bool
IsNear(int64_t time, const RdmaContext& context)
{
    const int64_t farthest = FARTHEST_SECONDS * 1'000'000'000 * context.clock.StepsPerNs();
    return time >= -farthest && time <= farthest;
}

bool
IsDue(const RdmaSavedDue& due, const RdmaContext& context)
{
    return !due.pending || (due.time >= 0 && IsNear(due.time, context));
}

} // namespace

bool
RdmaPacketState::CanRestore(RdmaQueuePair& qp, const std::string& text) const
{
    const RdmaSavedFlow saved = DecodeRdmaFlow(text);
    const RdmaContext& context = m_network.m_context;
    const auto isFrame = [&](const RdmaSavedFrame& frame) {
        return IsNear(frame.time, context) && frame.time >= 0 && IsNear(frame.timestamp, context) &&
               frame.kind != RdmaFrameKind::PFC && frame.kind != RdmaFrameKind::PACKET &&
               frame.kind <= LAST_KIND && frame.payloadBytes <= qp.m_payloadSize &&
               frame.wireBytes >= frame.payloadBytes && frame.wireBytes > 0 &&
               frame.wireBytes <= context.largestFrame && std::abs(frame.seq / 2) < FARTHEST_BYTE;
    };
    const bool fits = saved.rate > 0 && saved.rate <= qp.m_maxRate &&
                      IsNear(saved.pacing, context) && saved.pacing >= 0 &&
                      IsNear(saved.nextAvailable, context) && IsNear(saved.lastProgress, context) &&
                      IsNear(saved.sinceArrival, context) && IsNear(saved.sinceCnp, context) &&
                      IsDue(saved.retransmission, context) && saved.nextSeq >= 0 &&
                      saved.nextSeq < FARTHEST_BYTE && saved.unacknowledged >= 0 &&
                      saved.unacknowledged < FARTHEST_BYTE &&
                      saved.inChunk < static_cast<uint64_t>(FARTHEST_BYTE) &&
                      saved.lastWireBytes <= context.largestFrame &&
                      std::all_of(saved.frames.begin(), saved.frames.end(), isFrame);
    return fits && (!qp.m_control || qp.m_control->Fork()->LoadState(qp, saved.control));
}

bool
RdmaPacketState::CanRestore(const RdmaPort& port, const std::string& text)
{
    const RdmaSavedPort saved = DecodeRdmaPort(text);
    const RdmaContext& context = port.GetContext();
    const auto mayPass = [&context](const RdmaSavedPassing& frame) {
        return frame.time >= 0 && IsNear(frame.time, context) &&
               frame.bytes <= context.largestFrame;
    };
    return IsDue(saved.txEnd, context) && IsDue(saved.wake, context) &&
           std::all_of(saved.passing.begin(), saved.passing.end(), mayPass);
}

bool
RdmaPacketState::CanComplete(const std::string& end)
{
    return end.empty() || DecodeRdmaLatency(end) < INT64_MAX / 4;
}

/** Something that is put back at a port: a frame, or the port's own events. */
struct RdmaPacketState::Placed
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

RdmaNicScheduler::Turn
RdmaPacketState::Read(RdmaQueuePair& qp,
                      const std::string& text,
                      int64_t at,
                      std::vector<Placed>& placed)
{
    const RdmaSavedFlow saved = DecodeRdmaFlow(text);
    ReadSender(qp, saved, at);
    qp.m_chunkOrigin = Before(qp.m_expected, static_cast<int64_t>(saved.inChunk));
    qp.m_lastArrival = saved.sinceArrival >= 0 ? at - saved.sinceArrival : -1;
    qp.m_lastCnp = saved.sinceCnp >= 0 ? at - saved.sinceCnp : -1;
    if (saved.retransmission.pending)
    {
        const RdmaSavedDue& due = saved.retransmission;
        placed.push_back({nullptr, nullptr, RdmaSavedFrame::FLYING, at + due.time, due.place});
        placed.back().timer = &qp.m_retransmission;
    }
    for (const RdmaSavedFrame& frame : saved.frames)
    {
        ReadFrame(qp, frame, at, placed);
    }
    if (MayLose(qp))
    {
        PassData(qp, static_cast<int64_t>(FramesIn(qp, GetInFlight(qp))));
    }
    if (qp.m_control)
    {
        qp.m_control->LoadState(qp, qp.m_paused->control);
    }
    return saved.turn;
}

void
RdmaPacketState::ReadSender(RdmaQueuePair& qp, const RdmaSavedFlow& saved, int64_t at)
{
    qp.m_paused->evicted = false;
    qp.m_paused->credit = qp.m_paused->passed = 0;
    qp.m_paused->control = saved.control;
    qp.m_rate = saved.rate;
    qp.m_window = saved.window;
    qp.m_lastWireBytes = saved.lastWireBytes;
    qp.m_pacingKnown = saved.pacingKnown;
    qp.m_pacing = saved.pacing;
    const int64_t available = at + saved.nextAvailable;
    RdmaNicScheduler& scheduler = qp.m_sender->GetNic(*qp.m_nic).scheduler;
    if (!qp.m_scheduled)
    {
        scheduler.Add(qp, available);
    }
    scheduler.SetNextAvailable(qp, available);
    qp.m_sndNxt = std::min(qp.m_size, qp.m_expected + static_cast<uint64_t>(saved.nextSeq));
    qp.m_sndUna = Before(qp.m_expected, saved.unacknowledged);
    qp.m_highestSent = qp.m_sndNxt;
    qp.m_ackNowUntil = 0;
    qp.m_lastProgress = at + saved.lastProgress;
    qp.UpdateWindow();
    scheduler.Update(qp);
}

void
RdmaPacketState::ReadFrame(RdmaQueuePair& qp,
                           const RdmaSavedFrame& saved,
                           int64_t at,
                           std::vector<Placed>& placed)
{
    const bool data = saved.kind == RdmaFrameKind::DATA;
    const uint64_t seq = Before(qp.m_expected, -saved.seq);
    if (saved.queue == RdmaSavedFrame::PIPED && !data && qp.m_piped)
    {
        RdmaFrame& frame = MakeFrame(qp, saved, seq, at);
        placed.push_back({nullptr, &frame, saved.queue, at + saved.time, saved.order});
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
    RdmaFrame& frame = MakeFrame(qp, saved, seq, at);
    if (data && frame.seq + frame.payloadBytes > qp.m_size)
    {
        const auto payload = static_cast<uint32_t>(qp.m_size - frame.seq);
        frame.wireBytes -= frame.payloadBytes - payload;
        frame.payloadBytes = payload;
    }
    frame.route = route.data() + index + 1;
    frame.routeVersion = m_network.m_context.routeVersion;
    if (queued && port->GetOwner().IsTransit())
    {
        frame.ingress = route[index - 1]->GetPeer().GetIndex();
    }
    CountAgain(frame, queued, -1);
    placed.push_back({port, &frame, saved.queue, saved.time + (queued ? 0 : at), saved.order});
}

uint32_t
RdmaPacketState::NumberOf(RdmaQueuePair& qp, const RdmaSavedFrame& saved)
{
    const bool data = saved.kind == RdmaFrameKind::DATA;
    if (!MayLose(qp))
    {
        return data ? qp.m_dataSerial++ : qp.m_ackSerial++;
    }
    // In the order of their bytes; acknowledgements are of frames that were delivered.
    const int64_t away = saved.seq / static_cast<int64_t>(qp.m_payloadSize);
    return (data ? qp.m_dataSerial : qp.m_ackSerial - 1) + static_cast<uint32_t>(away);
}

RdmaFrame&
RdmaPacketState::MakeFrame(RdmaQueuePair& qp, const RdmaSavedFrame& saved, uint64_t seq, int64_t at)
{
    RdmaContext& context = m_network.m_context;
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
    frame.timestamp = at + saved.timestamp;
    const int64_t atNs = at / std::max<int64_t>(context.clock.StepsPerNs(), 1);
    frame.intHeader.hopCount = saved.intHeader.hopCount;
    for (uint32_t k = 0; k < frame.intHeader.GetRecords(); ++k)
    {
        frame.intHeader.hops[k] = saved.intHeader.hops[k];
        frame.intHeader.hops[k].time = static_cast<uint64_t>(atNs) - saved.intHeader.hops[k].time;
        // The first switch is behind the NIC. Networks number the rates of their links anew.
        frame.intHeader.rateIndex[k] =
            k + 1 < qp.m_dataRoute.size() ? qp.m_dataRoute[k + 1]->GetRateIndex() : 0;
    }
    frame.serial = NumberOf(qp, saved);
    ++qp.m_framesOut;
    return frame;
}

void
RdmaPacketState::Read(RdmaPort& port,
                      const std::string& text,
                      int64_t at,
                      std::vector<Placed>& placed)
{
    const RdmaSavedPort saved = DecodeRdmaPort(text);
    const auto counted = static_cast<int64_t>(port.m_txBytes - saved.txBytes);
    port.m_txBytes = saved.txBytes;
    port.PassUnseen(counted);
    port.m_txEndTime = at;
    port.m_txEndPlace = 0; // idle
    const auto place = [&](const RdmaSavedDue& due, RdmaDue PausedPort::*event, bool watched) {
        if (due.pending)
        {
            placed.push_back(
                {&port, nullptr, RdmaSavedFrame::FLYING, at + due.time, due.place, event, watched});
        }
    };
    place(saved.txEnd, &PausedPort::txEnd, saved.watched);
    place(saved.wake, &PausedPort::wake, true);
    if (!AwaitsAck(port)) // else they are here
    {
        for (const RdmaSavedPassing& frame : saved.passing)
        {
            port.PassAlone(at + frame.time, frame.bytes);
        }
    }
}

void
RdmaPacketState::Restore(const std::vector<std::pair<RdmaQueuePair*, const std::string*>>& flows,
                         const std::vector<std::pair<RdmaPort*, const std::string*>>& ports,
                         int64_t at)
{
    BeginMoving(); // of which timers know, too
    // Clocks stand at the past meanwhile, for timers are counted from the present.
    RdmaContext& context = m_network.m_context;
    auto timers = context.timers.Suspend();
    RdmaEventQueue::Suspension suspension = EventQueue().Suspend(at);
    std::vector<Placed> placed;
    for (const auto& [port, text] : ports)
    {
        Freeze(*port);
        if (!text->empty())
        {
            Read(*port, *text, at, placed);
            continue;
        }
        RecordOf(*port).txEnd = {at, EventQueue().ReserveSequence()};
        port->m_txEndTime = at;
        port->m_txEndPlace = RecordOf(*port).txEnd.place;
    }
    std::map<RdmaNicScheduler*, std::vector<std::pair<RdmaNicScheduler::Turn, RdmaQueuePair*>>>
        turns;
    for (const auto& [qp, text] : flows)
    {
        turns[&qp->m_sender->GetNic(*qp->m_nic).scheduler].emplace_back(
            Read(*qp, *text, at, placed),
            qp);
    }
    for (auto& [scheduler, ofNic] : turns)
    {
        scheduler->SetTurns(std::move(ofNic));
    }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.time, a.order) < std::tie(b.time, b.order);
    });
    for (const Placed& item : placed)
    {
        Put(item, {item.time, EventQueue().ReserveSequence()});
    }
    for (const auto& [qp, text] : flows)
    {
        // Anew: what the control has just scheduled is pending, as if it had run.
        HoldFlow(*qp);
    }
    EventQueue().Restore(std::move(suspension));
    context.timers.Restore(std::move(timers));
}

void
RdmaPacketState::Put(const Placed& item, const RdmaDue& due)
{
    if (item.timer)
    {
        m_network.m_context.timers.ScheduleAt(*item.timer, due);
    }
    else if (item.queue == RdmaSavedFrame::PIPED)
    {
        item.frame->qp->PutIntoPipe(*item.frame, due);
    }
    else if (!item.frame)
    {
        RecordOf(*item.port).*item.due = item.watched ? due : RdmaDue{};
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
RdmaPacketState::PutOnWire(RdmaPort& port, RdmaFrame& frame, const RdmaDue& due)
{
    if (port.m_wire.IsEmpty())
    {
        RecordOf(port).arrival = due;
    }
    else
    {
        port.m_wire.Back()->nextArrivalTime = due.time;
        port.m_wire.Back()->nextArrivalPlace = due.place;
    }
    port.m_wire.Push(&frame);
}

} // namespace ns3
