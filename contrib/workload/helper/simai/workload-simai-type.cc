/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-type.h"

#include "ns3/input-error.h"
#include "ns3/input-number.h"

#include <utility>

namespace ns3
{

namespace
{

/** \return groups of a type without an ending */
WorkloadSimAiGroup
PlainGroup(bool parallel, WorkloadSimAiPass pass)
{
    return !parallel                       ? WorkloadSimAiGroup::ALL
           : pass == WorkloadSimAiPass::WG ? WorkloadSimAiGroup::DP
                                           : WorkloadSimAiGroup::TP;
}

} // namespace

bool
ReadWorkloadSimAiType(const std::string& word,
                      WorkloadSimAiPolicy policy,
                      WorkloadSimAiPass pass,
                      const std::string& file,
                      uint64_t line,
                      WorkloadSimAiPart& part)
{
    static const std::pair<std::string, WorkloadSimAiKind> kinds[]{
        {"ALLREDUCE", WorkloadSimAiKind::ALL_REDUCE},
        {"ALLTOALL", WorkloadSimAiKind::ALL_TO_ALL},
        {"ALLGATHER", WorkloadSimAiKind::ALL_GATHER},
        {"REDUCESCATTER", WorkloadSimAiKind::REDUCE_SCATTER},
    };
    const bool parallel = WorkloadSimAiHasParallelism(policy);
    for (const auto& [prefix, kind] : kinds)
    {
        if (word.compare(0, prefix.size(), prefix) != 0)
        {
            continue;
        }
        const std::string ending = word.substr(prefix.size());
        if (!ending.empty() && ending != "_EP" && ending != "_DP_EP")
        {
            throw InputError(file,
                             line,
                             "communication type " + ShownText(word) +
                                 " has an unknown ending; give ALLREDUCE, ALLGATHER, "
                                 "REDUCESCATTER or ALLTOALL, alone or with _EP or _DP_EP");
        }
        if (!ending.empty() && !parallel)
        {
            throw InputError(file,
                             line,
                             "communication type " + word + " needs expert groups, but policy " +
                                 WorkloadSimAiPolicyName(policy) +
                                 " has none; use HYBRID_TRANSFORMER_FWD_IN_BCKWD");
        }
        part.kind = kind;
        part.group = ending.empty()    ? PlainGroup(parallel, pass)
                     : ending == "_EP" ? WorkloadSimAiGroup::EP
                                       : WorkloadSimAiGroup::DP_EP;
        return true;
    }
    return word == "NONE";
}

bool
IsWorkloadSimAiSkippedType(const std::string& word)
{
    // AICB's names of what SimAI takes for no communication
    for (const char* skipped : {"BROADCAST", "REDUCE", "BARRIER", "SEND", "RECV", "ISEND", "IRECV"})
    {
        if (word == skipped)
        {
            return true;
        }
    }
    return false;
}

} // namespace ns3
