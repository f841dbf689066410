/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-traffic-trace.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        const std::vector<RdmaFlowSpec> flows = ReadRdmaTrafficTrace(in, "arrivals.csv");
        const auto startsBefore = [](const RdmaFlowSpec& a, const RdmaFlowSpec& b) {
            return a.start < b.start;
        };
        if (!std::is_sorted(flows.begin(), flows.end(), startsBefore))
        {
            std::abort();
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
