/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-network.h"
#include "rdma-packet-state.h"

#include <algorithm>
#include <tuple>

// What RdmaPacketState saves of flows and ports as bytes, and lays out again. Times are relative to
// the time of saving, sequence numbers to what the receiver has.

namespace ns3
{

namespace
{

/** Bytes that numbers are written to: 7 bits each, small ones of either sign are short. */
class Writer
{
  public:
    void Put(uint64_t value)
    {
        while (value >= 0x80)
        {
            m_text.push_back(static_cast<char>(value | 0x80));
            value >>= 7;
        }
        m_text.push_back(static_cast<char>(value));
    }

    void PutSigned(int64_t value)
    {
        const uint64_t twice = static_cast<uint64_t>(value) << 1;
        Put(value < 0 ? ~twice : twice);
    }

    void PutBytes(const std::vector<uint8_t>& bytes)
    {
        Put(bytes.size());
        m_text.append(bytes.begin(), bytes.end());
    }

    std::string Take()
    {
        return std::move(m_text);
    }

  private:
    std::string m_text;
};

/** The other way round; what is missing is 0. */
class Reader
{
  public:
    explicit Reader(const std::string& text)
        : m_text(text)
    {
    }

    uint64_t Get()
    {
        uint64_t value = 0;
        for (uint32_t shift = 0; m_at < m_text.size(); shift += 7)
        {
            const auto byte = static_cast<uint8_t>(m_text[m_at++]);
            value |= static_cast<uint64_t>(byte & 0x7f) << (shift & 63);
            if (!(byte & 0x80))
            {
                break;
            }
        }
        return value;
    }

    int64_t GetSigned()
    {
        const uint64_t value = Get();
        return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
    }

    std::vector<uint8_t> GetBytes()
    {
        const size_t size = std::min<uint64_t>(Get(), m_text.size() - m_at);
        const auto begin = m_text.begin() + static_cast<std::ptrdiff_t>(m_at);
        m_at += size;
        return {begin, begin + static_cast<std::ptrdiff_t>(size)};
    }

  private:
    const std::string& m_text;
    size_t m_at{0};
};

/** A due time, relative to \p now and to the place that is next. */
void
PutDue(Writer& writer, const RdmaDue& due, int64_t now, uint64_t place)
{
    writer.Put(due ? 1 : 0);
    if (due)
    {
        writer.PutSigned(due.time - now);
        writer.PutSigned(static_cast<int64_t>(due.place - place));
    }
}

/** \return \p seq less \p bytes; the flow that was saved may have been farther from its start than
 * the one that goes on with its state, which has no bytes before its own */
uint64_t
Before(uint64_t seq, int64_t bytes)
{
    return bytes > 0 && static_cast<uint64_t>(bytes) > seq ? 0 : seq - static_cast<uint64_t>(bytes);
}

constexpr uint32_t FLYING = RdmaEgressQueues::COUNT; //!< in place of a queue: on the wire, ...
constexpr uint32_t PIPED = FLYING + 1;               //!< ... or in the flow's pipe

} // namespace

/** Something that is put back at a port: a frame, or the port's own events. */
struct RdmaPacketState::Placed
{
    RdmaPort* port;   //!< null for what is at none
    RdmaFrame* frame; //!< null for an event
    uint32_t queue;   //!< or FLYING, PIPED
    int64_t time;     //!< when it arrives, or is due; queued: which one in its queue
    int64_t order;    //!< among equal times
    RdmaDue PausedPort::*due{nullptr};
    bool watched{true}; //!< the end of a transmission: whether the owner waits for it
    RdmaTimer* timer{nullptr};
};

std::optional<std::string>
RdmaPacketState::Save(const RdmaQueuePair& qp) const
{
    const int64_t now = Lanes().Now();
    const uint64_t place = Lanes().Place(); // the same for all that is saved by one event
    std::vector<uint8_t> control;
    // What follows a loss depends on what was lost, of which the start of an episode says nothing.
    if (qp.m_lost || IsRecovering(qp) || now < qp.m_nackTimer || qp.m_launch.IsPending() ||
        !qp.m_scheduled || (qp.m_control && !qp.m_control->SaveState(qp, control)))
    {
        return std::nullopt;
    }
    Writer writer;
    writer.Put(qp.m_rate);
    writer.Put(qp.m_window);
    writer.PutBytes(control);
    writer.Put(qp.m_lastWireBytes);
    writer.Put(qp.m_pacingKnown ? 1 : 0);
    writer.PutSigned(qp.m_pacing);
    writer.PutSigned(qp.m_sender->GetNic(*qp.m_nic).scheduler.GetNextAvailable(qp) - now);
    writer.PutSigned(static_cast<int64_t>(qp.m_sndNxt - qp.m_expected));
    writer.PutSigned(static_cast<int64_t>(qp.m_expected - qp.m_sndUna));
    const uint32_t chunk = std::max<uint32_t>(qp.m_receiver->m_chunkSize, 1);
    writer.Put(qp.m_expected - qp.GetChunkStart(qp.m_expected, chunk));
    writer.PutSigned(qp.m_lastProgress - now);
    writer.PutSigned(qp.m_lastArrival >= 0 ? now - qp.m_lastArrival : -1);
    writer.PutSigned(qp.m_lastCnp >= 0 ? now - qp.m_lastCnp : -1);
    PutDue(writer, qp.m_retransmission.GetDue(), now, place);

    uint32_t frames = 0;
    const auto put =
        [&](const RdmaFrame& frame, size_t hop, uint32_t queue, int64_t time, int64_t order) {
            ++frames;
            writer.Put(hop);
            writer.Put(static_cast<uint64_t>(frame.kind) | uint64_t{frame.ce} << 3 |
                       uint64_t{frame.echo} << 4 | uint64_t{frame.telemetry} << 5 |
                       uint64_t{queue} << 6);
            writer.PutSigned(time);
            writer.PutSigned(order);
            writer.PutSigned(static_cast<int64_t>(frame.seq - qp.m_expected));
            writer.Put(frame.payloadBytes);
            writer.Put(frame.wireBytes);
            writer.PutSigned(frame.timestamp - now);
            writer.Put(frame.intHeader.hopCount);
            for (uint32_t i = 0; i < frame.intHeader.hopCount; ++i)
            {
                const RdmaIntHeader::Hop& record = frame.intHeader.hops[i];
                const int64_t nowNs = m_network.m_context.NowNs();
                writer.Put((static_cast<uint64_t>(nowNs) - record.time) &
                           ((1U << RdmaIntHeader::TIME_BITS) - 1));
                writer.Put(record.tx);
                writer.Put(record.qlen);
            }
        };
    size_t hop = 0;
    for (const auto* route : {&qp.m_dataRoute, &qp.m_ackRoute})
    {
        for (const RdmaPort* port : *route)
        {
            const auto belongs = [&](const RdmaFrame& frame) {
                return frame.qp == &qp &&
                       (frame.kind == RdmaFrameKind::DATA) == (route == &qp.m_dataRoute);
            };
            RdmaDue due = ArrivalOf(*port);
            for (const RdmaFrame* frame = port->m_wire.Front(); frame; frame = frame->next)
            {
                if (belongs(*frame))
                {
                    put(*frame,
                        hop,
                        FLYING,
                        due.time - now,
                        static_cast<int64_t>(due.place - place));
                }
                due = {frame->nextArrivalTime, frame->nextArrivalPlace};
            }
            for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
            {
                int64_t number = 0;
                for (const RdmaFrame* frame = port->queues.Front(queue); frame;
                     frame = frame->next, ++number)
                {
                    if (belongs(*frame))
                    {
                        put(*frame, hop, queue, number, 0);
                    }
                }
            }
            ++hop;
        }
    }
    RdmaDue due = PipeDue(qp);
    for (const RdmaFrame* frame = qp.m_pipe.Front(); frame; frame = frame->next)
    {
        put(*frame,
            qp.m_dataRoute.size(),
            PIPED,
            due.time - now,
            static_cast<int64_t>(due.place - place));
        due = {frame->nextArrivalTime, frame->nextArrivalPlace};
    }
    if (frames != qp.m_framesOut)
    {
        return std::nullopt; // some are elsewhere: routes have changed
    }
    Writer whole;
    whole.Put(frames);
    return whole.Take() + writer.Take();
}

std::string
RdmaPacketState::SaveEnd(const RdmaQueuePair& qp)
{
    Writer writer;
    writer.Put(static_cast<uint64_t>(AckLatency(qp, 0)));
    return writer.Take();
}

int64_t
RdmaPacketState::ReadEnd(const std::string& text)
{
    return static_cast<int64_t>(Reader(text).Get() & INT64_MAX);
}

std::optional<std::string>
RdmaPacketState::Save(const RdmaPort& port) const
{
    const RdmaNode& owner = port.GetOwner();
    bool pausing = port.m_paused || port.m_errorRate > 0 || !port.m_linkUp;
    if (owner.IsTransit())
    {
        const auto& sw = static_cast<const RdmaSwitch&>(owner);
        for (uint32_t queue = 0; queue < RdmaEgressQueues::COUNT; ++queue)
        {
            pausing = pausing || sw.m_buffer.IsPaused(port.GetIndex(), queue);
        }
    }
    if (pausing)
    {
        return std::nullopt;
    }
    const int64_t now = Lanes().Now();
    const uint64_t place = Lanes().Place();
    Writer writer;
    writer.Put(port.m_txBytes);
    const RdmaLaneEvent* wake = WakeOf(port);
    const PausedPort pending =
        port.m_frozen ? RecordOf(port)
                      : PausedPort{port.m_txEnd.GetDue(), {}, wake ? wake->GetDue() : RdmaDue{}};
    PutDue(writer,
           port.IsBusy() ? RdmaDue{port.m_txEndTime, port.m_txEndPlace} : RdmaDue{},
           now,
           place);
    writer.Put(pending.txEnd ? 1 : 0);
    PutDue(writer, pending.wake, now, place);
    return writer.Take();
}

void
RdmaPacketState::Read(RdmaQueuePair& qp,
                      const std::string& text,
                      int64_t at,
                      std::vector<Placed>& placed)
{
    RdmaContext& context = m_network.m_context;
    const int64_t atNs = at / std::max<int64_t>(context.clock.StepsPerNs(), 1);
    Reader reader(text);
    const uint64_t frames = reader.Get();
    qp.m_paused->lifted = false;
    qp.m_paused->credit = 0;
    qp.m_rate = reader.Get();
    qp.m_window = reader.Get();
    qp.m_paused->control = reader.GetBytes();
    qp.m_lastWireBytes = static_cast<uint32_t>(reader.Get());
    qp.m_pacingKnown = reader.Get() != 0;
    qp.m_pacing = reader.GetSigned();
    const int64_t available = at + reader.GetSigned();
    RdmaNicScheduler& scheduler = qp.m_sender->GetNic(*qp.m_nic).scheduler;
    if (!qp.m_scheduled)
    {
        scheduler.Add(qp, available);
    }
    scheduler.SetNextAvailable(qp, available);
    qp.m_sndNxt = std::min(qp.m_size, qp.m_expected + static_cast<uint64_t>(reader.GetSigned()));
    qp.m_sndUna = Before(qp.m_expected, reader.GetSigned());
    qp.m_chunkOrigin = Before(qp.m_expected, static_cast<int64_t>(reader.Get()));
    qp.m_highestSent = qp.m_sndNxt;
    qp.m_ackNowUntil = 0;
    qp.m_lastProgress = at + reader.GetSigned();
    const int64_t sinceArrival = reader.GetSigned();
    qp.m_lastArrival = sinceArrival >= 0 ? at - sinceArrival : -1;
    const int64_t sinceCnp = reader.GetSigned();
    qp.m_lastCnp = sinceCnp >= 0 ? at - sinceCnp : -1;
    qp.UpdateWindow();
    scheduler.Update(qp);
    if (reader.Get())
    {
        const int64_t due = at + reader.GetSigned();
        placed.push_back({nullptr, nullptr, FLYING, due, reader.GetSigned()});
        placed.back().timer = &qp.m_retransmission;
    }
    for (uint64_t i = 0; i < frames; ++i)
    {
        RdmaFrame* frame = context.frames.Take();
        frame->qp = &qp;
        const size_t hop = reader.Get();
        const uint64_t flags = reader.Get();
        frame->kind = static_cast<RdmaFrameKind>(flags & 7);
        frame->ce = flags >> 3 & 1;
        frame->echo = flags >> 4 & 1;
        frame->telemetry = flags >> 5 & 1;
        frame->ackNow = false;
        const auto queue = static_cast<uint32_t>(flags >> 6);
        const int64_t time = reader.GetSigned() + (queue >= FLYING ? at : 0);
        const int64_t order = reader.GetSigned();
        frame->seq = Before(qp.m_expected, -reader.GetSigned());
        frame->payloadBytes = static_cast<uint32_t>(reader.Get());
        frame->wireBytes = static_cast<uint32_t>(reader.Get());
        frame->priority = qp.m_flow.priority;
        frame->timestamp = at + reader.GetSigned();
        frame->intHeader.hopCount =
            static_cast<uint8_t>(std::min<uint64_t>(reader.Get(), RdmaIntHeader::MAX_HOPS));
        for (uint32_t k = 0; k < frame->intHeader.hopCount; ++k)
        {
            RdmaIntHeader::Hop& record = frame->intHeader.hops[k];
            record.time = static_cast<uint64_t>(atNs) - reader.Get();
            record.tx = reader.Get();
            record.qlen = reader.Get();
            // The first switch is behind the NIC. Networks number the rates of their links anew.
            frame->intHeader.rateIndex[k] =
                k + 1 < qp.m_dataRoute.size() ? qp.m_dataRoute[k + 1]->GetRateIndex() : 0;
        }
        const bool data = frame->kind == RdmaFrameKind::DATA;
        const auto& route = data ? qp.m_dataRoute : qp.m_ackRoute;
        const size_t index = data ? hop : hop - qp.m_dataRoute.size(); // wraps if it is too small
        RdmaPort* port = index < route.size() ? route[index] : nullptr;
        if (queue == PIPED && !data && qp.m_piped)
        {
            frame->serial = qp.m_ackSerial++;
            ++qp.m_framesOut;
            placed.push_back({nullptr, frame, PIPED, time, order});
            continue;
        }
        const bool queued = queue != FLYING;
        const bool fits =
            port && queue <= FLYING && (!queued || index > 0 || !port->GetOwner().IsTransit());
        if (!fits || (data && frame->seq >= qp.m_size)) // nearer its end than the one before was
        {
            context.frames.Give(frame);
            continue;
        }
        if (data && frame->seq + frame->payloadBytes > qp.m_size)
        {
            const auto payload = static_cast<uint32_t>(qp.m_size - frame->seq);
            frame->wireBytes -= frame->payloadBytes - payload;
            frame->payloadBytes = payload;
        }
        frame->serial = data ? qp.m_dataSerial++ : qp.m_ackSerial++;
        ++qp.m_framesOut;
        frame->route = route.data() + index + 1;
        frame->routeVersion = context.routeVersion;
        if (queued && port->GetOwner().IsTransit())
        {
            frame->ingress = route[index - 1]->GetPeer().GetIndex();
        }
        placed.push_back({port, frame, queue, time, order});
    }
    if (qp.m_control)
    {
        qp.m_control->LoadState(qp, qp.m_paused->control);
    }
}

void
RdmaPacketState::Read(RdmaPort& port,
                      const std::string& text,
                      int64_t at,
                      std::vector<Placed>& placed)
{
    Reader reader(text);
    port.m_txBytes = reader.Get();
    port.m_txEndTime = at;
    port.m_txEndPlace = 0; // idle
    const auto place = [&](RdmaDue PausedPort::*due) {
        const int64_t time = at + reader.GetSigned();
        placed.push_back({&port, nullptr, FLYING, time, reader.GetSigned(), due});
    };
    const bool busy = reader.Get();
    if (busy)
    {
        place(&PausedPort::txEnd);
    }
    const bool watched = reader.Get();
    if (busy)
    {
        placed.back().watched = watched;
    }
    if (reader.Get())
    {
        place(&PausedPort::wake);
    }
}

void
RdmaPacketState::LayOut(const std::vector<std::pair<RdmaQueuePair*, const std::string*>>& flows,
                        const std::vector<std::pair<RdmaPort*, const std::string*>>& ports,
                        int64_t at)
{
    // Clocks stand at the past meanwhile, for timers are counted from the present.
    RdmaContext& context = m_network.m_context;
    std::vector<RdmaTimer*> timers = context.timers.Suspend();
    RdmaLaneQueue::Suspension suspension = Lanes().Suspend(at);
    std::vector<Placed> placed;
    for (const auto& [port, text] : ports)
    {
        Freeze(*port);
        if (!text->empty())
        {
            Read(*port, *text, at, placed);
            continue;
        }
        RecordOf(*port).txEnd = {at, Lanes().TakePlace()};
        port->m_txEndTime = at;
        port->m_txEndPlace = RecordOf(*port).txEnd.place;
    }
    for (const auto& [qp, text] : flows)
    {
        Read(*qp, *text, at, placed);
    }
    Put(placed);
    for (const auto& [qp, text] : flows)
    {
        // Anew: what the control has just scheduled is pending, as if it had run.
        HoldFlow(*qp);
    }
    Lanes().Restore(std::move(suspension));
    context.timers.Restore(std::move(timers));
}

void
RdmaPacketState::Put(std::vector<Placed>& placed)
{
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.time, a.order) < std::tie(b.time, b.order);
    });
    for (const Placed& item : placed)
    {
        const RdmaDue due{item.time, Lanes().TakePlace()};
        if (item.timer)
        {
            m_network.m_context.timers.ScheduleAt(*item.timer, due);
            continue;
        }
        if (item.queue == PIPED)
        {
            item.frame->qp->PutIntoPipe(*item.frame, due);
            continue;
        }
        RdmaPort& port = *item.port;
        if (!item.frame)
        {
            RecordOf(port).*item.due = item.watched ? due : RdmaDue{};
            if (item.due == &PausedPort::txEnd)
            {
                port.m_txEndTime = due.time;
                port.m_txEndPlace = due.place;
            }
        }
        else if (item.queue == FLYING)
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
            port.m_wire.Push(item.frame);
        }
        else
        {
            port.queues.Push(item.queue, item.frame);
            if (port.GetOwner().IsTransit() && item.queue != 0)
            {
                auto& sw = static_cast<RdmaSwitch&>(port.GetOwner());
                sw.m_buffer.Enter(item.frame->ingress, item.queue, item.frame->wireBytes);
            }
        }
    }
}

} // namespace ns3
