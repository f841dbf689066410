/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_COLLECTIVE_LAYOUT_H
#define WORKLOAD_COLLECTIVE_LAYOUT_H

#include "workload-collective-protocol.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup workload Bytes of a vector. */
struct WorkloadRange
{
    uint64_t begin{0};
    uint64_t end{0}; ///< after the last

    uint64_t Length() const
    {
        return end - begin;
    }
};

/**
 * \ingroup workload
 *
 * Cuts a range evenly: the first parts may have one element more than the others, and the last
 * one takes what is less than an element.
 * \param range to cut; it begins at a whole element
 * \param index of the part, below \p count
 * \param count of parts
 * \param elementBytes parts are whole elements
 * \return the part
 */
WorkloadRange CutWorkloadRange(WorkloadRange range,
                               uint64_t index,
                               uint64_t count,
                               uint32_t elementBytes);

/** \ingroup workload Which bytes are a member's part. */
enum class WorkloadParts : uint8_t
{
    SPLIT, ///< each channel's round is divided among the members (all-reduce)
    OWNED, ///< the vector is divided among the members, then each part among the channels
    WHOLE  ///< everything is everybody's: one part
};

/**
 * \ingroup workload
 * \brief Which bytes each message carries: the vector is divided among channels, a channel's data
 * into rounds, a round into parts, a part into slices.
 *
 * Each byte is in exactly one slice. Every query takes constant time.
 */
class WorkloadCollectiveLayout
{
  public:
    /**
     * \param bytes of the vector
     * \param members how many
     * \param parts what belongs to whom
     * \param channels at most; fewer if NCCL's alignment leaves nothing for the last ones
     * \param elementBytes parts are whole elements
     * \param chunking sizes
     */
    WorkloadCollectiveLayout(uint64_t bytes,
                             uint32_t members,
                             WorkloadParts parts,
                             uint32_t channels,
                             uint32_t elementBytes,
                             const WorkloadChunking& chunking);

    uint32_t GetChannels() const
    {
        return m_channels;
    }

    /** \return rounds of a channel: each moves a chunk of each part */
    uint64_t GetRounds(uint32_t channel) const
    {
        return m_firstRound[channel + 1] - m_firstRound[channel];
    }

    /** \return rounds of the channels before \p channel; with the number of channels, of all */
    uint64_t GetFirstRound(uint32_t channel) const
    {
        return m_firstRound[channel];
    }

    /** \return most slices of a part */
    uint32_t GetSlices() const
    {
        return m_chunking.slices;
    }

    /** \return the bytes of a part in a round; \p part is 0 if there is but one */
    WorkloadRange Part(uint32_t channel, uint64_t round, uint32_t part) const;

    /** \return a slice of a part; empty if the part has fewer */
    WorkloadRange Slice(WorkloadRange part, uint32_t slice) const;

  private:
    /** \return a channel's bytes, of those of \p part */
    WorkloadRange Channel(uint32_t channel, uint32_t part) const;

    /** \return rounds that a channel needs */
    uint64_t CountRounds(uint32_t channel) const;

    uint64_t m_bytes;
    uint32_t m_members;
    WorkloadParts m_parts;
    uint32_t m_channels;
    uint32_t m_elementBytes;
    WorkloadChunking m_chunking;
    uint64_t m_perChannel{0}; //!< bytes, with NCCL's alignment; 0: cut evenly
    std::vector<uint64_t> m_firstRound;
};

} // namespace ns3

#endif // WORKLOAD_COLLECTIVE_LAYOUT_H
