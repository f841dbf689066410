/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-training-slowdown.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    for (const double norms : {0.0, 0.25, 1.0})
    {
        try
        {
            std::istringstream in(text);
            for (const uint32_t more : ReadWorkloadTrainingSlowdowns(in, "table.csv", 8, norms))
            {
                if (more > 99000) // factors are at most 100
                {
                    std::abort();
                }
            }
        }
        catch (const InputError&)
        {
            // what a bad input must lead to
        }
    }
    return 0;
}
