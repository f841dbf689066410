/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-flow-file.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Written(const std::vector<RdmaFlowSpec>& flows)
{
    std::ostringstream out;
    WriteRdmaFlows(out, flows);
    return out.str();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        const std::string text = Written(ReadRdmaFlows(in, "flow.txt"));
        std::istringstream again(text);
        if (Written(ReadRdmaFlows(again, "written.txt")) != text)
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
