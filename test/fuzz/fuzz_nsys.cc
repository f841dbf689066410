/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-nccl-goal.h"
#include "ns3/workload-nsys-database.h"
#include "ns3/workload-nsys-reader.h"

#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    try
    {
        const WorkloadNsysDatabase database(bytes, "export.sqlite");
        std::ostringstream out;
        ConvertWorkloadNccl(ReadWorkloadNsys(database), {1, ParseWorkloadNcclKeys("")}, out, false);
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
