/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_CHAKRA_STREAMS_H
#define WORKLOAD_CHAKRA_STREAMS_H

#include "workload-chakra-plan.h"

#include "ns3/workload-post.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup workload A communicator's ranks. */
struct WorkloadChakraCommunicator
{
    std::string name;            ///< for messages
    std::vector<uint32_t> ranks; ///< empty for all ranks
    uint32_t size{0};
};

/**
 * \ingroup workload
 * \brief Runs collectives: per rank and chunk a stream that goes through the phases of the plan,
 * while each dimension of a rank lets only so many streams run at once. They go through it in the
 * order of their chunks on every rank, so that ranks never wait for each other in a circle.
 *
 * The n-th collective that a rank begins in a communicator meets the n-th of the others.
 */
class WorkloadChakraStreams
{
  public:
    /** \param rank whose collective has ended; \param operation as given to Begin */
    using Ended = std::function<void(uint32_t rank, uint32_t operation)>;

    /** A rank's part of a collective. */
    struct Collective
    {
        uint32_t rank;
        uint32_t operation;    ///< handed back
        uint32_t communicator; ///< index
        WorkloadChakraCollective kind;
        uint64_t bytes;
        uint32_t label; ///< of its transfers
    };

    /** \param post, \param system must outlive this; \param communicators likewise, of all ranks */
    WorkloadChakraStreams(WorkloadPost& post,
                          const WorkloadAstraSystem& system,
                          uint32_t ranks,
                          uint32_t dimensions,
                          const std::vector<WorkloadChakraCommunicator>& communicators,
                          Ended ended);

    /** Begins a rank's part. \param plan of it */
    void Begin(const Collective& collective, const WorkloadChakraPlan& plan);

    /** \return why a rank's part has not ended, for people */
    std::string Explain(uint32_t rank, uint32_t operation) const;

  private:
    // Steps of a tree: 0 and 1 are messages of the children.
    static constexpr uint64_t FROM_PARENT = 2; //!< a message of the parent
    static constexpr uint64_t LEAF_START = 3;

    /** A step's message that came before its receiver was there. */
    struct Early
    {
        uint32_t phase;
        uint64_t step;
    };

    /** One rank's part in one chunk. */
    struct Stream
    {
        uint32_t part{0}; //!< index into m_parts
        uint32_t chunk{0};
        uint32_t phase{0};  //!< current or next one
        bool active{false}; //!< the phase has begun
        uint32_t tokens{0};
        uint64_t sent{0};         //!< steps begun
        uint64_t received{0};     //!< steps whose message is there, of those begun
        uint64_t arrived{0};      //!< messages that are there
        std::vector<bool> here;   //!< by step, whether its message is there (not for rings)
        std::vector<Early> early; //!< for later phases
    };

    /** A rank's collective. */
    struct Part
    {
        Collective collective{};
        uint32_t meeting{0};
        uint64_t order{0}; //!< of this rank's collectives
        std::vector<WorkloadChakraPhase> phases;
        std::vector<uint32_t> admitted; //!< by phase: chunks that have begun it
        uint64_t left{0};               //!< streams that have not ended
        std::vector<uint32_t> streams;  //!< by chunk
    };

    /** A collective of all its members. */
    struct Meeting
    {
        uint64_t number{0};          //!< of the communicator's, from 0
        Collective first{};          //!< that of the member that came first
        std::vector<uint32_t> parts; //!< by member
        uint32_t present{0};
        uint32_t left{0}; //!< members that have not ended
        std::map<std::pair<uint32_t, uint64_t>, std::vector<Early>> early; //!< by member and chunk
    };

    /** A message under way. */
    struct Letter
    {
        uint32_t meeting;
        uint32_t member; //!< that receives it
        uint32_t chunk;
        uint32_t phase;
        uint64_t step;
    };

    /** Streams of one rank and dimension. */
    struct Queue
    {
        std::set<std::tuple<uint64_t, uint32_t, uint32_t>> waiting; //!< order, chunk, stream
        uint32_t running{0};
    };

    bool Meet(const Collective& collective, uint32_t part);
    uint32_t MemberOf(uint32_t communicator, uint32_t rank) const;
    uint32_t RankOf(uint32_t communicator, uint32_t member) const;
    const WorkloadChakraPhase& PhaseOf(const Stream& stream) const;
    WorkloadPost::Owner OwnerOf(uint32_t s) const;
    Queue& QueueOf(const Stream& stream);

    void Enter(uint32_t stream);
    void StartWaiting(Queue& queue);
    void StartPhase(uint32_t stream);
    void EndPhase(uint32_t stream);
    void EndStream(uint32_t stream);

    // What a stream does in a phase: workload-chakra-steps.cc.
    void Send(uint32_t stream, uint32_t to, uint64_t step, uint64_t bytes);
    void Arrive(uint32_t letter);
    void Take(uint32_t stream, uint64_t step);
    void Advance(uint32_t stream, uint32_t tokens);
    void Receive(uint32_t stream, uint64_t step);
    void TakeTree(uint32_t stream, uint64_t step);
    void AdvanceTree(uint32_t stream, uint64_t step);
    WorkloadChakraTreePlace PlaceOf(const Stream& stream) const;
    int64_t ReductionNs(uint64_t bytes) const;

    WorkloadPost& m_post;
    const WorkloadAstraSystem& m_system;
    uint32_t m_dimensions;
    const std::vector<WorkloadChakraCommunicator>& m_communicators;
    Ended m_ended;
    std::vector<std::map<uint32_t, uint32_t>> m_members; //!< by communicator: member of a rank
    std::vector<std::vector<uint64_t>> m_counts; //!< by communicator and member: collectives begun
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> m_open; //!< meetings some have not come to
    uint64_t m_begun{0};                                      //!< collectives of all ranks
    std::vector<Queue> m_queues;                              //!< by rank and dimension

    // Places of what has ended are used again. What grows must stay where it is.
    std::deque<Stream> m_streams;
    std::deque<Part> m_parts;
    std::deque<Meeting> m_meetings;
    std::deque<Letter> m_letters;
    std::vector<uint32_t> m_freeStreams;
    std::vector<uint32_t> m_freeParts;
    std::vector<uint32_t> m_freeMeetings;
    std::vector<uint32_t> m_freeLetters;
};

} // namespace ns3

#endif // WORKLOAD_CHAKRA_STREAMS_H
