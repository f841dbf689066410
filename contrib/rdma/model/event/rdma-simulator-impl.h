/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SIMULATOR_IMPL_H
#define RDMA_SIMULATOR_IMPL_H

#include "rdma-event-queue.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ns3
{

class RdmaEventTwin;
class RdmaEventWriter;
class RdmaNetwork;
class RdmaProcesses;
class RdmaRanks;
struct RdmaCutLink;
struct RdmaWindowStatistics;

/**
 * \ingroup rdma
 * \brief A simulator implementation that runs the network's RDMA events beside ns-3's own.
 *
 * All events, whoever scheduled them, happen in the order of DefaultSimulatorImpl: by time, and at
 * equal times in the order of scheduling. What differs is cost: an RDMA event needs neither an
 * allocation nor a visit to ns-3's scheduler. Chosen by the global value
 * SimulatorImplementationType; under any other implementation the network works too, through
 * RdmaEventPump.
 */
class RdmaSimulatorImpl : public SimulatorImpl
{
  public:
    /** void up to ns-3.40, EventId from ns-3.41 on. */
    using StopResult = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));

    /** \return the TypeId */
    static TypeId GetTypeId();

    RdmaSimulatorImpl();
    ~RdmaSimulatorImpl() override;

    /** \return the events of ports and queue pairs */
    RdmaEventQueue& GetEventQueue();

    /** \return windows run so far (RdmaProcesses); 0 unless the attribute Windows is set, and where
     * it has no effect */
    uint64_t GetWindowCount() const;

    /** \return the same in detail */
    const RdmaWindowStatistics& GetWindowStatistics() const;

    /** The run is over. \return what compared its events (attribute EventTwin); null if nothing
     * did. Unless it is asked for, a difference aborts the simulation when the network goes */
    const RdmaEventTwin* FinishEventTwin();

    /** The network that starts next is run by several processes. \param ranks of which this is one;
     * outlives the network */
    void SetRanks(RdmaRanks& ranks);

    /**
     * \param hosts of each node of the network that is going to be built, whether it is a host
     * \param links of it
     * \return of each node whether another rank runs it; empty if none does
     */
    std::vector<bool> ListElsewhere(const std::vector<bool>& hosts,
                                    const std::vector<RdmaCutLink>& links) const;

    /** Takes the place of an event of ns-3 that only another rank has, and counts it. */
    void CountElsewhere();

    /** \return which rank is lost, and why, so that the run has stopped; empty if none is */
    std::string GetLostRank() const;

    /** \return whether a rank was asked to stop, or is lost */
    bool HaveRanksStopped() const;

    /** \return the peak memory of each rank, KiB, once a run is over */
    const std::vector<uint64_t>& GetRankMemory() const;

    /** \p network has been started: for derived implementations. */
    virtual void NetworkStarted(RdmaNetwork& network);

    /** \p network, which was started, goes. */
    virtual void NetworkGone(RdmaNetwork& network);

    // SimulatorImpl
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    StopResult Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    uint64_t GetEventCount() const override;

  private:
    void DoDispose() override;

    /** An event that another thread asked for. */
    struct ForeignRequest
    {
        uint32_t context;
        int64_t delay; //!< counts from when it is taken
        EventImpl* event;
    };

    EventId Insert(int64_t delay, uint32_t context, EventImpl* event);
    uint32_t TakeUid();
    static void RefuseInWindow();
    void WarnOfOtherChoice();
    void DropProcesses();
    void LogEvents(RdmaNetwork& network);
    void FinishEventLog();
    bool RunWindow();
    uint64_t PlaceOf(uint32_t uid) const;
    void TakeForeignRequests();
    void ReadNext();
    void RunNext();

    RdmaEventQueue m_eventQueue;                //!< also the keeper of the current time
    bool m_windows{true};                       //!< attribute
    uint32_t m_threads{1};                      //!< attribute
    uint32_t m_eventsPerThread{96};             //!< attribute
    bool m_threadTrial{true};                   //!< attribute
    std::string m_eventLogFile;                 //!< attribute
    std::string m_eventTwinFile;                //!< attribute
    uint32_t m_networks{0};                     //!< started
    std::unique_ptr<RdmaProcesses> m_processes; //!< null unless the network may be run so
    std::unique_ptr<RdmaWindowStatistics> m_windowStatistics;
    std::unique_ptr<RdmaEventWriter> m_eventWriter; //!< null unless EventLog is set
    std::unique_ptr<RdmaEventTwin> m_eventTwin;     //!< null unless EventTwin is set
    bool m_twinFinished{false};
    Ptr<Scheduler> m_events;
    uint64_t m_nextTime{0};    //!< of the first event in m_events, as ns-3 compares times
    uint64_t m_nextPlace{0};   //!< its place in the order of scheduling, which is past all if none
    bool m_nextKnown{false};   //!< whether the two hold
    uint64_t m_newestPlace{0}; //!< when the event that is firing began
    bool m_stop{false};
    RdmaRanks* m_ranks{nullptr}; //!< null if there is one only
    std::string m_lostRank;      //!< GetLostRank
    bool m_ranksStopped{false};
    std::vector<uint64_t> m_rankMemory; //!< KiB
    bool m_lookingOn{false};            //!< a request of another thread runs, at this rank alone
    bool m_warned{false};               //!< WarnOfOtherChoice has spoken
    uint32_t m_currentContext;
    uint64_t m_eventCount{0};
    std::list<EventId> m_destroyEvents;
    std::atomic<std::thread::id> m_mainThread; //!< that runs; others ask whether they are it
    std::atomic<bool> m_requested{false};
    std::mutex m_requestsMutex;
    std::list<ForeignRequest> m_requests;
};

} // namespace ns3

#endif // RDMA_SIMULATOR_IMPL_H
