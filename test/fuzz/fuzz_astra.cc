/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-astra-layout.h"
#include "ns3/workload-astra-system.h"

#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    // The first byte chooses the reader.
    const std::string text(reinterpret_cast<const char*>(data), size);
    std::istringstream in(text.empty() ? text : text.substr(1));
    try
    {
        switch (text.empty() ? 0 : text[0] % 4)
        {
        case 0:
            ReadWorkloadAstraGroups(in, "groups.json", 8);
            break;
        case 1:
            ReadWorkloadAstraDims(in, "logical.json");
            break;
        case 2: {
            WorkloadAstraGroups groups;
            AddWorkloadChakraGroups(in.str(), 8, groups);
            break;
        }
        default:
            ReadWorkloadAstraSystem(in, "system.json");
            break;
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
