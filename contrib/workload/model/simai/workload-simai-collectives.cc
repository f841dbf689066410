/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-simai-collectives.h"

#include "ns3/log.h"
#include "ns3/workload-simai-record.h"
#include "ns3/workload-units.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkloadSimAiCollectives");

namespace
{

uint64_t
Key(uint32_t operation, uint32_t group)
{
    return uint64_t(operation) << 32 | group;
}

} // namespace

WorkloadSimAiCollectives::WorkloadSimAiCollectives(const WorkloadSimAiFile& file,
                                                   const WorkloadSimAiOptions& options,
                                                   const WorkloadSimAiGroups& groups,
                                                   const WorkloadSimAiServers& servers,
                                                   const WorkloadSimAiProgram& program)
    : m_file(file),
      m_options(options),
      m_groups(groups),
      m_servers(servers),
      m_program(program)
{
}

void
WorkloadSimAiCollectives::SetListener(WorkloadSimAiListener* listener)
{
    m_listener = listener;
}

uint32_t
WorkloadSimAiCollectives::Find(uint32_t operation, uint32_t group) const
{
    const auto found = m_slots.find(Key(operation, group));
    return found == m_slots.end() ? NONE : found->second;
}

uint32_t
WorkloadSimAiCollectives::Join(uint32_t operation, uint32_t group)
{
    const uint32_t found = Find(operation, group);
    if (found != NONE)
    {
        return found;
    }
    std::unique_ptr<WorkloadSimAiRunning> running = Make(operation, group);
    auto slot = uint32_t(m_running.size());
    if (m_freeSlots.empty())
    {
        m_running.emplace_back();
    }
    else
    {
        slot = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    m_running[slot] = std::move(running);
    m_slots.emplace(Key(operation, group), slot);
    return slot;
}

WorkloadSimAiPlan
WorkloadSimAiCollectives::PlanOf(uint32_t operation, uint32_t group)
{
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    std::vector<uint32_t> ends = m_groups.GetRanks(what.group, group);
    const WorkloadSimAiShape shape = m_servers.ShapeOf(ends);
    const WorkloadSimAiChoice choice =
        ChooseWorkloadSimAi(m_options, m_options.gpuType, what.kind, what.group, what.bytes, shape);
    const WorkloadSimAiFlowSet& set = FlowsFor(what, shape, choice);
    const uint32_t firstSwitch =
        m_groups.GetCount() + ends.front() / m_servers.gpus * m_servers.switches;
    for (uint32_t i = 0; i < set.switches; ++i)
    {
        ends.push_back(firstSwitch + i);
    }
    return {choice, set, std::move(ends)};
}

std::unique_ptr<WorkloadSimAiRunning>
WorkloadSimAiCollectives::Make(uint32_t operation, uint32_t group)
{
    const WorkloadSimAiOperation& what = m_program.operations[operation];
    WorkloadSimAiPlan plan = PlanOf(operation, group);
    const WorkloadSimAiFlowSet& set = plan.set;
    NS_LOG_INFO(WorkloadSimAiKindName(what.kind)
                << " of " << what.bytes << " bytes, layer " << m_file.layers[what.layer].name
                << ", in " << WorkloadSimAiGroupName(what.group) << " group " << group << " of "
                << set.members << " ranks begins: algorithm "
                << +static_cast<uint8_t>(plan.choice.algorithm) << ", protocol "
                << +static_cast<int8_t>(plan.choice.protocol) << " (SimAI's numbers), "
                << set.flows.size() << " flows");
    auto running =
        std::make_unique<WorkloadSimAiRunning>(set,
                                               WorkloadSimAiReductions(what.kind,
                                                                       plan.choice.algorithm,
                                                                       what.dimension,
                                                                       set.members,
                                                                       set.channels));
    running->operation = operation;
    running->group = group;
    running->choice = plan.choice;
    running->flowBytes = WorkloadSimAiFlowBytes(set, what.bytes);
    running->ends = std::move(plan.ends);
    if (m_listener)
    {
        m_listener->Began({m_file.layers[what.layer],
                           what,
                           running->choice,
                           set,
                           running->ends,
                           running->flowBytes,
                           m_flowNumbers});
    }
    m_flowNumbers += set.flows.size();
    return running;
}

const WorkloadSimAiFlowSet&
WorkloadSimAiCollectives::FlowsFor(const WorkloadSimAiOperation& operation,
                                   const WorkloadSimAiShape& shape,
                                   const WorkloadSimAiChoice& choice)
{
    const bool pxn =
        m_options.pxn && !(m_options.literal && operation.kind == WorkloadSimAiKind::ALL_GATHER);
    std::vector<uint64_t> key{static_cast<uint64_t>(operation.kind),
                              static_cast<uint64_t>(choice.algorithm),
                              shape.switches};
    for (const std::vector<uint32_t>& local : shape.servers)
    {
        key.push_back(local.size());
    }
    std::unique_ptr<WorkloadSimAiFlowSet>& set = m_sets[key];
    if (!set)
    {
        set = std::make_unique<WorkloadSimAiFlowSet>(
            MakeWorkloadSimAiFlows(operation.kind, choice.algorithm, pxn, shape));
    }
    return *set;
}

void
WorkloadSimAiCollectives::Remove(uint32_t slot)
{
    m_slots.erase(Key(m_running[slot]->operation, m_running[slot]->group));
    m_running[slot].reset();
    m_freeSlots.push_back(slot);
}

WorkloadTransfer
WorkloadSimAiCollectives::TransferOf(uint32_t slot, uint32_t flow) const
{
    const WorkloadSimAiRunning& running = *m_running[slot];
    const WorkloadSimAiFlow& what = running.instance.GetSet().flows[flow];
    WorkloadTransfer transfer;
    transfer.src = running.ends[what.src];
    transfer.dst = running.ends[what.dst];
    transfer.bytes = running.flowBytes;
    transfer.label = WorkloadSimAiCategory(m_program.operations[running.operation]);
    return transfer;
}

int64_t
WorkloadSimAiCollectives::SendLatencyPs(uint32_t slot, uint32_t flow) const
{
    const WorkloadTransfer transfer = TransferOf(slot, flow);
    const WorkloadSimAiRunning& running = *m_running[slot];
    const uint32_t hosts = m_groups.GetCount();
    const bool viaSwitch = transfer.src >= hosts || transfer.dst >= hosts;
    const bool sameServer = viaSwitch && !m_options.literal
                                ? true
                                : transfer.src / m_servers.gpus == transfer.dst / m_servers.gpus;
    return int64_t(WorkloadSimAiSendLatencyNs(m_options, running.choice, sameServer)) *
           WORKLOAD_PS_PER_NS;
}

} // namespace ns3
