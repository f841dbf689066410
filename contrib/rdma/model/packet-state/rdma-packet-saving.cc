/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-packet-ack-way.h"

#include <algorithm>

// What RdmaPacketState saves of flows and ports.

namespace ns3
{

/** Collects the frames of a flow. */
class RdmaPacketState::FrameSaver
{
  public:
    /**
     * \param qp the flow
     * \param now time steps
     * \param nowNs the same, ns
     * \param place that is next
     * \param frames it appends to
     */
    FrameSaver(const RdmaQueuePair& qp,
               int64_t now,
               int64_t nowNs,
               uint64_t place,
               std::vector<RdmaSavedFrame>& frames)
        : m_qp(qp),
          m_now(now),
          m_nowNs(nowNs),
          m_place(place),
          m_frames(frames)
    {
    }

    /** \p frame is the one of \p number, from 0, in \p queue at port \p hop. */
    void AddQueued(const RdmaFrame& frame, uint64_t hop, uint32_t queue, int64_t number)
    {
        RdmaSavedFrame& saved = Add(frame, hop, queue);
        saved.time = number;
    }

    /** \p frame arrives when it is \p due, by the wire of port \p hop or the flow's pipe. */
    void AddArriving(const RdmaFrame& frame, uint64_t hop, uint32_t way, const RdmaDue& due)
    {
        RdmaSavedFrame& saved = Add(frame, hop, way);
        saved.time = due.time - m_now;
        saved.order = static_cast<int64_t>(due.place - m_place);
    }

  private:
    RdmaSavedFrame& Add(const RdmaFrame& frame, uint64_t hop, uint32_t queue)
    {
        RdmaSavedFrame& saved = m_frames.emplace_back();
        saved.hop = hop;
        saved.queue = queue;
        saved.kind = frame.kind;
        saved.ce = frame.ce;
        saved.echo = frame.echo;
        saved.telemetry = frame.telemetry;
        saved.seq = static_cast<int64_t>(frame.seq - m_qp.GetExpected());
        saved.payloadBytes = frame.payloadBytes;
        saved.wireBytes = frame.wireBytes;
        saved.timestamp = frame.timestamp - m_now;
        saved.intHeader.hopCount = frame.intHeader.hopCount;
        for (uint32_t i = 0; i < frame.intHeader.GetRecords(); ++i)
        {
            saved.intHeader.hops[i] = frame.intHeader.hops[i];
            saved.intHeader.hops[i].time =
                static_cast<uint64_t>(m_nowNs) - frame.intHeader.hops[i].time;
        }
        return saved;
    }

    const RdmaQueuePair& m_qp;
    int64_t m_now;
    int64_t m_nowNs;
    uint64_t m_place;
    std::vector<RdmaSavedFrame>& m_frames;
};

void
RdmaPacketState::SaveFrames(const RdmaQueuePair& qp, FrameSaver& saver) const
{
    uint64_t hop = 0;
    for (const auto* route : {&qp.m_dataRoute, &qp.m_ackRoute})
    {
        for (const RdmaPort* port : *route)
        {
            m_frames->ForEachOf(qp, *port, hop < qp.m_dataRoute.size(), [&](const FrameAt& item) {
                if (qp.m_piped && hop >= qp.m_dataRoute.size())
                {
                    return;
                }
                item.queue == RdmaSavedFrame::FLYING
                    ? saver.AddArriving(*item.frame, hop, item.queue, item.due)
                    : saver.AddQueued(*item.frame, hop, item.queue, item.number);
            });
            ++hop;
        }
    }
    for (const auto& [frame, due] : GetComingAcks(qp))
    {
        saver.AddArriving(*frame, qp.m_dataRoute.size(), RdmaSavedFrame::PIPED, due);
    }
}

bool
RdmaPacketState::IsAstray(RdmaQueuePair& qp) const
{
    if (!qp.m_astray)
    {
        return false;
    }
    EventQueue().Gather();
    uint32_t found = 0;
    for (const RdmaFrame* frame = qp.m_pipe.Front(); frame; frame = frame->next)
    {
        ++found;
    }
    for (const auto* route : {&qp.m_dataRoute, &qp.m_ackRoute})
    {
        for (const RdmaPort* port : *route)
        {
            m_frames->ForEachAmong(qp, *port, route == &qp.m_dataRoute, [&found](const FrameAt&) {
                ++found;
            });
        }
    }
    qp.m_astray = found != qp.m_framesOut;
    return qp.m_astray;
}

std::optional<std::string>
RdmaPacketState::Save(const RdmaQueuePair& qp) const
{
    EventQueue().Gather();
    const int64_t now = EventQueue().Now();
    const uint64_t place = EventQueue().Place(); // the same for all that is saved by one event
    RdmaSavedFlow saved;
    // Neither codes nor what switches average for them are saved.
    if (qp.m_telemetry == RdmaTelemetry::PINT)
    {
        return std::nullopt;
    }
    // What follows a loss depends on what was lost, of which the start of an episode says nothing.
    const bool leavesPipe = !qp.m_piped && !qp.m_pipe.IsEmpty();
    if (leavesPipe || qp.m_lost || IsRecovering(qp) || now < qp.m_nackTimer ||
        qp.m_launch.IsPending() || !qp.m_scheduled ||
        (qp.m_control && !qp.m_control->SaveState(qp, saved.control)))
    {
        return std::nullopt;
    }
    saved.rate = qp.m_rate;
    saved.window = qp.m_window;
    saved.lastWireBytes = qp.m_lastWireBytes;
    saved.pacingKnown = qp.m_pacingKnown;
    saved.pacing = qp.m_pacing;
    const RdmaNicScheduler& scheduler = qp.m_sender->GetNic(*qp.m_nic).scheduler;
    saved.nextAvailable = scheduler.GetNextAvailable(qp) - now;
    saved.turn = scheduler.GetTurn(qp);
    saved.nextSeq = static_cast<int64_t>(qp.m_sndNxt - qp.m_expected);
    saved.unacknowledged = static_cast<int64_t>(qp.m_expected - qp.m_sndUna);
    const uint32_t chunk = std::max<uint32_t>(qp.m_receiver->m_chunkSize, 1);
    saved.inChunk = qp.m_expected - qp.m_chunks.GetStart(qp.m_expected, chunk);
    saved.lastProgress = qp.m_lastProgress - now;
    saved.sinceArrival = qp.m_lastArrival >= 0 ? now - qp.m_lastArrival : -1;
    saved.sinceCnp = qp.m_lastCnp >= 0 ? now - qp.m_lastCnp : -1;
    saved.retransmission = {qp.m_retransmission.GetDue(), now, place};
    FrameSaver saver(qp, now, m_network.m_context.NowNs(), place, saved.frames);
    SaveFrames(qp, saver);
    if (saved.frames.size() != qp.m_framesOut)
    {
        return std::nullopt; // some are elsewhere: routes have changed
    }
    return EncodeRdmaFlow(saved);
}

bool
RdmaPacketState::IsDisturbed(const RdmaPort& port)
{
    if (port.m_paused || !port.m_linkUp)
    {
        return true;
    }
    const RdmaNode& owner = port.GetOwner();
    if (!owner.IsTransit())
    {
        return false;
    }
    const RdmaSharedBuffer& buffer = static_cast<const RdmaSwitch&>(owner).m_buffer;
    for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
    {
        if (buffer.IsPaused(port.GetIndex(), queue))
        {
            return true;
        }
    }
    return false;
}

bool
RdmaPacketState::IsPile(const RdmaPort& port, const std::vector<RdmaSavedPassing>& passing)
{
    constexpr int MOST = 8;
    int inARow = 0;
    int64_t free = INT64_MIN;
    for (const RdmaSavedPassing& frame : passing)
    {
        inARow = frame.time <= free ? inARow + 1 : 1;
        free = std::max(free, frame.time) + port.TransmissionTime(frame.bytes);
        if (inARow > MOST)
        {
            return true;
        }
    }
    return false;
}

std::optional<std::string>
RdmaPacketState::Save(const RdmaPort& port) const
{
    if (IsDisturbed(port))
    {
        return std::nullopt;
    }
    EventQueue().Gather();
    const int64_t now = EventQueue().Now();
    const uint64_t place = EventQueue().Place();
    const PausedPort pending = port.m_frozen ? RecordOf(port) : GetPending(port);
    port.PassNow();
    RdmaSavedPort saved;
    saved.txBytes = port.m_txBytes;
    if (port.IsBusy() || pending.txEnd) // what has passed besides is over before the event is
    {
        const uint64_t end = EventQueue().Known(port.m_txEndPlace);
        saved.txEnd = {RdmaDue{port.m_txEndTime, pending.txEnd ? pending.txEnd.place : end},
                       now,
                       place};
    }
    saved.watched = static_cast<bool>(pending.txEnd);
    saved.wake = {pending.wake, now, place};
    for (const RdmaQueuePair* qp : m_delivered)
    {
        FindPassing(*qp, port, saved.passing);
    }
    if (m_delivering)
    {
        FindPassing(*m_delivering, port, saved.passing);
    }
    std::stable_sort(saved.passing.begin(), saved.passing.end(), [](const auto& a, const auto& b) {
        return a.time < b.time;
    });
    if (IsPile(port, saved.passing))
    {
        return std::nullopt;
    }
    return EncodeRdmaPort(saved);
}

std::string
RdmaPacketState::SaveEnd(const RdmaQueuePair& qp)
{
    return EncodeRdmaLatency(AckWay(qp).GetLastLatency());
}

} // namespace ns3
