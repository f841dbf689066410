/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_LITERAL_H
#define WORKLOAD_LOGGOPS_LITERAL_H

#include "workload-loggops-engine.h"
#include "workload-ordered-queue.h"
#include "workload-skew-heap.h"

#include "ns3/workload-event-queue.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The rules of LogGOPSim as shipped with ATLAHS, faults included: see doc/loggops.md.
 *
 * An event whose stream or interface is busy is put back at the time at which that becomes free,
 * and keeps its number: events of equal time are ordered by their first insertion. When N wait for
 * the same, LogGOPSim tries all of them whenever one can go: N^2 / 2 tries.
 *
 * Here those that wait for the same form a crowd, of which only the first one is in the queue. If
 * it fails, all fail, each in its turn at the same instant, without an effect; so they move on
 * together. Three things could make a difference. If in the same instant something else makes the
 * wait longer, those whose turn comes after that wait longer: a break. Breaks do not matter as long
 * as times at which things become free only grow, since whoever is tried too early fails and comes
 * to the same time as the others. Where such a time decreases (a receive sets it), or a message
 * would not find the receive that it found before, or the time goes back, the crowd falls apart
 * into single events, each with its exact time.
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

    /** In place of a process: a crowd, whose number stands for the operation. */
    static constexpr uint32_t CROWD = UINT32_MAX;

    /** Marks a posted receive that a member of a crowd will get. */
    static constexpr uint32_t EXPECTED = 0x80000000;

    /** What an event waits for. */
    struct Need
    {
        uint32_t process; ///< whose stream and interface
        uint8_t cpu;
        uint8_t nic;
        char kind; ///< 'c' computation, 's' send, 'm' message; ' ' if it cannot be in a crowd

        bool operator==(const Need& other) const
        {
            return process == other.process && cpu == other.cpu && nic == other.nic &&
                   kind == other.kind;
        }
    };

    /** From some number on, members are tried again later than the others. */
    struct Break
    {
        uint64_t number; ///< the last that is not concerned
        int64_t time;
    };

    /** Events that wait for the same. */
    struct Crowd
    {
        Need need;
        uint32_t members; ///< WorkloadSkewHeaps; WORKLOAD_POOL_NONE if the crowd does not exist
        int64_t time;     ///< when its members are tried
        int64_t failed;   ///< when the first of them was tried last, in vain
        uint64_t limit;   ///< of the members that were tried then; others are not due before time
        std::vector<Break> breaks;
    };

    /** An operation that became ready while an event was run. */
    struct Released
    {
        WorkloadStep step;
        int64_t ns;
    };

    void DoBegin() override;
    bool RunFirst() override;

    /** Runs an event that is in no crowd, or puts it back. */
    void RunOne(const Event& event, int64_t now);

    /** Tries the first member of a crowd. \param first number of that member, unless things have
     * changed: then nothing is done */
    void RunCrowd(uint32_t crowd, uint64_t first, int64_t now);

    /** Takes what the next new events will need into the cache, once for several of them. */
    void LookAhead()
    {
        if (m_ahead > 0)
        {
            --m_ahead;
        }
        else
        {
            Prefetch();
        }
    }

    void Prefetch();

    /** \return the last receive of the list that a message will look at; null if there is none */
    const WorkloadPosted* Posted(const Event& arrival);

    /** Each returns 0 if the event has been run, else when to try again, and sets \p need. */
    int64_t Try(const Event& event, int64_t now, Need& need);
    int64_t TryCompute(WorkloadStep step, int64_t now, Need& need);
    int64_t TrySend(WorkloadStep step, int64_t now, Need& need);
    int64_t TryArrival(WorkloadStep send, int64_t now, Need& need);
    void Receive(WorkloadStep step, int64_t now);
    void TakeUnexpected(WorkloadStep step, int64_t now, WorkloadMatchTable::List& list);

    void PutBack(const Event& event, int64_t time, const Need& need);

    /** Notes that all members of a crowd fail at this instant, each in its turn. */
    void Fail(uint32_t crowd, int64_t again);

    /** \return a crowd without breaks, for a need and a time; WORKLOAD_POOL_NONE if there is none.
     * \param failed when it failed last; negative for any */
    uint32_t FindCrowd(const Need& need, int64_t time, int64_t failed, uint32_t except) const;

    /** Puts in the event that stands for a crowd's first member. */
    void Announce(uint32_t crowd);

    /** Takes the first member out. */
    Event TakeMember(uint32_t crowd);
    void RemoveCrowd(uint32_t crowd);

    /** A stream or interface of a process has become free later than it was. */
    void Raised(uint32_t process);

    /** Makes single events of the crowds of a process, each with the time at which it is tried. */
    void Explode(uint32_t process);

    /** \return the receive that a member of a crowd will get */
    WorkloadPosted& Expected(const Event& arrival);

    /** \return when what an event waits for is free */
    int64_t FreeOf(const Need& need);

    /** \return whether events of a process can be in crowds */
    bool Crowds(uint32_t process) const
    {
        return !m_shared[m_jobs->GetNode(process)];
    }

    /** Puts in a new event. */
    void Insert(int64_t time, uint32_t process, uint32_t operation)
    {
        if (time > LATEST)
        {
            FailLate(Operation({process, operation & ~MESSAGE}));
        }
        m_new.Push(time, {process, operation, m_inserted++});
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
    WorkloadOrderedQueue<Event> m_again; //!< those that were put back, and first ones of crowds
    std::vector<Crowd> m_crowds;
    std::vector<uint32_t> m_freeCrowds;            //!< numbers to be used again
    std::vector<std::vector<uint32_t>> m_crowdsOf; //!< by process
    std::vector<uint32_t> m_failed;                //!< crowds that have failed at this instant
    std::vector<bool> m_shared;                    //!< by node: it has several processes
    WorkloadSkewHeaps<Event> m_members;
    uint64_t m_number{0};            //!< of the event that is being run, or was last
    uint32_t m_ahead{0};             //!< new events until LookAhead()
    uint64_t m_roots{0};             //!< number of the next operation that depends on nothing
    uint64_t m_inserted{1ULL << 40}; //!< number of the next event: after all of those
    bool m_running{false};           //!< an event is being run
    bool m_starting{false};          //!< the listener is being told of a start
    std::vector<Released> m_released;
    uint32_t m_touched[2]{};
    uint32_t m_touchedCount{0};
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_LITERAL_H
