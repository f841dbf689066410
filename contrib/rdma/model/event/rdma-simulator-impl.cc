/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-simulator-impl.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/boolean.h"
#include "ns3/event-impl.h"
#include "ns3/rdma-event-twin.h"
#include "ns3/rdma-processes.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RdmaSimulatorImpl);

TypeId
RdmaSimulatorImpl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RdmaSimulatorImpl")
            .SetParent<SimulatorImpl>()
            .SetGroupName("Rdma")
            .AddConstructor<RdmaSimulatorImpl>()
            .AddAttribute("Windows",
                          "Run nodes one after the other, in windows of the least "
                          "delay between them, where that gives the same result.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaSimulatorImpl::m_windows),
                          MakeBooleanChecker())
            .AddAttribute("Threads",
                          "Threads that run nodes at once, at most, each with a "
                          "part of them, with the same result. They run where there "
                          "are Windows, one holds enough to do (EventsPerThread), and "
                          "several turn out to be faster than one (ThreadTrial). [number]",
                          UintegerValue(1),
                          MakeUintegerAccessor(&RdmaSimulatorImpl::m_threads),
                          MakeUintegerChecker<uint32_t>(1, 256))
            .AddAttribute("EventsPerThread",
                          "Events in a window that make a thread worth it: with "
                          "fewer, fewer threads run. [number]",
                          UintegerValue(96),
                          MakeUintegerAccessor(&RdmaSimulatorImpl::m_eventsPerThread),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("ThreadTrial",
                          "Find out by the clock whether several threads are faster than "
                          "one, and let one run all for a while where they are not. Without it, "
                          "which thread runs what does not depend on the clock.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&RdmaSimulatorImpl::m_threadTrial),
                          MakeBooleanChecker())
            .AddAttribute("EventLog",
                          "File, or pipe, to which all that happens to frames and flows of the "
                          "network is written in order; empty for none. [path]",
                          StringValue(""),
                          MakeStringAccessor(&RdmaSimulatorImpl::m_eventLogFile),
                          MakeStringChecker())
            .AddAttribute("EventTwin",
                          "EventLog of another run of the same, such as one without Windows: the "
                          "simulation stops at the first event that differs from it. [path]",
                          StringValue(""),
                          MakeStringAccessor(&RdmaSimulatorImpl::m_eventTwinFile),
                          MakeStringChecker());
    return tid;
}

RdmaSimulatorImpl::RdmaSimulatorImpl()
    : m_windowStatistics(std::make_unique<RdmaWindowStatistics>()),
      m_currentContext(Simulator::NO_CONTEXT),
      m_mainThread(std::this_thread::get_id())
{
}

RdmaSimulatorImpl::~RdmaSimulatorImpl() = default;

void
RdmaSimulatorImpl::DoDispose()
{
    TakeForeignRequests();
    while (m_events && !m_events->IsEmpty())
    {
        m_events->RemoveNext().impl->Unref();
    }
    m_events = nullptr;
    SimulatorImpl::DoDispose();
}

RdmaEventQueue&
RdmaSimulatorImpl::GetEventQueue()
{
    return m_eventQueue;
}

const RdmaWindowStatistics&
RdmaSimulatorImpl::GetWindowStatistics() const
{
    return *m_windowStatistics;
}

uint64_t
RdmaSimulatorImpl::GetWindowCount() const
{
    return m_windowStatistics->windows;
}

void
RdmaSimulatorImpl::Destroy()
{
    while (!m_destroyEvents.empty())
    {
        Ptr<EventImpl> event = m_destroyEvents.front().PeekEventImpl();
        m_destroyEvents.pop_front();
        if (!event->IsCancelled())
        {
            event->Invoke();
        }
    }
}

void
RdmaSimulatorImpl::SetScheduler(ObjectFactory schedulerFactory)
{
    Ptr<Scheduler> scheduler = schedulerFactory.Create<Scheduler>();
    while (m_events && !m_events->IsEmpty())
    {
        scheduler->Insert(m_events->RemoveNext());
    }
    m_events = scheduler;
    m_nextKnown = false;
}

bool
RdmaSimulatorImpl::IsFinished() const
{
    return m_stop || (m_events->IsEmpty() && const_cast<RdmaEventQueue&>(m_eventQueue).IsEmpty() &&
                      !(m_processes && m_processes->HasPending()));
}

uint64_t
RdmaSimulatorImpl::PlaceOf(uint32_t uid) const
{
    // ns-3 keeps the low 32 bits of the place; the high ones are those of the latest place that
    // fits
    const uint64_t newest = m_eventQueue.NewestPlace();
    const uint64_t place = (newest & ~uint64_t{0xffffffff}) | uid;
    return place > newest ? place - (uint64_t{1} << 32) : place;
}

void
RdmaSimulatorImpl::Stop()
{
    if (m_lookingOn)
    {
        m_processes->AskRanksToStop();
        return;
    }
    m_stop = true;
}

RdmaSimulatorImpl::StopResult
RdmaSimulatorImpl::Stop(const Time& delay)
{
    return static_cast<StopResult>(Simulator::Schedule(delay, &Simulator::Stop));
}

void
RdmaSimulatorImpl::RefuseInWindow()
{
    NS_ABORT_MSG_IF(RdmaProcesses::GetRunning(),
                    "RdmaSimulatorImpl::Windows: a node scheduled an event of ns-3; switch "
                    "Windows off, and Threads to 1");
}

/** \return the identifier of the next event of ns-3 */
uint32_t
RdmaSimulatorImpl::TakeUid()
{
    uint32_t uid = static_cast<uint32_t>(m_eventQueue.ReserveSequence());
    while (uid < EventId::VALID) // reserved by ns-3; met after 2^32 events
    {
        uid = static_cast<uint32_t>(m_eventQueue.ReserveSequence());
    }
    return uid;
}

EventId
RdmaSimulatorImpl::Insert(int64_t delay, uint32_t context, EventImpl* event)
{
    RefuseInWindow();
    const uint32_t uid = TakeUid();
    Scheduler::Event ev;
    ev.impl = event;
    // unsigned: past the end of time comes after everything else, as under DefaultSimulatorImpl
    ev.key.m_ts = static_cast<uint64_t>(m_eventQueue.Now()) + static_cast<uint64_t>(delay);
    ev.key.m_context = context;
    ev.key.m_uid = uid;
    m_events->Insert(ev);
    m_nextKnown = false;
    return EventId(event, ev.key.m_ts, ev.key.m_context, ev.key.m_uid);
}

EventId
RdmaSimulatorImpl::Schedule(const Time& delay, EventImpl* event)
{
    NS_ASSERT_MSG(std::this_thread::get_id() == m_mainThread,
                  "Simulator::Schedule from another thread: use ScheduleWithContext");
    NS_ASSERT_MSG(!delay.IsStrictlyNegative(), "Event scheduled in the past");
    return Insert(delay.GetTimeStep(), GetContext(), event);
}

void
RdmaSimulatorImpl::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    if (std::this_thread::get_id() == m_mainThread)
    {
        Insert(delay.GetTimeStep(), context, event);
        return;
    }
    RefuseInWindow();
    std::lock_guard<std::mutex> lock(m_requestsMutex);
    m_requests.push_back({context, delay.GetTimeStep(), event});
    m_requested.store(true, std::memory_order_relaxed);
}

EventId
RdmaSimulatorImpl::ScheduleNow(EventImpl* event)
{
    return Schedule(Time(0), event);
}

EventId
RdmaSimulatorImpl::ScheduleDestroy(EventImpl* event)
{
    EventId id(Ptr<EventImpl>(event, false),
               static_cast<uint64_t>(m_eventQueue.Now()),
               0xffffffff,
               EventId::DESTROY);
    m_destroyEvents.push_back(id);
    m_eventQueue.ReserveSequence(); // DefaultSimulatorImpl counts it too: identifiers stay equal
    return id;
}

Time
RdmaSimulatorImpl::Now() const
{
    const RdmaEventQueue* const running = RdmaProcesses::GetRunning();
    return TimeStep(static_cast<uint64_t>((running ? *running : m_eventQueue).Now()));
}

Time
RdmaSimulatorImpl::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0)
                         : TimeStep(id.GetTs() - static_cast<uint64_t>(m_eventQueue.Now()));
}

void
RdmaSimulatorImpl::Remove(const EventId& id)
{
    if (id.GetUid() == EventId::DESTROY)
    {
        m_destroyEvents.remove(id);
        return;
    }
    if (IsExpired(id))
    {
        return;
    }
    Scheduler::Event event;
    event.impl = id.PeekEventImpl();
    event.key.m_ts = id.GetTs();
    event.key.m_context = id.GetContext();
    event.key.m_uid = id.GetUid();
    m_events->Remove(event);
    event.impl->Cancel();
    event.impl->Unref();
    m_nextKnown = false;
}

void
RdmaSimulatorImpl::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
RdmaSimulatorImpl::IsExpired(const EventId& id) const
{
    if (id.GetUid() == EventId::DESTROY)
    {
        if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
        {
            return true;
        }
        for (const EventId& e : m_destroyEvents)
        {
            if (e == id)
            {
                return false;
            }
        }
        return true;
    }
    // an RDMA event's place may be past all others; what it has scheduled is still to come
    const auto now = static_cast<uint64_t>(m_eventQueue.Now());
    return !id.PeekEventImpl() || id.GetTs() < now ||
           (id.GetTs() == now &&
            PlaceOf(id.GetUid()) <= std::min(m_eventQueue.Place(), m_newestPlace)) ||
           id.PeekEventImpl()->IsCancelled();
}

Time
RdmaSimulatorImpl::GetMaximumSimulationTime() const
{
    return TimeStep(0x7fffffffffffffffLL);
}

uint32_t
RdmaSimulatorImpl::GetSystemId() const
{
    return 0;
}

uint32_t
RdmaSimulatorImpl::GetContext() const
{
    return m_currentContext;
}

uint64_t
RdmaSimulatorImpl::GetEventCount() const
{
    return m_eventCount + m_eventQueue.GetEventCount();
}

} // namespace ns3
