/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-foresight.h"
#include "rdma-packet-state.h"
#include "rdma-saved-flow.h"

#include "ns3/rdma-network.h"
#include "ns3/rdma-paced-control.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

// What becomes of flows without packets: RdmaPacketState gives a fluid what is there, and lays out
// what the fluid leaves.

namespace ns3
{

namespace
{

/** Part of what lets a switch pause or lose frames up to which queues are for a fluid. */
constexpr double PART_OF_BUFFER = 0.5;

/** Frames by which a queue must grow from the first draw of marks to the last, at least: where it
 * is a step, single frames decide. */
constexpr uint64_t LEAST_DRAWN = 10;

/** RdmaFluid::GetNsFor, of what is foreseen at once. */
constexpr uint64_t WORK_AT_ONCE = 1000000;

/** \return number of frames, each of \p frame bytes, that \p bytes are about */
uint64_t
CountFrames(double bytes, uint64_t frame)
{
    const double count = std::round(bytes / static_cast<double>(frame));
    return count > 0 ? static_cast<uint64_t>(count) : 0;
}

/** Frames that wait at a port, by where in its queue they do, from 0 to 1. */
using Waiting =
    std::map<std::pair<const RdmaPort*, uint32_t>, std::vector<std::pair<double, RdmaSavedFrame*>>>;

/** Lays out data of \p flow. \param before as RdmaFluidFlow::before \param waiting frames that it
 * appends to */
void
LayOut(const RdmaQueuePair& qp, const std::vector<double>& before, RdmaSavedFlow& flow)
{
    const uint64_t frame = qp.GetPayloadSize() + qp.GetDataHeaderBytes();
    std::vector<RdmaSavedFrame> others;
    std::vector<std::vector<RdmaSavedFrame>> flying(before.size());
    for (RdmaSavedFrame& saved : flow.frames)
    {
        if (saved.kind != RdmaFrameKind::DATA)
        {
            others.push_back(saved);
        }
        else if (saved.queue == RdmaSavedFrame::FLYING)
        {
            flying[saved.hop].push_back(saved);
        }
    }
    flow.frames.clear();
    const auto add = [&](RdmaSavedFrame saved) {
        saved.seq = static_cast<int64_t>(flow.frames.size() * qp.GetPayloadSize());
        saved.payloadBytes = qp.GetPayloadSize();
        saved.wireBytes = static_cast<uint32_t>(frame);
        flow.frames.push_back(saved);
    };
    for (size_t hop = before.size(); hop-- > 0;)
    {
        std::sort(flying[hop].begin(), flying[hop].end(), [](const auto& a, const auto& b) {
            return std::tie(a.time, a.order) < std::tie(b.time, b.order);
        });
        std::for_each(flying[hop].begin(), flying[hop].end(), add);
        // What is on its way to a port has yet to leave it, too.
        const uint64_t coming = hop > 0 ? flying[hop - 1].size() : 0;
        const uint64_t all = hop > 0 ? CountFrames(before[hop], frame) : 0;
        for (uint64_t i = coming; i < all; ++i)
        {
            RdmaSavedFrame saved;
            saved.hop = hop;
            saved.queue = qp.GetFlow().priority;
            add(saved);
        }
    }
    flow.nextSeq = static_cast<int64_t>(flow.frames.size() * qp.GetPayloadSize());
    flow.frames.insert(flow.frames.end(), others.begin(), others.end());
}

/** Frames of \p flow that wait are noted in \p waiting, evenly, in their order. */
void
NoteWaiting(const RdmaQueuePair& qp, RdmaSavedFlow& flow, Waiting& waiting)
{
    std::map<std::pair<uint64_t, uint32_t>, std::vector<RdmaSavedFrame*>> at;
    for (RdmaSavedFrame& frame : flow.frames)
    {
        if (frame.queue < RdmaSavedFrame::FLYING)
        {
            at[{frame.hop, frame.queue}].push_back(&frame);
        }
    }
    const size_t ways = qp.GetDataRoute().size();
    for (auto& [where, frames] : at)
    {
        const RdmaPort* port = where.first < ways ? qp.GetDataRoute()[where.first]
                                                  : qp.GetAckRoute()[where.first - ways];
        for (size_t i = 0; i < frames.size(); ++i)
        {
            waiting[{port, where.second}].emplace_back((static_cast<double>(i) + 0.5) /
                                                           static_cast<double>(frames.size()),
                                                       frames[i]);
        }
    }
}

/** \return bytes that go before \p frame, which waits or has left, at its port */
double
BytesBefore(const RdmaSavedFrame& frame)
{
    return frame.queue == RdmaSavedFrame::FLYING
               ? 0
               : static_cast<double>(frame.time) * static_cast<double>(frame.wireBytes);
}

/** Marks those frames of \p flow, number \p index of \p fluid, that come when its marks do. */
void
LayOutMarks(const RdmaFluid& fluid, size_t index, RdmaSavedFlow& flow)
{
    std::vector<std::pair<double, RdmaSavedFrame*>> comes;
    for (RdmaSavedFrame& frame : flow.frames)
    {
        if (frame.kind == RdmaFrameKind::DATA)
        {
            frame.ce = false;
            comes.emplace_back(fluid.GetWay(index, frame.hop, BytesBefore(frame)), &frame);
        }
    }
    std::stable_sort(comes.begin(), comes.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    const std::vector<double> marks = fluid.GetMarks(index);
    auto mark = marks.begin();
    for (const auto& [ns, frame] : comes)
    {
        const auto next = std::upper_bound(mark, marks.end(), ns);
        frame->ce = next != mark;
        mark = next;
    }
}

/** \return whether acknowledgements of \p flows cross ports of their data: they come in bunches,
 * which a fluid has not */
bool
AcksMeetData(const std::vector<RdmaQueuePair*>& flows)
{
    std::set<const RdmaPort*> data;
    for (const RdmaQueuePair* qp : flows)
    {
        data.insert(qp->GetDataRoute().begin(), qp->GetDataRoute().end());
    }
    return std::any_of(flows.begin(), flows.end(), [&data](const RdmaQueuePair* qp) {
        return std::any_of(qp->GetAckRoute().begin(),
                           qp->GetAckRoute().end(),
                           [&data](const RdmaPort* port) { return data.count(port) > 0; });
    });
}

/** \return whether marks of \p qp are drawn, wherever queues are somewhat long */
bool
MarksGently(const RdmaQueuePair& qp)
{
    const uint64_t frame = qp.GetPayloadSize() + qp.GetDataHeaderBytes();
    return std::all_of(qp.GetDataRoute().begin(),
                       qp.GetDataRoute().end(),
                       [&](const RdmaPort* port) {
                           if (!port->GetOwner().IsTransit())
                           {
                               return true;
                           }
                           const auto& sw = static_cast<const RdmaSwitch&>(port->GetOwner());
                           const RdmaEcnThresholds ecn =
                               sw.GetEcnThresholds(port->GetRate(), qp.GetFlow().priority);
                           return ecn.kmax >= ecn.kmin + LEAST_DRAWN * frame;
                       });
}

} // namespace

RdmaForesight::RdmaForesight(RdmaFluid start, int64_t stepsPerNs)
    : m_startNs(start.GetNowNs()),
      m_before(start),
      m_end(std::move(start)),
      m_stepsPerNs(stepsPerNs)
{
}

RdmaForesight::~RdmaForesight() = default;

void
RdmaForesight::Prolong(int64_t most)
{
    m_before = RdmaFluid(m_end);
    m_stop = m_end.Run(
        std::min(m_startNs + most / m_stepsPerNs, m_end.GetNowNs() + m_end.GetNsFor(WORK_AT_ONCE)));
}

int64_t
RdmaForesight::GetSpan() const
{
    return std::max<int64_t>(m_end.GetEndNs() - m_startNs, 1) * m_stepsPerNs;
}

uint64_t
RdmaForesight::GetBytes(size_t flow) const
{
    const Flow& of = flows[flow];
    return m_end.IsComplete(flow)
               ? of.left
               : std::min(CountFrames(m_end.GetLeft(flow), of.frame) * of.payload, of.left - 1);
}

std::vector<uint64_t>
RdmaForesight::GetBytes() const
{
    std::vector<uint64_t> bytes;
    for (size_t flow = 0; flow < flows.size(); ++flow)
    {
        bytes.push_back(GetBytes(flow));
    }
    return bytes;
}

void
RdmaForesight::GoTo(int64_t elapsed)
{
    if (elapsed >= GetSpan())
    {
        return;
    }
    const int64_t until = m_startNs + elapsed / m_stepsPerNs;
    if (m_end.GetNowNs() > until)
    {
        m_end = RdmaFluid(m_before);
    }
    m_end.Run(until);
}

bool
RdmaPacketState::IsForFluid(const Flows& flows)
{
    std::set<const RdmaPort*> nics;
    return std::all_of(flows.begin(), flows.end(), [&](const RdmaQueuePair* qp) {
        const auto& owner = qp->m_dataRoute.front()->GetOwner();
        // An acknowledgement of many frames may not say which of them were marked. Where senders
        // share a NIC, each waits for frames of the others, and falls behind its rate by that.
        // Classes take turns, and acknowledgements may go before data: no fluid knows that.
        return !qp->GetEffectiveWindow() && qp->m_receiver->m_ackInterval <= qp->m_payloadSize &&
               qp->GetFlow().priority == flows.front()->GetFlow().priority &&
               nics.insert(qp->m_dataRoute.front()).second &&
               (qp->m_piped || !owner.HasAckHighPriority()) && MarksGently(*qp);
    });
}

double
RdmaPacketState::GetFluidLimit(const RdmaNode& node)
{
    if (!node.IsTransit())
    {
        return std::numeric_limits<double>::infinity();
    }
    const auto& sw = static_cast<const RdmaSwitch&>(node);
    // What waits at one port may all have come by the one that may keep least.
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (const RdmaPort* port : sw.GetPorts())
    {
        least = std::min(least, sw.m_buffer.GetThreshold(port->GetIndex()));
    }
    return PART_OF_BUFFER * static_cast<double>(least);
}

std::unique_ptr<RdmaForesight>
RdmaPacketState::Foresee(const Flows& flows,
                         const Ports& ports,
                         const std::function<double(const RdmaPort&)>& loadOf,
                         int64_t most,
                         bool draws) const
{
    const RdmaContext& context = m_network.m_context;
    // Most controls are not for a fluid at all.
    std::vector<std::unique_ptr<RdmaPacedCourse>> courses;
    bool isNotified = false;
    for (const RdmaQueuePair* qp : flows)
    {
        const auto* paced = dynamic_cast<const RdmaPaced*>(qp->GetCongestionControl());
        auto course = paced ? paced->GetCourse(*qp) : nullptr;
        if (!course || !course->IsCalm())
        {
            return nullptr;
        }
        isNotified = isNotified || course->IsNotified();
        courses.push_back(std::move(course));
    }
    if (!isNotified)
    {
        return nullptr;
    }
    if (context.anyLoses || !IsForFluid(flows) || (!draws && AcksMeetData(flows)) ||
        std::any_of(ports.begin(), ports.end(), [](const RdmaPort* port) {
            return IsDisturbed(*port);
        }))
    {
        return nullptr;
    }
    const int64_t stepsPerNs = context.clock.StepsPerNs();
    RdmaFluid start(context.NowNs(), context.seed, draws);
    std::vector<RdmaForesight::Flow> known;
    std::vector<RdmaSavedFlow> states;
    std::vector<int64_t> busy;
    for (const RdmaPort* port : ports)
    {
        port->PassNow();
        start.AddPort(*port, loadOf(*port), GetFluidLimit(port->GetOwner()));
        busy.push_back(port->IsBusy() ? std::max<int64_t>(port->m_txEndTime - EventQueue().Now(), 0)
                                      : 0);
    }
    for (size_t i = 0; i < flows.size(); ++i)
    {
        const RdmaQueuePair& qp = *flows[i];
        const auto text = Save(qp);
        if (!text)
        {
            return nullptr;
        }
        RdmaSavedFlow saved = DecodeRdmaFlow(*text);
        RdmaFluidFlow flow;
        flow.qp = &qp;
        flow.course = std::move(courses[i]);
        flow.before.resize(qp.m_dataRoute.size());
        flow.flying.resize(qp.m_dataRoute.size());
        for (const RdmaSavedFrame& frame : saved.frames)
        {
            const bool flying = frame.queue == RdmaSavedFrame::FLYING;
            const uint64_t hop = frame.hop + flying;
            if (frame.kind == RdmaFrameKind::DATA && hop < flow.before.size())
            {
                (hop > 0 ? flow.before[hop] : flow.unsent) += frame.wireBytes;
                flow.flying[hop] += flying ? frame.wireBytes : 0;
            }
        }
        const uint64_t unsent = qp.m_size - qp.m_sndNxt;
        const uint64_t frames = (unsent + qp.m_payloadSize - 1) / qp.m_payloadSize;
        flow.unsent += static_cast<double>(unsent + frames * qp.m_dataHeader);
        flow.ackShare = qp.m_piped ? 0 : GetAckLoad(qp, 1e12) / 1e12;
        flow.cnpIntervalNs = qp.m_receiver->m_cnpInterval / stepsPerNs;
        flow.sinceCnpNs = saved.sinceCnp < 0 ? -1 : saved.sinceCnp / stepsPerNs;
        flow.frames = qp.NextSerial();
        start.AddFlow(std::move(flow));
        known.push_back(
            {qp.m_size - qp.m_expected, qp.m_payloadSize, qp.m_payloadSize + qp.m_dataHeader});
        states.push_back(std::move(saved));
    }
    for (size_t i = 0; i < flows.size(); ++i)
    {
        for (const RdmaSavedFrame& frame : states[i].frames)
        {
            if (frame.kind == RdmaFrameKind::DATA && frame.ce)
            {
                start.AddMark(i, frame.hop, BytesBefore(frame));
            }
        }
    }
    auto foresight = std::make_unique<RdmaForesight>(std::move(start), stepsPerNs);
    foresight->flows = std::move(known);
    foresight->saved = std::move(states);
    foresight->busy = std::move(busy);
    foresight->Prolong(most);
    return foresight;
}

std::vector<uint64_t>
RdmaPacketState::Realise(RdmaForesight& foresight,
                         const Flows& flows,
                         const Ports& ports,
                         int64_t elapsed,
                         bool ends)
{
    foresight.GoTo(elapsed);
    const RdmaFluid& fluid = foresight.Get();
    Evict(flows, ports);
    std::vector<uint64_t> credits;
    Waiting waiting;
    for (size_t i = 0; i < flows.size(); ++i)
    {
        RdmaQueuePair& qp = *flows[i];
        const bool complete = fluid.IsComplete(i);
        credits.push_back(foresight.GetBytes(i) - (complete && !ends));
        Credit(qp, credits.back());
        RdmaSavedFlow& saved = foresight.saved[i];
        fluid.GetCourse(i).Save(qp, saved.control);
        saved.rate = fluid.GetCourse(i).GetRate();
        saved.pacingKnown = false;
        saved.sinceCnp = fluid.GetSinceCnpNs(i) * m_network.m_context.clock.StepsPerNs();
        LayOut(qp, fluid.GetBefore(i), saved);
        if (!complete || !ends)
        {
            NoteWaiting(qp, saved, waiting);
        }
    }
    for (auto& [where, frames] : waiting)
    {
        std::stable_sort(frames.begin(), frames.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
        for (size_t number = 0; number < frames.size(); ++number)
        {
            frames[number].second->time = static_cast<int64_t>(number);
        }
    }
    std::vector<std::string> texts;
    texts.reserve(flows.size());
    std::vector<std::pair<RdmaQueuePair*, const std::string*>> restored;
    for (size_t i = 0; i < flows.size(); ++i)
    {
        if (!fluid.IsComplete(i) || !ends)
        {
            LayOutMarks(fluid, i, foresight.saved[i]);
            texts.push_back(EncodeRdmaFlow(foresight.saved[i]));
            restored.emplace_back(flows[i], &texts.back());
        }
    }
    const std::string unknown;
    std::vector<std::pair<RdmaPort*, const std::string*>> places;
    for (RdmaPort* port : ports)
    {
        places.emplace_back(port, &unknown);
    }
    const int64_t now = EventQueue().Now();
    Restore(restored, places, now);
    for (size_t i = 0; i < ports.size(); ++i)
    {
        RecordOf(*ports[i]).txEnd.time = ports[i]->m_txEndTime = now + foresight.busy[i];
    }
    return credits;
}

} // namespace ns3
