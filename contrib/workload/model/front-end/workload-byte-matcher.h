/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_BYTE_MATCHER_H
#define WORKLOAD_BYTE_MATCHER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <unordered_map>
#include <vector>

namespace ns3
{

/** \ingroup workload What messages and receives must agree in. */
struct WorkloadMatchChannel
{
    uint32_t src{0}; ///< rank that sends
    uint32_t dst{0}; ///< rank that receives
    uint64_t tag{0};

    bool operator==(const WorkloadMatchChannel& o) const
    {
        return src == o.src && dst == o.dst && tag == o.tag;
    }
};

/**
 * \ingroup workload
 * \brief Gives bytes that have come to the receives that wait for them, as ASTRA-sim's networks do.
 *
 * Within a channel, receives are complete in the order in which they were posted, each once as many
 * bytes have come as it and all before it ask for. How the bytes were cut into messages does not
 * matter, nor whether they came before the receive was posted. O(1) on average per call and per
 * receive that is complete; memory for what is left over alone.
 */
class WorkloadByteMatcher
{
  public:
    /** A receive that waits. */
    struct Waiting
    {
        WorkloadMatchChannel channel;
        uint64_t receive{0}; ///< as given to Post
        uint64_t bytes{0};   ///< that it asks for
        uint64_t come{0};    ///< of them that have come
    };

    /** Bytes that have come, and no receive has asked for. */
    struct Surplus
    {
        WorkloadMatchChannel channel;
        uint64_t bytes{0};
    };

    /**
     * \param channel that the receive is posted in
     * \param bytes that it asks for
     * \param receive its number, as Waiting and the results have it
     * \return receives that are complete: this one, or none
     */
    std::vector<uint64_t> Post(const WorkloadMatchChannel& channel,
                               uint64_t bytes,
                               uint64_t receive);

    /**
     * \param channel that bytes have come in
     * \param bytes how many; all that no receive has taken must be below 2^64
     * \return receives that are complete now, in the order in which they were posted
     */
    std::vector<uint64_t> Arrive(const WorkloadMatchChannel& channel, uint64_t bytes);

    /** \return bytes of the channel that have come, and are not those of a receive that is complete
     */
    uint64_t GetLeft(const WorkloadMatchChannel& channel) const;

    /** \return receives that wait, by receiving rank, then in the order of their numbers */
    std::vector<Waiting> ListWaiting() const;

    /** \return what is left where no receive waits, by receiving rank, sending rank and tag */
    std::vector<Surplus> ListSurplus() const;

  private:
    struct Hash
    {
        size_t operator()(const WorkloadMatchChannel& channel) const;
    };

    struct Receive
    {
        uint64_t number{0};
        uint64_t bytes{0};
    };

    struct Queue
    {
        uint64_t left{0};           //!< bytes that have come, and no complete receive has taken
        std::list<Receive> waiting; //!< most queues hold one, for a short time
    };

    std::vector<uint64_t> Take(const WorkloadMatchChannel& channel, Queue& queue);

    std::unordered_map<WorkloadMatchChannel, Queue, Hash> m_queues; //!< those with anything in them
};

} // namespace ns3

#endif // WORKLOAD_BYTE_MATCHER_H
