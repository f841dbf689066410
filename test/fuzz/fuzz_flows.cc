/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "round-trip.h"

#include "ns3/rdma-flow-file.h"

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto read = [](std::istream& in, const char* name) {
        return ns3::ReadRdmaFlows(in, name);
    };
    return FuzzRoundTrip(data, size, read, ns3::WriteRdmaFlows);
}
