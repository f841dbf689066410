/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-goal.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Binary(const WorkloadSchedule& schedule)
{
    std::ostringstream out;
    WriteGoalBinary(out, schedule);
    return out.str();
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    std::istringstream in(bytes);
    WorkloadSchedule schedule;
    try
    {
        schedule = ReadGoalBinary(in, "x.bin");
    }
    catch (const InputError&)
    {
        return 0; // what a bad input must lead to
    }
    // what is read is written again as it was, also by way of the text
    std::stringstream text;
    WriteGoalText(text, schedule);
    if (Binary(schedule) != bytes || Binary(ReadGoalText(text, "written.goal")) != bytes)
    {
        std::abort();
    }
    return 0;
}
