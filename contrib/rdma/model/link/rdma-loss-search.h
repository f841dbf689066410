/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_LOSS_SEARCH_H
#define RDMA_LOSS_SEARCH_H

#include "ns3/rdma-frame.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RdmaPort;

/**
 * \ingroup rdma
 * \brief Foretells which frames of a flow links will lose at random.
 *
 * Whether a port loses a frame depends on seed, port, flow and what the frame carries alone
 * (RdmaLossNumber), so it can be told without simulating the frame. A draw takes some 3 ns. What
 * was searched is remembered: no draw is made twice as long as searches go forward.
 */
class RdmaLossSearch
{
  public:
    /** Finds nothing. */
    RdmaLossSearch() = default;

    /**
     * \param drawId of the flow (RdmaQueuePair::GetDrawId)
     * \param route egress ports that its frames cross; they outlive it
     * \param kind of these frames
     */
    RdmaLossSearch(uint64_t drawId, const std::vector<RdmaPort*>& route, RdmaFrameKind kind);

    /** \return whether any frame may be lost */
    bool MayFind() const;

    /** Searches are for frames whose RdmaFrame::again is \p round: 0, if not told. */
    void SetRound(uint8_t round);

    /** \return the first packet from \p from on, but before \p until, whose frame one of the ports
     * loses; \p until if there is none. Of data, the first one is 0; acknowledgements have the
     * number of packets that they acknowledge (RdmaLossNumber) */
    uint64_t Next(uint64_t from, uint64_t until);

    /** \return of how many packets from \p from on, but before \p until, one of the ports loses the
     * frame; nothing is remembered */
    uint64_t Count(uint64_t from, uint64_t until);

  private:
    /** A port that loses frames. */
    struct Link
    {
        const RdmaPort* port;
        uint64_t key;   //!< RdmaDrawKey of the port and the flow
        double rate;    //!< of errors, as of #bound
        uint64_t bound; //!< a frame is lost whose RdmaDrawBits are below
    };

    bool Loses(uint64_t packet) const;
    bool Loses(const Link& link, uint64_t packet) const;
    void Update();

    std::vector<Link> m_links;
    RdmaFrameKind m_kind{};
    uint8_t m_round{0};
    uint64_t m_from{0};  //!< searched from here ...
    uint64_t m_until{0}; //!< ... to here
    uint64_t m_next{0};  //!< the first that is lost there; m_until: none
};

} // namespace ns3

#endif // RDMA_LOSS_SEARCH_H
