/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/input-error.h"
#include "ns3/workload-loggops-rows.h"

#include <cstdlib>
#include <sstream>

using namespace ns3;

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    try
    {
        std::istringstream in(std::string(reinterpret_cast<const char*>(data), size));
        const std::vector<WorkloadLogGopsRow> rows = ReadWorkloadLogGopsRows(in, "machine.csv");
        for (size_t row = 0; row < rows.size(); ++row)
        {
            const bool ordered = row == 0 ? rows[row].bytes <= 1
                                          : rows[row].bytes > rows[row - 1].bytes &&
                                                (rows[row - 1].eager || !rows[row].eager);
            if (!ordered || !(rows[row].G >= 0))
            {
                std::abort();
            }
        }
        WorkloadLogGops parameters;
        parameters.rows = rows;
        WorkloadLogGopsNetwork network(parameters);
    }
    catch (const InputError&)
    {
        // what a bad input must lead to
    }
    return 0;
}
