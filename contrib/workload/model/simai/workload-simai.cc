/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai.h"

#include <array>
#include <utility>

namespace ns3
{

namespace
{

const std::array<std::pair<const char*, WorkloadSimAiPolicy>, 11> POLICIES{{
    {"DATA", WorkloadSimAiPolicy::DATA},
    {"MODEL", WorkloadSimAiPolicy::MODEL},
    {"MICRO", WorkloadSimAiPolicy::MICRO},
    {"HYBRID_TRANSFORMER", WorkloadSimAiPolicy::HYBRID_TRANSFORMER},
    {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", WorkloadSimAiPolicy::HYBRID_TRANSFORMER_FWD_IN_BCKWD},
    {"HYBRID_DLRM", WorkloadSimAiPolicy::HYBRID_DLRM},
    {"HYBRID_DLRM_ENHANCED", WorkloadSimAiPolicy::HYBRID_DLRM_ENHANCED},
    {"HYBRID_DATA_MODEL", WorkloadSimAiPolicy::HYBRID_DATA_MODEL},
    {"HYBRID_MODEL_DATA", WorkloadSimAiPolicy::HYBRID_MODEL_DATA},
    {"HYBRID_CUSTOMIZED", WorkloadSimAiPolicy::HYBRID_CUSTOMIZED},
    {"DISTRIBUTED_INFERENCE", WorkloadSimAiPolicy::DISTRIBUTED_INFERENCE},
}};

} // namespace

std::string
WorkloadSimAiPolicyName(WorkloadSimAiPolicy policy)
{
    for (const auto& [name, value] : POLICIES)
    {
        if (value == policy)
        {
            return name;
        }
    }
    return "";
}

bool
ParseWorkloadSimAiPolicy(const std::string& word, WorkloadSimAiPolicy& policy)
{
    for (const auto& [name, value] : POLICIES)
    {
        if (word == name)
        {
            policy = value;
            return true;
        }
    }
    return false;
}

std::string
WorkloadSimAiKindName(WorkloadSimAiKind kind)
{
    static const char* const names[]{"none",
                                     "all-reduce",
                                     "all-gather",
                                     "reduce-scatter",
                                     "all-to-all"};
    return names[static_cast<uint8_t>(kind)];
}

std::string
WorkloadSimAiGroupName(WorkloadSimAiGroup group)
{
    static const char* const names[]{"TP", "DP", "EP", "DP-EP", "all"};
    return names[static_cast<uint8_t>(group)];
}

} // namespace ns3
