/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-binary-format.h"
#include "workload-goal-limits.h"
#include "workload-goal-writer.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Stores the operation's record. \return the place after it */
unsigned char*
StoreOperation(unsigned char* at, const WorkloadOperation& operation)
{
    at = StoreWorkloadGoal<uint32_t>(at, operation.dependencies);
    at = StoreWorkloadGoal<uint8_t>(at, static_cast<uint8_t>(operation.kind));
    at = StoreWorkloadGoal<uint32_t>(at, operation.peer);
    at = StoreWorkloadGoal<uint64_t>(at, operation.size);
    at = StoreWorkloadGoal<uint32_t>(at, operation.tag);
    at = StoreWorkloadGoal<uint8_t>(at, operation.cpu);
    return StoreWorkloadGoal<uint8_t>(at, operation.nic);
}

} // namespace

WorkloadGoalBinaryWriter::WorkloadGoalBinaryWriter(std::ostream& out, uint32_t ranks)
    : m_out(out),
      m_ranks(ranks)
{
    // the head and the jump table are known at the end
    const uint64_t room = WORKLOAD_GOAL_BASE + WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * ranks;
    if (!m_out.seekp(static_cast<std::streamoff>(room)))
    {
        m_out.clear(); // a stream in memory ends where it was written to
        Put(std::vector<unsigned char>(room));
    }
}

void
WorkloadGoalBinaryWriter::Put(const std::vector<unsigned char>& bytes)
{
    m_out.write(reinterpret_cast<const char*>(bytes.data()),
                static_cast<std::streamsize>(bytes.size()));
}

void
WorkloadGoalBinaryWriter::Write(const WorkloadRank& rank)
{
    const auto count = static_cast<uint32_t>(rank.operations.size());
    const auto roots = static_cast<uint32_t>(
        std::count_if(rank.operations.begin(), rank.operations.end(), [](const auto& operation) {
            return operation.dependencies == 0;
        }));
    const uint64_t records = WORKLOAD_GOAL_RANK_HEAD + 4 * static_cast<uint64_t>(roots);
    const uint64_t lists = records + WORKLOAD_GOAL_NODE * count;
    m_block.resize(lists + 4 * rank.waiters.size());
    unsigned char* root = StoreWorkloadGoal(m_block.data(), count);
    root = StoreWorkloadGoal(root, roots);
    unsigned char* record = m_block.data() + records;
    unsigned char* list = m_block.data() + lists;
    uint32_t waiters = 0;
    for (uint32_t i = 0; i < count; ++i)
    {
        const WorkloadOperation& operation = rank.operations[i];
        const std::string fault = WorkloadGoalFault(operation, m_ranks);
        if (!fault.empty())
        {
            throw InputError("rank " + std::to_string(m_ends.size()) + ", operation " +
                             std::to_string(i) + " cannot be written as GOAL: " + fault);
        }
        m_cpu = std::max(m_cpu, operation.cpu);
        m_nic = std::max(m_nic, operation.nic);
        if (operation.dependencies == 0)
        {
            root = StoreWorkloadGoal(root, i);
        }
        record = StoreOperation(record, operation);
        for (const bool onStart : {false, true})
        {
            uint32_t waiting = 0;
            for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
            {
                if (w->OnStart() == onStart)
                {
                    list = StoreWorkloadGoal(list, w->Operation());
                    ++waiting;
                }
            }
            record = StoreWorkloadGoal(record, waiting);
            record = StoreWorkloadGoal(record, waiters);
            waiters += waiting;
        }
    }
    Put(m_block);
    const uint64_t start =
        m_ends.empty() ? WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * m_ranks : m_ends.back();
    m_ends.push_back(start + m_block.size());
}

void
WorkloadGoalBinaryWriter::Append(const WorkloadOperation& operation,
                                 const std::vector<WorkloadDependency>& dependencies)
{
    m_appended.operations.push_back(operation);
    m_dependencies.insert(m_dependencies.end(), dependencies.begin(), dependencies.end());
}

void
WorkloadGoalBinaryWriter::EndRank()
{
    SetWorkloadDependencies(m_appended, m_dependencies);
    Write(m_appended);
    m_appended = {};
    m_dependencies.clear();
}

void
WorkloadGoalBinaryWriter::Finish()
{
    m_block.resize(WORKLOAD_GOAL_BASE + WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * m_ends.size());
    unsigned char* at = StoreWorkloadGoal(m_block.data(), WORKLOAD_GOAL_MAGIC);
    at = StoreWorkloadGoal(at, m_ranks);
    at = StoreWorkloadGoal(at, m_cpu);
    at = StoreWorkloadGoal(at, m_nic);
    uint64_t start = WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * m_ranks;
    for (const uint64_t end : m_ends)
    {
        at = StoreWorkloadGoal(at, start);
        at = StoreWorkloadGoal(at, end);
        start = end;
    }
    m_out.seekp(0);
    Put(m_block);
    m_out.seekp(0, std::ios::end);
}

} // namespace ns3
