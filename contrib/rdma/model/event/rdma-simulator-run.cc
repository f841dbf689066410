/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/rdma-cut.h"
#include "ns3/rdma-event-twin.h"
#include "ns3/rdma-processes.h"
#include "ns3/rdma-ranks.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <iostream>
#include <limits>

// How a simulation goes: the network's events beside ns-3's, and what becomes of them when a
// network starts and goes. rdma-simulator-impl.cc has what ns-3 asks of any implementation.

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RdmaSimulatorImpl");

namespace
{
constexpr uint64_t NEVER = std::numeric_limits<uint64_t>::max(); //!< of times and of places
}

void
RdmaSimulatorImpl::NetworkStarted(RdmaNetwork& network)
{
    ++m_networks;
    DropProcesses();
    LogEvents(network);
    const RdmaThreadUse use{m_threads, m_eventsPerThread, m_threadTrial};
    if (m_ranks)
    {
        NS_ABORT_MSG_IF(m_networks > 1, "RdmaRanks: several ranks run one network");
        NS_ABORT_MSG_IF(!m_windows,
                        "RdmaRanks: ranks run in windows; leave the attribute Windows of "
                        "RdmaSimulatorImpl as it is");
        m_processes = std::make_unique<RdmaProcesses>(m_eventQueue,
                                                      network,
                                                      *m_ranks,
                                                      use,
                                                      *m_windowStatistics);
        m_processes->SetWaits([this]() { TakeForeignRequests(); });
        return;
    }
    // several share the queue: no node is alone
    if (m_windows && m_networks == 1)
    {
        m_processes =
            std::make_unique<RdmaProcesses>(m_eventQueue, network, use, *m_windowStatistics);
    }
}

void
RdmaSimulatorImpl::NetworkGone(RdmaNetwork&)
{
    DropProcesses();
    FinishEventLog();
}

void
RdmaSimulatorImpl::LogEvents(RdmaNetwork& network)
{
    NS_ABORT_MSG_IF(m_eventWriter || m_eventTwin,
                    "RdmaSimulatorImpl: EventLog and EventTwin are of one network");
    if (!m_eventLogFile.empty())
    {
        m_eventWriter = std::make_unique<RdmaEventWriter>(network, m_eventLogFile);
    }
    if (!m_eventTwinFile.empty())
    {
        m_eventTwin = std::make_unique<RdmaEventTwin>(network, m_eventTwinFile);
    }
}

void
RdmaSimulatorImpl::FinishEventLog()
{
    if (m_eventWriter)
    {
        m_eventWriter->Finish();
    }
    const bool told = m_twinFinished;
    const RdmaEventTwin* const twin = FinishEventTwin();
    NS_ABORT_MSG_IF(!told && twin && !twin->GetDifference().empty(),
                    "RdmaSimulatorImpl::EventTwin: " << twin->GetDifference());
}

const RdmaEventTwin*
RdmaSimulatorImpl::FinishEventTwin()
{
    if (m_eventTwin && !m_twinFinished)
    {
        m_twinFinished = true;
        m_eventTwin->Finish();
    }
    return m_eventTwin.get();
}

void
RdmaSimulatorImpl::SetRanks(RdmaRanks& ranks)
{
    m_ranks = &ranks;
}

std::vector<bool>
RdmaSimulatorImpl::ListElsewhere(const std::vector<bool>& hosts,
                                 const std::vector<RdmaCutLink>& links) const
{
    if (!m_ranks)
    {
        return {};
    }
    const RdmaCut cut(hosts, links);
    if (cut.GetLength() == 0 || cut.GetCount() < m_ranks->GetCount())
    {
        return {}; // which is an error, told when the network starts
    }
    const std::vector<uint32_t> pieces = cut.AssignTo(m_ranks->GetCount());
    std::vector<bool> elsewhere;
    elsewhere.reserve(hosts.size());
    for (const uint32_t process : cut.GetProcesses())
    {
        elsewhere.push_back(pieces[process - 1] != m_ranks->GetRank());
    }
    return elsewhere;
}

void
RdmaSimulatorImpl::CountElsewhere()
{
    TakeUid();
    ++m_eventCount;
}

std::string
RdmaSimulatorImpl::GetLostRank() const
{
    return m_lostRank;
}

bool
RdmaSimulatorImpl::HaveRanksStopped() const
{
    return m_ranksStopped;
}

const std::vector<uint64_t>&
RdmaSimulatorImpl::GetRankMemory() const
{
    return m_rankMemory;
}

void
RdmaSimulatorImpl::DropProcesses()
{
    m_processes = nullptr;
}

void
RdmaSimulatorImpl::ReadNext()
{
    m_nextKnown = true;
    if (m_events->IsEmpty())
    {
        m_nextTime = NEVER;
        m_nextPlace = NEVER;
        return;
    }
    const Scheduler::Event next = m_events->PeekNext();
    m_nextTime = next.key.m_ts;
    m_nextPlace = PlaceOf(next.key.m_uid);
}

void
RdmaSimulatorImpl::RunNext()
{
    const Scheduler::Event next = m_events->RemoveNext();
    m_nextKnown = false;
    PreEventHook(EventId(Ptr<EventImpl>(next.impl, true),
                         next.key.m_ts,
                         next.key.m_context,
                         next.key.m_uid));
    m_eventQueue.SetNow(static_cast<int64_t>(m_nextTime), m_nextPlace);
    m_currentContext = next.key.m_context;
    ++m_eventCount;
    next.impl->Invoke();
    next.impl->Unref();
}

/** \return whether anything was done */
bool
RdmaSimulatorImpl::RunWindow()
{
    m_currentContext = Simulator::NO_CONTEXT;
    return m_processes->RunWindow(m_nextTime, m_nextPlace);
}

void
RdmaSimulatorImpl::WarnOfOtherChoice()
{
    const std::string own = GetInstanceTypeId().GetName();
    StringValue chosen;
    GlobalValue::GetValueByName("SimulatorImplementationType", chosen);
    if (chosen.Get() != own && !m_warned)
    {
        m_warned = true;
        std::cerr << own << ": warning: " << chosen.Get()
                  << " was chosen when this implementation was in use already, and has no effect: "
                     "the simulation runs on one thread"
                  << std::endl;
    }
}

void
RdmaSimulatorImpl::Run()
{
    NS_LOG_FUNCTION(this);
    WarnOfOtherChoice();
    m_mainThread = std::this_thread::get_id();
    m_stop = false;
    TakeForeignRequests();
    while (!m_stop)
    {
        if (!m_nextKnown)
        {
            ReadNext();
        }
        if (m_processes && !m_processes->Rests() && !m_processes->IsMerging() && RunWindow())
        {
            if (m_requested.load(std::memory_order_relaxed))
            {
                TakeForeignRequests();
            }
            m_stop = m_stop || m_processes->HaveRanksStopped();
            continue;
        }
        m_newestPlace = m_eventQueue.NewestPlace();
        if (!m_eventQueue.IsEmpty() &&
            (static_cast<uint64_t>(m_eventQueue.FirstTime()) < m_nextTime ||
             (static_cast<uint64_t>(m_eventQueue.FirstTime()) == m_nextTime &&
              m_eventQueue.FirstPlace() < m_nextPlace)))
        {
            m_currentContext = Simulator::NO_CONTEXT;
            m_eventQueue.FireFirst();
        }
        else if (m_nextPlace != NEVER)
        {
            RunNext();
        }
        else
        {
            break;
        }
        if (m_requested.load(std::memory_order_relaxed)) // even if the event has called Stop
        {
            TakeForeignRequests();
        }
    }
    if (m_processes)
    {
        m_processes->Settle();
        m_rankMemory = m_processes->ShareState();
        m_ranksStopped = m_processes->HaveRanksStopped();
        m_lostRank = m_processes->GetLostRank();
    }
}

void
RdmaSimulatorImpl::TakeForeignRequests()
{
    std::list<ForeignRequest> requests;
    {
        std::lock_guard<std::mutex> lock(m_requestsMutex);
        requests.swap(m_requests);
        m_requested.store(false, std::memory_order_relaxed);
    }
    for (const ForeignRequest& r : requests)
    {
        if (m_ranks && m_processes)
        {
            // at this rank alone, so it takes no place; it may look, and ask all to stop
            m_lookingOn = true;
            r.event->Invoke();
            r.event->Unref();
            m_lookingOn = false;
            continue;
        }
        Insert(r.delay, r.context, r.event);
    }
}

} // namespace ns3
