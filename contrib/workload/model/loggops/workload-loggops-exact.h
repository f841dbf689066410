/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_EXACT_H
#define WORKLOAD_LOGGOPS_EXACT_H

#include "workload-loggops-engine.h"

#include <cstdint>
#include <list>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief The rules of LogGOPSim as shipped with ATLAHS, faults included: see doc/loggops.md.
 *
 * An event whose stream or interface is busy is tried again at the time at which that becomes free,
 * and keeps its number: events of equal time are ordered by their first insertion. When N wait for
 * the same, LogGOPSim tries all of them whenever one can go: N^2 / 2 tries, minutes in an
 * all-to-all of 1,024 ranks.
 *
 * Here those that wait for the same form a group, and only its first member is tried. That is exact
 * while the time F at which what they wait for becomes free never decreases: the others are tried
 * at earlier values of F, fail without an effect, and all come to F, where the lowest number goes
 * first. When something else could happen (F decreases, which a receive can cause; the time goes
 * back; a message would not find the receive that it found before), the group is dissolved into
 * single events. The changes of F since all members were last due tell when each is due.
 */
class WorkloadLogGopsExact : public WorkloadLogGopsEngine
{
  public:
    using WorkloadLogGopsEngine::WorkloadLogGopsEngine;

    void HandOver(WorkloadStep step, int64_t ns) override;
    int64_t GetFinish(uint32_t process) const override;

  private:
    static constexpr uint32_t MESSAGE = 0x80000000;

    /** Marks a posted receive that a member of a group will get. */
    static constexpr uint32_t EXPECTED = 0x80000000;

    struct Group;

    /** An operation, or a message's arrival. */
    struct Event
    {
        int64_t time;       ///< when to try it; of a member of a group, when it was tried last
        uint64_t number;    ///< order among events of equal time
        uint32_t process;   ///< of an arrival, the sender
        uint32_t operation; ///< MESSAGE is set for an arrival
        Group* group;       ///< whose first member is to be tried instead, if not null
    };

    struct Later
    {
        bool operator()(const Event& a, const Event& b) const
        {
            return std::tie(a.time, a.number) > std::tie(b.time, b.number);
        }
    };

    struct HigherNumber
    {
        bool operator()(const Event& a, const Event& b) const
        {
            return a.number > b.number;
        }
    };

    /** What an event waits for: a stream, and an interface unless it is a computation. */
    struct Need
    {
        uint32_t process; ///< whose stream and interface
        uint8_t cpu;
        uint8_t nic;
        WorkloadKind kind; ///< RECV of a message that arrives

        bool operator==(const Need& other) const
        {
            return process == other.process && cpu == other.cpu && nic == other.nic &&
                   kind == other.kind;
        }
    };

    /** From event \c number at \c time on, what is needed is free at \c free. */
    struct Change
    {
        int64_t time;
        uint64_t number;
        int64_t free;
    };

    /** Events that wait for the same. */
    struct Group
    {
        Need need;
        int64_t time{0}; ///< when its first member is looked at
        std::vector<Change> changes{};
        std::priority_queue<Event, std::vector<Event>, HigherNumber> members{};
    };

    /** An operation that became ready while an event was run. */
    struct Released
    {
        WorkloadStep step;
        int64_t ns;
    };

    void DoBegin() override;
    bool RunFirst() override;

    /** Tries an event that is in no group, and puts it back if it has to wait. */
    void RunOne(const Event& event);

    /** Tries the first member of a group, if it is still the one with that number. */
    void RunGroup(Group& group, uint64_t number);

    /** Each returns 0 if the event has been run, else when to try again, and sets \p need if it can
     * be in a group. */
    int64_t Try(const Event& event, std::optional<Need>& need);
    int64_t TryCompute(WorkloadStep step, std::optional<Need>& need);
    int64_t TrySend(WorkloadStep step, std::optional<Need>& need);
    int64_t TryArrival(WorkloadStep send, std::optional<Need>& need);
    void Receive(WorkloadStep step);
    void TakeUnexpected(WorkloadStep step, WorkloadMatchTable::List& list);

    /** Adds an event to the group of those with the same need. */
    void Join(Event event, const Need& need, int64_t time);

    /** Has the first member of a group looked at. */
    void Announce(Group& group, int64_t time);
    Event TakeFirst(Group& group);

    /** Notes that a stream or interface of a process has become free later than it was. */
    void Raised(uint32_t process);

    /** Makes single events of all groups of a node, each with the time at which it is due. */
    void Dissolve(uint32_t node);

    /** \return the receive that a member of a group will get */
    WorkloadPosted& Expected(const Event& arrival);

    /** \return when what an event waits for is free */
    int64_t FreeOf(const Need& need);

    /** Puts in a new event. */
    void Insert(int64_t time, uint32_t process, uint32_t operation)
    {
        if (time > LATEST)
        {
            FailLate(Operation({process, operation & ~MESSAGE}));
        }
        m_queue.push({time, m_inserted++, process, operation, nullptr});
    }

    /** Notes that ready operations of a process are to be looked for. */
    void Touch(uint32_t process);
    void Start(WorkloadStep step);
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

    std::priority_queue<Event, std::vector<Event>, Later> m_queue;
    std::vector<std::list<Group>> m_groups; //!< by node; those without members are used again
    uint64_t m_number{0};                   //!< of the event that is being run, or was last
    uint64_t m_roots{0};             //!< number of the next operation that depends on nothing
    uint64_t m_inserted{1ULL << 40}; //!< number of the next event: after all of those
    bool m_running{false};           //!< an event is being run
    bool m_starting{false};          //!< the listener is being told of a start
    std::vector<Released> m_released;
    uint32_t m_touched[2]{};
    uint32_t m_touchedCount{0};
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_EXACT_H
