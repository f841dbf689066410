/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-stall-watch.h"

#include "rdma-network.h"

#include "ns3/log.h"
#include "ns3/rdma-packet-state.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaStallWatch");

namespace
{

/** Far longer than anything takes that goes on by itself. */
constexpr int64_t LEAST_PERIOD_NS = 1'000'000'000;

/** \return whether \p qp goes on only if it gets a route, or its sender a resume or credits */
bool
IsStuck(const RdmaQueuePair& qp)
{
    const auto& route = qp.GetDataRoute();
    if (qp.GetState() == RdmaFlowState::WAITING)
    {
        return true;
    }
    // what is outstanding is sent again after a time-out, or given up in the end
    const bool outstanding =
        RdmaPacketState::GetInFlight(qp) > 0 || qp.GetExpected() > qp.GetSndUna();
    return !outstanding &&
           (route.empty() || (route.front()->GetPaused() >> qp.GetFlow().priority & 1));
}

int64_t
PeriodOf(const RdmaNetwork& network)
{
    int64_t delay = 0;
    for (uint32_t link = 0; link < network.GetLinkCount(); ++link)
    {
        delay = std::max(delay, network.GetLink(link).first->GetDelay());
    }
    const int64_t steps = network.GetContext().clock.StepsPerNs();
    return std::max(LEAST_PERIOD_NS * steps, RdmaLater(delay, delay));
}

} // namespace

RdmaStallWatch::RdmaStallWatch(RdmaNetwork& network, std::function<bool()> awaitsMore)
    : m_network(network),
      m_awaitsMore(std::move(awaitsMore)),
      m_period(PeriodOf(network)),
      m_moved(network.GetContext().counters.GetHops())
{
    RdmaEventQueue& eventQueue = *network.GetContext().eventQueue;
    eventQueue.SetWatch(this, RdmaLater(eventQueue.Now(), m_period));
}

RdmaStallWatch::~RdmaStallWatch()
{
    if (RdmaEventQueue* const eventQueue = m_network.GetContext().eventQueue)
    {
        eventQueue->SetWatch(nullptr, 0);
    }
}

int64_t
RdmaStallWatch::TimePasses(int64_t time)
{
    const uint64_t before = std::exchange(m_moved, m_network.GetContext().counters.GetHops());
    if (m_moved == before && !m_awaitsMore() && IsStalled(m_network))
    {
        NS_LOG_WARN(Explain(m_network));
        m_stopped = true;
        Simulator::Stop();
        return time;
    }
    return RdmaLater(time, m_period);
}

bool
RdmaStallWatch::IsStalled(const RdmaNetwork& network)
{
    const std::vector<const RdmaQueuePair*> flows = network.GetUnfinishedFlows();
    if (flows.empty() ||
        !std::all_of(flows.begin(), flows.end(), [](const auto* qp) { return IsStuck(*qp); }))
    {
        return false;
    }
    for (uint32_t link = 0; link < network.GetLinkCount(); ++link)
    {
        const auto [a, b] = network.GetLink(link);
        if (a->IsSending() || b->IsSending() || a->IsFrozen() || b->IsFrozen())
        {
            return false;
        }
    }
    return true;
}

std::string
RdmaStallWatch::Explain(const RdmaNetwork& network)
{
    const RdmaContext& context = network.GetContext();
    std::string text = "the network has stalled: nothing moves any more, and every flow that is "
                       "left waits for a route or for its NIC, which ";
    text += context.credits ? "has no credits" : "is paused";
    if (context.counters.linkErrors > 0)
    {
        return text + "; links have lost " + std::to_string(context.counters.linkErrors) +
               " frames, and a lost " + (context.credits ? "credit" : "resume") +
               " is not sent again: let links lose nothing, or " +
               (context.credits ? "use PFC" : "set ns3::RdmaSwitch::Pfc=false");
    }
    return text + "; " + (context.credits ? "credits" : "pauses") +
           " that wait for each other in a circle do not end by themselves";
}

} // namespace ns3
