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
    m_cursor = StoreWorkloadGoal(StoreWorkloadGoal(MakeRoom(), count), roots);
    for (uint32_t i = 0; i < count; ++i)
    {
        if (rank.operations[i].dependencies == 0)
        {
            m_cursor = StoreWorkloadGoal(MakeRoom(), i);
        }
    }
    PutOperations(rank);
    for (uint32_t i = 0; i < count; ++i)
    {
        for (const bool onStart : {false, true})
        {
            for (const auto* w = rank.BeginWaiters(i); w != rank.EndWaiters(i); ++w)
            {
                if (w->OnStart() == onStart)
                {
                    m_cursor = StoreWorkloadGoal(MakeRoom(), w->Operation());
                }
            }
        }
    }
    Flush();
    const uint64_t start =
        m_ends.empty() ? WORKLOAD_GOAL_HEAD + WORKLOAD_GOAL_JUMP * m_ranks : m_ends.back();
    m_ends.push_back(start + WORKLOAD_GOAL_RANK_HEAD + 4 * static_cast<uint64_t>(roots) +
                     WORKLOAD_GOAL_NODE * count + 4 * rank.waiters.size());
}

/** Puts the record of each operation, with where those that wait for it will be. */
void
WorkloadGoalBinaryWriter::PutOperations(const WorkloadRank& rank)
{
    uint32_t waiters = 0;
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
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
        m_cursor = StoreOperation(MakeRoom(), operation);
        const auto onStart = static_cast<uint32_t>(
            std::count_if(rank.BeginWaiters(i), rank.EndWaiters(i), [](const WorkloadWaiter& w) {
                return w.OnStart();
            }));
        const auto all = static_cast<uint32_t>(rank.EndWaiters(i) - rank.BeginWaiters(i));
        for (const uint32_t waiting : {all - onStart, onStart})
        {
            m_cursor = StoreWorkloadGoal(StoreWorkloadGoal(m_cursor, waiting), waiters);
            waiters += waiting;
        }
    }
}

/** \return where the next record goes: what is before it may be written first */
unsigned char*
WorkloadGoalBinaryWriter::MakeRoom()
{
    constexpr size_t MOST = 1 << 16;
    if (m_block.size() != MOST)
    {
        m_block.resize(MOST);
        m_cursor = m_block.data();
    }
    if (m_cursor + WORKLOAD_GOAL_NODE > m_block.data() + MOST)
    {
        Flush();
    }
    return m_cursor;
}

void
WorkloadGoalBinaryWriter::Flush()
{
    m_out.write(reinterpret_cast<const char*>(m_block.data()), m_cursor - m_block.data());
    m_cursor = m_block.data();
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
    std::vector<WorkloadDependency>().swap(m_dependencies);
    Write(m_appended);
    m_appended = {};
}

void
WorkloadGoalBinaryWriter::Finish()
{
    std::vector<unsigned char> head(WORKLOAD_GOAL_BASE + WORKLOAD_GOAL_HEAD +
                                    WORKLOAD_GOAL_JUMP * m_ends.size());
    unsigned char* at = StoreWorkloadGoal(head.data(), WORKLOAD_GOAL_MAGIC);
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
    Put(head);
    m_out.seekp(0, std::ios::end);
}

} // namespace ns3
