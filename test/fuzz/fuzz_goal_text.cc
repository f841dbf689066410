/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-goal.h"
#include "ns3/workload-validation.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

namespace
{

std::string
Text(const WorkloadSchedule& schedule)
{
    std::ostringstream out;
    WriteGoalText(out, schedule);
    return out.str();
}

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
    std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
    try
    {
        WorkloadGoalNotes notes;
        const WorkloadSchedule schedule = ReadGoalText(in, "x.goal", &notes);
        const std::string text = Text(schedule);
        std::istringstream again(text);
        const WorkloadSchedule copy = ReadGoalText(again, "written.goal");
        if (Text(copy) != text || Binary(copy) != Binary(schedule))
        {
            std::abort();
        }
        WorkloadValidationOptions options;
        options.notes = &notes;
        for (const WorkloadFinding& finding : ValidateWorkload(schedule, options).findings)
        {
            WorkloadFindingText(schedule, finding);
        }
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
