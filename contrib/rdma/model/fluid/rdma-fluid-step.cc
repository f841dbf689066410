/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-fluid-parts.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <numeric>
#include <utility>

// How a fluid goes on by steps of time.

namespace ns3
{

namespace
{

/** Less than this, bytes, is nothing: what sums of parts leave. */
constexpr double NOTHING = 1;

/** Frames that a fluid has more in a queue than there are when a frame is drawn: the frame itself,
 * which has left by then, and half of the one that is about to come, on average. */
constexpr double NOT_QUEUED = 1.5;

} // namespace

/** \return ns that a frame takes that comes to port \p hop of \p route now, to the end of that */
double
RdmaFluid::DelayFrom(const std::vector<RdmaPort*>& route, size_t hop) const
{
    double delay = 0;
    for (; hop < route.size(); ++hop)
    {
        const RdmaPort& port = *route[hop];
        delay += GetRdmaFluidDelay(port);
        const auto found = m_queueOf.find(&port);
        delay += found == m_queueOf.end()
                     ? 0
                     : m_queues[found->second].bytes / m_queues[found->second].rate;
    }
    return delay;
}

/** The sender of \p lane goes on for \p ns, at the mean of its rates before and after. \return
 * whether its control is calm */
bool
RdmaFluid::Send(Lane& lane, double ns)
{
    const double end = static_cast<double>(m_now) + ns;
    const double before = lane.pace;
    Receive(lane, end);
    bool calm = true;
    while (!lane.notifications.empty() && lane.notifications.front() <= end)
    {
        if (!lane.course->IsNotified())
        {
            calm = false;
            break;
        }
        const auto comes = static_cast<int64_t>(lane.notifications.front());
        lane.course->Advance(comes);
        lane.course->Notify(comes);
        lane.notifications.pop_front();
    }
    lane.course->Advance(static_cast<int64_t>(end));
    lane.pace = GetRdmaFluidRate(lane.qp->GetDataRoute().front()->GetContext().clock,
                                 lane.course->GetRate(),
                                 lane.frame);
    lane.allowed = (before + lane.pace) / 2 * ns;
    m_places[lane.first].coming = std::min(lane.allowed, lane.unsent);
    return calm && lane.course->IsCalm();
}

/** \return the part of what data would send that \p queue, of a NIC, has \p room for beside
 * acknowledgements, bytes */
double
RdmaFluid::Sending(const Queue& queue, double room) const
{
    double wanted = 0;
    for (const uint32_t i : queue.places)
    {
        const Place& place = m_places[i];
        const double there = place.bytes + place.coming;
        if (place.data && place.hop == 0)
        {
            wanted += there;
        }
        else
        {
            room -= there;
        }
    }
    return wanted > room ? std::max(room, 0.0) / wanted : 1;
}

/** \return the probability that a frame which leaves \p queue, of \p bytes, is marked
 * (RdmaSwitch::MaybeMark); up to its limit */
double
RdmaFluid::MarksOf(const Queue& queue, double bytes)
{
    return bytes <= queue.kmin ? 0 : queue.pmax * (bytes - queue.kmin) / (queue.kmax - queue.kmin);
}

/** Of place number \p i, \p passing bytes pass within \p ns. */
void
RdmaFluid::Pass(uint32_t i, double passing, double ns)
{
    Place& place = m_places[i];
    Lane& lane = m_lanes[place.flow];
    if (place.data)
    {
        lane.unsent -= place.hop == 0 ? passing : 0;
        place.passed += passing;
        if (place.hop == 0 && lane.unsent < NOTHING && lane.endsAt < 0)
        {
            // Its last byte waits for all that waits now. What links delay comes step by step, of
            // which there would be ever less.
            lane.endsAt = static_cast<double>(m_now) +
                          ns * (passing > 0 ? std::min(1.0, passing / lane.allowed) : 0) +
                          DelayFrom(lane.qp->GetDataRoute(), 0);
        }
    }
    if (!place.last)
    {
        Come(m_places[i + 1], passing);
    }
    else if (place.data)
    {
        lane.left += passing;
        if (lane.ackPlaces > 0)
        {
            Come(m_places[lane.firstAck], passing * lane.ackShare);
        }
    }
}

/** \p queue goes on for \p ns. \return whether it is not too long */
bool
RdmaFluid::Serve(Queue& queue, double ns)
{
    const double room = queue.rate * ns;
    const double sending = queue.nic ? Sending(queue, room) : 1;
    double there = 0;
    for (const uint32_t i : queue.places)
    {
        Place& place = m_places[i];
        place.coming *= queue.nic && place.data && place.hop == 0 ? sending : 1;
        there += place.bytes + place.coming;
    }
    if (there <= 0)
    {
        queue.bytes = 0;
        return true;
    }
    const double part = std::min(1.0, room / there);
    const double before = std::exchange(queue.bytes, there * (1 - part));
    const bool marks = m_draws && std::max(before, queue.bytes) > queue.kmin;
    for (const uint32_t i : queue.places)
    {
        Place& place = m_places[i];
        const double all = place.bytes + place.coming;
        const double passing = all * part;
        place.bytes = queue.nic && place.data ? 0 : all - passing; // its sender keeps it
        if (marks && place.data)
        {
            Mark(place, passing, before, ns);
        }
        Pass(i, passing, ns);
    }
    return queue.bytes <= queue.limit;
}

/** Of data at \p place, \p passing bytes pass in \p ns, and are marked as the queue, of \p before
 * bytes first, tells. */
void
RdmaFluid::Mark(const Place& place, double passing, double before, double ns)
{
    const Lane& lane = m_lanes[place.flow];
    const Queue& queue = m_queues[place.queue];
    const double frames = place.passed / lane.frame;
    const double more = passing / lane.frame;
    const auto last = static_cast<uint64_t>(frames + more);
    for (auto frame = static_cast<uint64_t>(frames); frame < last; ++frame)
    {
        const double part = (static_cast<double>(frame + 1) - frames) / more; // of the step
        if (static_cast<double>(RdmaDrawBits(place.key, frame)) * 0x1p-53 >=
            MarksOf(queue, before + (queue.bytes - before) * part - NOT_QUEUED * lane.frame))
        {
            continue;
        }
        // It leaves after this part of the step: as if that much went before it.
        AddMark(place.flow, place.hop, part * ns * queue.rate);
    }
}

/** The receiver of \p lane is told of marks that come until \p end, ns, and notifies. */
void
RdmaFluid::Receive(Lane& lane, double end) const
{
    while (!lane.marks.empty() && lane.marks.front() <= end)
    {
        const double arrives = lane.marks.front();
        lane.marks.pop_front();
        if (arrives - lane.lastCnp < static_cast<double>(lane.cnpInterval))
        {
            continue;
        }
        lane.lastCnp = arrives;
        // Notifications go before all else: they meet the frame that is being sent, at most. Those
        // on acknowledgements wait as these do.
        const bool onAcks = lane.cnpInterval == 0 && lane.ackPlaces > 0;
        const double comes = arrives + (onAcks ? DelayFrom(lane.qp->GetAckRoute(), 0) : lane.back);
        lane.notifications.push_back(
            lane.notifications.empty() ? comes : std::max(comes, lane.notifications.back()));
    }
}

/** \p bytes leave for \p place, evenly within this step. */
void
RdmaFluid::Come(Place& place, double bytes)
{
    const double after = bytes * place.rest;
    if (place.lag == 0)
    {
        (place.follows ? place.coming : place.next) += bytes - after;
        place.next += after;
        return;
    }
    const uint64_t at = m_steps + place.lag;
    place.later[at % place.later.size()] += bytes - after;
    place.later[(at + 1) % place.later.size()] += after;
}

/** Before the first step. Ports are to go on in the order in which data cross them, as far as there
 * is one, so that what leaves one comes to the next within the same step where links are short. */
void
RdmaFluid::TakeTurns()
{
    m_turns.resize(m_queues.size());
    std::iota(m_turns.begin(), m_turns.end(), 0U);
    std::stable_sort(m_turns.begin(), m_turns.end(), [this](uint32_t a, uint32_t b) {
        return m_queues[a].turn < m_queues[b].turn;
    });
    for (size_t i = 1; i < m_places.size(); ++i)
    {
        Place& place = m_places[i];
        if (place.data && place.hop == 0)
        {
            continue;
        }
        const Place& before = m_places[i - 1]; // of acknowledgements: the last of their data
        const double steps = before.delay / static_cast<double>(m_step);
        place.follows = m_queues[before.queue].turn < m_queues[place.queue].turn;
        place.lag = static_cast<uint32_t>(steps);
        place.rest = steps - place.lag;
        if (place.lag > 0)
        {
            // What is on its way is so evenly.
            const double each = place.coming / steps;
            place.later.assign(place.lag + 2, each);
            place.later[place.lag] = place.rest * each;
            place.later[place.lag + 1] = 0;
            place.coming = std::exchange(place.later[0], 0);
        }
    }
}

RdmaFluid::Stop
RdmaFluid::Run(int64_t untilNs)
{
    if (m_turns.empty())
    {
        TakeTurns();
    }
    while (m_now < untilNs)
    {
        const int64_t step = std::min(m_step, untilNs - m_now);
        const auto ns = static_cast<double>(step);
        bool calm = true;
        for (Lane& lane : m_lanes)
        {
            calm = Send(lane, ns) && calm;
        }
        for (const uint32_t i : m_turns)
        {
            calm = Serve(m_queues[i], ns) && calm;
        }
        ++m_steps;
        for (Place& place : m_places)
        {
            place.coming = std::exchange(place.next, 0);
            if (place.lag > 0)
            {
                place.coming += std::exchange(place.later[m_steps % place.later.size()], 0);
            }
        }
        m_now += step;
        if (!calm)
        {
            return Stop::UNREST;
        }
        for (size_t flow = 0; flow < m_lanes.size(); ++flow)
        {
            SettleEnd(flow);
            if (IsComplete(flow))
            {
                return Stop::COMPLETED;
            }
        }
    }
    return Stop::TIME;
}

/** Of \p flow, nothing may be left but what sums of parts leave. */
void
RdmaFluid::SettleEnd(size_t flow)
{
    Lane& lane = m_lanes[flow];
    if (lane.unsent >= NOTHING || lane.endsAt >= 0)
    {
        return;
    }
    double left = 0;
    for (const double bytes : GetBefore(flow))
    {
        left += bytes;
    }
    if (left < NOTHING)
    {
        lane.endsAt = static_cast<double>(m_now) + m_places[lane.firstAck - 1].delay;
    }
}

} // namespace ns3
