/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-program.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    WorkloadSimAiOptions options;
    options.literal = size % 2 != 0;
    options.nvSwitches = 2;
    try
    {
        const WorkloadSimAiFile file = ReadWorkloadSimAi(in, "workload.txt", options);
        const WorkloadSimAiGroups groups(16, std::max(file.tp, 1U), std::max(file.ep, 1U));
        const WorkloadSimAiProgram program = MakeWorkloadSimAiProgram(file, options, groups);
        uint64_t awaited = 0;
        for (const WorkloadSimAiStep& step : program.steps)
        {
            awaited += step.kind == WorkloadSimAiStep::Kind::AWAIT;
        }
        if (awaited > program.operations.size())
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
