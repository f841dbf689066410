/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_FRONT_END_H
#define WORKLOAD_FRONT_END_H

#include "ns3/workload-byte-matcher.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-post.h"
#include "ns3/workload-step-memory.h"
#include "ns3/workload-transport.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload When an end of a message is told of it. */
enum class WorkloadReceipt : uint8_t
{
    DELIVERED,   ///< when the receiver has all bytes
    ACKNOWLEDGED ///< when the sender has the last acknowledgement, a way back later
};

/** \ingroup workload How a front end uses a network. */
struct WorkloadFrontEndOptions
{
    uint32_t ranks{0};
    std::vector<uint32_t> hosts; ///< end point of each rank; empty: rank r at end point r
    WorkloadReceipt receipt{WorkloadReceipt::DELIVERED};  ///< of receivers; the ns-3 back ends of
                                                          ///< ASTRA-sim and SimAI: ACKNOWLEDGED
    std::function<std::string(uint64_t tag)> describeTag; ///< for people; empty: "tag 7"
    WorkloadReceipt sent{WorkloadReceipt::ACKNOWLEDGED};  ///< of senders; SimAI: DELIVERED

    /** Whether a message begins after what else is due at its time, as with an application of ns-3
     * that is started for it (ASTRA-sim): a port that becomes free then chooses without it. */
    bool beginLast{false};

    /** Time that passes at least between what causes a message and its start, ns: that of every
     * SendAfter(). Fast-forward then leaves out messages that go as others did before
     * (WorkloadStepMemory); 0: it does not. */
    int64_t leastLatencyNs{0};
};

/**
 * \ingroup workload
 * \brief The network as another simulator sees it: post a send, post a receive, and be called back;
 * the time; call me later; this rank is done.
 *
 * That simulator, the front end, decides what ranks send and when: ASTRA-sim and SimAI are two. It
 * posts the first operations before Run(), or from a Schedule() of 0 ns; all others come from the
 * actions that it is called back with. Actions run one at a time, on the thread of Run().
 *
 * Sends and receives meet by channel (source, destination, tag) and by bytes: see
 * WorkloadByteMatcher. An empty message or receive counts as one byte. A message between ranks at
 * the same end point arrives at once.
 *
 * Mistakes of the front end's input (a rank that does not exist) and messages that the network
 * gives up end the run: no action is called any more, and Run() throws. So actions themselves must
 * not throw; they call Fail().
 */
class WorkloadFrontEnd
{
  public:
    using Action = WorkloadPost::Action;

    /** Categories of what the observer is told. */
    enum Category : uint32_t
    {
        SEND,
        RECEIVE
    };

    /**
     * \param transport moves the bytes; its client from now on; must outlive this
     * \param options ranks and rule
     * \param observer told of each send and receive when it is over; null for none; must outlive
     * this
     * \throws InputError if the network has too few end points
     */
    WorkloadFrontEnd(WorkloadTransport& transport,
                     const WorkloadFrontEndOptions& options,
                     WorkloadObserver* observer = nullptr);

    WorkloadFrontEnd(const WorkloadFrontEnd&) = delete;
    WorkloadFrontEnd& operator=(const WorkloadFrontEnd&) = delete;

    /** Sends a message now. \param sent called when the sender is told; may be empty. It comes
     * before a receive's that the same message completes at the same time. */
    void Send(const WorkloadMatchChannel& channel, uint64_t bytes, Action sent = {});

    /** Sends a message in \p ns nanoseconds, at least WorkloadFrontEndOptions::leastLatencyNs.
     * Until then it is scheduled, and not under way. */
    void SendAfter(const WorkloadMatchChannel& channel,
                   uint64_t bytes,
                   int64_t ns,
                   Action sent = {});

    /** Sends a message that was to be sent at \p ps, which is past, as if it had been: where
     * nothing that has happened since could have met it. \return whether that is so; if not, it is
     * sent now */
    bool SendLate(const WorkloadMatchChannel& channel, uint64_t bytes, int64_t ps);

    /** \return within the action of a receive: when its last bytes came, ps; before now if these
     * come of what was sent late */
    int64_t GetToldPs() const
    {
        return m_toldPs;
    }

    /** Asks for bytes. \param received called once they have come, never within this call: at the
     * same time, but after it, if they have already; may be empty */
    void Receive(const WorkloadMatchChannel& channel, uint64_t bytes, Action received);

    /** Calls an action later; those of one instant in the order of the calls. \param rank that the
     * time belongs to, for errors \param ns from now, at least 0 */
    void Schedule(uint32_t rank, int64_t ns, Action action);

    /** The rank has done all it had to do. When all have, and no message is under way, the run
     * ends, whatever is scheduled. */
    void Finish(uint32_t rank)
    {
        Finish(rank, NowPs());
    }

    /** The same, at \p ps, which may be past. */
    void Finish(uint32_t rank, int64_t ps);

    /** Ends the run with an error; the first reason stays. */
    void Fail(const std::string& reason);

    /** Ends the run as it is: no action is called any more, and Run() returns what is true. */
    void Stop();

    /** \return the time, ps */
    int64_t NowPs() const
    {
        return m_post.Now();
    }

    /** Runs until all ranks have finished, nothing goes on, or the transport was stopped. \return
     * whether all ranks have finished \throws InputError as Fail() was told, or if the network gave
     * up a message */
    bool Run();

    /** \return ranks */
    uint32_t GetRankCount() const
    {
        return static_cast<uint32_t>(m_lastPs.size());
    }

    /** \return when the rank finished, ps; until then the time of its last send or receive that is
     * over */
    int64_t GetFinishPs(uint32_t rank) const
    {
        return m_lastPs[rank];
    }

    /** \return sends and receives that are over */
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    /** \return sends and receives so far, and the ends of ranks that have not finished */
    uint64_t GetTotal() const
    {
        return m_posted + m_unfinished;
    }

    /** \return for each rank that has not finished what it waits for, then bytes that nobody asked
     * for; at most \p max lines */
    std::vector<std::string> ExplainStall(size_t max) const;

    /** \return names of the categories */
    static const std::vector<std::string>& GetCategories();

  private:
    /** Owner of a time, instead of a send or a receive. */
    static constexpr uint32_t NO_ITEM = UINT32_MAX;

    /** A send or a receive that is not over. */
    struct Pending
    {
        WorkloadMatchChannel channel;
        uint64_t bytes{0};
        int64_t beganPs{0};
        Action action;
        uint32_t message{0};   //!< of a send that is transferred: its number
        bool delivered{false}; //!< of a send
        bool repeated{false};  //!< of a send: it goes as one did before
        int64_t arrivedPs{0};  //!< of a receive
    };

    using Pendings = std::unordered_map<uint32_t, Pending>; //!< by item, which counts the calls

    bool IsOver() const
    {
        return m_over || !m_post.GetFailure().empty() || !m_post.GetLoss().empty();
    }

    bool Check(const WorkloadMatchChannel& channel, const char* verb, uint64_t bytes);
    uint32_t TakeItem();
    void Start(uint32_t send, const WorkloadMatchChannel& channel, uint64_t bytes, Action sent);
    void Begin(uint32_t send);
    void Delivered(uint32_t send);
    void Acknowledged(uint32_t send);
    void Arrive(const Pending& send);
    void Received(uint32_t receive);
    void ReceivedSoon(uint32_t receive);
    void End(Pending& pending, uint32_t rank, Category category);
    void StopIfFinished();
    static std::string RankText(uint32_t rank);
    std::string TagText(const WorkloadMatchChannel& channel) const;
    std::string DescribeOwner(const WorkloadPost::Owner& owner) const;
    std::string ExplainRank(uint32_t rank,
                            const std::vector<WorkloadByteMatcher::Waiting>& receives,
                            const std::vector<uint32_t>& sends) const;

    WorkloadTransport& m_transport;
    WorkloadObserver* m_observer;
    WorkloadFrontEndOptions m_options;
    std::vector<uint32_t> m_hosts;
    WorkloadPost m_post;
    WorkloadByteMatcher m_matcher;
    std::unique_ptr<WorkloadStepMemory> m_memory; //!< null: everything is simulated
    Pendings m_sends;
    Pendings m_receives;
    uint32_t m_items{0}; //!< numbers sends and receives
    uint64_t m_soon{0};  //!< receives that are complete, and about to be called back
    uint64_t m_posted{0};
    uint64_t m_completed{0};
    uint32_t m_unfinished;
    int64_t m_toldPs{0};           //!< as GetToldPs()
    bool m_over{false};            //!< nothing is called any more
    std::vector<bool> m_finished;  //!< by rank
    std::vector<int64_t> m_lastPs; //!< by rank
};

} // namespace ns3

#endif // WORKLOAD_FRONT_END_H
