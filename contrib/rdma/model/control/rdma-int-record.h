/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_INT_RECORD_H
#define RDMA_INT_RECORD_H

#include "rdma-control-state.h"

#include "ns3/rdma-frame.h"

#include <cstdint>

namespace ns3
{

/** \ingroup rdma The latest telemetry of a link, which the next one is compared with. */
struct RdmaIntRecord
{
    static constexpr uint32_t QLEN_UNIT = 80; //!< bytes, times the network's IntMultiplier

    RdmaIntHeader::Hop hop{};

    /** \return a - b modulo 2^bits */
    static uint64_t Difference(uint64_t a, uint64_t b, uint32_t bits)
    {
        return (a - b) & ((uint64_t{1} << bits) - 1);
    }

    /** \return ns from this record to \p now */
    uint64_t NsUntil(const RdmaIntHeader::Hop& now) const
    {
        return Difference(now.time, hop.time, RdmaIntHeader::TIME_BITS);
    }

    /** \return bytes that the link has sent from this record to \p now \param multiplier the
     * network's IntMultiplier */
    uint64_t BytesUntil(const RdmaIntHeader::Hop& now, uint32_t multiplier) const
    {
        return Difference(now.tx, hop.tx, RdmaIntHeader::TX_BITS) * RdmaIntHeader::TX_UNIT *
               multiplier;
    }

    /** For RdmaStateWriter::Part. */
    void Save(RdmaStateWriter& writer) const
    {
        const auto now = static_cast<uint64_t>(writer.GetQueuePair().GetNowNs());
        uint64_t bits = hop.qlen;
        bits = bits << RdmaIntHeader::TX_BITS | hop.tx;
        bits =
            bits << RdmaIntHeader::TIME_BITS | Difference(hop.time, now, RdmaIntHeader::TIME_BITS);
        writer.Value(bits);
    }

    /** For RdmaStateReader::Part. */
    void Load(RdmaStateReader& reader)
    {
        const auto now = static_cast<uint64_t>(reader.GetQueuePair().GetNowNs());
        uint64_t bits;
        reader.Value(bits);
        hop.time = bits + now;
        bits >>= RdmaIntHeader::TIME_BITS;
        hop.tx = bits;
        hop.qlen = bits >> RdmaIntHeader::TX_BITS;
    }
};

} // namespace ns3

#endif // RDMA_INT_RECORD_H
