/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-fluid-parts.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"

#include <algorithm>
#include <utility>

// How a fluid goes on by steps of time.

namespace ns3
{

namespace
{

/** Less than this, bytes, is nothing: what sums of parts leave. */
constexpr double NOTHING = 1;

} // namespace

/** \return ns that a frame takes that comes to port \p hop of \p route now, to the end of that */
double
RdmaFluid::DelayFrom(const std::vector<RdmaPort*>& route, size_t hop) const
{
    double delay = 0;
    for (; hop < route.size(); ++hop)
    {
        const RdmaPort& port = *route[hop];
        delay += static_cast<double>(port.GetDelay()) /
                 static_cast<double>(port.GetContext().clock.StepsPerNs());
        const auto found = m_queueOf.find(&port);
        delay += found == m_queueOf.end()
                     ? 0
                     : m_queues[found->second].bytes / m_queues[found->second].rate;
    }
    return delay;
}

/** The sender of \p lane goes on for \p ns. \return whether its control is calm */
bool
RdmaFluid::Send(Lane& lane, double ns)
{
    const auto now = static_cast<double>(m_now);
    while (!lane.notifications.empty() && lane.notifications.front() <= now)
    {
        if (!lane.course->IsNotified())
        {
            return false;
        }
        lane.course->Notify(static_cast<int64_t>(lane.notifications.front()));
        lane.notifications.pop_front();
    }
    lane.course->Advance(m_now);
    m_places[lane.first].coming =
        std::min(static_cast<double>(lane.course->GetRate()) / RDMA_FLUID_BITS * ns, lane.unsent);
    return lane.course->IsCalm();
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

/** \return the probability that a frame which leaves \p queue now is marked
 * (RdmaSwitch::MaybeMark); up to its limit */
double
RdmaFluid::MarksOf(const Queue& queue)
{
    return queue.bytes <= queue.kmin
               ? 0
               : queue.pmax * (queue.bytes - queue.kmin) / (queue.kmax - queue.kmin);
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
    queue.bytes = there * (1 - part);
    const double marks = MarksOf(queue);
    for (const uint32_t i : queue.places)
    {
        Place& place = m_places[i];
        const double all = place.bytes + place.coming;
        const double passing = all * part;
        place.bytes = queue.nic && place.data ? 0 : all - passing; // its sender keeps it
        Lane& lane = m_lanes[place.flow];
        if (place.data)
        {
            lane.unsent -= place.hop == 0 ? passing : 0;
            if (marks > 0)
            {
                Mark(place, place.passed / lane.frame, passing / lane.frame, marks, ns);
            }
            place.passed += passing;
        }
        if (!place.last)
        {
            m_places[i + 1].next = passing;
        }
        else if (place.data)
        {
            if (lane.endsAt < 0 && passing >= lane.toCome - NOTHING)
            {
                lane.endsAt = static_cast<double>(m_now) + lane.wire +
                              ns * (passing > 0 ? std::min(1.0, lane.toCome / passing) : 0);
            }
            lane.toCome -= passing;
            lane.left += passing;
            if (lane.ackPlaces > 0)
            {
                m_places[lane.firstAck].next = passing * lane.ackShare;
            }
        }
    }
    return queue.bytes <= queue.limit;
}

/** Of data at \p place, after \p frames of them, \p passing frames pass in \p ns, and are marked
 * with \p probability. */
void
RdmaFluid::Mark(const Place& place, double frames, double passing, double probability, double ns)
{
    Lane& lane = m_lanes[place.flow];
    const auto last = static_cast<uint64_t>(frames + passing);
    for (auto frame = static_cast<uint64_t>(frames); frame < last; ++frame)
    {
        if (static_cast<double>(RdmaDrawBits(place.key, frame)) * 0x1p-53 >= probability)
        {
            continue;
        }
        const auto& route = lane.qp->GetDataRoute();
        const RdmaPort& port = *route[place.hop];
        const double leaves =
            static_cast<double>(m_now) + (static_cast<double>(frame + 1) - frames) / passing * ns;
        const double arrives = leaves +
                               static_cast<double>(port.GetDelay()) /
                                   static_cast<double>(port.GetContext().clock.StepsPerNs()) +
                               DelayFrom(route, place.hop + 1);
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

RdmaFluid::Stop
RdmaFluid::Run(int64_t untilNs)
{
    while (m_now < untilNs)
    {
        const int64_t step = std::min(m_step, untilNs - m_now);
        const auto ns = static_cast<double>(step);
        bool calm = true;
        for (Lane& lane : m_lanes)
        {
            calm = Send(lane, ns) && calm;
        }
        if (!calm)
        {
            return Stop::UNREST;
        }
        for (Queue& queue : m_queues)
        {
            calm = Serve(queue, ns) && calm;
        }
        for (Place& place : m_places)
        {
            place.coming = std::exchange(place.next, 0);
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
        lane.endsAt = static_cast<double>(m_now) + lane.wire;
    }
}

} // namespace ns3
