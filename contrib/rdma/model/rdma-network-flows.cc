/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-flow-observer.h"
#include "rdma-network.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/rdma-rank-news.h"

#include <algorithm>
#include <sstream>

// The flows of a network: how they start, find other routes as links go up and down, end and go.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaNetwork");

namespace
{

/** Flows that end before it is looked again which may go, beside as many as could not. */
constexpr size_t LEAST_REAPED = 16;

/** Lets all ranks take the same places while something is done outside of windows at one node,
 * which one rank runs: the order of what follows does not depend on how many it needs. */
class EqualPlaces
{
  public:
    /** \param ports of the node */
    EqualPlaces(RdmaContext& context, size_t ports)
        : m_context(context),
          m_count(PER_NODE + PER_PORT * ports),
          m_first(context.eventQueue->NewestPlace() + 1)
    {
    }

    ~EqualPlaces()
    {
        if (m_context.ranks)
        {
            m_context.eventQueue->PassPlaces(m_first, m_count);
        }
    }

    EqualPlaces(const EqualPlaces&) = delete;
    EqualPlaces& operator=(const EqualPlaces&) = delete;

  private:
    static constexpr uint64_t PER_NODE = 12; // timers of a flow and its control
    static constexpr uint64_t PER_PORT = 4; // a transmission, its arrival, and when pacing wakes it

    RdmaContext& m_context;
    const uint64_t m_count;
    const uint64_t m_first;
};

} // namespace

RdmaQueuePair&
RdmaNetwork::StartFlow(const RdmaFlow& flow)
{
    NS_ABORT_MSG_IF(!m_started, "RdmaNetwork: Start comes before flows");
    Sync();
    NS_ABORT_MSG_IF(!GetHost(flow.src) || !GetHost(flow.dst) || flow.src == flow.dst,
                    "RdmaNetwork::StartFlow: from " << flow.src << " to " << flow.dst
                                                    << ", but a flow joins two different hosts");
    NS_ABORT_MSG_IF(flow.priority < 1 || flow.priority > 7,
                    "RdmaNetwork::StartFlow: priority " << +flow.priority << " is not in 1 to 7");
    Reap();
    const uint64_t id = m_nextFlow++;
    RdmaQueuePair& qp = m_active.Add(std::make_unique<RdmaQueuePair>(id, flow));
    if (m_rankNews)
    {
        m_rankNews->FlowStarts(qp);
    }
    const RdmaConnections::Place place = m_connections.Take(flow);
    qp.m_sourcePort = place.sourcePort;
    qp.m_drawId = place.drawId;
    qp.m_startTime = m_context.eventQueue->Now();
    if (FindRoutes(qp))
    {
        Launch(qp);
    }
    else
    {
        NS_LOG_WARN("flow " << id << " waits: no route from node " << flow.src << " to node "
                            << flow.dst);
    }
    return qp;
}

void
RdmaNetwork::RepeatFlow(const RdmaFlow& flow,
                        const std::vector<RdmaPort*>& route,
                        int64_t start,
                        int64_t delivered,
                        int64_t end)
{
    NS_ASSERT_MSG(!m_context.late && !m_context.eventQueue->IsInWindow(),
                  "who is told of it would be told later, when it is gone");
    if (!m_repeated)
    {
        m_repeated = std::make_unique<RdmaQueuePair>(m_nextFlow, flow);
    }
    RdmaQueuePair& qp = *m_repeated;
    qp.m_id = m_nextFlow++;
    qp.m_flow = flow;
    qp.m_size = std::max<uint64_t>(flow.bytes, 1);
    qp.m_priority = flow.priority;
    qp.m_empty = flow.bytes == 0;
    qp.m_sourcePort = flow.sourcePort;
    qp.m_sender = GetHost(flow.src);
    qp.m_receiver = GetHost(flow.dst);
    qp.m_payloadSize = qp.m_sender->GetPayloadSize();
    qp.m_dataRoute = route;
    qp.m_startTime = start;
    qp.m_deliveryTime = delivered;
    qp.m_endTime = end;
    qp.m_state = RdmaFlowState::COMPLETED;
    qp.m_sndNxt = qp.m_sndUna = qp.m_expected = qp.m_size;
    Tell(m_context, qp, News::DELIVERED);
    Tell(m_context, qp, News::ENDED);
}

void
RdmaNetwork::Launch(RdmaQueuePair& qp)
{
    NS_LOG_INFO("flow " << qp.m_id << " starts: node " << qp.m_flow.src << " to node "
                        << qp.m_flow.dst << ", " << qp.m_flow.bytes << " bytes, priority "
                        << +qp.m_flow.priority << ", " << qp.m_dataRoute.size() << " links");
    const int64_t asked = qp.m_startTime;
    if (qp.m_flow.baseRttNs <= 0)
    {
        qp.m_flow.baseRttNs = m_routing.GetPathProperties(qp.m_flow.src, qp.m_flow.dst).GetRttNs();
    }
    RdmaHost& sender = *GetHost(qp.m_flow.src);
    const EqualPlaces places(m_context, sender.GetPorts().size());
    sender.StartFlow(qp, *GetHost(qp.m_flow.dst));
    qp.m_startTime = asked;
}

bool
RdmaNetwork::FindRoutes(RdmaQueuePair& qp)
{
    const RdmaFlow& flow = qp.GetFlow();
    qp.m_dataRoute = m_routing.FindRoute(flow.src, flow.dst, RdmaRouting::TupleOf(qp, false));
    qp.m_ackRoute = m_routing.FindRoute(flow.dst, flow.src, RdmaRouting::TupleOf(qp, true));
    const auto within = [](const RdmaPort* port) { return port->IsWithinProcess(); };
    const auto& acks = qp.m_ackRoute;
    qp.m_acksWithin = std::any_of(acks.begin(), acks.end(), within);
    qp.m_acksCross = !std::all_of(acks.begin(), acks.end(), within);
    return !qp.m_dataRoute.empty() && !qp.m_ackRoute.empty();
}

void
RdmaNetwork::FlowEnded(RdmaQueuePair& qp)
{
    if (qp.m_state == RdmaFlowState::COMPLETED)
    {
        NS_LOG_INFO("flow " << qp.m_id << " ends");
    }
    else
    {
        NS_LOG_WARN("flow " << qp.m_id << " ends: " << Explain(qp));
    }
    m_witness = m_witness == &qp ? nullptr : m_witness;
    m_ended.push_back(m_active.Remove(qp));
}

void
RdmaNetwork::Reap()
{
    if (m_ended.size() < m_reapFrom || !m_notices.empty() || m_rankNews)
    {
        return; // somebody is to be told of them still, or frames may be at other ranks
    }
    m_ended.erase(
        std::remove_if(m_ended.begin(),
                       m_ended.end(),
                       [](const auto& qp) { return !qp->m_framesOut && !qp->m_scheduled; }),
        m_ended.end());
    // Acknowledgements of many may be queued for long.
    m_reapFrom = LEAST_REAPED + 2 * m_ended.size();
}

void
RdmaNetwork::SetLinkUp(uint32_t link, bool up)
{
    Sync();
    NS_ABORT_MSG_IF(link >= m_links.size(),
                    "RdmaNetwork::SetLinkUp: link " << link << ", but there are " << m_links.size()
                                                    << ", from 0");
    const auto& [a, b] = m_links[link];
    if (a->IsLinkUp() == up)
    {
        return;
    }
    NS_LOG_INFO("link " << link << ", node " << a->GetOwner().GetRdmaId() << " to node "
                        << b->GetOwner().GetRdmaId() << ", goes " << (up ? "up" : "down"));
    if (m_context.observer)
    {
        m_context.observer->LinkChanging(*a, *b);
    }
    m_context.eventQueue->Join(); // whose context has the version of routes
    // routes first, so that what leaves other queues meanwhile takes the new ones
    a->SetLinkUp(up);
    b->SetLinkUp(up);
    Reroute();
    for (RdmaPort* port : {a, b})
    {
        const EqualPlaces places(m_context, port->GetOwner().GetPorts().size());
        port->GetOwner().LinkChanged(*port);
        if (!IsExpectedElsewhere(port->GetOwner().GetRdmaId()))
        {
            static_cast<RdmaNetDevice*>(port)->NotifyLinkChange();
        }
    }
}

void
RdmaNetwork::Reroute()
{
    m_routing.Invalidate();
    ++m_context.routeVersion;
    std::vector<RdmaQueuePair*> startable;
    std::vector<RdmaQueuePair*> rerouted;
    for (RdmaQueuePair& qp : m_active)
    {
        const std::vector<RdmaPort*> data = qp.m_dataRoute;
        const std::vector<RdmaPort*> ack = qp.m_ackRoute;
        const bool routed = FindRoutes(qp);
        if (routed && qp.m_state == RdmaFlowState::ACTIVE)
        {
            qp.m_receiverNic = qp.m_ackRoute.front(); // its sender may be at another rank
        }
        if (routed && qp.m_state == RdmaFlowState::WAITING)
        {
            startable.push_back(&qp);
        }
        else if (qp.m_state == RdmaFlowState::ACTIVE &&
                 (data != qp.m_dataRoute || ack != qp.m_ackRoute))
        {
            NS_LOG_INFO("flow " << qp.m_id << " is rerouted: "
                                << (qp.m_dataRoute.empty() || qp.m_ackRoute.empty()
                                        ? std::string("no route")
                                        : std::to_string(qp.m_dataRoute.size()) + " links"));
            qp.m_astray = true;
            rerouted.push_back(&qp);
        }
    }
    if (m_context.observer)
    {
        for (RdmaQueuePair* qp : rerouted)
        {
            if (!qp->m_flow.exact)
            {
                m_context.observer->FlowRerouted(*qp);
            }
        }
    }
    for (uint32_t node = 0; node < m_rdmaNodes.size(); ++node)
    {
        if (RdmaHost* host = GetHost(node))
        {
            const EqualPlaces places(m_context, host->GetPorts().size());
            host->RedistributeQueuePairs();
        }
    }
    for (RdmaQueuePair* qp : startable)
    {
        Launch(*qp);
    }
}

std::vector<const RdmaQueuePair*>
RdmaNetwork::GetUnfinishedFlows() const
{
    std::vector<const RdmaQueuePair*> flows;
    for (const RdmaQueuePair& qp : m_active)
    {
        flows.push_back(&qp);
    }
    return flows;
}

std::string
RdmaNetwork::Explain(const RdmaQueuePair& qp) const
{
    std::ostringstream out;
    if (qp.m_state == RdmaFlowState::WAITING)
    {
        out << "no route from node " << qp.m_flow.src << " to node " << qp.m_flow.dst;
        return out.str();
    }
    if (qp.m_state == RdmaFlowState::RETRY_ERROR)
    {
        out << "given up after " << qp.m_timeouts << " retransmission time-outs in a row";
        return out.str();
    }
    out << qp.m_sndUna << " of " << qp.m_flow.bytes << " bytes acknowledged";
    if (qp.m_dataRoute.empty() || qp.m_ackRoute.empty())
    {
        out << ", route lost";
    }
    else if (qp.m_nic->GetPaused() >> qp.m_flow.priority & 1)
    {
        out << (m_context.credits ? ", NIC out of credits" : ", NIC paused by PFC");
    }
    else if (const auto paused = std::find_if(
                 qp.m_dataRoute.begin(),
                 qp.m_dataRoute.end(),
                 [&qp](const RdmaPort* p) { return p->GetPaused() >> qp.m_flow.priority & 1; });
             paused != qp.m_dataRoute.end())
    {
        out << ", node " << (*paused)->GetOwner().GetRdmaId()
            << (m_context.credits ? " on its way out of credits" : " on its way paused by PFC");
    }
    else if (qp.m_timeouts)
    {
        out << ", " << qp.m_timeouts << " retransmission time-outs in a row";
    }
    else
    {
        out << ", still sending";
    }
    return out.str();
}

} // namespace ns3
