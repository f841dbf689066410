/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-flow-file.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        ReadRdmaTraceNodes(in, "trace.txt");
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
