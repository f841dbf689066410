/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a stream of WorkloadChakraStreams does within a phase.

#include "workload-chakra-streams.h"

#include "ns3/rdma-arithmetic.h"

namespace ns3
{

int64_t
WorkloadChakraStreams::ReductionNs(uint64_t bytes) const
{
    if (m_system.localMemGBps == 0)
    {
        return 0;
    }
    // Two operands are read and one is written, each in whole nanoseconds.
    const double bytesPerSecond = m_system.localMemGBps * 1e9;
    const double ns = static_cast<double>(bytes) / bytesPerSecond * 1e9;
    return 3 * ns < static_cast<double>(RDMA_END_OF_TIME) ? 3 * static_cast<int64_t>(ns)
                                                          : INT64_MAX;
}

WorkloadPost::Owner
WorkloadChakraStreams::OwnerOf(uint32_t s) const
{
    const Collective& collective = m_parts[m_streams[s].part].collective;
    return {collective.rank, collective.operation};
}

void
WorkloadChakraStreams::Send(uint32_t s, uint32_t to, uint64_t step, uint64_t bytes)
{
    const Stream& stream = m_streams[s];
    const Part& part = m_parts[stream.part];
    const uint32_t dst = PhaseOf(stream).members.Rank(to);
    uint32_t letter = 0;
    if (m_freeLetters.empty())
    {
        letter = static_cast<uint32_t>(m_letters.size());
        m_letters.emplace_back();
    }
    else
    {
        letter = m_freeLetters.back();
        m_freeLetters.pop_back();
    }
    m_letters[letter] = {part.meeting,
                         MemberOf(part.collective.communicator, dst),
                         stream.chunk,
                         stream.phase,
                         step};
    m_post.Send(OwnerOf(s),
                part.collective.rank,
                dst,
                bytes,
                part.collective.label,
                [this, letter] { Arrive(letter); });
}

void
WorkloadChakraStreams::Arrive(uint32_t l)
{
    const Letter letter = m_letters[l];
    m_freeLetters.push_back(l);
    Meeting& meeting = m_meetings[letter.meeting];
    const uint32_t part = meeting.parts[letter.member];
    if (part == UINT32_MAX)
    {
        meeting.early[{letter.member, letter.chunk}].push_back({letter.phase, letter.step});
        return;
    }
    const uint32_t s = m_parts[part].streams[letter.chunk];
    if (m_streams[s].active && m_streams[s].phase == letter.phase)
    {
        Take(s, letter.step);
    }
    else
    {
        m_streams[s].early.push_back({letter.phase, letter.step});
    }
}

void
WorkloadChakraStreams::Take(uint32_t s, uint64_t step)
{
    Stream& stream = m_streams[s];
    switch (PhaseOf(stream).implementation.algorithm)
    {
    case WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE:
        TakeTree(s, step);
        return;
    case WorkloadAstraAlgorithm::RING:
        // All come from one neighbour and are alike: they need no names.
        ++stream.arrived;
        step = stream.received;
        break;
    default:
        stream.here[step] = true;
        break;
    }
    // A step that has not begun yet finds its message then.
    if (step < stream.sent)
    {
        Receive(s, step);
    }
}

void
WorkloadChakraStreams::Receive(uint32_t s, uint64_t step)
{
    Stream& stream = m_streams[s];
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    ++stream.received;
    m_post.After(OwnerOf(s),
                 RdmaLater(phase.endpointNs, ReductionNs(phase.Reduced(step))),
                 [this, s] { Advance(s, 1); });
}

void
WorkloadChakraStreams::Advance(uint32_t s, uint32_t tokens)
{
    Stream& stream = m_streams[s];
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    const bool ring = phase.implementation.algorithm == WorkloadAstraAlgorithm::RING;
    const uint64_t steps = phase.Steps();
    stream.tokens += tokens;
    while (stream.tokens > 0 && stream.sent < steps && stream.received >= phase.Gate(stream.sent))
    {
        --stream.tokens;
        const uint64_t k = stream.sent++;
        Send(s, phase.To(k), k, phase.Bytes(k));
        if (ring ? stream.arrived > stream.received : stream.here[k])
        {
            Receive(s, k);
        }
    }
    if (stream.sent == steps && stream.tokens == phase.Window())
    {
        EndPhase(s);
    }
}

WorkloadChakraTreePlace
WorkloadChakraStreams::PlaceOf(const Stream& stream) const
{
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    const uint64_t number = m_meetings[m_parts[stream.part].meeting].number;
    return FindWorkloadChakraTreePlace(phase.position,
                                       phase.members.count,
                                       (number + stream.chunk) % 2 == 0);
}

void
WorkloadChakraStreams::TakeTree(uint32_t s, uint64_t step)
{
    const WorkloadChakraPhase& phase = PhaseOf(m_streams[s]);
    const int64_t reduction = step == FROM_PARENT ? 0 : ReductionNs(phase.bytes);
    m_post.After(OwnerOf(s),
                 phase.endpointNs + reduction,
                 [this, s, step = static_cast<uint32_t>(step)] { AdvanceTree(s, step); });
}

void
WorkloadChakraStreams::AdvanceTree(uint32_t s, uint64_t step)
{
    Stream& stream = m_streams[s];
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    const WorkloadChakraTreePlace place = PlaceOf(stream);
    const bool root = place.parent == WORKLOAD_CHAKRA_NOBODY;
    const uint32_t children = (place.children[0] != WORKLOAD_CHAKRA_NOBODY ? 1 : 0) +
                              (place.children[1] != WORKLOAD_CHAKRA_NOBODY ? 1 : 0);
    if (step < FROM_PARENT && ++stream.received < children)
    {
        return;
    }
    if (step != FROM_PARENT && !root)
    {
        const WorkloadChakraTreePlace parent = FindWorkloadChakraTreePlace(
            place.parent,
            phase.members.count,
            (m_meetings[m_parts[stream.part].meeting].number + stream.chunk) % 2 == 0);
        Send(s, place.parent, parent.children[0] == phase.position ? 0 : 1, phase.bytes);
        return;
    }
    for (uint32_t child = 0; child < children; ++child)
    {
        Send(s, place.children[child], FROM_PARENT, phase.bytes);
    }
    EndPhase(s);
}

} // namespace ns3
