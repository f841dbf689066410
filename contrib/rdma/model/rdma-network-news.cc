/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-observer.h"
#include "rdma-network.h"

#include "ns3/rdma-rank-news.h"

#include <algorithm>

// Who is told of what happens to flows and ports, and when: at once, or after a window.

namespace ns3
{

/** Tells traces and the flow's callback. */
void
RdmaNetwork::Tell(RdmaContext& context, RdmaQueuePair& qp, News news)
{
    if (m_context.late)
    {
        m_notices.emplace_back(&qp, news);
        return;
    }
    const bool delivered = news == News::DELIVERED;
    if (context.Postpone(delivered ? RdmaNotice::What::DELIVERED : RdmaNotice::What::ENDED,
                         &qp,
                         nullptr))
    {
        return;
    }
    AdoptThreads();
    (delivered ? qp.m_receiver->m_deliveredTrace : qp.m_sender->m_endTrace)(qp);
    const auto& callback = delivered ? qp.m_flow.onDelivered : qp.m_flow.onEnd;
    if (callback)
    {
        callback(qp);
    }
}

void
RdmaNetwork::EndLate()
{
    m_context.late = false;
    if (!m_notices.empty())
    {
        m_context.eventQueue->Schedule(m_noticeEvent, m_context.eventQueue->Now());
    }
}

void
RdmaNetwork::RunNotices()
{
    // They stay in the list until all are told, which keeps the queue pairs (Reap): who is told may
    // start flows. More may be added meanwhile.
    for (size_t i = 0; i < m_notices.size(); ++i)
    {
        const auto [qp, news] = m_notices[i];
        Tell(m_context, *qp, news);
    }
    m_notices.clear();
}

void
RdmaNetwork::TakeThreadNews()
{
    AdoptThreads();
    for (RdmaContext* context : m_threadContexts)
    {
        m_context.TakeNews(*context);
    }
}

void
RdmaNetwork::TellWindow()
{
    TakeThreadNews();
    std::vector<RdmaNotice> notices;
    notices.swap(m_context.notices);
    for (const RdmaFrameNews& news : m_context.frameNews)
    {
        news.qp->TakeNews(news);
    }
    m_context.frameNews.clear();
    RdmaEventQueue& eventQueue = *m_context.eventQueue;
    for (RdmaNotice& notice : notices)
    {
        notice.place = eventQueue.Known(notice.place);
    }
    std::stable_sort(notices.begin(), notices.end(), [](const auto& a, const auto& b) {
        return a.time < b.time || (a.time == b.time && a.place < b.place);
    });
    for (const RdmaNotice& notice : notices)
    {
        eventQueue.SetNow(notice.time, notice.place);
        if (notice.taker)
        {
            notice.taker->Take(&m_context.records[notice.record]);
            continue;
        }
        notice.qp ? TellOfFlow(notice) : TellOfPort(notice);
    }
    m_context.records.clear();
    notices.clear();
    m_context.notices.swap(notices);
}

void
RdmaNetwork::TellOfFlow(const RdmaNotice& notice)
{
    RdmaQueuePair& qp = *notice.qp;
    RdmaFlowObserver* const observer = qp.m_flow.exact ? nullptr : m_context.observer;
    if (notice.what == RdmaNotice::What::REPLIED)
    {
        TellOfReply(qp);
        return;
    }
    if (notice.what == RdmaNotice::What::DELIVERED)
    {
        observer ? observer->FlowDelivered(qp) : void();
        TellReserved(notice, News::DELIVERED);
        return;
    }
    observer ? observer->FlowOver(qp) : void();
    TellReserved(notice, News::ENDED);
    FlowEnded(qp);
}

/** An acknowledgement of \p qp has left: the observer is told of the ports on its way if a pause
 * holds it up at one of them. */
void
RdmaNetwork::TellOfReply(const RdmaQueuePair& qp)
{
    const auto isPaused = [](const RdmaPort* port) { return port->GetPausedAsTold() != 0; };
    const auto& route = qp.GetAckRoute();
    if (m_context.observer && std::any_of(route.begin(), route.end(), isPaused))
    {
        for (RdmaPort* port : route)
        {
            m_context.observer->PauseSeen(*port);
        }
    }
}

/** Tells of a flow; if there are ranks, what is scheduled about it takes the places that were
 * reserved when it happened. */
void
RdmaNetwork::TellReserved(const RdmaNotice& notice, News news)
{
    if (!m_rankNews)
    {
        Tell(m_context, *notice.qp, news);
        return;
    }
    RdmaEventQueue& eventQueue = *m_context.eventQueue;
    // the acknowledgement that ends a flow is still a frame then
    const bool frame = notice.qp->m_state == RdmaFlowState::COMPLETED && news == News::ENDED;
    m_context.framesOfRanks += frame;
    eventQueue.ReturnTo(eventQueue.Known(notice.next), RdmaNotice::NEXT, [&] {
        Tell(m_context, *notice.qp, news);
    });
    m_context.framesOfRanks -= frame;
}

void
RdmaNetwork::TellOfPort(const RdmaNotice& notice)
{
    using What = RdmaNotice::What;
    RdmaPort& port = *notice.port;
    if (notice.what == What::TOUCHED)
    {
        m_context.observer->PortTouched(port);
        return;
    }
    if (notice.what == What::PAUSED || notice.what == What::RESUMED)
    {
        const bool pause = notice.what == What::PAUSED;
        port.pfcTrace(notice.queue, pause);
        m_pfcTrace(port, notice.queue, pause);
        port.TellPaused(notice.queue, pause);
    }
    RdmaFlowObserver* const observer = m_context.observer;
    // who knows of others that were told before this one need not be told
    if (!observer || (notice.what == What::UNEVEN && observer->KnowsPause(port, notice.time)))
    {
        return;
    }
    notice.what == What::TIGHT ? observer->BufferTight(port) : observer->PauseSeen(port);
}

} // namespace ns3
