/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SEND_ROUNDS_H
#define RDMA_SEND_ROUNDS_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief Tells frames that carry the same packet of a flow apart (RdmaFrame::again), for draws of
 * what links lose.
 *
 * Such a draw goes by packet and round: a flow begins one each time that it goes back, of which
 * these know the place, and whether it was there last time. How many frames were sent before does
 * not matter: that differs by some after a loss if times differ by a little, and then all that is
 * drawn later would differ.
 */
class RdmaSendRounds
{
  public:
    /** \return the round in which packets from \p packet on, or some of them, are sent again: 1 to
     * 255, another one than before */
    uint8_t Begin(uint64_t packet);

    /** \return what the last Begin returned, 0 before the first */
    uint8_t Get() const
    {
        return m_round;
    }

  private:
    uint64_t m_from{UINT64_MAX};
    uint32_t m_times{0}; //!< in a row that one began there
    uint8_t m_round{0};
};

} // namespace ns3

#endif // RDMA_SEND_ROUNDS_H
