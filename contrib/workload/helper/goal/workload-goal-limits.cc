/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-limits.h"

namespace ns3
{

std::string
WorkloadGoalFault(const WorkloadOperation& operation, uint32_t ranks)
{
    const bool calc = operation.kind == WorkloadKind::CALC;
    if (operation.kind < WorkloadKind::SEND || operation.kind > WorkloadKind::CALC)
    {
        return "kind " + std::to_string(static_cast<int>(operation.kind)) +
               "; it is 1 (send), 2 (recv) or 3 (calc)";
    }
    if (calc && (operation.peer || operation.tag || operation.nic))
    {
        return "a calc with a peer, tag or nic; these are 0";
    }
    const bool any = operation.peer == WORKLOAD_ANY && operation.kind == WorkloadKind::RECV;
    if (!calc && !any && operation.peer >= ranks)
    {
        return "peer " + std::to_string(operation.peer) + "; ranks are 0 to " +
               std::to_string(ranks - 1);
    }
    if (operation.cpu > WORKLOAD_GOAL_MOST_CPU)
    {
        return "cpu " + std::to_string(operation.cpu) + "; at most " +
               std::to_string(WORKLOAD_GOAL_MOST_CPU);
    }
    if (operation.nic > WORKLOAD_GOAL_MOST_NIC)
    {
        return "nic " + std::to_string(operation.nic) + "; at most " +
               std::to_string(WORKLOAD_GOAL_MOST_NIC);
    }
    return "";
}

} // namespace ns3
