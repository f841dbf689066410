/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-schedule.h"

#include "ns3/input-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \return the bytes that a vector holds */
template <typename T>
uint64_t
BytesOf(const std::vector<T>& values)
{
    return values.capacity() * sizeof(T);
}

} // namespace

void
SetWorkloadDependencies(WorkloadRank& rank, const std::vector<WorkloadDependency>& dependencies)
{
    const size_t count = rank.operations.size();
    rank.firstWaiter.assign(count + 1, 0);
    for (WorkloadOperation& operation : rank.operations)
    {
        operation.dependencies = 0;
    }
    for (const WorkloadDependency& dependency : dependencies)
    {
        const size_t last = std::max<size_t>(dependency.before, dependency.after.Operation());
        if (last >= count)
        {
            throw InputError("SetWorkloadDependencies: a dependency names operation " +
                             std::to_string(last) + ", but the rank has " + std::to_string(count) +
                             ", from 0; set its operations first");
        }
        ++rank.firstWaiter[dependency.before + 1];
        ++rank.operations[dependency.after.Operation()].dependencies;
    }
    for (size_t i = 0; i < count; ++i)
    {
        rank.firstWaiter[i + 1] += rank.firstWaiter[i];
    }
    rank.waiters.resize(dependencies.size());
    std::vector<uint32_t> next(rank.firstWaiter.begin(), rank.firstWaiter.end() - 1);
    for (const WorkloadDependency& dependency : dependencies)
    {
        rank.waiters[next[dependency.before]++] = dependency.after;
    }
}

std::string
WorkloadSchedule::Describe(uint32_t rank, uint32_t operation) const
{
    const WorkloadOperation& what = ranks[rank].operations[operation];
    const uint64_t line = findLine ? findLine(rank, operation) : 0;
    return (origin.empty() ? "" : origin + ":") +
           (line             ? std::to_string(line) + ": "
            : origin.empty() ? ""
                             : " ") +
           "rank " + std::to_string(rank) + ", operation " + std::to_string(operation) + ", " +
           (what.kind == WorkloadKind::CALC   ? "a computation of "
            : what.kind == WorkloadKind::SEND ? "a send of "
                                              : "a receive of ") +
           std::to_string(what.size) + (what.kind == WorkloadKind::CALC ? " ns," : " bytes,");
}

uint64_t
WorkloadSchedule::CountOperations() const
{
    uint64_t count = 0;
    for (const WorkloadRank& rank : ranks)
    {
        count += rank.operations.size();
    }
    return count;
}

uint64_t
WorkloadSchedule::CountDependencies() const
{
    uint64_t count = 0;
    for (const WorkloadRank& rank : ranks)
    {
        count += rank.waiters.size();
    }
    return count;
}

bool
WorkloadSchedule::HasSlowdowns() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const WorkloadRank& rank) {
        return std::any_of(rank.operations.begin(),
                           rank.operations.end(),
                           [](const WorkloadOperation& operation) {
                               return operation.kind == WorkloadKind::CALC && operation.peer > 0;
                           });
    });
}

uint8_t
WorkloadSchedule::HighestCpu() const
{
    uint8_t highest = 0;
    for (const WorkloadRank& rank : ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            highest = std::max(highest, operation.cpu);
        }
    }
    return highest;
}

uint8_t
WorkloadSchedule::HighestNic() const
{
    uint8_t highest = 0;
    for (const WorkloadRank& rank : ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            highest = std::max(highest, operation.nic);
        }
    }
    return highest;
}

uint64_t
WorkloadSchedule::CountBytes() const
{
    uint64_t bytes = BytesOf(ranks);
    for (const WorkloadRank& rank : ranks)
    {
        bytes += BytesOf(rank.operations) + BytesOf(rank.firstWaiter) + BytesOf(rank.waiters);
    }
    return bytes;
}

WorkloadScheduleBuilder::WorkloadScheduleBuilder(uint32_t ranks)
    : m_dependencies(ranks)
{
    m_schedule.ranks.resize(ranks);
}

uint8_t
WorkloadScheduleBuilder::Category(const std::string& name)
{
    std::vector<std::string>& names = m_schedule.categories;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end())
    {
        return static_cast<uint8_t>(found - names.begin());
    }
    if (names.size() > UINT8_MAX)
    {
        throw InputError("category " + name +
                         ": there are 256 already; name fewer kinds of traffic");
    }
    names.push_back(name);
    return static_cast<uint8_t>(names.size() - 1);
}

uint8_t
WorkloadScheduleBuilder::SetCategory(uint8_t category)
{
    const uint8_t before = m_category;
    m_category = category;
    return before;
}

uint32_t
WorkloadScheduleBuilder::Add(uint32_t rank, const WorkloadOperation& operation)
{
    std::vector<WorkloadOperation>& operations = m_schedule.ranks[rank].operations;
    if (operations.size() >= WorkloadWaiter::MAX_OPERATIONS)
    {
        throw InputError("rank " + std::to_string(rank) + " has " +
                         std::to_string(operations.size()) +
                         " operations, the most that there may be: split the work over more ranks");
    }
    operations.push_back(operation);
    operations.back().category = m_category;
    return static_cast<uint32_t>(operations.size() - 1);
}

uint32_t
WorkloadScheduleBuilder::Send(uint32_t rank,
                              uint32_t to,
                              uint64_t bytes,
                              uint32_t tag,
                              uint8_t cpu,
                              uint8_t nic)
{
    return Add(rank, {bytes, to, tag, 0, WorkloadKind::SEND, cpu, nic});
}

uint32_t
WorkloadScheduleBuilder::Recv(uint32_t rank,
                              uint32_t from,
                              uint64_t bytes,
                              uint32_t tag,
                              uint8_t cpu,
                              uint8_t nic)
{
    return Add(rank, {bytes, from, tag, 0, WorkloadKind::RECV, cpu, nic});
}

uint32_t
WorkloadScheduleBuilder::Calc(uint32_t rank, uint64_t ns, uint8_t cpu)
{
    return Add(rank, {ns, 0, 0, 0, WorkloadKind::CALC, cpu, 0});
}

uint32_t
WorkloadScheduleBuilder::NewTags(uint64_t count)
{
    if (count > WORKLOAD_ANY - m_nextTag)
    {
        throw InputError("the messages need " + std::to_string(count) + " tags more than the " +
                         std::to_string(m_nextTag) +
                         " in use, and a tag has 32 bits: use larger chunks or fewer repeats");
    }
    const uint32_t first = m_nextTag;
    m_nextTag += static_cast<uint32_t>(count);
    return first;
}

WorkloadSchedule
WorkloadScheduleBuilder::Build()
{
    for (size_t rank = 0; rank < m_dependencies.size(); ++rank)
    {
        m_schedule.ranks[rank].operations.shrink_to_fit();
        SetWorkloadDependencies(m_schedule.ranks[rank], m_dependencies[rank]);
        std::vector<WorkloadDependency>().swap(m_dependencies[rank]);
    }
    m_dependencies.clear();
    return std::move(m_schedule);
}

} // namespace ns3
