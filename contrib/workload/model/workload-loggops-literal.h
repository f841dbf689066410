/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_LITERAL_H
#define WORKLOAD_LOGGOPS_LITERAL_H

#include "workload-event-queue.h"
#include "workload-loggops-engine.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The rules of LogGOPSim as shipped with ATLAHS, faults included: see doc/loggops.md.
 *
 * Its way to wait is to try again: an event whose stream or interface is busy is put back at the
 * time at which that becomes free, and then all that wait for it are tried, of which one succeeds.
 * Here operations that are put back one after the other at the same time, and wait for the same
 * stream and interface, form a crowd, which is one event: its first member is tried, and if that
 * fails all would.
 */
class WorkloadLogGopsLiteral : public WorkloadLogGopsEngine
{
  public:
    using WorkloadLogGopsEngine::WorkloadLogGopsEngine;

    void HandOver(WorkloadStep step, int64_t ns) override;
    int64_t GetFinish(uint32_t process) const override;

  private:
    /** An operation, a message's arrival (MESSAGE is set), or a crowd. */
    struct Event
    {
        uint32_t process;   ///< CROWD: a crowd
        uint32_t operation; ///< or the crowd's number
    };

    /** Marks an arrival; Event::process is the sender. */
    static constexpr uint32_t MESSAGE = 0x80000000;
    static constexpr uint32_t CROWD = UINT32_MAX;

    /** Marks a posted receive that a member of a crowd expects to get. */
    static constexpr uint32_t EXPECTED = 0x80000000;

    /** What an event waits for: the same for all members of a crowd. */
    struct Need
    {
        uint32_t process; ///< whose streams and interfaces
        uint8_t cpu;
        uint8_t nic;
        char kind; ///< 'c' computation, 's' send, 'm' message; ' ' if it cannot be in a crowd

        bool operator==(const Need& other) const
        {
            return process == other.process && cpu == other.cpu && nic == other.nic &&
                   kind == other.kind;
        }
    };

    struct Member
    {
        Event event;
        uint32_t next;
    };

    struct Crowd
    {
        Need need;
        uint32_t epoch; ///< see m_epochs
        uint32_t first;
        uint32_t last;
        uint32_t next; ///< the pool's
    };

    /** An operation that became ready while an event was run. */
    struct Released
    {
        WorkloadStep step;
        int64_t ns;
    };

    void DoBegin() override;
    bool RunFirst() override;

    /** Runs an event that is not a crowd, or puts it back. */
    void RunOne(const Event& event, int64_t now);

    /** Runs what can be run of a crowd, and puts back the rest. */
    void RunCrowd(uint32_t number, int64_t now);

    /**
     * Tries an event.
     * \param need set to what it waits for
     * \param ofCrowd whether it belongs to a crowd that is up to date: then the receive that it gets
     * is marked for it
     * \return 0 if it has been run, else when to try again
     */
    int64_t Try(const Event& event, int64_t now, Need& need, bool ofCrowd);
    int64_t TryCompute(WorkloadStep step, int64_t now, Need& need);
    int64_t TrySend(WorkloadStep step, int64_t now, Need& need);
    void Receive(WorkloadStep step, int64_t now);
    int64_t TryArrival(WorkloadStep send, int64_t now, Need& need, bool ofCrowd);

    void TakeUnexpected(WorkloadStep step, int64_t now, WorkloadMatchTable::List& list);

    void PutBack(const Event& event, int64_t time, const Need& need);
    void PutBackCrowd(uint32_t number, int64_t time);

    /** \return the epoch that a crowd belongs to if it is formed now */
    uint32_t Epoch(const Need& need) const
    {
        return need.kind == 'm' ? m_epochs[need.process] : 0;
    }

    /** \return the crowd that the last event of \p time is, if members with \p need may join it;
     * else null */
    Crowd* LastCrowd(int64_t time, const Need& need);

    /** Removes the first member. */
    void DropFirst(Crowd& crowd);

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

    /** By process: counts changes to lists on which members of crowds rely; members of older crowds
     * are tried one by one. */
    std::vector<uint32_t> m_epochs;

    WorkloadEventQueue<Event> m_queue;
    WorkloadPool<Crowd> m_crowds;
    WorkloadPool<Member> m_members;

    bool m_running{false};  //!< an event is being run
    bool m_starting{false}; //!< the listener is being told of a start
    std::vector<Released> m_released;
    uint32_t m_touched[2]{};
    uint32_t m_touchedCount{0};
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_LITERAL_H
