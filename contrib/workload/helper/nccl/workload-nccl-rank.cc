/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nccl-rank.h"

#include "ns3/input-error.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/** Most streams of a GPU: each is a compute stream of GOAL, whose readers take up to 254. */
constexpr size_t MOST_STREAMS = 254;

bool
IsMessage(WorkloadNcclOperation operation)
{
    return operation == WorkloadNcclOperation::SEND || operation == WorkloadNcclOperation::RECV;
}

} // namespace

WorkloadNcclRank::WorkloadNcclRank(const WorkloadNcclTrace& trace,
                                   uint32_t gpu,
                                   const WorkloadNcclOptions& options,
                                   WorkloadNcclMatcher& matcher,
                                   WorkloadNcclConversion& done)
    : m_gpu(trace.gpus[gpu]),
      m_rank(gpu),
      m_options(options),
      m_matcher(matcher),
      m_done(done),
      m_builder(static_cast<uint32_t>(trace.gpus.size())),
      m_streams(m_gpu.streams.size())
{
    if (m_streams.size() > MOST_STREAMS)
    {
        throw InputError(m_gpu.name,
                         0,
                         "has kernels of NCCL on " + std::to_string(m_streams.size()) +
                             " streams, but schedules can have " + std::to_string(MOST_STREAMS) +
                             " at most: trace a part of the program that uses fewer");
    }
    for (Stream& stream : m_streams)
    {
        stream.waitedFor.resize(m_streams.size());
    }
}

WorkloadRank
WorkloadNcclRank::Make()
{
    m_matcher.Begin(m_rank);
    for (const WorkloadNcclKernel& kernel : m_gpu.kernels)
    {
        Add(kernel);
    }
    AddRest();
    WorkloadSchedule schedule = m_builder.Build();
    Count(schedule.ranks[m_rank]);
    return std::move(schedule.ranks[m_rank]);
}

void
WorkloadNcclRank::Add(const WorkloadNcclKernel& kernel)
{
    std::vector<uint32_t> before = OwnBefore(kernel);
    AddOtherBefore(kernel, before);
    const WorkloadCollectivePart part = AddCalls(kernel);
    for (const uint32_t operation : before)
    {
        m_builder.Require(m_rank, part.begin, operation);
    }
    Stream& stream = m_streams[kernel.stream];
    const uint64_t last = stream.endNs.empty() ? 0 : stream.endNs.back();
    stream.endNs.push_back(std::max(last, kernel.endNs)); // a stream's kernels end in their order
    stream.end.push_back(part.end);
}

const WorkloadNcclRank::Stream*
WorkloadNcclRank::LastEnded(uint64_t byNs) const
{
    const Stream* found = nullptr;
    for (const Stream& stream : m_streams)
    {
        if (!stream.end.empty() && stream.endNs.back() <= byNs &&
            (!found || stream.endNs.back() > found->endNs.back()))
        {
            found = &stream;
        }
    }
    return found;
}

std::vector<uint32_t>
WorkloadNcclRank::OwnBefore(const WorkloadNcclKernel& kernel)
{
    const Stream& own = m_streams[kernel.stream];
    // the first kernel of a stream follows whatever the GPU did before
    const Stream* previous = own.end.empty() ? LastEnded(kernel.startNs) : &own;
    const uint64_t since = previous ? previous->endNs.back() : m_gpu.startNs;
    const uint32_t before = previous ? previous->end.back() : WORKLOAD_NONE;
    const uint64_t gap = kernel.startNs > since ? kernel.startNs - since : 0;
    const uint32_t operation = Compute(gap, before, static_cast<uint8_t>(kernel.stream));
    return operation == WORKLOAD_NONE ? std::vector<uint32_t>() : std::vector<uint32_t>{operation};
}

void
WorkloadNcclRank::AddOtherBefore(const WorkloadNcclKernel& kernel, std::vector<uint32_t>& before)
{
    Stream& own = m_streams[kernel.stream];
    for (size_t index = 0; index < m_streams.size(); ++index)
    {
        const Stream& other = m_streams[index];
        const auto later = std::upper_bound(other.endNs.begin(), other.endNs.end(), kernel.startNs);
        const auto ended = static_cast<size_t>(later - other.endNs.begin());
        if (index != kernel.stream && ended > own.waitedFor[index])
        {
            own.waitedFor[index] = ended;
            before.push_back(other.end[ended - 1]);
        }
    }
}

uint32_t
WorkloadNcclRank::Compute(uint64_t ns, uint32_t before, uint8_t cpu)
{
    const auto time = static_cast<uint64_t>(std::round(static_cast<double>(ns) * m_options.scale));
    if (time == 0)
    {
        return before;
    }
    const uint32_t operation = m_builder.Calc(m_rank, time, cpu);
    if (before != WORKLOAD_NONE)
    {
        m_builder.Require(m_rank, operation, before);
    }
    return operation;
}

WorkloadCollectivePart
WorkloadNcclRank::AddCalls(const WorkloadNcclKernel& kernel)
{
    const auto cpu = static_cast<uint8_t>(kernel.stream);
    std::vector<WorkloadCollectivePart> parts;
    std::map<uint32_t, std::vector<WorkloadNcclCall>> messages; // by communicator
    for (uint32_t index = 0; index < kernel.calls; ++index)
    {
        const WorkloadNcclCall& call = m_gpu.calls[kernel.firstCall + index];
        WorkloadNcclCount& count = m_done.counts[static_cast<size_t>(call.operation)];
        ++count.calls;
        count.bytes += call.bytes;
        if (IsMessage(call.operation))
        {
            messages[call.communicator].push_back(call);
            continue;
        }
        parts.push_back(m_matcher.AddCollective(m_builder, kernel, call, cpu));
        m_made.push_back({call.operation, parts.back()});
    }
    for (const auto& [communicator, calls] : messages)
    {
        parts.push_back(m_matcher.AddMessages(m_builder, calls, cpu));
        m_made.push_back({WorkloadNcclOperation::SEND, parts.back()});
    }
    if (parts.size() == 1)
    {
        return parts.front();
    }
    const WorkloadCollectivePart group{m_builder.Calc(m_rank, 0, cpu),
                                       m_builder.Calc(m_rank, 0, cpu),
                                       0};
    m_builder.Require(m_rank, group.end, group.begin);
    for (const WorkloadCollectivePart& part : parts)
    {
        m_builder.Require(m_rank, part.begin, group.begin);
        m_builder.Require(m_rank, group.end, part.end);
    }
    return group;
}

void
WorkloadNcclRank::AddRest()
{
    uint64_t last = m_gpu.startNs;
    for (const Stream& stream : m_streams)
    {
        last = stream.endNs.empty() ? last : std::max(last, stream.endNs.back());
    }
    if (m_gpu.endNs <= last)
    {
        return;
    }
    const uint32_t rest = Compute(m_gpu.endNs - last, WORKLOAD_NONE, 0);
    for (const Stream& stream : m_streams)
    {
        if (rest != WORKLOAD_NONE && !stream.end.empty())
        {
            m_builder.Require(m_rank, rest, stream.end.back());
        }
    }
}

void
WorkloadNcclRank::Count(const WorkloadRank& rank)
{
    for (const Made& made : m_made)
    {
        WorkloadNcclCount& count = m_done.counts[static_cast<size_t>(made.operation)];
        for (uint32_t index = made.part.begin; index <= made.part.end; ++index)
        {
            const WorkloadOperation& operation = rank.operations[index];
            if (operation.kind == WorkloadKind::SEND)
            {
                ++count.messages;
                count.sent += operation.size;
            }
        }
    }
}

} // namespace ns3
