/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_MEMBER_H
#define WORKLOAD_COLLECTIVE_MEMBER_H

#include "workload-collective-layout.h"
#include "workload-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload What all members of a collective share while it is added to a schedule. */
struct WorkloadCollectiveJob
{
    /** \return how the vector is divided */
    WorkloadCollectiveLayout Layout(WorkloadParts parts) const;

    /** Reserves \p perPair tags: no two members exchange more messages than that in one direction.
     * Of one member's part, they are counted only, since whoever adds the parts reserves them.
     * \throws InputError if there are too many for the \p senders together */
    void ReserveTags(uint64_t perPair, uint64_t senders);

    /** Calls \p add for the index of each member that is to be added. */
    template <typename Function>
    void ForEachMember(Function add) const
    {
        const auto count = static_cast<uint32_t>(members.size());
        for (uint32_t index = only == WORKLOAD_NONE ? 0 : only;
             index < (only == WORKLOAD_NONE ? count : only + 1);
             ++index)
        {
            add(index);
        }
    }

    WorkloadScheduleBuilder& builder;
    const std::vector<uint32_t>& members; ///< ranks
    const WorkloadCollective& collective; ///< without AUTO
    const WorkloadChunking& chunking;
    WorkloadCollectiveTrace* trace;
    bool costOnly{false};         ///< no messages at all: one server, and NVLink is not the network
    uint32_t firstTag{0};         ///< of those reserved
    uint64_t tags{0};             ///< how many
    uint32_t only{WORKLOAD_NONE}; ///< index of the only member to add; NONE for all
    std::vector<uint32_t> after{}; ///< per member, or empty
    WorkloadCollectiveEnds ends{}; ///< filled in by the members
};

/**
 * \ingroup workload
 * \brief The messages between two members in one direction, in their order: keeps how many may be
 * under way.
 */
class WorkloadCollectiveLink
{
  public:
    /**
     * \param peer index of the other member
     * \param depth message i waits for the completion of message i - depth; 0: for none
     */
    WorkloadCollectiveLink(uint32_t peer, uint32_t depth)
        : m_peer(peer),
          m_depth(depth)
    {
    }

    uint32_t GetPeer() const
    {
        return m_peer;
    }

    /** \return the operation that the next message waits for, or WORKLOAD_NONE */
    uint32_t Oldest() const
    {
        return m_depth != 0 && m_recent.size() == m_depth ? m_recent[m_next] : WORKLOAD_NONE;
    }

    /** \param operation of the next message */
    void Add(uint32_t operation);

  private:
    uint32_t m_peer;
    uint32_t m_depth;
    uint32_t m_next{0};             //!< index of the oldest, once there are m_depth
    std::vector<uint32_t> m_recent; //!< operations, m_depth at most
};

/**
 * \ingroup workload
 * \brief One member's side of a collective: adds its operations, from the begin to the end.
 *
 * A message is a send and a receive; by NVLink that is no network, computations in their place.
 */
class WorkloadCollectiveMember
{
  public:
    /** Adds the begin. \param index of the member */
    WorkloadCollectiveMember(WorkloadCollectiveJob& job, uint32_t index);

    /** \return the operation that completes when the member takes part */
    uint32_t Begin() const
    {
        return m_begin;
    }

    /** \return a link whose messages keep to the window if there is one; else \p depth limits how
     * many are posted ahead, 0 for all */
    WorkloadCollectiveLink Link(uint32_t peer, uint32_t depth = 0) const;

    /**
     * Sends \p range, not empty.
     * \param tag number of the message on its way between the two, below what was reserved
     * \param ready the data is there when this completes
     * \return the first operation, for further Require()
     */
    uint32_t Send(WorkloadCollectiveLink& link, WorkloadRange range, uint64_t tag, uint32_t ready);

    /** Receives \p range, not empty. \return the operation that completes when it is in place */
    uint32_t Receive(WorkloadCollectiveLink& link, WorkloadRange range, uint64_t tag, bool reduces);

    /** \p operation waits for \p before. */
    void Require(uint32_t operation, uint32_t before);

    /** The end waits for \p operation. */
    void Finish(uint32_t operation);

    /** Adds the end, which waits for all that was sent and for what Finish() was told. */
    void End();

  private:
    /** Adds the computation of half a transfer by NVLink. \param wire bytes */
    uint32_t AddHalfTransfer(uint64_t wire, bool second);

    /** \return whether messages to \p peer go by NVLink that is no network */
    bool IsOffNetwork(uint32_t peer) const;

    WorkloadCollectiveJob& m_job;
    uint32_t m_index;
    uint32_t m_rank;
    uint32_t m_begin;
    std::vector<uint32_t> m_finish; //!< what the end waits for
};

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_MEMBER_H
