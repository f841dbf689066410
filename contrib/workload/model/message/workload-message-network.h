/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGE_NETWORK_H
#define WORKLOAD_MESSAGE_NETWORK_H

#include "workload-matcher.h"
#include "workload-message-slowdown.h"
#include "workload-message-streams.h"
#include "workload-message-table.h"

#include "ns3/workload-network.h"
#include "ns3/workload-transport.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class WorkloadExchangeMemory;

/** \ingroup workload What messages cost besides their way. */
struct WorkloadMessageOptions
{
    int64_t overheadPs{0};      ///< that a send, and a receive whose message has come, occupies its
                                ///< stream; at least 0
    uint64_t eagerBytes{0};     ///< largest message whose send completes without its receive
    uint64_t handshakeBytes{0}; ///< of the request and of the clear-to-send that go before larger
                                ///< messages; 0 for none: data move at once
    double localBytesPerNs{300}; ///< between processes of one host; 0 for no time
};

/**
 * \ingroup workload
 * \brief Operations on a transport: message matching, eager and rendezvous sends, compute streams.
 *
 * - Operations of one process and stream exclude each other: computations for their time, sends for
 *   the overhead, receives for the overhead once their message has come. They take turns in the
 *   order in which they were handed over (receives: in which their messages came).
 * - A computation with a slowdown takes longer while its process communicates.
 * - A message of at most \c eagerBytes completes at its sender when the overhead is over; a larger
 *   one when the matching receive completes.
 * - With \c handshakeBytes above 0, a larger message first sends a request of so many bytes; when
 *   the request has come and the receive is posted, a clear-to-send of so many bytes goes back, and
 *   then the data move.
 * - A message matches a receive of its source process and its tag: of several the one posted first,
 *   and a receive takes the message that arrived first. Sizes need not agree.
 * - A host per (node, interface) if any job uses several interfaces, node * interfaces + interface;
 *   else a host per node. A message goes from the sender's interface to that of the same number.
 * - Messages between processes of one host do not use the transport. An empty message counts as one
 *   byte. A transfer's label is job * 256 + category.
 * - Exchanges that are known are left out if the transport lets it (WorkloadExchangeMemory).
 */
class WorkloadMessageNetwork : public WorkloadNetwork, private WorkloadTransport::Client
{
  public:
    /**
     * \param transport moves the bytes; must outlive the network
     * \param options costs
     * \throws InputError if an option is impossible
     */
    explicit WorkloadMessageNetwork(WorkloadTransport& transport,
                                    const WorkloadMessageOptions& options = {});
    ~WorkloadMessageNetwork() override;

    /** \throws InputError if the transport has fewer hosts than the jobs need */
    void Begin(const WorkloadJobs& jobs, Listener& listener) override;

    // WorkloadNetwork
    void Send(WorkloadStep step, int64_t ps) override
    {
        HandOver(step, ps);
    }

    void Receive(WorkloadStep step, int64_t ps) override
    {
        HandOver(step, ps);
    }

    void Compute(WorkloadStep step, int64_t ps) override
    {
        HandOver(step, ps);
    }

    int64_t Now() const override
    {
        return m_transport.Now();
    }

    void Run() override;

    void Stop() override
    {
        m_transport.Stop();
    }

    void SetPulse(std::function<void()> pulse) override
    {
        m_transport.SetPulse(std::move(pulse));
    }

    int64_t GetFinish(uint32_t process) const override
    {
        return m_finish[process];
    }

    std::string Explain(WorkloadStep step) const override;

    /** \return whether the sender of a message waits for its receive. Linear in the messages */
    bool AwaitsReceive() const;

    /** \return messages given up by the transport, each with its reason, for people */
    const std::vector<std::string>& GetFailures() const
    {
        return m_failures;
    }

  private:
    using Phase = WorkloadMessage::Phase;

    enum class TimerKind : uint8_t
    {
        STREAM, ///< its first task is over
        SLOWED, ///< the same of a process, whose computation may have been slowed down
        HANDED, ///< an operation was handed over for this time
        LOCAL   ///< a message between processes of one host is there
    };

    void Delivered(uint64_t id) override;
    void Acknowledged(uint64_t id) override;
    void Due(uint64_t timer) override;
    void Failed(uint64_t id, const std::string& reason) override;
    std::string DescribeTransfer(uint64_t id) const override;
    std::string DescribeTimer(uint64_t timer) const override;

    WorkloadStep StepOf(uint64_t timer) const;
    void CheckDurations() const;
    void HandOver(WorkloadStep step, int64_t ps);
    void Work();
    void Take(WorkloadStep step);
    void Queue(const WorkloadTask& task);
    void RunStream(uint32_t stream);
    void EndFirst(uint32_t stream);
    void SetSlowedTimer(uint32_t process, int64_t delayPs);
    int64_t DurationOf(const WorkloadTask& task) const;
    void EndTask(const WorkloadTask& task);
    void BeginMessage(WorkloadStep step);
    void Move(uint32_t message, Phase phase);
    void Moved(uint32_t message);
    void MeetReceive(uint32_t message);
    void Match(uint32_t message, uint32_t receive);
    void CompleteReceive(const WorkloadTask& task);
    void Complete(WorkloadStep step);
    void SetTimer(int64_t delayPs, TimerKind kind, uint64_t item);
    bool IsLarge(const WorkloadMessage& message) const;
    bool IsLocal(const WorkloadMessage& message) const;
    uint32_t HostOf(uint32_t process, uint8_t nic) const;

    WorkloadTransport& m_transport;
    std::unique_ptr<WorkloadExchangeMemory> m_memory; //!< null if nothing may be left out
    WorkloadMessageOptions m_options;
    const WorkloadJobs* m_jobs{nullptr};
    Listener* m_listener{nullptr};
    std::unique_ptr<WorkloadMatcher> m_matcher;
    std::unique_ptr<WorkloadMessageStreams> m_streams;
    std::unique_ptr<WorkloadMessageSlowdown> m_slowdown;
    std::vector<int64_t> m_finish; //!< of each process
    WorkloadMessageTable m_messages;
    std::vector<WorkloadStep> m_handed; //!< for later
    std::vector<uint32_t> m_freeHanded;
    std::deque<WorkloadStep> m_ready; //!< handed over, not looked at
    std::vector<std::string> m_failures;
    bool m_working{false};
};

} // namespace ns3

#endif // WORKLOAD_MESSAGE_NETWORK_H
