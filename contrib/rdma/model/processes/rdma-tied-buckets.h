/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_TIED_BUCKETS_H
#define RDMA_TIED_BUCKETS_H

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{

/** \ingroup rdma Buckets for keys: as many as there are keys of a kind, each as wide as the others.
 * A kind is what the highest bits say. */
class RdmaTiedBuckets
{
  public:
    void Note(uint64_t key)
    {
        Kind& kind = m_kinds[key >> KIND_BITS];
        kind.least = std::min(kind.least, key);
        kind.greatest = std::max(kind.greatest, key);
        ++kind.count;
    }

    /** All keys have been noted. \return how many buckets there are */
    uint32_t Close()
    {
        uint32_t buckets = 0;
        for (Kind& kind : m_kinds)
        {
            kind.first = buckets;
            if (kind.count > 0)
            {
                const uint64_t span = kind.greatest - kind.least;
                while (span >> kind.shift >= kind.count)
                {
                    ++kind.shift;
                }
                buckets += static_cast<uint32_t>(span >> kind.shift) + 1;
            }
        }
        return buckets;
    }

    /** \return the bucket of \p key; that of a lower key is no higher */
    uint32_t Of(uint64_t key) const
    {
        const Kind& kind = m_kinds[key >> KIND_BITS];
        return kind.first + static_cast<uint32_t>((key - kind.least) >> kind.shift);
    }

  private:
    static constexpr uint32_t KIND_BITS = 60; //!< below those of the kind

    struct Kind
    {
        uint64_t least{~uint64_t{0}};
        uint64_t greatest{0};
        uint32_t count{0};
        uint32_t shift{0}; //!< of a key, since the least
        uint32_t first{0}; //!< bucket
    };

    std::array<Kind, 16> m_kinds;
};

} // namespace ns3

#endif // RDMA_TIED_BUCKETS_H
