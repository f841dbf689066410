/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-finding.h"

namespace ns3
{

std::string
WorkloadOperationText(const WorkloadOperation& operation)
{
    if (operation.kind == WorkloadKind::CALC)
    {
        return "calc " + std::to_string(operation.size);
    }
    const auto orAny = [](uint32_t value) {
        return value == WORKLOAD_ANY ? std::string("-1") : std::to_string(value);
    };
    return (operation.kind == WorkloadKind::SEND ? "send " : "recv ") +
           std::to_string(operation.size) +
           (operation.kind == WorkloadKind::SEND ? "b to " : "b from ") + orAny(operation.peer) +
           " tag " + orAny(operation.tag);
}

std::string
WorkloadFindingText(const WorkloadSchedule& schedule, const WorkloadFinding& finding)
{
    std::string text = schedule.origin.empty() ? "" : schedule.origin + ":";
    text += finding.line && !text.empty() ? std::to_string(finding.line) + ":" : "";
    text += text.empty() ? "" : " ";
    text +=
        std::string(finding.error ? "error" : "warning") + ": rank " + std::to_string(finding.rank);
    const auto& operations = schedule.ranks[finding.rank].operations;
    if (finding.operation < operations.size())
    {
        text += finding.line ? ", " : ", operation " + std::to_string(finding.operation) + " (";
        text += WorkloadOperationText(operations[finding.operation]);
        text += finding.line ? "" : ")";
    }
    return text + ": " + finding.message;
}

} // namespace ns3
