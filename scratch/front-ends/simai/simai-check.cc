/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simai-check.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"
#include "ns3/input-spec.h"
#include "ns3/workload-simai-file.h"
#include "ns3/workload-simai-groups.h"

#include <cctype>
#include <fstream>
#include <set>
#include <sstream>

namespace wormhole
{

namespace
{

using ns3::InputError;

/** \throws InputError if a header lacks what SimAI divides by, unset or not */
void
CheckHeader(const std::string& workload, const std::string& line)
{
    std::istringstream words(line);
    std::set<std::string>
        missing{"model_parallel_NPU_group:", "ep:", "pp:", "vpp:", "ga:", "all_gpus:"};
    std::string word;
    while (words >> word)
    {
        const std::string key = word;
        uint64_t number = 0;
        if (missing.count(key) && words >> word && ns3::ParseInteger(word, number) && number > 0)
        {
            missing.erase(key);
        }
    }
    if (!missing.empty())
    {
        throw InputError(
            workload,
            1,
            "the header lacks (or has 0 for) " + ns3::ListText({missing.begin(), missing.end()}) +
                "; add them, as in \"ep: 1\" (1 for no parallelism): SimAI divides by them");
    }
}

} // namespace

void
CheckSimAiWorkload(const std::string& workload, uint32_t gpus)
{
    constexpr uint64_t COUNT_LINE = 2;
    std::ifstream in(workload);
    std::string header;
    if (!std::getline(in, header))
    {
        throw InputError(workload, 1, "the file is empty; give a workload of SimAI or AICB");
    }
    if (header.empty() || std::isupper(static_cast<unsigned char>(header.front())) == 0)
    {
        return;
    }
    CheckHeader(workload, header);
    const ns3::WorkloadSimAiFile file = ns3::ReadWorkloadSimAi(workload);
    uint64_t declared = 0;
    in >> declared;
    if (declared > file.layers.size())
    {
        throw InputError(workload,
                         COUNT_LINE,
                         std::to_string(declared) + " layers are declared, but there are " +
                             std::to_string(file.layers.size()) +
                             "; complete the file, or correct the number: SimAI would run layers "
                             "that are not there");
    }
    try
    {
        const ns3::WorkloadSimAiGroups groups(gpus, file.tp, file.ep);
    }
    catch (const InputError& error)
    {
        throw InputError(workload, 1, error.what());
    }
}

} // namespace wormhole
