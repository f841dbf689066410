/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-goal-limits.h"
#include "workload-goal-writer.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <charconv>

namespace ns3
{

namespace
{

constexpr size_t WRITE_BLOCK = 1 << 18;

} // namespace

WorkloadGoalTextWriter::WorkloadGoalTextWriter(std::ostream& out, uint32_t ranks)
    : m_out(out),
      m_ranks(ranks)
{
    Put("num_ranks ");
    Put(ranks);
    Put("\n");
}

void
WorkloadGoalTextWriter::Put(const char* text)
{
    m_text += text;
}

void
WorkloadGoalTextWriter::Put(uint64_t number)
{
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
    m_text.append(digits, end);
}

void
WorkloadGoalTextWriter::PlaceDependencies(const WorkloadRank& rank)
{
    const auto count = static_cast<uint32_t>(rank.operations.size());
    // both of its operations stand before a dependency, and so does the one before it in its list
    const auto visit = [&](auto place) {
        for (uint32_t before = 0; before < count; ++before)
        {
            uint32_t behind = before;
            for (const auto* w = rank.BeginWaiters(before); w != rank.EndWaiters(before); ++w)
            {
                behind = std::max(behind, w->Operation());
                place(behind, WorkloadDependency{before, *w});
            }
        }
    };
    m_place.assign(count + static_cast<size_t>(1), 0);
    visit([&](uint32_t behind, const WorkloadDependency&) { ++m_place[behind + 1]; });
    for (uint32_t i = 0; i < count; ++i)
    {
        m_place[i + 1] += m_place[i];
    }
    m_dependencies.resize(rank.waiters.size());
    visit([&](uint32_t behind, const WorkloadDependency& dependency) {
        m_dependencies[m_place[behind]++] = dependency;
    });
}

/** Writes the rank's first line, unless that is there. */
void
WorkloadGoalTextWriter::BeginRank()
{
    if (m_operations == 0)
    {
        Put("\nrank ");
        Put(m_rank);
        Put(" {\n");
    }
}

void
WorkloadGoalTextWriter::PutOperation(const WorkloadOperation& operation)
{
    const std::string fault = WorkloadGoalFault(operation, m_ranks);
    if (!fault.empty())
    {
        throw InputError("rank " + std::to_string(m_rank) + ", operation " +
                         std::to_string(m_operations) + " cannot be written as GOAL: " + fault);
    }
    BeginRank();
    Put("l");
    Put(uint64_t{++m_operations});
    if (operation.kind == WorkloadKind::CALC)
    {
        Put(": calc ");
        Put(operation.size);
    }
    else
    {
        const bool send = operation.kind == WorkloadKind::SEND;
        Put(send ? ": send " : ": recv ");
        Put(operation.size);
        Put(send ? "b to " : "b from ");
        operation.peer == WORKLOAD_ANY ? Put("-1") : Put(operation.peer);
        Put(" tag ");
        operation.tag == WORKLOAD_ANY ? Put("-1") : Put(operation.tag);
    }
    if (operation.cpu)
    {
        Put(" cpu ");
        Put(operation.cpu);
    }
    if (operation.nic)
    {
        Put(" nic ");
        Put(operation.nic);
    }
    Put("\n");
}

void
WorkloadGoalTextWriter::PutDependency(const WorkloadDependency& dependency)
{
    Put("l");
    Put(dependency.after.Operation() + uint64_t(1));
    Put(dependency.after.OnStart() ? " irequires l" : " requires l");
    Put(dependency.before + uint64_t(1));
    Put("\n");
}

void
WorkloadGoalTextWriter::Write(const WorkloadRank& rank)
{
    PlaceDependencies(rank);
    uint32_t next = 0;
    for (uint32_t i = 0; i < rank.operations.size(); ++i)
    {
        PutOperation(rank.operations[i]);
        for (; next < m_place[i]; ++next)
        {
            PutDependency(m_dependencies[next]);
        }
        Flush();
    }
    EndRank();
}

void
WorkloadGoalTextWriter::Append(const WorkloadOperation& operation,
                               const std::vector<WorkloadDependency>& dependencies)
{
    PutOperation(operation);
    for (const WorkloadDependency& dependency : dependencies)
    {
        PutDependency(dependency);
    }
    Flush();
}

void
WorkloadGoalTextWriter::EndRank()
{
    BeginRank();
    Put("}\n");
    ++m_rank;
    m_operations = 0;
}

/** Hands over what has been written, if that is much. */
void
WorkloadGoalTextWriter::Flush()
{
    if (m_text.size() > WRITE_BLOCK)
    {
        m_out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
        m_text.clear();
    }
}

void
WorkloadGoalTextWriter::Finish()
{
    m_out.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_text.clear();
}

} // namespace ns3
