/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-fluid-parts.h"

#include "ns3/rdma-context.h"
#include "ns3/rdma-port.h"
#include "ns3/rdma-queue-pair.h"
#include "ns3/rdma-random.h"
#include "ns3/rdma-switch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace ns3
{

double
GetRdmaFluidRate(const RdmaClock& clock, uint64_t rate, uint32_t bytes)
{
    const auto steps = static_cast<double>(clock.TransmissionTime(bytes, rate));
    return bytes * static_cast<double>(clock.StepsPerNs()) / std::max(steps, 1.0);
}

double
GetRdmaFluidDelay(const RdmaPort& port)
{
    return static_cast<double>(port.GetDelay()) /
           static_cast<double>(port.GetContext().clock.StepsPerNs());
}

namespace
{

/** \return how long a frame is on the links of \p route, ns */
double
DelayOf(const std::vector<RdmaPort*>& route)
{
    double delay = 0;
    for (const RdmaPort* port : route)
    {
        delay += GetRdmaFluidDelay(*port);
    }
    return delay;
}

} // namespace

RdmaFluid::RdmaFluid(int64_t nowNs, uint64_t seed, bool draws)
    : m_now(nowNs),
      m_seed(seed),
      m_draws(draws)
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
    queue.load = load / RDMA_FLUID_BITS;
    queue.rate = static_cast<double>(port.GetRate()) / RDMA_FLUID_BITS - queue.load;
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
        place.delay = GetRdmaFluidDelay(*route[hop]);
        queue.turn = data ? std::max(queue.turn, place.hop) : queue.turn;
        place.key =
            RdmaDrawKey(m_seed, RdmaDraw::ECN_MARK, queue.port, m_lanes[flow].qp->GetId() + 1);
        queue.places.push_back(static_cast<uint32_t>(m_places.size()));
        if (data)
        {
            queue.rate = GetRdmaFluidRate(route[hop]->GetContext().clock,
                                          route[hop]->GetRate(),
                                          m_lanes[flow].frame) -
                         queue.load;
        }
        if (data && !queue.nic)
        {
            const auto& sw = static_cast<const RdmaSwitch&>(route[hop]->GetOwner());
            const RdmaEcnThresholds ecn =
                sw.GetEcnThresholds(route[hop]->GetRate(), m_lanes[flow].qp->GetFlow().priority);
            queue.kmin = static_cast<double>(ecn.kmin);
            queue.kmax = static_cast<double>(ecn.kmax);
            queue.pmax = ecn.pmax;
            queue.limit = std::min(queue.limit, queue.kmax); // beyond, nothing is drawn
            if (!m_draws)
            {
                // A frame of each flow may be there when a frame comes.
                const auto flows = static_cast<double>(queue.places.size());
                queue.limit = std::min(queue.limit, queue.kmin - flows * m_lanes[flow].frame);
            }
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
    Lane lane;
    lane.qp = flow.qp;
    lane.unsent = flow.unsent;
    lane.ackShare = flow.ackShare;
    lane.frame = flow.qp->GetPayloadSize() + flow.qp->GetDataHeaderBytes();
    lane.back = DelayOf(flow.qp->GetAckRoute());
    lane.cnpInterval = flow.cnpIntervalNs;
    lane.lastCnp =
        static_cast<double>(m_now - (flow.sinceCnpNs < 0 ? flow.cnpIntervalNs : flow.sinceCnpNs));
    const int64_t step = std::max<int64_t>(flow.course->GetStepNs(), 1);
    m_step = m_step == 0 ? step : std::min(m_step, step);
    lane.course = std::move(flow.course);
    lane.pace =
        GetRdmaFluidRate(route.front()->GetContext().clock, lane.course->GetRate(), lane.frame);
    lane.first = static_cast<uint32_t>(m_places.size());
    m_lanes.push_back(std::move(lane));
    AddPlaces(route, index, true);
    Lane& added = m_lanes.back();
    double passed = static_cast<double>(flow.frames) * added.frame;
    for (size_t hop = 0; hop < route.size(); ++hop)
    {
        Place& place = m_places[added.first + hop];
        place.bytes = flow.before[hop] - flow.flying[hop];
        place.coming = flow.flying[hop];
        passed -= flow.before[hop];
        place.passed = passed;
        m_queues[place.queue].bytes += place.bytes;
    }
    added.firstAck = static_cast<uint32_t>(m_places.size());
    if (flow.ackShare > 0)
    {
        AddPlaces(flow.qp->GetAckRoute(), index, false);
    }
    added.ackPlaces = static_cast<uint32_t>(m_places.size()) - added.firstAck;
}

void
RdmaFluid::AddMark(size_t flow, size_t hop, double before)
{
    auto& marks = m_lanes[flow].marks;
    const double comes = static_cast<double>(m_now) + GetWay(flow, hop, before);
    // Those of another port may have left later, and come sooner.
    marks.insert(std::upper_bound(marks.begin(), marks.end(), comes), comes);
}

double
RdmaFluid::GetWay(size_t flow, size_t hop, double before) const
{
    const Place& place = m_places[m_lanes[flow].first + hop];
    return before / m_queues[place.queue].rate + place.delay +
           DelayFrom(m_lanes[flow].qp->GetDataRoute(), hop + 1);
}

std::vector<double>
RdmaFluid::GetMarks(size_t flow) const
{
    std::vector<double> marks;
    for (const double comes : m_lanes[flow].marks)
    {
        marks.push_back(comes - static_cast<double>(m_now));
    }
    return marks;
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

int64_t
RdmaFluid::GetEndNs() const
{
    auto end = static_cast<double>(m_now);
    for (const Lane& lane : m_lanes)
    {
        end = lane.endsAt >= 0 ? std::min(end, lane.endsAt) : end;
    }
    return static_cast<int64_t>(std::ceil(end));
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
        before.push_back(
            std::accumulate(place.later.begin(), place.later.end(), place.bytes + place.coming));
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
