/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-observer.h"
#include "rdma-network.h"

#include "ns3/rdma-rank-news.h"

#include <algorithm>

// What keeps a network in one queue, how far its nodes may run ahead of one another, and what their
// threads and ranks take of it.

namespace ns3
{

const char*
RdmaNetwork::WhyInOneQueue() const
{
    if (m_reactions == RdmaReactions::ANY)
    {
        return "what those do who are told of flows and pauses is not known "
               "(RdmaNetwork::SetReactions)";
    }
    if (!m_actsAlone)
    {
        return "the congestion control may act on more than its flow "
               "(RdmaCongestionControl::ActsAlone)";
    }
    if (m_context.observer && m_context.observer->GetReactions() == RdmaReactions::ANY)
    {
        return "somebody looks at every event of flows (RdmaFlowObserver)";
    }
    if (m_context.apart || (m_context.besides && (m_context.held || m_rankNews)))
    {
        return "fast-forward leaves out some of what happens";
    }
    if (RdmaTraceUse::s_count.load(std::memory_order_relaxed))
    {
        return "a trace wants every event in order";
    }
    if (m_selectiveRepeat)
    {
        return "with selective repeat, any frame may be the one that completes a flow";
    }
    if (m_mayGiveUp)
    {
        return "hosts give flows up at their first time-out";
    }
    return m_context.foreign ? "there are ordinary packets of ns-3" : nullptr;
}

RdmaReactions
RdmaNetwork::GetReactions() const
{
    return m_context.observer ? std::min(m_reactions, m_context.observer->GetReactions())
                              : m_reactions;
}

const char*
RdmaNetwork::WhyEveryPacket() const
{
    if (m_context.balances)
    {
        return "switches choose ports frame by frame (RdmaSwitch::Routing), so a flow has no "
               "ports of its own";
    }
    if (m_context.credits)
    {
        return "links have credits (RdmaNetwork::FlowControl), of which steady rates say nothing";
    }
    if (m_context.classes)
    {
        return "classes have weights or controls of their own (RdmaEgressScheduler, "
               "RdmaHost::SetClassControl), which steady rates do not tell apart";
    }
    return m_selectiveRepeat ? "what hosts with selective repeat (RdmaHost::Recovery) know of "
                               "losses is not restored"
                             : nullptr;
}

int64_t
RdmaNetwork::GetAheadUntil(int64_t from)
{
    AdoptThreads();
    if (m_rankNews)
    {
        m_rankNews->TakeTellings(m_tellings); // those of all ranks
    }
    else
    {
        for (const int64_t time : m_context.tellings)
        {
            m_tellings.push(time);
        }
        m_context.tellings.clear();
    }
    while (!m_tellings.empty() && m_tellings.top() < from)
    {
        m_tellings.pop();
    }
    if (m_context.late || (m_rankNews ? m_rankNews->IsDoubtful() : m_context.doubtful > 0))
    {
        return from;
    }
    if (GetReactions() == RdmaReactions::NONE &&
        (m_rankNews ? m_rankNews->HasWitness() : HasWitness()))
    {
        return RDMA_END_OF_TIME;
    }
    if (m_context.closing || from < m_tellingsKnown)
    {
        return from;
    }
    return m_tellings.empty() ? RDMA_END_OF_TIME : m_tellings.top();
}

/** \return whether a flow is known that cannot end within the delay of a link */
bool
RdmaNetwork::HasWitness()
{
    const auto mayNotEndSoon = [](const RdmaQueuePair& qp) {
        return qp.m_state == RdmaFlowState::ACTIVE && qp.m_expected < qp.m_size && !qp.m_closing;
    };
    if (m_witness && mayNotEndSoon(*m_witness))
    {
        return true;
    }
    m_witness = nullptr;
    if (m_witnessSought == m_nextFlow)
    {
        return false;
    }
    for (const RdmaQueuePair& qp : m_active)
    {
        if (mayNotEndSoon(qp))
        {
            m_witness = &qp;
            return true;
        }
    }
    m_witnessSought = m_nextFlow;
    return false;
}

void
RdmaNetwork::PassBeforeWindow(int64_t begin)
{
    const auto carriesNone = [begin](RdmaPort* port) { return !port->PassBeforeWindow(begin); };
    std::vector<RdmaPort*>& carriers = m_context.carriers;
    carriers.erase(std::remove_if(carriers.begin(), carriers.end(), carriesNone), carriers.end());
}

void
RdmaNetwork::PassAfterWindow()
{
    AdoptThreads();
    for (RdmaPort* port : m_context.passed)
    {
        port->PassAfterWindow();
    }
    m_context.passed.clear();
}

void
RdmaNetwork::SetRankNews(RdmaRankNews* news)
{
    m_rankNews = news;
    m_context.ranks = news;
}

void
RdmaNetwork::SetThreadContexts(std::vector<RdmaContext*> contexts)
{
    AdoptThreads();
    for (RdmaContext* context : m_threadContexts)
    {
        m_context.frames.TakeFree(context->frames);
    }
    m_threadContexts = std::move(contexts);
}

void
RdmaNetwork::SplitTimers(int64_t known)
{
    m_tellingsKnown = known;
    for (RdmaTimer* timer : m_context.timers.GetTimers())
    {
        if (RdmaTimers* home = timer->GetHome())
        {
            home->TakeOver(*timer);
        }
    }
    m_context.timers.Rearm(); // ranks go by what is due to the network, which is the same at all
}

void
RdmaNetwork::JoinTimers()
{
    for (const Ptr<RdmaNode>& node : m_rdmaNodes)
    {
        RdmaHost* host = node->IsTransit() ? nullptr : static_cast<RdmaHost*>(PeekPointer(node));
        if (!host || host->IsElsewhere())
        {
            continue;
        }
        for (RdmaTimer* timer : host->GetTimers().GetTimers())
        {
            m_context.timers.TakeOver(*timer);
        }
        host->GetTimers().Rearm();
    }
}

} // namespace ns3
