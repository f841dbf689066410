/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_POST_H
#define WORKLOAD_POST_H

#include "ns3/workload-transport.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup workload
 * \brief Messages between ranks and timers, over a transport, each with what to do then.
 */
class WorkloadPost : public WorkloadTransport::Client
{
  public:
    using Action = std::function<void()>;

    /** What a message or a time belongs to. */
    struct Owner
    {
        uint32_t rank{0};
        uint32_t item{0}; //!< of the rank: a node of its trace, for example
    };

    /** Names an owner in errors, with its file if it has one, and a colon. */
    using Describe = std::function<std::string(const Owner&)>;

    /**
     * \param transport must outlive this
     * \param nodes host of each rank
     * \param late whether a message counts as received only when the sender knows it: what
     * the ns-3 back ends of ASTRA-sim and SimAI do
     * \param describe names owners in errors
     */
    WorkloadPost(WorkloadTransport& transport,
                 const std::vector<uint32_t>& nodes,
                 bool late,
                 Describe describe);

    /**
     * Sends a message now; one between ranks of the same host arrives at once.
     * \param owner whose message it is
     * \param label kind of traffic, for the transport's records
     * \param received called when the receiver has it
     * \param sent called when the sender knows that; may be empty
     * \param exact whether fast-forward must leave it alone
     * \return its number, for Explain, until both were called
     */
    uint32_t Send(const Owner& owner,
                  uint32_t src,
                  uint32_t dst,
                  uint64_t bytes,
                  uint32_t label,
                  Action received,
                  Action sent = {},
                  bool exact = false);

    /** As Send(), of a message that was to be sent at \p ps, which is past.
     * \return its number; nothing, and it is not sent, if the network cannot go back
     * (WorkloadTransport::StartLate) */
    std::optional<uint32_t> SendLate(const Owner& owner,
                                     uint32_t src,
                                     uint32_t dst,
                                     uint64_t bytes,
                                     uint32_t label,
                                     int64_t ps,
                                     Action received,
                                     Action sent);

    /** Calls \p action in \p ns nanoseconds. \param owner whose time that is */
    void After(const Owner& owner, int64_t ns, Action action);

    /** The same, in \p ps picoseconds. */
    void AfterPs(const Owner& owner, int64_t ps, Action action);

    /** Ends the run, for its input is wrong; the first reason stays. */
    void Fail(const std::string& reason);

    /** \return why the run was ended; empty if it was not */
    const std::string& GetFailure() const
    {
        return m_failure;
    }

    /** \return which message the network gave up first, and why; empty if none: the run was ended
     * then */
    const std::string& GetLoss() const
    {
        return m_loss;
    }

    /** \return the time, ps */
    int64_t Now() const
    {
        return m_transport.Now();
    }

    /** \return why a message has not arrived, for people */
    std::string Explain(uint32_t message) const
    {
        return m_transport.Explain(message);
    }

    // WorkloadTransport::Client
    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;
    std::string DescribeTransfer(uint64_t id) const override;
    std::string DescribeTimer(uint64_t timer) const override;

  private:
    struct Message
    {
        Action received;
        Action sent;
        Owner owner;
        uint64_t bytes{0};
    };

    /** \return the number of a message that is to be sent */
    uint32_t Keep(Message message);

    /** \return what the transport is to move */
    WorkloadTransfer TransferOf(uint32_t src, uint32_t dst, uint64_t bytes, uint32_t label) const;

    struct Timer
    {
        Action action;
        Owner owner;
        int64_t ps{0};
    };

    WorkloadTransport& m_transport;
    const std::vector<uint32_t>& m_nodes;
    bool m_late;
    const Describe m_describe;
    std::vector<Message> m_messages;
    std::vector<uint32_t> m_freeMessages; //!< of m_messages
    std::vector<Timer> m_timers;
    std::vector<uint32_t> m_freeTimers; //!< of m_timers
    std::string m_failure;
    std::string m_loss;
};

} // namespace ns3

#endif // WORKLOAD_POST_H
