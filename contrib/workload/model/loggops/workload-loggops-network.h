/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_LOGGOPS_NETWORK_H
#define WORKLOAD_LOGGOPS_NETWORK_H

#include "ns3/workload-network.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief What messages of a size cost, and of more bytes up to the next row's size (as in PLogP:
 * Kielmann, Bal, Verstoep, "Fast Measurement of LogP Parameters for Message Passing Platforms",
 * IPDPS workshops 2000).
 */
struct WorkloadLogGopsRow
{
    uint64_t bytes{0}; ///< smallest size
    uint64_t L{0};     ///< latency, ns
    uint64_t o{0};     ///< a stream's overhead per message, on either side, ns
    uint64_t g{0};     ///< an interface's gap between messages, ns
    double G{0};       ///< gap per byte, ns; not negative
    bool eager{true};  ///< a send completes without its receiver
    uint64_t self{0};  ///< o of a message of a process to itself, which needs neither L nor g, ns
};

/**
 * \ingroup workload
 * \brief The LogGOPS model's parameters (Hoefler, Schneider, Lumsdaine: LogGOPSim, HPDC 2010); the
 * defaults are LogGOPSim's.
 */
struct WorkloadLogGops
{
    uint64_t L{2500};  ///< latency, ns
    uint64_t o{1500};  ///< a stream's overhead per message, on either side, ns
    uint64_t g{1000};  ///< an interface's gap between messages, ns
    uint64_t O{0};     ///< overhead per byte, ns
    double G{6};       ///< gap per byte, ns; not negative
    uint64_t S{65535}; ///< largest message, bytes, that completes without its receiver

    /** Follow LogGOPSim's rules exactly, faults included; then there are no rows. */
    bool exact{false};

    /** In place of L, o, g, G and S, by size, from 0 or 1 byte on; empty if they are the same for
     * all. */
    std::vector<WorkloadLogGopsRow> rows{};
};

/**
 * \ingroup workload
 * \brief Message level: no packets and no topology, each message costs what the LogGOPS model says.
 *
 * A size of 0 counts as 1. For a message of s bytes let B = floor((s-1) G), in double arithmetic,
 * and P = o + (s-1) O; all times are whole nanoseconds. cpu[p,c] is the time from which stream c of
 * process p is free, out[n,k] and in[n,k] those of the two directions of interface k of node n.
 *
 * By default:
 *
 * - A computation starts at t >= cpu[p,c]; completes at t + size; cpu[p,c] = its completion.
 * - A send starts at t >= max(cpu[p,c], out[n,k]); cpu[p,c] = t + P; out[n,k] = t + g + B. Its
 * first byte reaches the receiver's node at f = t + P + L. Up to S bytes it completes at t + P,
 * above when the receive completes.
 * - At f the message is matched with the receive that was posted first of those that fit, if any.
 *   The interface k' (the receive's if there is one, else the send's number) takes the message in
 *   from b = max(f, in[n',k']) on; it is there at e = b + B + g; in[n',k'] = e. So it streams
 *   through: without contention B counts once, and messages that meet at a receiver take turns.
 * - A receive takes the earliest fitting message that has come without one. It occupies its stream
 *   from the first time t >= max(e, time of posting) at which cpu[p',c'] <= t; it completes at
 *   t + P, with the message's size; cpu[p',c'] = its completion.
 * - Operations that wait for a stream or an interface take turns in the order in which they became
 *   ready; whose stream or interface is busy lets others pass.
 * - With rows, L, o, g and G are those of the message's size, as is whether it is eager. First
 * bytes of messages from one process to another come in the order in which those were sent. A
 * message of a process to itself uses no interface: its send and its receive occupy their streams
 * for the row's self, and it is there B after the send's end.
 * - A dependency carries the time of the start or completion that it waits for. Nothing happens
 *   before that, and the time never decreases.
 *
 * WorkloadLogGops::exact follows the rules of LogGOPSim as shipped with ATLAHS instead (see
 * doc/loggops.md), with events of equal time in the order of their insertion.
 *
 * An event costs a few memory accesses whatever the number of processes, tags and waiting
 * operations; only processes that use wildcards search their lists from the front. In
 * loggopsim-exact mode it costs a logarithm of the number of events that wait.
 */
class WorkloadLogGopsNetwork : public WorkloadNetwork
{
  public:
    /** \throws InputError if a parameter is negative, infinite or exceeds 104 days */
    explicit WorkloadLogGopsNetwork(const WorkloadLogGops& parameters);
    ~WorkloadLogGopsNetwork() override;

    /** Once only. */
    void Begin(const WorkloadJobs& jobs, Listener& listener) override;
    void Send(WorkloadStep step, int64_t ps) override;
    void Receive(WorkloadStep step, int64_t ps) override;
    void Compute(WorkloadStep step, int64_t ps) override;

    /** \return the time of the latest event; in loggopsim-exact mode it may have decreased */
    int64_t Now() const override;

    /** \throws InputError if a time exceeds 104 days, or, in loggopsim-exact mode, if LogGOPSim
     * would abort: it cannot receive before the message is there */
    void Run() override;
    void Stop() override;
    void SetPulse(std::function<void()> pulse) override;

    /** \return whether the mode is not loggopsim-exact */
    bool StartsCarryTime() const override;

    /** \return the latest time until which a stream of the process was occupied, or a send of it
     * waited for its receiver, ps; interfaces do not count (LogGOPSim's definition) */
    int64_t GetFinish(uint32_t process) const override;
    std::string Explain(WorkloadStep step) const override;

    /** \return events run */
    uint64_t GetEventCount() const;

  private:
    std::unique_ptr<class WorkloadLogGopsEngine> m_engine;
    bool m_exact;
};

} // namespace ns3

#endif // WORKLOAD_LOGGOPS_NETWORK_H
