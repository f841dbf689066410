/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-fluid.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-switch.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace ns3
{

namespace
{

/** Steps of time in the least time between two steps of a rate. */
constexpr int64_t STEPS = 2;

/** Less than this, bytes, is nothing: what sums of parts leave. */
constexpr double NOTHING = 1;

constexpr double BITS = 8e9; //!< of a byte each ns, in a second

/** \return how long a frame is on the links of \p route, ns */
double
DelayOf(const std::vector<RdmaPort*>& route)
{
    double delay = 0;
    for (const RdmaPort* port : route)
    {
        delay += static_cast<double>(port->GetDelay()) /
                 static_cast<double>(port->GetContext().clock.StepsPerNs());
    }
    return delay;
}

} // namespace

/** Where a flow's data, or its acknowledgements, wait for a port. */
struct RdmaFluid::Place
{
    uint32_t queue;
    uint32_t flow;
    uint32_t hop;
    bool data;
    bool last;        //!< of its way, as far as that is looked at
    double bytes{0};  //!< that wait
    double coming{0}; //!< that come in this step
    double next{0};   //!< that come in the next one
    double passed{0}; //!< that have left so far, of the whole flow
    uint64_t key{0};  //!< of draws for its frames
};

/** A flow. */
struct RdmaFluid::Lane
{
    const RdmaQueuePair* qp{nullptr};
    std::unique_ptr<RdmaPacedCourse> course;
    double unsent{0};
    double ackShare{0};
    double frame{0};   //!< bytes
    double toCome{0};  //!< bytes that have yet to leave the last port
    double left{0};    //!< bytes that have left it
    double wire{0};    //!< how long the last frame is on the last wire, ns
    double back{0};    //!< how long a notification is under way, ns
    double endsAt{-1}; //!< ns; negative: not yet
    int64_t cnpInterval{0};
    double lastCnp{0};                //!< ns; when its receiver sent one
    uint32_t first{0};                //!< place of its data
    uint32_t firstAck{0};             //!< place of its acknowledgements
    uint32_t ackPlaces{0};            //!< 0: they are not looked at
    std::deque<double> notifications; //!< under way: when they come, ns

    Lane() = default;
    Lane(Lane&&) = default;
    Lane& operator=(Lane&&) = default;

    Lane(const Lane& other)
        : qp(other.qp),
          course(other.course->Copy()),
          unsent(other.unsent),
          ackShare(other.ackShare),
          frame(other.frame),
          toCome(other.toCome),
          left(other.left),
          wire(other.wire),
          back(other.back),
          endsAt(other.endsAt),
          cnpInterval(other.cnpInterval),
          lastCnp(other.lastCnp),
          first(other.first),
          firstAck(other.firstAck),
          ackPlaces(other.ackPlaces),
          notifications(other.notifications)
    {
    }
};

/** A port. */
struct RdmaFluid::Queue
{
    uint32_t port{0};
    double rate{0};  //!< bytes/ns that is left to its flows
    double limit{0}; //!< bytes
    bool nic{false}; //!< data wait at their senders
    double kmin{0};
    double kmax{0};
    double pmax{0};
    double bytes{0}; //!< that wait
    std::vector<uint32_t> places;
};

RdmaFluid::RdmaFluid(int64_t nowNs, uint64_t seed)
    : m_now(nowNs),
      m_seed(seed)
{
}

RdmaFluid::~RdmaFluid() = default;
RdmaFluid::RdmaFluid(const RdmaFluid& other) = default;
RdmaFluid::RdmaFluid(RdmaFluid&&) noexcept = default;
RdmaFluid& RdmaFluid::operator=(RdmaFluid&&) noexcept = default;

void
RdmaFluid::AddPort(const RdmaPort& port, double load, double limit)
{
    Queue queue;
    queue.port = port.GetPortId();
    queue.rate = (static_cast<double>(port.GetRate()) - load) / BITS;
    queue.limit = limit;
    queue.nic = !port.GetOwner().IsTransit();
    queue.kmin = queue.kmax = limit;
    queue.pmax = 0;
    m_queueOf.emplace(&port, static_cast<uint32_t>(m_queues.size()));
    m_queues.push_back(std::move(queue));
}

void
RdmaFluid::AddPlaces(const std::vector<RdmaPort*>& route, size_t flow, bool data)
{
    for (size_t hop = 0; hop < route.size(); ++hop)
    {
        const auto found = m_queueOf.find(route[hop]);
        if (found == m_queueOf.end())
        {
            continue;
        }
        Queue& queue = m_queues[found->second];
        Place place{};
        place.queue = found->second;
        place.flow = static_cast<uint32_t>(flow);
        place.hop = static_cast<uint32_t>(hop);
        place.data = data;
        place.key =
            RdmaDrawKey(m_seed, RdmaDraw::ECN_MARK, queue.port, m_lanes[flow].qp->GetId() + 1);
        queue.places.push_back(static_cast<uint32_t>(m_places.size()));
        if (data && !queue.nic)
        {
            const auto& sw = static_cast<const RdmaSwitch&>(route[hop]->GetOwner());
            const RdmaEcnThresholds ecn =
                sw.GetEcnThresholds(route[hop]->GetRate(), m_lanes[flow].qp->GetFlow().priority);
            queue.kmin = static_cast<double>(ecn.kmin);
            queue.kmax = static_cast<double>(ecn.kmax);
            queue.pmax = ecn.pmax;
            queue.limit = std::min(queue.limit, queue.kmax); // beyond, nothing is drawn
        }
        m_places.push_back(place);
    }
    m_places.back().last = true;
}

void
RdmaFluid::AddFlow(RdmaFluidFlow flow)
{
    const size_t index = m_lanes.size();
    const auto& route = flow.qp->GetDataRoute();
    const RdmaPort& last = *route.back();
    Lane lane;
    lane.qp = flow.qp;
    lane.unsent = flow.unsent;
    lane.ackShare = flow.ackShare;
    lane.frame = flow.qp->GetPayloadSize() + flow.qp->GetDataHeaderBytes();
    lane.toCome = flow.unsent;
    lane.wire = static_cast<double>(last.GetDelay()) /
                static_cast<double>(last.GetContext().clock.StepsPerNs());
    lane.back = DelayOf(flow.qp->GetAckRoute());
    lane.cnpInterval = flow.cnpIntervalNs;
    lane.lastCnp =
        static_cast<double>(m_now - (flow.sinceCnpNs < 0 ? flow.cnpIntervalNs : flow.sinceCnpNs));
    const int64_t step = std::max<int64_t>(flow.course->GetStepNs() / STEPS, 1);
    m_step = m_step == 0 ? step : std::min(m_step, step);
    lane.course = std::move(flow.course);
    lane.first = static_cast<uint32_t>(m_places.size());
    m_lanes.push_back(std::move(lane));
    AddPlaces(route, index, true);
    Lane& added = m_lanes.back();
    double passed = static_cast<double>(flow.frames) * added.frame;
    for (size_t hop = 0; hop < route.size(); ++hop)
    {
        Place& place = m_places[added.first + hop];
        place.bytes = flow.before[hop];
        passed -= flow.before[hop];
        place.passed = passed;
        added.toCome += flow.before[hop];
        m_queues[place.queue].bytes += place.bytes;
    }
    added.firstAck = static_cast<uint32_t>(m_places.size());
    if (flow.ackShare > 0)
    {
        AddPlaces(flow.qp->GetAckRoute(), index, false);
    }
    added.ackPlaces = static_cast<uint32_t>(m_places.size()) - added.firstAck;
}

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
        std::min(static_cast<double>(lane.course->GetRate()) / BITS * ns, lane.unsent);
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
        (place.data && place.hop == 0 ? wanted : room) +=
            (place.data && place.hop == 0 ? 1 : -1) * (place.bytes + place.coming);
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

int64_t
RdmaFluid::GetNsFor(uint64_t work) const
{
    const uint64_t steps = work / std::max<uint64_t>(m_places.size(), 1);
    return static_cast<int64_t>(std::max<uint64_t>(steps, 1)) * std::max<int64_t>(m_step, 1);
}

int64_t
RdmaFluid::GetNowNs() const
{
    return m_now;
}

double
RdmaFluid::GetLeft(size_t flow) const
{
    return m_lanes[flow].left;
}

bool
RdmaFluid::IsComplete(size_t flow) const
{
    return m_lanes[flow].endsAt >= 0 && m_lanes[flow].endsAt <= static_cast<double>(m_now);
}

std::vector<double>
RdmaFluid::GetBefore(size_t flow) const
{
    std::vector<double> before;
    const Lane& lane = m_lanes[flow];
    for (size_t hop = 0; hop < lane.qp->GetDataRoute().size(); ++hop)
    {
        const Place& place = m_places[lane.first + hop];
        before.push_back(place.bytes + place.coming);
    }
    return before;
}

const RdmaPacedCourse&
RdmaFluid::GetCourse(size_t flow) const
{
    return *m_lanes[flow].course;
}

int64_t
RdmaFluid::GetSinceCnpNs(size_t flow) const
{
    return m_now - static_cast<int64_t>(m_lanes[flow].lastCnp);
}

} // namespace ns3
