/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_LITERAL_H
#define WORKLOAD_LOGGOPS_LITERAL_H

#include "workload-event-queue.h"
#include "workload-loggops-engine.h"
#include "workload-ordered-queue.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The rules of LogGOPSim as shipped with ATLAHS, faults included: see doc/loggops.md.
 *
 * An event whose stream or interface is busy is put back at the time at which that becomes free,
 * and keeps its number: events of equal time are ordered by their first insertion.
 */
class WorkloadLogGopsLiteral : public WorkloadLogGopsEngine
{
  public:
    using WorkloadLogGopsEngine::WorkloadLogGopsEngine;

    void HandOver(WorkloadStep step, int64_t ns) override;
    int64_t GetFinish(uint32_t process) const override;

  private:
    /** An operation, or a message's arrival. */
    struct Event
    {
        uint32_t process;   ///< of an arrival, the sender
        uint32_t operation; ///< MESSAGE is set for an arrival
        uint64_t number;    ///< order among events of equal time
    };

    static constexpr uint32_t MESSAGE = 0x80000000;

    /** An operation that became ready while an event was run. */
    struct Released
    {
        WorkloadStep step;
        int64_t ns;
    };

    void DoBegin() override;
    bool RunFirst() override;

    /** Runs an event, or puts it back. */
    void RunOne(const Event& event, int64_t now);

    /** Takes what the next new events will need into the cache. */
    void LookAhead();

    /** \return the last receive of the list that a message will look at; null if there is none */
    const WorkloadPosted* Posted(const Event& arrival);

    /** Each returns 0 if the event has been run, else when to try again. */
    int64_t Try(const Event& event, int64_t now);
    int64_t TryCompute(WorkloadStep step, int64_t now);
    int64_t TrySend(WorkloadStep step, int64_t now);
    int64_t TryArrival(WorkloadStep send, int64_t now);
    void Receive(WorkloadStep step, int64_t now);
    void TakeUnexpected(WorkloadStep step, int64_t now, WorkloadMatchTable::List& list);

    /** Puts in a new event. */
    void Insert(int64_t time, uint32_t process, uint32_t operation)
    {
        m_new.Push(Checked(time), {process, operation, m_inserted++});
    }

    /** Notes that ready operations of a process are to be looked for. */
    void Touch(uint32_t process);
    void Start(WorkloadStep step, int64_t ns);
    void Complete(WorkloadStep step, int64_t ns);

    /** Puts in the operations that the event has made ready: those of the process that was touched
     * last go first. */
    void PutReleased();

    int64_t& CpuFree(uint32_t process, uint8_t cpu)
    {
        return m_cpuFree[size_t{process} * m_cpus + cpu];
    }

    int64_t& SendFree(uint32_t process, uint8_t nic)
    {
        return m_sendFree[size_t{m_jobs->GetNode(process)} * m_nics + nic];
    }

    int64_t& RecvFree(uint32_t process, uint8_t nic)
    {
        return m_recvFree[size_t{m_jobs->GetNode(process)} * m_nics + nic];
    }

    uint32_t m_cpus{1};
    uint32_t m_nics{1};
    std::vector<int64_t> m_cpuFree;  //!< by process and stream
    std::vector<int64_t> m_sendFree; //!< by node and interface
    std::vector<int64_t> m_recvFree; //!< by node and interface

    WorkloadEventQueue<Event> m_new;     //!< in the order of their numbers, as they come
    WorkloadOrderedQueue<Event> m_again; //!< those that were put back
    uint32_t m_ahead{0};                 //!< new events until LookAhead()
    uint64_t m_roots{0};                 //!< number of the next operation that depends on nothing
    uint64_t m_inserted{1ULL << 40};     //!< number of the next event: after all of those
    bool m_running{false};               //!< an event is being run
    bool m_starting{false};              //!< the listener is being told of a start
    std::vector<Released> m_released;
    uint32_t m_touched[2]{};
    uint32_t m_touchedCount{0};
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_LITERAL_H
