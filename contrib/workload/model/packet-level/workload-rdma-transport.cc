/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-rdma-transport.h"

#include "ns3/assert.h"
#include "ns3/input-error.h"
#include "ns3/log.h"
#include "ns3/rdma-arithmetic.h"
#include "ns3/rdma-simulator-impl.h"
#include "ns3/rdma-stall-watch.h"
#include "ns3/simulator.h"
#include "ns3/workload-pulse.h"
#include "ns3/workload-routes.h"
#include "ns3/workload-units.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkloadRdmaTransport");

namespace
{

void
Check(const WorkloadRdmaOptions& options)
{
    if (options.priority < 1 || options.priority > 7)
    {
        throw InputError("workload: priority group " + std::to_string(+options.priority) +
                         ", but data go in groups 1 to 7");
    }
}

} // namespace

WorkloadRdmaTransport::WorkloadRdmaTransport(Ptr<RdmaNetwork> network,
                                             const WorkloadEndpoints& ends,
                                             const WorkloadRdmaOptions& options)
    : WorkloadTransport(ends.hosts, ends.nodes.size()),
      m_network(network),
      m_nodes(ends.nodes),
      m_options(options),
      m_windows(FindWindows(ends)),
      m_psPerStep(TimeStep(1).GetPicoSeconds()),
      m_stepsPerPs(PicoSeconds(1).GetTimeStep()),
      m_ownClock(DynamicCast<RdmaSimulatorImpl>(Simulator::GetImplementation())),
      m_noticeEvent(this),
      m_drain(network->GetContext(), []() { Simulator::Stop(); })
{
    Check(options);
    NS_ASSERT_MSG(network->GetNodeCount() == ends.topology.nodes.size(),
                  "the network is made of another topology");
    if (options.window == WorkloadWindow::LARGEST)
    {
        NS_LOG_INFO("every flow has a window of "
                    << GetLargestBdp() << " bytes and a round-trip time of " << GetLargestRttNs()
                    << " ns, the largest of all pairs");
    }
}

RdmaWindows
WorkloadRdmaTransport::FindWindows(const WorkloadEndpoints& ends) const
{
    const RdmaFlowOptions options{m_options.window != WorkloadWindow::NONE,
                                  m_options.window == WorkloadWindow::LARGEST};
    if (!options.largest || ends.nodes.size() == ends.hosts)
    {
        return {options, m_network->GetRouting()};
    }
    // hosts that stand for NVSwitches do not count
    WorkloadRoutes visible(ends.GetVisible(),
                           false,
                           m_network->GetContext().clock,
                           m_network->GetHost(m_nodes.front())->GetPayloadSize());
    int64_t rttNs = 0;
    uint64_t bdp = 0;
    visible.GetLargest(rttNs, bdp);
    return {options, rttNs, bdp};
}

WorkloadRdmaTransport::~WorkloadRdmaTransport()
{
    if (m_network->GetContext().eventQueue)
    {
        EventQueue().Cancel(m_noticeEvent);
        for (Timer& timer : m_timers) // all first: the queue then drops them at once
        {
            EventQueue().Cancel(timer);
        }
        m_drain.Cancel();
    }
}

RdmaEventQueue&
WorkloadRdmaTransport::EventQueue() const
{
    return *m_network->GetContext().eventQueue;
}

int64_t
WorkloadRdmaTransport::ToPs(int64_t steps) const
{
    return m_psPerStep ? steps * m_psPerStep : steps / m_stepsPerPs;
}

int64_t
WorkloadRdmaTransport::ToSteps(int64_t ps) const
{
    if (m_psPerStep)
    {
        return RdmaLater(ps, m_psPerStep / 2) / m_psPerStep;
    }
    return ps > INT64_MAX / m_stepsPerPs ? INT64_MAX : ps * m_stepsPerPs;
}

int64_t
WorkloadRdmaTransport::Now() const
{
    // the same, in a tenth of the instructions: a front end asks several times for each message
    const RdmaEventQueue* const queue = m_ownClock ? m_network->GetContext().eventQueue : nullptr;
    return ToPs(queue ? queue->Now() : Simulator::Now().GetTimeStep());
}

void
WorkloadRdmaTransport::SetEndCallback(
    std::function<void(const WorkloadTransfer&, const RdmaQueuePair&)> onEnd)
{
    m_onEnd = std::move(onEnd);
}

uint64_t
WorkloadRdmaTransport::GetEventCount() const
{
    return EventQueue().GetEventCount();
}

int64_t
WorkloadRdmaTransport::GetToldPs() const
{
    return m_toldPs < 0 ? Now() : m_toldPs;
}

void
WorkloadRdmaTransport::Tell(const Notice& notice)
{
    m_notices.push_back(notice);
    if (!m_noticeEvent.IsPending())
    {
        EventQueue().Schedule(m_noticeEvent, EventQueue().Now());
    }
}

void
WorkloadRdmaTransport::RunNotices()
{
    for (size_t left = m_notices.size(); left > 0; --left)
    {
        const Notice notice = m_notices.front();
        m_notices.pop_front();
        m_toldPs = notice.ps;
        RunNotice(notice);
    }
    m_toldPs = -1;
    StopIfIdle();
}

void
WorkloadRdmaTransport::RunNotice(const Notice& notice)
{
    const Transfer t = m_transfers[notice.transfer];
    if (notice.delivered)
    {
        m_client->Delivered(t.id);
        return;
    }
    m_free.push_back(notice.transfer);
    --m_underWay;
    if (!t.failed)
    {
        m_client->Acknowledged(t.id);
        return;
    }
    const uint32_t from = m_nodes[t.transfer.src];
    const uint32_t to = m_nodes[t.transfer.dst];
    const std::string way = " from node " + std::to_string(from) + " to node " + std::to_string(to);
    const std::string reason =
        (HasRoute(from, to) ? "given up after too many retransmission time-outs" : "no route") +
        way;
    NS_LOG_WARN("transfer " << t.id << " of " << t.transfer.bytes << " bytes fails: " << reason);
    m_client->Failed(t.id, reason);
}

void
WorkloadRdmaTransport::Schedule(int64_t delayPs, uint64_t timer)
{
    NS_ASSERT_MSG(delayPs >= 0, "a timer in the past");
    m_network->Sync();
    m_drain.Cancel();
    if (m_freeTimers.empty())
    {
        m_timers.emplace_back(*this);
        m_freeTimers.push_back(&m_timers.back());
    }
    Timer& event = *m_freeTimers.back();
    m_freeTimers.pop_back();
    event.timer = timer;
    EventQueue().Schedule(event, RdmaLater(EventQueue().Now(), ToSteps(delayPs)));
}

void
WorkloadRdmaTransport::Timer::Fire()
{
    WorkloadRdmaTransport& t = transport;
    t.m_freeTimers.push_back(this); // the client may take it again
    t.m_client->Due(timer);
    t.StopIfIdle();
}

bool
WorkloadRdmaTransport::AwaitsMore() const
{
    return m_freeTimers.size() != m_timers.size() || !m_notices.empty();
}

bool
WorkloadRdmaTransport::IsIdle() const
{
    return !m_underWay && !AwaitsMore();
}

void
WorkloadRdmaTransport::StopIfIdle()
{
    if (IsIdle())
    {
        m_drain.Begin();
    }
}

void
WorkloadRdmaTransport::Run()
{
    if (IsIdle())
    {
        return;
    }
    std::unique_ptr<WorkloadPulse> pulse;
    if (m_pulse)
    {
        // from inside the simulation, when ns-3 no longer keeps books of Time objects
        Simulator::ScheduleNow(
            [this, &pulse]() { pulse = std::make_unique<WorkloadPulse>(m_pulse); });
    }
    Simulator::Run();
    if (EventQueue().HasReachedEnd() && (AwaitsMore() || !RdmaStallWatch::IsStalled(*m_network)))
    {
        FailLate();
    }
}

/** Of what is under way, the largest transfer takes longest, most likely. */
void
WorkloadRdmaTransport::FailLate() const
{
    const Transfer* largest = nullptr;
    for (const Transfer& t : m_transfers)
    {
        if (t.qp && (!largest || t.transfer.bytes > largest->transfer.bytes))
        {
            largest = &t;
        }
    }
    if (largest)
    {
        FailWorkloadLate(m_client->DescribeTransfer(largest->id));
    }
    const auto order = [](const Timer& timer) { // what is not pending comes last
        const RdmaDue due = timer.GetDue();
        return std::make_tuple(!due, due.time, due.place);
    };
    const auto first =
        std::min_element(m_timers.begin(),
                         m_timers.end(),
                         [&order](const Timer& a, const Timer& b) { return order(a) < order(b); });
    NS_ASSERT_MSG(first != m_timers.end(), "time goes on with nothing under way");
    FailWorkloadLate(m_client->DescribeTimer(first->timer));
}

void
WorkloadRdmaTransport::Stop()
{
    Simulator::Stop();
}

std::string
WorkloadRdmaTransport::Explain(uint64_t id) const
{
    for (const Transfer& transfer : m_transfers)
    {
        if (transfer.qp && transfer.id == id)
        {
            return m_network->Explain(*transfer.qp);
        }
    }
    return "not under way";
}

} // namespace ns3
