/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_UNTIMED_RUN_H
#define WORKLOAD_UNTIMED_RUN_H

#include "ns3/workload-messages.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Runs a schedule without time, first come first served, and says what never completes.
 *
 * Streams and interfaces do not matter: an operation is issued when what it depends on is done. A
 * computation completes at once, a receive when its message is there, a send when its receive is
 * there, or at once if it is eager.
 *
 * Linear, and 14 bytes per operation; to a rank that receives from any source or with any tag up to
 * the square of the messages.
 */
class WorkloadUntimedRun
{
  public:
    /**
     * \param schedule with peers in range; must outlive this
     * \param messages of the schedule; must outlive this
     * \param eager whether a send of so many bytes completes before its receive is there
     */
    WorkloadUntimedRun(const WorkloadSchedule& schedule,
                       const WorkloadMessages& messages,
                       std::function<bool(uint64_t)> eager);

    /** Runs it. */
    void Run();

    /** \return operations that did not complete */
    uint64_t GetStalled() const
    {
        return m_messages.GetCount() - m_completed;
    }

    /** \return whether an operation has been issued */
    bool IsIssued(uint32_t number) const
    {
        return m_state[number] != WAITING;
    }

    /** \return whether an operation has completed */
    bool IsCompleted(uint32_t number) const
    {
        return m_state[number] == COMPLETED;
    }

    /**
     * \return for each operation one that it waits for: of its own rank if it was not issued, else
     * one that could be its other end; WORKLOAD_NOBODY if it completed, or nothing can be its other
     * end any more
     */
    std::vector<uint32_t> WhoWaitsForWhom() const;

  private:
    enum State : uint8_t
    {
        WAITING,
        ISSUED,
        COMPLETED
    };

    /** Operations of one kind that wait for their other ends, a list in m_next. */
    struct Queue
    {
        uint32_t head;
        uint32_t tail;
    };

    void Issue(uint32_t number);
    void Complete(uint32_t number);

    /** Lets go on who waits for an operation's start, or its completion. */
    void Release(uint32_t number, bool start);
    bool IsSend(uint32_t number) const;

    /** \return the other end that waits longest, taken off its queue; WORKLOAD_NOBODY if there is
     * none */
    uint32_t TakeOther(uint32_t number);
    uint32_t TakeAny(uint32_t number);
    void Put(uint32_t number);

    /** \return an operation not issued so far that could be the other end of those of a channel */
    uint32_t OtherOf(uint32_t channel, bool send) const;

    const WorkloadSchedule& m_schedule;
    const WorkloadMessages& m_messages;
    const std::function<bool(uint64_t)> m_eager;
    std::vector<State> m_state;
    std::vector<uint32_t> m_missing;          //!< dependencies, of each operation
    std::vector<uint32_t> m_next;             //!< in its queue, of each operation
    std::vector<Queue> m_queues;              //!< of each channel
    std::vector<std::vector<uint32_t>> m_any; //!< what waits, of destinations with any
    std::vector<uint32_t> m_ready;
    uint64_t m_completed{0};
};

} // namespace ns3

#endif // WORKLOAD_UNTIMED_RUN_H
