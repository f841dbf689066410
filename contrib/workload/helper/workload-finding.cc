/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-finding.h"

namespace ns3
{

namespace
{

std::string
Number(uint64_t number)
{
    return std::to_string(number);
}

} // namespace

std::string
WorkloadOperationText(const WorkloadOperation& operation)
{
    if (operation.kind == WorkloadKind::CALC)
    {
        return "calc " + Number(operation.size);
    }
    const auto orAny = [](uint32_t value) {
        return value == WORKLOAD_ANY ? std::string("-1") : Number(value);
    };
    return (operation.kind == WorkloadKind::SEND ? "send " : "recv ") + Number(operation.size) +
           (operation.kind == WorkloadKind::SEND ? "b to " : "b from ") + orAny(operation.peer) +
           " tag " + orAny(operation.tag);
}

std::string
WorkloadFindingText(const WorkloadSchedule& schedule, const WorkloadFinding& finding)
{
    std::string text = schedule.origin.empty() ? "" : schedule.origin + ":";
    text += finding.line && !text.empty() ? Number(finding.line) + ":" : "";
    text += text.empty() ? "" : " ";
    text += std::string(finding.error ? "error" : "warning") + ": rank " + Number(finding.rank);
    const auto& operations = schedule.ranks[finding.rank].operations;
    if (finding.operation < operations.size())
    {
        text += finding.line ? ", " : ", operation " + Number(finding.operation) + " (";
        text += WorkloadOperationText(operations[finding.operation]);
        text += finding.line ? "" : ")";
    }
    return text + ": " + finding.message;
}

} // namespace ns3
