/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-nccl-matcher.h"

#include "ns3/input-error.h"
#include "ns3/workload-collective-servers.h"
#include "ns3/workload-collective-tuning.h"

#include <algorithm>
#include <array>

namespace ns3
{

namespace
{

const char* const REMEDY_WINDOW =
    ": record the same part of the program on all ranks, whole iterations";

WorkloadCollectiveKind
KindOf(WorkloadNcclOperation operation)
{
    switch (operation)
    {
    case WorkloadNcclOperation::ALL_GATHER:
        return WorkloadCollectiveKind::ALL_GATHER;
    case WorkloadNcclOperation::REDUCE_SCATTER:
        return WorkloadCollectiveKind::REDUCE_SCATTER;
    case WorkloadNcclOperation::BROADCAST:
        return WorkloadCollectiveKind::BROADCAST;
    case WorkloadNcclOperation::REDUCE:
        return WorkloadCollectiveKind::REDUCE;
    case WorkloadNcclOperation::ALL_TO_ALL:
        return WorkloadCollectiveKind::ALL_TO_ALL;
    default:
        return WorkloadCollectiveKind::ALL_REDUCE;
    }
}

bool
HasRoot(WorkloadNcclOperation operation)
{
    return operation == WorkloadNcclOperation::BROADCAST ||
           operation == WorkloadNcclOperation::REDUCE;
}

/**
 * A kernel's block has the threads that the protocol takes, at least NCCL's 4 warps.
 * \return the only protocol that has so many, or AUTO
 */
WorkloadProtocol
ProtocolOf(const WorkloadCollective& how, const WorkloadNcclCase& what, uint32_t threads)
{
    constexpr uint32_t LEAST_THREADS = 128;
    constexpr std::array<WorkloadProtocol, 3> PROTOCOLS{WorkloadProtocol::SIMPLE,
                                                        WorkloadProtocol::LL,
                                                        WorkloadProtocol::LL128};
    WorkloadProtocol found = WorkloadProtocol::AUTO;
    for (const WorkloadProtocol protocol : PROTOCOLS)
    {
        const uint32_t its = WorkloadNcclThreads(what, how.algorithm, protocol, how.channels);
        if (std::max(its, LEAST_THREADS) == threads)
        {
            if (found != WorkloadProtocol::AUTO)
            {
                return WorkloadProtocol::AUTO;
            }
            found = protocol;
        }
    }
    return found;
}

/** \return a collective in words, for errors */
std::string
DescribeCollective(const char* name, uint64_t bytes, bool rooted, uint32_t root)
{
    return std::string(name) + " of " + std::to_string(bytes) + " bytes" +
           (rooted ? " with root " + std::to_string(root) : "");
}

const char*
NameOfKind(WorkloadCollectiveKind kind)
{
    for (size_t operation = 0; operation < WORKLOAD_NCCL_OPERATIONS; ++operation)
    {
        if (KindOf(static_cast<WorkloadNcclOperation>(operation)) == kind)
        {
            return WorkloadNcclOperationName(static_cast<WorkloadNcclOperation>(operation));
        }
    }
    return "";
}

} // namespace

WorkloadNcclMatcher::WorkloadNcclMatcher(const WorkloadNcclTrace& trace,
                                         const WorkloadNcclOptions& options)
    : m_trace(trace),
      m_options(options),
      m_collectives(trace.communicators.size()),
      m_counts(trace.communicators.size())
{
    for (size_t index = 0; index < trace.communicators.size(); ++index)
    {
        m_counts[index].resize(trace.communicators[index].members.size());
    }
}

void
WorkloadNcclMatcher::Begin(uint32_t gpu)
{
    m_gpu = gpu;
}

void
WorkloadNcclMatcher::Fail(uint32_t communicator, const std::string& message) const
{
    throw InputError(m_trace.gpus[m_gpu].name,
                     0,
                     "communicator " + m_trace.communicators[communicator].name + ": " + message);
}

uint32_t
WorkloadNcclMatcher::IndexOf(uint32_t communicator) const
{
    const std::vector<uint32_t>& members = m_trace.communicators[communicator].members;
    const auto found = std::find(members.begin(), members.end(), m_gpu);
    if (found == members.end())
    {
        Fail(communicator,
             "the GPU uses it, but is none of its " + std::to_string(members.size()) +
                 " members: give the traces of one run");
    }
    return static_cast<uint32_t>(found - members.begin());
}

uint32_t
WorkloadNcclMatcher::NewTags(uint64_t count)
{
    if (count > UINT32_MAX - m_nextTag)
    {
        throw InputError("the trace makes more messages than there are tags (2^32): convert a "
                         "shorter one, or larger chunks");
    }
    const uint32_t first = m_nextTag;
    m_nextTag += static_cast<uint32_t>(count);
    return first;
}

void
WorkloadNcclMatcher::CheckPeer(const WorkloadNcclCall& call, bool root) const
{
    const size_t count = m_trace.communicators[call.communicator].members.size();
    if (call.peer >= count)
    {
        Fail(call.communicator,
             std::string(WorkloadNcclOperationName(call.operation)) +
                 (root ? " with root " : " with peer ") + std::to_string(call.peer) +
                 ", but there are only " + std::to_string(count) +
                 " members: the trace is damaged, or of another run than the others");
    }
}

WorkloadCollective
WorkloadNcclMatcher::HowOf(const WorkloadNcclKernel& kernel, const WorkloadNcclCall& call) const
{
    constexpr uint32_t MAX_CHANNELS = 64;
    const std::vector<uint32_t>& members = m_trace.communicators[call.communicator].members;
    WorkloadCollective how = m_options.how;
    how.kind = KindOf(call.operation);
    how.bytes = call.bytes;
    how.root = HasRoot(call.operation) ? call.peer : 0;
    const bool reduces = call.operation == WorkloadNcclOperation::ALL_REDUCE;
    const bool direct = call.operation == WorkloadNcclOperation::ALL_TO_ALL;
    if (!reduces) // there is but one
    {
        how.algorithm =
            direct ? WorkloadCollectiveAlgorithm::AUTO : WorkloadCollectiveAlgorithm::RING;
    }
    if (direct)
    {
        how.channels = 1;
    }
    const bool alone = kernel.calls == 1; // else its blocks are those of several collectives
    if (alone && !direct)
    {
        if (reduces && how.algorithm == WorkloadCollectiveAlgorithm::AUTO)
        {
            how.algorithm = kernel.algorithm;
        }
        if (how.channels == 0)
        {
            how.channels = std::min(kernel.channels, MAX_CHANNELS);
        }
        if (how.protocol == WorkloadProtocol::AUTO && how.channels != 0 &&
            how.algorithm != WorkloadCollectiveAlgorithm::AUTO)
        {
            const auto servers =
                static_cast<uint32_t>(GroupWorkloadServers(members, how.ranksPerServer).size());
            how.protocol =
                ProtocolOf(how,
                           {how.kind, how.bytes, static_cast<uint32_t>(members.size()), servers},
                           kernel.threads);
        }
    }
    return ResolveWorkloadCollective(how, members);
}

void
WorkloadNcclMatcher::CheckSame(const WorkloadCollective& first, const WorkloadNcclCall& call) const
{
    const bool rooted = HasRoot(call.operation);
    if (first.kind == KindOf(call.operation) && first.bytes == call.bytes &&
        (!rooted || first.root == call.peer))
    {
        return;
    }
    const std::vector<uint32_t>& counts = m_counts[call.communicator];
    const bool others = first.kind == WorkloadCollectiveKind::BROADCAST ||
                        first.kind == WorkloadCollectiveKind::REDUCE;
    Fail(call.communicator,
         "its collective no. " + std::to_string(counts[IndexOf(call.communicator)]) + " is " +
             DescribeCollective(WorkloadNcclOperationName(call.operation),
                                call.bytes,
                                rooted,
                                call.peer) +
             ", but that of an earlier member is " +
             DescribeCollective(NameOfKind(first.kind), first.bytes, others, first.root) +
             REMEDY_WINDOW);
}

WorkloadCollectivePart
WorkloadNcclMatcher::AddCollective(WorkloadScheduleBuilder& builder,
                                   const WorkloadNcclKernel& kernel,
                                   const WorkloadNcclCall& call,
                                   uint8_t cpu)
{
    const std::vector<uint32_t>& members = m_trace.communicators[call.communicator].members;
    std::vector<Collective>& collectives = m_collectives[call.communicator];
    const uint32_t index = IndexOf(call.communicator);
    CheckPeer(call, true);
    const uint32_t number = m_counts[call.communicator][index]++;
    const bool first = number == collectives.size();
    if (first)
    {
        collectives.push_back({HowOf(kernel, call), NewTags(0)});
    }
    const Collective& collective = collectives[number];
    CheckSame(collective.how, call);
    WorkloadCollective how = collective.how;
    how.cpu = cpu;
    const WorkloadCollectivePart part =
        AddWorkloadCollectivePart(builder, members, how, index, collective.firstTag);
    if (first)
    {
        NewTags(part.tags);
    }
    return part;
}

WorkloadCollectivePart
WorkloadNcclMatcher::AddMessages(WorkloadScheduleBuilder& builder,
                                 const std::vector<WorkloadNcclCall>& calls,
                                 uint8_t cpu)
{
    const uint32_t communicator = calls.front().communicator;
    const std::vector<uint32_t>& members = m_trace.communicators[communicator].members;
    const uint32_t index = IndexOf(communicator);
    WorkloadCollective how = m_options.how;
    how.cpu = cpu;
    std::vector<WorkloadMemberMessage> messages;
    for (const WorkloadNcclCall& call : calls)
    {
        CheckPeer(call, false);
        const bool receives = call.operation == WorkloadNcclOperation::RECV;
        Pair& pair = m_pairs[receives ? PairKey(communicator, call.peer, index)
                                      : PairKey(communicator, index, call.peer)];
        const uint32_t number = receives ? pair.received++ : pair.sent++;
        if (number == pair.messages.size())
        {
            const uint64_t tags = CountWorkloadMessageTags(members, how, call.bytes);
            pair.messages.emplace_back(call.bytes, NewTags(tags));
        }
        const auto& [bytes, tag] = pair.messages[number];
        if (bytes != call.bytes)
        {
            Fail(communicator,
                 "its " + std::string(WorkloadNcclOperationName(call.operation)) + " no. " +
                     std::to_string(number + 1) + (receives ? " from" : " to") + " member " +
                     std::to_string(call.peer) + " has " + std::to_string(call.bytes) +
                     " bytes, but at the other end it has " + std::to_string(bytes) +
                     REMEDY_WINDOW);
        }
        messages.push_back({call.peer, bytes, tag, receives});
    }
    return AddWorkloadMessages(builder, members, how, index, messages);
}

void
WorkloadNcclMatcher::Finish() const
{
    for (uint32_t index = 0; index < m_counts.size(); ++index)
    {
        const std::vector<uint32_t>& counts = m_counts[index];
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        if (least != most && *least != *most) // it may have no members
        {
            const WorkloadNcclCommunicator& communicator = m_trace.communicators[index];
            const auto nameOf = [&](std::vector<uint32_t>::const_iterator member) {
                return m_trace
                    .gpus[communicator.members[static_cast<size_t>(member - counts.begin())]]
                    .name;
            };
            throw InputError(nameOf(least),
                             0,
                             "communicator " + communicator.name + ": has " +
                                 std::to_string(*least) + " collectives, but " + nameOf(most) +
                                 " has " + std::to_string(*most) + REMEDY_WINDOW);
        }
    }
    for (const auto& [key, pair] : m_pairs)
    {
        const auto& [index, from, to] = key;
        if (pair.sent != pair.received)
        {
            const WorkloadNcclCommunicator& communicator = m_trace.communicators[index];
            throw InputError(m_trace.gpus[communicator.members[from]].name,
                             0,
                             "communicator " + communicator.name + ": sends " +
                                 std::to_string(pair.sent) + " messages to member " +
                                 std::to_string(to) + ", but " +
                                 m_trace.gpus[communicator.members[to]].name + " receives " +
                                 std::to_string(pair.received) + REMEDY_WINDOW);
        }
    }
}

} // namespace ns3
