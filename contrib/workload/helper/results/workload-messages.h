/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_MESSAGES_H
#define WORKLOAD_MESSAGES_H

#include "ns3/workload-schedule.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload Sends and receives of one destination, source and tag; source and tag may be
 * WORKLOAD_ANY. */
struct WorkloadChannel
{
    uint32_t destination{0};
    uint32_t source{0};
    uint32_t tag{0};
    uint32_t first{0}; ///< of its sends in WorkloadMessages::GetMembers(); its receives follow
    uint32_t sends{0};
    uint32_t receives{0};
};

/**
 * \ingroup workload
 * \brief The messages of a schedule by destination, source and tag.
 *
 * Operations are numbered through, rank by rank.
 */
class WorkloadMessages
{
  public:
    /** No channel, for a computation. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * O(operations log operations); 8 bytes per operation.
     * \param schedule with peers in range; must outlive this
     * \throws InputError for more than 2^32 - 2 operations
     */
    explicit WorkloadMessages(const WorkloadSchedule& schedule);

    /** \return the number of a rank's first operation */
    uint32_t GetFirst(uint32_t rank) const
    {
        return m_first[rank];
    }

    /** \return operations in all */
    uint32_t GetCount() const
    {
        return m_first.back();
    }

    /** \return the rank of an operation. O(log ranks) */
    uint32_t RankOf(uint32_t number) const;

    /** \return an operation. O(log ranks) */
    const WorkloadOperation& Get(uint32_t number) const;

    /** \return all channels, by destination, source and tag */
    const std::vector<WorkloadChannel>& GetChannels() const
    {
        return m_channels;
    }

    /** \return index of the first channel of a destination; that of the next one is its end */
    uint32_t GetFirstChannel(uint32_t destination) const
    {
        return m_firstChannel[destination];
    }

    /** \return numbers of operations, channel by channel, each kind in the order of the text */
    const std::vector<uint32_t>& GetMembers() const
    {
        return m_members;
    }

    /** \return the channel of an operation, or NONE */
    uint32_t ChannelOf(uint32_t number) const
    {
        return m_channelOf[number];
    }

    /** \return whether some message or receive of the destination fits more than one channel */
    bool HasAny(uint32_t destination) const
    {
        return m_any[destination];
    }

    /** \return whether a message of one channel fits a receive of another, of one destination */
    static bool Fits(const WorkloadChannel& send, const WorkloadChannel& receive)
    {
        return (receive.source == WORKLOAD_ANY || receive.source == send.source) &&
               (receive.tag == WORKLOAD_ANY || send.tag == WORKLOAD_ANY || receive.tag == send.tag);
    }

  private:
    struct Entry;
    struct Sends;

    /** Sets the number of the first operation of each rank, and the count of all. */
    void NumberOperations();
    Sends SortSends() const;

    /** Makes the channels of the next destination. */
    void AddChannels(uint32_t destination, std::vector<Entry>& entries);

    const WorkloadSchedule& m_schedule;
    std::vector<uint32_t> m_first;
    std::vector<WorkloadChannel> m_channels;
    std::vector<uint32_t> m_firstChannel;
    std::vector<uint32_t> m_members;
    std::vector<uint32_t> m_channelOf;
    std::vector<bool> m_any;
};

} // namespace ns3

#endif // WORKLOAD_MESSAGES_H
