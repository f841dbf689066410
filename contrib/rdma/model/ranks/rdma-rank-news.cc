/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-rank-news.h"

#include "ns3/rdma-network.h"

#include <algorithm>

namespace ns3
{

RdmaRankNews::Sum&
RdmaRankNews::Sum::operator+=(const Sum& other)
{
    doubtful += other.doubtful;
    witnesses += other.witnesses;
    frames += other.frames;
    counters += other.counters;
    return *this;
}

RdmaRankNews::RdmaRankNews(RdmaNetwork& network)
    : m_network(network)
{
    m_network.SetRankNews(this);
}

RdmaRankNews::~RdmaRankNews()
{
    m_network.SetRankNews(nullptr);
}

void
RdmaRankNews::FlowStarts(RdmaQueuePair& qp)
{
    m_flows[qp.GetId()] = &qp;
}

RdmaQueuePair&
RdmaRankNews::FlowOf(uint64_t id) const
{
    const auto found = m_flows.find(id);
    NS_ABORT_MSG_IF(found == m_flows.end(),
                    "RdmaRanks: another rank tells of flow " << id << ", which is not here");
    return *found->second;
}

RdmaPort&
RdmaRankNews::PortOf(uint64_t id) const
{
    const auto [a, b] = m_network.GetLink(static_cast<uint32_t>(id / 2));
    return id % 2 ? *b : *a;
}

/** \return whether a flow to a host of this rank cannot end within the delay of a link */
bool
RdmaRankNews::FindWitness()
{
    const auto mayNotEndSoon = [](const RdmaQueuePair& qp) {
        return qp.m_state == RdmaFlowState::ACTIVE && !qp.m_receiver->IsElsewhere() &&
               qp.m_expected < qp.m_size && !qp.m_closing;
    };
    if (m_witness && mayNotEndSoon(*m_witness))
    {
        return true;
    }
    m_witness = nullptr;
    if (m_witnessSought == m_network.m_nextFlow)
    {
        return false;
    }
    for (const RdmaQueuePair& qp : m_network.m_active)
    {
        if (mayNotEndSoon(qp))
        {
            m_witness = &qp;
            return true;
        }
    }
    m_witnessSought = m_network.m_nextFlow;
    return false;
}

void
RdmaRankNews::WriteNotices(RdmaRankWriter& out) const
{
    using What = RdmaNotice::What;
    std::vector<Notice> notices;
    for (const RdmaNotice& notice : m_network.m_context.notices)
    {
        Notice told{};
        told.time = notice.time;
        told.place = notice.place;
        told.next = notice.next;
        told.what = notice.what;
        told.queue = notice.queue;
        if (const RdmaQueuePair* const qp = notice.qp)
        {
            told.about = qp->m_id;
            told.state = qp->m_state;
            told.timeouts = qp->m_timeouts;
            told.acknowledged = qp->m_sndUna;
        }
        else
        {
            NS_ABORT_MSG_IF(notice.what != What::PAUSED && notice.what != What::RESUMED,
                            "RdmaRanks: what is recorded of frames is not told to other ranks");
            told.about = notice.port->GetPortId();
        }
        notices.push_back(told);
    }
    out.PutList(notices);
}

/** Adds what another rank told to what is to be told here. */
void
RdmaRankNews::TakeNotice(const Notice& notice)
{
    using What = RdmaNotice::What;
    RdmaContext& context = m_network.m_context;
    RdmaNotice taken{notice.time, notice.place, notice.what, nullptr, nullptr, notice.queue};
    taken.next = notice.next;
    if (notice.what == What::DELIVERED || notice.what == What::ENDED)
    {
        RdmaQueuePair& qp = FlowOf(notice.about);
        taken.qp = &qp;
        if (notice.what == What::DELIVERED)
        {
            qp.m_deliveryTime = qp.m_lastArrival = notice.time;
            qp.m_expected = qp.m_size;
        }
        else
        {
            qp.m_state = notice.state;
            qp.m_endTime = notice.time;
            qp.m_timeouts = notice.timeouts;
            qp.m_sndUna = notice.acknowledged;
            context.closing -= qp.m_closing;
        }
    }
    else
    {
        taken.port = &PortOf(notice.about);
    }
    context.notices.push_back(taken);
}

void
RdmaRankNews::Write(RdmaRankWriter& out)
{
    RdmaContext& context = m_network.m_context;
    for (const RdmaFrameNews& news : context.frameNews)
    {
        news.qp->TakeNews(news);
    }
    context.frameNews.clear();
    std::vector<uint64_t> held;
    for (const auto& qp : m_network.m_ended)
    {
        if (qp->m_framesOut || qp->m_scheduled)
        {
            held.push_back(qp->m_id);
        }
    }
    m_held = {held.begin(), held.end()};
    m_next.doubtful = context.doubtful;
    m_next.witnesses = FindWitness();
    m_next.frames = context.frames.GetOut();
    m_next.counters = context.counters - m_told;
    out.Put(m_next);
    out.PutList(held);
    out.PutList(context.tellings);
    m_tellings.insert(m_tellings.end(), context.tellings.begin(), context.tellings.end());
    context.tellings.clear();
    WriteNotices(out);
}

void
RdmaRankNews::Read(RdmaRankReader& in)
{
    const auto sum = in.Take<Sum>();
    m_next += sum;
    m_network.m_context.counters += sum.counters;
    std::vector<uint64_t> held;
    in.TakeList(held);
    m_held.insert(held.begin(), held.end());
    std::vector<int64_t> tellings;
    in.TakeList(tellings);
    m_tellings.insert(m_tellings.end(), tellings.begin(), tellings.end());
    std::vector<Notice> notices;
    in.TakeList(notices);
    for (const Notice& notice : notices)
    {
        TakeNotice(notice);
    }
}

void
RdmaRankNews::Finish()
{
    m_all = m_next;
    m_told = m_network.m_context.counters;
    m_network.m_context.framesOfRanks = m_all.frames;
    auto& ended = m_network.m_ended;
    const auto gone = std::stable_partition(ended.begin(), ended.end(), [this](const auto& qp) {
        return m_held.find(qp->GetId()) != m_held.end();
    });
    for (auto qp = gone; qp != ended.end(); ++qp)
    {
        m_flows.erase((*qp)->GetId());
    }
    ended.erase(gone, ended.end());
}

void
RdmaRankNews::WriteFrames(RdmaRankWriter& out, const RdmaPort& port, RdmaFrameFifo& frames)
{
    std::vector<RdmaFrame> sent;
    while (!frames.IsEmpty())
    {
        RdmaFrame* const frame = frames.Pop();
        sent.push_back(*frame);
        RdmaFrame& copy = sent.back();
        copy.next = nullptr;
        const bool current = frame->routeVersion == m_network.m_context.routeVersion;
        if (RdmaQueuePair* const qp = frame->qp)
        {
            const auto& route =
                frame->kind == RdmaFrameKind::DATA ? qp->m_dataRoute : qp->m_ackRoute;
            const uint64_t hop = current ? static_cast<uint64_t>(frame->route - route.data()) : 0;
            // numbers go instead of addresses
            copy.qp = reinterpret_cast<RdmaQueuePair*>(static_cast<uintptr_t>(qp->m_id));
            copy.route = reinterpret_cast<RdmaPort* const*>(static_cast<uintptr_t>(hop));
            qp->FrameGone();
        }
        m_network.m_context.frames.Give(frame);
    }
    out.Put(port.GetPortId());
    out.PutList(sent);
}

RdmaPort&
RdmaRankNews::ReadFrames(RdmaRankReader& in, RdmaFrameFifo& frames)
{
    RdmaPort& port = PortOf(in.Take<uint32_t>());
    std::vector<RdmaFrame> came;
    in.TakeList(came);
    for (const RdmaFrame& copy : came)
    {
        RdmaFrame* const frame = m_network.m_context.frames.Take();
        *frame = copy;
        if (frame->kind != RdmaFrameKind::PFC)
        {
            RdmaQueuePair& qp = FlowOf(reinterpret_cast<uintptr_t>(copy.qp));
            const auto& route = frame->kind == RdmaFrameKind::DATA ? qp.m_dataRoute : qp.m_ackRoute;
            const bool current = frame->routeVersion == m_network.m_context.routeVersion;
            frame->qp = &qp;
            frame->route =
                current ? route.data() + reinterpret_cast<uintptr_t>(copy.route) : nullptr;
            qp.TakeNews({&qp, RdmaFrameNews::What::SENT});
        }
        frames.Push(frame);
    }
    return port;
}

void
RdmaRankNews::WriteState(RdmaRankWriter& out) const
{
    std::vector<FlowState> flows;
    for (const RdmaQueuePair& qp : m_network.m_active)
    {
        if (qp.m_sender && !qp.m_sender->IsElsewhere())
        {
            flows.push_back({qp.m_id, qp.m_sndUna, qp.m_timeouts});
        }
    }
    std::vector<PortState> ports;
    for (uint32_t id = 0; id < 2 * m_network.GetLinkCount(); ++id)
    {
        const RdmaPort& port = PortOf(id);
        if (!port.GetOwner().IsElsewhere() && (port.m_paused || port.m_bufferDrops))
        {
            ports.push_back({id, port.m_paused, port.m_bufferDrops});
        }
    }
    out.PutList(flows);
    out.PutList(ports);
}

void
RdmaRankNews::ReadState(RdmaRankReader& in)
{
    std::vector<FlowState> flows;
    in.TakeList(flows);
    for (const FlowState& state : flows)
    {
        RdmaQueuePair& qp = FlowOf(state.flow);
        qp.m_sndUna = state.acknowledged;
        qp.m_timeouts = state.timeouts;
    }
    std::vector<PortState> ports;
    in.TakeList(ports);
    for (const PortState& state : ports)
    {
        RdmaPort& port = PortOf(state.port);
        port.m_paused = state.paused;
        port.m_bufferDrops = state.bufferDrops;
    }
}

void
RdmaRankNews::TakeTellings(Tellings& tellings)
{
    for (const int64_t time : m_tellings)
    {
        tellings.push(time);
    }
    m_tellings.clear();
}

} // namespace ns3
