/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-flow-size-cdf.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        const RdmaFlowSizeCdf cdf(in, "cdf.txt");
        uint64_t last = 1;
        for (int i = 0; i <= 16; ++i)
        {
            const uint64_t bytes = cdf.SizeAt(i / 16.0);
            if (bytes < last || !(cdf.Mean() > 0))
            {
                std::abort();
            }
            last = bytes;
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
