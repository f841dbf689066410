/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_RUNNER_H
#define WORKLOAD_CHAKRA_RUNNER_H

#include "workload-chakra-plan.h"
#include "workload-chakra-streams.h"

#include "ns3/workload-astra-layout.h"
#include "ns3/workload-astra-system.h"
#include "ns3/workload-byte-matcher.h"
#include "ns3/workload-chakra-trace.h"
#include "ns3/workload-observer.h"
#include "ns3/workload-post.h"
#include "ns3/workload-transport.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup workload How a Chakra trace is carried out. */
struct WorkloadChakraOptions
{
    WorkloadAstraSystem system;
    WorkloadAstraGroups groups; ///< communicators; those of the trace's metadata come on top

    /** Of the logical topology: ranks per dimension; empty: one dimension of all ranks. */
    std::vector<uint32_t> dims;

    std::vector<uint32_t> nodes; ///< host of each rank; empty: rank r on host r

    /** Whether a message counts as received only when its sender has the last acknowledgement, as
     * ASTRA-sim's ns-3 back end has it. */
    bool receiveAtAcknowledgement{false};

    /** Number of a disturbance (DrawWorkloadDisturbance): each computation of one rank takes
     * longer, or, without any, one rank begins later. 0 for none. */
    uint64_t disturbance{0};
};

/**
 * \ingroup workload
 * \brief Carries out a Chakra trace on a network as ASTRA-sim does.
 *
 * A node starts when all that it depends on has ended and its resource is free: of each rank, one
 * CPU operation, one GPU computation and one communication (collective or send) are under way at
 * once, and any number of receives. Of several nodes that could start, the one with the lowest id
 * does.
 */
class WorkloadChakraRunner
{
  public:
    /**
     * \param trace, \param transport, \param observer must outlive the runner; observer may be null
     * \param options how
     * \throws InputError if the trace, the options and the transport do not fit together
     */
    WorkloadChakraRunner(const WorkloadChakraTrace& trace,
                         const WorkloadChakraOptions& options,
                         WorkloadTransport& transport,
                         WorkloadObserver* observer = nullptr);

    WorkloadChakraRunner(const WorkloadChakraRunner&) = delete;
    WorkloadChakraRunner& operator=(const WorkloadChakraRunner&) = delete;

    /** Runs until all is done or nothing goes on. \return whether all nodes have completed
     * \throws InputError if ranks disagree on a collective, or the network gives up a message */
    bool Run();

    /** \return nodes that have completed, of all ranks */
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    /** \return nodes of all ranks */
    uint64_t GetTotal() const
    {
        return m_total;
    }

    /** \return when the rank's last node ended so far, ps */
    int64_t GetFinish(uint32_t rank) const
    {
        return m_ranks[rank].finishPs;
    }

    /** \return time that the rank's GPU has computed, ps */
    int64_t GetComputation(uint32_t rank) const
    {
        return m_ranks[rank].computedPs;
    }

    /** \return exposed communication as ASTRA-sim reports it, ps: when the rank finished, less its
     * GPU's computations */
    int64_t GetExposed(uint32_t rank) const
    {
        return m_ranks[rank].finishPs - m_ranks[rank].computedPs;
    }

    /** \return what looks wrong with messages of the trace, a line each, but not more than a few:
     * bytes of a source, destination and tag that are sent and not received, or received and not
     * sent; ranks that send to themselves */
    std::vector<std::string> GetWarnings() const;

    /** \return what WorkloadChakraOptions::disturbance has moved, for people; empty without one */
    std::string GetDisturbed() const;

    /** \return who waits for whom, at most \p max lines; none if all is done */
    std::vector<std::string> ExplainStall(size_t max) const;

    /** \return names of the spans' categories */
    static const std::vector<std::string>& GetCategories();

  private:
    /** What a node needs; at most one is under way in each but the last. */
    enum Resource : uint8_t
    {
        CPU,
        COMPUTE,
        COMMUNICATION,
        RECEIVE,
        RESOURCES
    };

    /** Where a node is. */
    struct State
    {
        uint32_t missing{0}; //!< nodes that it waits for
        bool begun{false};
        bool ended{false};
        uint32_t communicator{0};
        uint32_t message{UINT32_MAX}; //!< of a send
        int64_t beganPs{0};
    };

    struct Rank
    {
        std::vector<State> states;           //!< by node
        std::vector<uint32_t> firstWaiter;   //!< by node, and one more: index into waiters
        std::vector<uint32_t> waiters;       //!< nodes that wait for it
        std::set<uint32_t> ready[RESOURCES]; //!< nodes that may begin
        bool busy[RESOURCES]{};
        bool issuing{false};
        size_t left{0}; //!< nodes that have not ended
        int64_t finishPs{0};
        int64_t computedPs{0};
    };

    /** What happens later. */
    struct Disturbed
    {
        uint32_t rank{0};
        bool start{false}; //!< the start of the rank, instead of each computation's end
        int64_t ns{0};     //!< 0: nothing does
    };

    static Resource ResourceOf(const WorkloadChakraNode& node);
    void Disturb();
    bool IsComputation(const WorkloadChakraNode& node) const;
    void LinkNodes(uint32_t rank);
    void AddCommunicators(uint32_t rank, const WorkloadAstraGroups& groups);
    uint32_t FindCommunicator(uint32_t rank,
                              const WorkloadChakraNode& node,
                              const WorkloadAstraGroups& groups);
    const WorkloadChakraNode& Node(uint32_t rank, uint32_t node) const;

    void Issue(uint32_t rank);
    void Begin(uint32_t rank, uint32_t node);
    void BeginSend(uint32_t rank, uint32_t node);
    void BeginReceive(uint32_t rank, uint32_t node);
    void BeginCollective(uint32_t rank, uint32_t node);
    void Replay(uint32_t rank, uint32_t node);
    void EndAfter(uint32_t rank, uint32_t node, int64_t ns);
    void End(uint32_t rank, uint32_t node);
    void Deliver(uint32_t rank, uint32_t send);
    void Report(uint32_t rank, uint32_t node) const;
    std::string ExplainNode(uint32_t rank, uint32_t node) const;
    int64_t RooflineNs(const WorkloadChakraNode& node) const;

    const WorkloadChakraTrace& m_trace;
    WorkloadChakraOptions m_options;
    WorkloadTransport& m_transport;
    WorkloadObserver* m_observer;
    WorkloadChakraPlanner m_planner;
    std::vector<WorkloadChakraCommunicator> m_communicators; //!< the first: all ranks
    std::map<std::pair<std::string, std::vector<uint32_t>>, uint32_t> m_communicatorOf;
    std::vector<Rank> m_ranks;
    WorkloadByteMatcher m_matcher; //!< of sends and receives, which are nodes
    std::unique_ptr<WorkloadPost> m_post;
    std::unique_ptr<WorkloadChakraStreams> m_streams;
    Disturbed m_disturbed;
    uint64_t m_total{0};
    uint64_t m_completed{0};
};

} // namespace ns3

#endif // WORKLOAD_CHAKRA_RUNNER_H
