/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANK_STATE_H
#define RDMA_RANK_STATE_H

#include "rdma-rank-news.h"

#include "ns3/rdma-event-queue.h"

#include <chrono>
#include <functional>
#include <limits>
#include <string>

namespace ns3
{

/** \ingroup rdma What RdmaProcesses keeps if there are several ranks. All but the first members is
 * the same at each. */
struct RdmaRankState
{
    /** \param newest place that was taken when the network started */
    RdmaRankState(RdmaRanks& all, RdmaNetwork& network, uint64_t newest)
        : ranks(all),
          news(network),
          newestAtStart(newest)
    {
    }

    RdmaRanks& ranks;
    RdmaRankNews news;
    const uint64_t newestAtStart; //!< place
    std::function<void()> waits;  //!< called while others are waited for; may be empty
    bool stopAsked{false};        //!< here
    std::chrono::steady_clock::time_point askedAt; //!< if it was
    std::string lost;                              //!< why another does not answer; empty if all do

    RdmaEventEntry::Key ranTo{0}; //!< nothing at nodes is pending before
    uint64_t nextDue{
        0}; //!< no event at a node is earlier; time steps, the largest if there is none
    uint64_t exchanges{0};
    bool stopped{false}; //!< a rank has asked for it, or is lost
};

} // namespace ns3

#endif // RDMA_RANK_STATE_H
