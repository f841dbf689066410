/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_ROUND_H
#define RDMA_ROUND_H

#include "rdma-control-state.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief The round trip that a congestion control is in, as HPCC's public simulator counts them.
 *
 * A round reaches up to what had been sent when it began; an acknowledgement beyond that begins the
 * next one. The first acknowledgement begins the first.
 */
class RdmaRound
{
  public:
    /** \return whether the first round has begun */
    bool HasBegun() const
    {
        return m_end != m_start;
    }

    /** \return whether the byte \p seq lies beyond this round; before the first round, beyond the
     * flow's first byte */
    bool IsBeyond(uint64_t seq) const
    {
        return static_cast<int64_t>(seq) > m_end;
    }

    /** A round begins. \param sndNxt the next byte to send */
    void Begin(uint64_t sndNxt)
    {
        m_end = static_cast<int64_t>(sndNxt);
    }

    /** \return bytes of the flow before \p seq; only before the first round */
    uint64_t GetBytesBefore(uint64_t seq) const
    {
        return seq - static_cast<uint64_t>(m_start);
    }

    /** For RdmaStateWriter::Part. */
    void Save(RdmaStateWriter& writer) const
    {
        writer.Value(HasBegun());
        writer.Sequence(m_end);
    }

    /** For RdmaStateReader::Part. */
    void Load(RdmaStateReader& reader)
    {
        bool begun;
        reader.Value(begun);
        reader.Sequence(m_end);
        m_start = begun ? INT64_MIN : m_end;
    }

  private:
    int64_t m_start{0}; //!< where sequence numbers start; no number once that does not matter
    int64_t m_end{0};   //!< snd_nxt when the round began; m_start before the first
};

} // namespace ns3

#endif // RDMA_ROUND_H
