/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_RANKS_H
#define RDMA_RANKS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * \brief The processes, on one machine or several, that simulate one network together: each runs a
 * part of its nodes (RdmaProcesses). Implemented over MPI by scratch/mpi-ranks.
 *
 * All ranks build the same network and schedule the same events of the network as a whole.
 */
class RdmaRanks
{
  public:
    using Bytes = std::vector<std::byte>;

    virtual ~RdmaRanks() = default;

    /** \return the number of this one, from 0 */
    virtual uint32_t GetRank() const = 0;

    /** \return how many there are, from 2 */
    virtual uint32_t GetCount() const = 0;

    /**
     * Sends each other rank its bytes, and waits for those of each.
     * \param out to each rank; ours is ignored
     * \param in set to what came from each rank; ours is left as it is
     * \param waits called now and then meanwhile; \c false: give up
     * \return why there is no answer; empty if all came
     */
    virtual std::string Exchange(const std::vector<Bytes>& out,
                                 std::vector<Bytes>& in,
                                 const std::function<bool()>& waits) = 0;
};

} // namespace ns3

#endif // RDMA_RANKS_H
