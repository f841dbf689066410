/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SELECTIVE_REPEAT_H
#define RDMA_SELECTIVE_REPEAT_H

#include "rdma-send-rounds.h"

#include <cstdint>
#include <deque>

namespace ns3
{

/** \ingroup rdma A set of packet numbers that begins ever later: IRN's bitmaps. */
class RdmaPacketBitmap
{
  public:
    bool Contains(uint64_t number) const
    {
        return number >= m_first && number - m_first < m_bits.size() && m_bits[number - m_first];
    }

    /** Adds \p number, unless it is below what DropBelow dropped. */
    void Add(uint64_t number);

    /** Forgets all numbers below \p number. */
    void DropBelow(uint64_t number);

    /** \return the first number from \p number on that is not in the set */
    uint64_t FirstMissing(uint64_t number) const;

    /** \return how many numbers are in the set */
    uint64_t GetCount() const
    {
        return m_count;
    }

  private:
    uint64_t m_first{0};
    std::deque<bool> m_bits; //!< from m_first on
    uint64_t m_count{0};     //!< of those that are set
};

/**
 * \ingroup rdma
 * \brief What the sender of a flow knows of its losses under selective repeat: IRN's loss recovery
 * (Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, section 3.1).
 *
 * Packets have numbers from 0. A NACK says which one is expected next (cumulative), and which one
 * came out of order (selective). A NACK or a time-out begins a recovery. In it, the packet that is
 * expected counts as lost, and any other if a later one has been acknowledged selectively; each is
 * sent again once. New packets follow when none is left. The recovery ends when all is acknowledged
 * that was sent before it.
 */
class RdmaLossRecovery
{
  public:
    /**
     * An acknowledgement of any kind.
     * \param expected the first packet that is not acknowledged, cumulatively
     */
    void Acknowledge(uint64_t expected);

    /**
     * Beyond Acknowledge for a NACK.
     * \param arrived packet that came out of order
     * \param sent packets sent so far, at least once
     * \param threshold NACKs without cumulative progress that begin a recovery, at least 1
     * \return whether more packets count as lost than before
     */
    bool TakeNack(uint64_t arrived, uint64_t sent, uint32_t threshold);

    /** The expected packet is taken for lost, whatever came; those sent again may be once more.
     * \param sent packets sent so far, at least once */
    void TimeOut(uint64_t sent);

    /** \return whether a packet waits to be sent again */
    bool HasLost() const
    {
        return m_recovering && m_next < m_lostEnd;
    }

    /** \return the packet to send again next, from now on sent; only if HasLost() */
    uint64_t TakeLost();

    /** \return RdmaFrame::again of what is sent again */
    uint8_t GetRound() const
    {
        return m_rounds.Get();
    }

    /** \return packets that have arrived out of order, and wait for one before them */
    uint64_t GetArrived() const
    {
        return m_arrived.GetCount();
    }

    /** \return whether a recovery is under way */
    bool IsRecovering() const
    {
        return m_recovering;
    }

  private:
    void Begin(uint64_t sent);

    RdmaPacketBitmap m_arrived; //!< acknowledged selectively
    RdmaSendRounds m_rounds;
    uint64_t m_expected{0};
    uint64_t m_next{0};         //!< all below were sent again, or need not be
    uint64_t m_lostEnd{0};      //!< no packet from here on counts as lost
    uint64_t m_recoverUntil{0}; //!< packets sent when the recovery began
    uint32_t m_nacks{0};        //!< since the last cumulative progress
    bool m_recovering{false};
};

/** \ingroup rdma Both ends of a flow under selective repeat. */
struct RdmaSelectiveRepeat
{
    RdmaLossRecovery sender;
    RdmaPacketBitmap arrived; ///< at the receiver, out of order
};

} // namespace ns3

#endif // RDMA_SELECTIVE_REPEAT_H
