/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-mpi-rank.h"

#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    constexpr uint64_t MOST_BYTES = 1 << 24; // a broadcast of more has too many segments
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try
    {
        std::istringstream once(bytes);
        WorkloadMpiReader all(once, "rank-0.mpitrace");
        WorkloadMpiRecord record;
        bool small = all.GetHead().ranks <= 64;
        while (all.Next(record))
        {
            uint64_t total = record.bytes;
            for (const auto* list : {&record.sends, &record.receives})
            {
                for (const uint64_t block : *list)
                {
                    total += block;
                }
            }
            small = small && total <= MOST_BYTES;
        }
        if (small)
        {
            std::istringstream again(bytes);
            WorkloadMpiReader reader(again, "rank-0.mpitrace");
            WorkloadMpiCommunicators communicators(reader.GetHead().ranks);
            const WorkloadMpiOptions options;
            WorkloadMpiConversion done;
            std::ostringstream out;
            const auto writer = MakeWorkloadGoalWriter(out, reader.GetHead().ranks, false);
            WorkloadMpiRank(reader, communicators, options, done, *writer).Make(0);
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
