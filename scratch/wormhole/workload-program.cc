/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-program.h"

namespace wormhole
{

std::vector<std::vector<uint32_t>>
RanksAreHosts(size_t ranks)
{
    std::vector<std::vector<uint32_t>> hosts(ranks);
    for (size_t rank = 0; rank < ranks; ++rank)
    {
        hosts[rank].push_back(static_cast<uint32_t>(rank));
    }
    return hosts;
}

} // namespace wormhole
