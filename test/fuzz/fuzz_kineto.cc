/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-kineto-reader.h"
#include "ns3/workload-nccl-goal.h"

#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    // two ranks, divided by a zero byte
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const size_t end = bytes.find('\0');
    std::istringstream first(bytes.substr(0, end));
    std::istringstream second(end == std::string::npos ? "" : bytes.substr(end + 1));
    std::vector<std::pair<std::istream*, std::string>> files{{&first, "zero.json"}};
    if (end != std::string::npos)
    {
        files.emplace_back(&second, "one.json");
    }
    try
    {
        std::ostringstream out;
        ConvertWorkloadNccl(ReadWorkloadKineto(files), {1, ParseWorkloadNcclKeys("")}, out, false);
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
