/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_CHUNKS_H
#define RDMA_CHUNKS_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/** \ingroup rdma The chunks of a flow (RdmaHost::ChunkSize): the receiver replies after each, and
 * may start again where one begins if a frame is missing. */
struct RdmaChunks
{
    uint64_t origin{0}; //!< a chunk begins here: bytes that come without frames move it

    /** \return where the chunk of \p size bytes begins that holds the byte \p seq */
    uint64_t GetStart(uint64_t seq, uint32_t size) const
    {
        const uint64_t since = seq - std::min(seq, origin % size);
        return seq - since % size;
    }
};

} // namespace ns3

#endif // RDMA_CHUNKS_H
