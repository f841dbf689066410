/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-storage.h"

#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        std::vector<WorkloadStorageRequest> requests = ReadWorkloadSpcTrace(in, "trace.spc", {});
        uint64_t slices = 0;
        WorkloadStorageService service;
        for (const WorkloadStorageRequest& request : requests)
        {
            slices += request.bytes / service.sliceBytes + 2;
        }
        if (slices < 1000)
        {
            MakeStorageSchedule(requests, service, "trace.spc");
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
