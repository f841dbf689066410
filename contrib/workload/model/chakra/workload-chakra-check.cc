/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-check.h"

#include "ns3/rdma-arithmetic.h"
#include "ns3/workload-chakra-graph.h"

#include <algorithm>
#include <limits>
#include <map>
#include <sstream>
#include <tuple>

namespace ns3
{

namespace
{

/** One node, and what is around it. */
struct Subject
{
    const WorkloadChakraTrace& trace;
    const WorkloadAstraSystem& system;
    size_t dimensions;
    uint64_t rank;
    const WorkloadChakraNode& node;

    [[noreturn]] void Fail(const std::string& message) const
    {
        FailWorkloadChakra(trace.ranks[rank], node, message);
    }

    void Require(const std::optional<uint64_t>& value, const char* attribute) const
    {
        if (!value)
        {
            Fail(std::string("attribute ") + attribute +
                 " is missing; write the trace again with it, or run it with replay-only");
        }
    }
};

void
CheckSize(const Subject& subject)
{
    subject.Require(subject.node.commSize, "comm_size");
    // No sum over the ranks may overflow.
    const uint64_t max =
        static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / subject.trace.ranks.size();
    if (*subject.node.commSize > max)
    {
        subject.Fail("comm_size is " + std::to_string(*subject.node.commSize) +
                     " bytes, but the most is " + std::to_string(max));
    }
}

/** Checks a message's ends: \p own is this rank if it is given, \p other one of the ranks. */
void
CheckEnds(const Subject& subject,
          const std::optional<uint64_t>& own,
          const char* ownName,
          const std::optional<uint64_t>& other,
          const char* otherName)
{
    CheckSize(subject);
    subject.Require(subject.node.commTag, "comm_tag");
    subject.Require(other, otherName);
    if (own && *own != subject.rank)
    {
        subject.Fail(std::string(ownName) + " is " + std::to_string(*own) +
                     ", but this is the trace of rank " + std::to_string(subject.rank));
    }
    if (*other >= subject.trace.ranks.size())
    {
        subject.Fail(std::string(otherName) + " is " + std::to_string(*other) + ", but only " +
                     std::to_string(subject.trace.ranks.size()) +
                     " ranks have a trace; name one of them, or add the traces that are missing");
    }
}

void
CheckCollective(const Subject& subject)
{
    const WorkloadChakraNode& node = subject.node;
    subject.Require(node.commType, "comm_type");
    switch (*node.commType)
    {
    case static_cast<uint64_t>(WorkloadChakraCollective::ALL_REDUCE):
    case static_cast<uint64_t>(WorkloadChakraCollective::ALL_GATHER):
    case static_cast<uint64_t>(WorkloadChakraCollective::ALL_TO_ALL):
    case static_cast<uint64_t>(WorkloadChakraCollective::REDUCE_SCATTER):
        CheckSize(subject);
        break;
    case static_cast<uint64_t>(WorkloadChakraCollective::BROADCAST):
        break;
    default:
        subject.Fail("comm_type is " + std::to_string(*node.commType) +
                     ", but supported are 0 (all-reduce), 2 (all-gather), 6 (all-to-all), 7 "
                     "(reduce-scatter) and, as a duration, 5 (broadcast); use one of these, or "
                     "run the trace with replay-only");
    }
    if (!node.involvedDims.empty() && node.involvedDims.size() < subject.dimensions)
    {
        subject.Fail("involved_dim has " + std::to_string(node.involvedDims.size()) +
                     " entries for " + std::to_string(subject.dimensions) +
                     (subject.dimensions == 1 ? " logical dimension" : " logical dimensions") +
                     "; give one for each");
    }
}

void
CheckNode(const Subject& subject)
{
    const WorkloadChakraNode& node = subject.node;
    if (node.cpuOp && node.kind >= WorkloadChakraKind::COMM_SEND)
    {
        subject.Fail("is_cpu_op is set, but communication is the GPU's; set it to false");
    }
    switch (node.kind)
    {
    case WorkloadChakraKind::COMM_SEND:
        CheckEnds(subject, node.commSrc, "comm_src", node.commDst, "comm_dst");
        break;
    case WorkloadChakraKind::COMM_RECV:
        CheckEnds(subject, node.commDst, "comm_dst", node.commSrc, "comm_src");
        break;
    case WorkloadChakraKind::COMM_COLL:
        CheckCollective(subject);
        break;
    case WorkloadChakraKind::COMP:
        if (subject.system.roofline && !node.cpuOp)
        {
            subject.Require(node.numOps, "num_ops");
            subject.Require(node.tensorSize, "tensor_size");
        }
        break;
    case WorkloadChakraKind::MEM_LOAD:
    case WorkloadChakraKind::MEM_STORE:
        subject.Fail("remote memory is not modelled; make it a computation, or run the trace with "
                     "replay-only, which takes its duration");
    case WorkloadChakraKind::INVALID:
    case WorkloadChakraKind::METADATA:
        break;
    }
}

/** What a source, a destination and a tag have in common, and the last nodes of it. */
struct Channel
{
    uint64_t sent{0};     //!< bytes
    uint64_t received{0}; //!< bytes
    const WorkloadChakraNode* send{nullptr};
    const WorkloadChakraNode* receive{nullptr};
};

/** By source, destination and tag. */
using Channels = std::map<std::tuple<uint64_t, uint64_t, uint64_t>, Channel>;

void
Count(const WorkloadChakraNode& node, uint64_t rank, Channels& channels)
{
    const uint64_t bytes = WorkloadChakraMessageBytes(node);
    if (node.kind == WorkloadChakraKind::COMM_SEND)
    {
        Channel& channel = channels[{rank, *node.commDst, *node.commTag}];
        channel.sent = RdmaSum(channel.sent, bytes);
        channel.send = &node;
    }
    if (node.kind == WorkloadChakraKind::COMM_RECV)
    {
        Channel& channel = channels[{*node.commSrc, rank, *node.commTag}];
        channel.received = RdmaSum(channel.received, bytes);
        channel.receive = &node;
    }
}

} // namespace

uint64_t
WorkloadChakraMessageBytes(const WorkloadChakraNode& node)
{
    return std::max<uint64_t>(node.commSize.value_or(0), 1);
}

void
CheckWorkloadChakra(const WorkloadChakraTrace& trace,
                    const WorkloadAstraSystem& system,
                    size_t dimensions)
{
    if (system.replayOnly)
    {
        return;
    }
    for (size_t rank = 0; rank < trace.ranks.size(); ++rank)
    {
        for (const WorkloadChakraNode& node : trace.ranks[rank].nodes)
        {
            CheckNode({trace, system, dimensions, rank, node});
        }
    }
}

std::vector<std::string>
WarnOfWorkloadChakra(const WorkloadChakraTrace& trace, const WorkloadAstraSystem& system)
{
    constexpr size_t MOST = 10;
    Channels channels;
    for (size_t rank = 0; rank < trace.ranks.size() && !system.replayOnly; ++rank)
    {
        for (const WorkloadChakraNode& node : trace.ranks[rank].nodes)
        {
            Count(node, rank, channels);
        }
    }
    std::vector<std::string> warnings;
    const auto warn = [&](uint64_t rank, const WorkloadChakraNode& node, const std::string& what) {
        warnings.emplace_back(WorkloadChakraError(trace.ranks[rank], node, what).what());
    };
    for (const auto& [key, channel] : channels)
    {
        const auto [src, dst, tag] = key;
        if (channel.sent > channel.received)
        {
            std::ostringstream text;
            text << channel.sent << " bytes go to rank " << dst << ", tag " << tag << ", but "
                 << channel.received << " bytes are received";
            warn(src, *channel.send, text.str());
        }
        if (channel.received > channel.sent)
        {
            std::ostringstream text;
            text << channel.received << " bytes are received from rank " << src << ", tag " << tag
                 << ", but " << channel.sent << " bytes are sent";
            warn(dst, *channel.receive, text.str());
        }
        if (src == dst && channel.send)
        {
            warn(src, *channel.send, "the rank sends to itself, which needs no network");
        }
    }
    if (warnings.size() > MOST)
    {
        const std::string more = std::to_string(warnings.size() - MOST);
        warnings.resize(MOST);
        warnings.push_back(trace.origin + ": " + more + " more warnings of messages");
    }
    return warnings;
}

} // namespace ns3
