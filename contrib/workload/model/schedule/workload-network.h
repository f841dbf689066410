/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_NETWORK_H
#define WORKLOAD_NETWORK_H

#include "workload-jobs.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{

/**
 * \ingroup workload
 * \brief What executes operations: sends, receives, computations, and the time.
 *
 * A WorkloadRunner hands over each operation when what it depends on is done; the network says when
 * it has started and completed. Times are picoseconds from the start of the simulation.
 */
class WorkloadNetwork
{
  public:
    /** Who is told. Both may hand over further operations before they return. */
    class Listener
    {
      public:
        virtual ~Listener() = default;

        /** The operation has been issued: who waits for its start may go on. \param ps when */
        virtual void Started(WorkloadStep step, int64_t ps) = 0;

        /** The operation is done. \param ps when; may lie after Now(), and who waits for it starts
         * no earlier */
        virtual void Completed(WorkloadStep step, int64_t ps) = 0;
    };

    virtual ~WorkloadNetwork() = default;

    /** Gets ready. \param jobs and \param listener must outlive the network's last event */
    virtual void Begin(const WorkloadJobs& jobs, Listener& listener) = 0;

    /** Starts a message's sending end, at \p ps or as soon as its stream and interface are free. */
    virtual void Send(WorkloadStep step, int64_t ps) = 0;

    /** Posts a message's receiving end at \p ps. */
    virtual void Receive(WorkloadStep step, int64_t ps) = 0;

    /** Starts a computation, at \p ps or as soon as its stream is free. */
    virtual void Compute(WorkloadStep step, int64_t ps) = 0;

    /** \return the time, ps */
    virtual int64_t Now() const = 0;

    /** Runs until nothing is under way any more, or Stop() was called. */
    virtual void Run() = 0;

    /** Makes Run() return after the current event. */
    virtual void Stop() = 0;

    /** \param pulse called every few thousand events while Run() runs, for progress and signals; it
     * may call Stop(); empty for none */
    virtual void SetPulse(std::function<void()> pulse) = 0;

    /** \return whether the time of a start counts for those who wait for it; only a network that
     * imitates LogGOPSim says no */
    virtual bool StartsCarryTime() const
    {
        return true;
    }

    /** \return when the process was last busy, ps */
    virtual int64_t GetFinish(uint32_t process) const = 0;

    /** \return why an operation that was handed over is not complete, for people: "waits for ..."
     */
    virtual std::string Explain(WorkloadStep step) const = 0;
};

} // namespace ns3

#endif // WORKLOAD_NETWORK_H
