/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RDMA_SCATTER_H
#define RDMA_SCATTER_H

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace ns3
{

/**
 * \ingroup rdma
 * Puts items one bucket after the other; those of a bucket stay in order.
 * \param items so many as \p count
 * \param buckets how many there are
 * \param bucketOf gives the bucket of an item
 * \param ends of each bucket in \p out
 * \param out has room for all
 */
template <typename Item, typename BucketOf>
void
RdmaScatter(const Item* items,
            size_t count,
            size_t buckets,
            const BucketOf& bucketOf,
            std::vector<uint32_t>& ends,
            Item* out)
{
    ends.assign(buckets + 1, 0);
    for (size_t i = 0; i < count; ++i)
    {
        ++ends[bucketOf(items[i]) + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (size_t i = 0; i < count; ++i)
    {
        out[ends[bucketOf(items[i])]++] = items[i];
    }
}

} // namespace ns3

#endif // RDMA_SCATTER_H
