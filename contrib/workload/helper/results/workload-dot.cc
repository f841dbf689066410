/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-dot.h"

#include "workload-messages.h"

#include "ns3/workload-validation.h"

#include <algorithm>

namespace ns3
{

namespace
{

const char*
StyleOf(WorkloadKind kind)
{
    switch (kind)
    {
    case WorkloadKind::SEND:
        return "shape=box, fillcolor=\"#cfe2f3\"";
    case WorkloadKind::RECV:
        return "shape=box, fillcolor=\"#d9ead3\"";
    case WorkloadKind::CALC:
        return "shape=ellipse, fillcolor=\"#fff2cc\"";
    }
    return "";
}

void
WriteRank(std::ostream& out, uint32_t index, const WorkloadRank& rank)
{
    out << "  subgraph cluster_" << index << " {\n    label=\"rank " << index << "\";\n";
    for (size_t i = 0; i < rank.operations.size(); ++i)
    {
        const WorkloadOperation& operation = rank.operations[i];
        out << "    r" << index << "_" << i << " [" << StyleOf(operation.kind) << ", label=\""
            << WorkloadOperationText(operation)
            << (operation.kind == WorkloadKind::CALC ? " ns" : "");
        if (operation.cpu)
        {
            out << "\\ncpu " << static_cast<int>(operation.cpu);
        }
        if (operation.nic)
        {
            out << "\\nnic " << static_cast<int>(operation.nic);
        }
        out << "\"];\n";
    }
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
        {
            out << "    r" << index << "_" << i << " -> r" << index << "_" << w->Operation()
                << (w->OnStart() ? " [style=dashed];\n" : ";\n");
        }
    }
    out << "  }\n";
}

} // namespace

void
WriteWorkloadDot(std::ostream& out, const WorkloadSchedule& schedule)
{
    out << "digraph schedule {\n"
           "  rankdir=TB;\n"
           "  node [style=filled, fontname=\"sans-serif\", fontsize=10];\n";
    for (uint32_t rank = 0; rank < schedule.ranks.size(); ++rank)
    {
        WriteRank(out, rank, schedule.ranks[rank]);
    }
    const WorkloadMessages messages(schedule);
    const auto name = [&messages](uint32_t number) {
        const uint32_t rank = messages.RankOf(number);
        return "r" + std::to_string(rank) + "_" + std::to_string(number - messages.GetFirst(rank));
    };
    for (const WorkloadChannel& channel : messages.GetChannels())
    {
        const uint32_t* const sends = messages.GetMembers().data() + channel.first;
        for (uint32_t i = 0; i < std::min(channel.sends, channel.receives); ++i)
        {
            out << "  " << name(sends[i]) << " -> " << name(sends[channel.sends + i])
                << " [color=\"#1155cc\", constraint=false];\n";
        }
    }
    out << "}\n";
}

} // namespace ns3
