/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-mpi-operations.h"

#include <algorithm>

namespace ns3
{

uint32_t
WorkloadMpiOperations::Append(const WorkloadOperation& operation,
                              const Befores& befores,
                              bool changes)
{
    const uint32_t number = m_count++;
    m_dependencies += befores.size();
    if (m_waiting.empty() && !changes)
    {
        Write(number, operation, befores);
    }
    else
    {
        m_waiting.push_back({operation, befores, changes});
    }
    return number;
}

WorkloadOperation&
WorkloadMpiOperations::Get(uint32_t operation)
{
    return m_waiting.at(operation - (m_count - m_waiting.size())).operation;
}

void
WorkloadMpiOperations::Settle(uint32_t operation)
{
    m_waiting.at(operation - (m_count - m_waiting.size())).changes = false;
    while (!m_waiting.empty() && !m_waiting.front().changes)
    {
        const Entry& first = m_waiting.front();
        Write(static_cast<uint32_t>(m_count - m_waiting.size()), first.operation, first.befores);
        m_waiting.pop_front();
    }
}

void
WorkloadMpiOperations::End()
{
    auto number = static_cast<uint32_t>(m_count - m_waiting.size());
    for (const Entry& entry : m_waiting)
    {
        Write(number++, entry.operation, entry.befores);
    }
    m_waiting.clear();
    m_writer.EndRank();
}

void
WorkloadMpiOperations::Write(uint32_t number,
                             const WorkloadOperation& operation,
                             const Befores& befores)
{
    m_written.clear();
    for (const Before& before : befores)
    {
        m_written.push_back({before.operation, WorkloadWaiter(number, before.start)});
    }
    std::stable_sort(m_written.begin(), m_written.end(), [](const auto& a, const auto& b) {
        return a.before < b.before;
    });
    m_writer.Append(operation, m_written);
}

} // namespace ns3
