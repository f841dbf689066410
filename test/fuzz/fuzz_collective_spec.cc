/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-collective-spec.h"

#include <algorithm>
#include <cstdlib>
#include <string>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    constexpr uint32_t MOST_RANKS = 64;
    constexpr uint32_t MOST_REPEATS = 4;
    constexpr uint64_t LEAST_CHUNKS = 100; // so that a schedule stays small
    const std::string text(reinterpret_cast<const char*>(data), size);
    try
    {
        const WorkloadCollectiveSpec spec = ParseWorkloadCollectiveSpec(text);
        const WorkloadCollective& collective = spec.collective;
        const bool small =
            spec.ranks <= MOST_RANKS && spec.repeat <= MOST_REPEATS &&
            (collective.chunkBytes == 0 ||
             collective.bytes / LEAST_CHUNKS <= std::min<uint64_t>(collective.chunkBytes, 32768));
        if (small && MakeCollectiveSchedule(text).ranks.size() != spec.ranks)
        {
            std::abort();
        }
    }
    catch (const InputError&)
    {
        // what a bad specification must lead to
    }
    return 0;
}
