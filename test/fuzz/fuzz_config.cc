/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/rdma-hpcc-config.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Written(const RdmaHpccConfig& config)
{
    std::ostringstream out;
    WriteRdmaHpccConfig(out, config);
    return out.str();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        const std::string text = Written(ReadRdmaHpccConfig(in, "config.txt"));
        std::istringstream again(text);
        if (Written(ReadRdmaHpccConfig(again, "written.txt")) != text)
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
