/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-chakra-streams.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t NOBODY = UINT32_MAX;

/** \return a place in \p slots that nobody uses */
template <typename Slot>
uint32_t
TakeSlot(std::deque<Slot>& slots, std::vector<uint32_t>& unused)
{
    if (unused.empty())
    {
        slots.emplace_back();
        return static_cast<uint32_t>(slots.size() - 1);
    }
    const uint32_t slot = unused.back();
    unused.pop_back();
    slots[slot] = {};
    return slot;
}

/** \return a collective's name */
std::string
NameOf(WorkloadChakraCollective kind)
{
    switch (kind)
    {
    case WorkloadChakraCollective::ALL_GATHER:
        return "all-gather";
    case WorkloadChakraCollective::REDUCE_SCATTER:
        return "reduce-scatter";
    case WorkloadChakraCollective::ALL_TO_ALL:
        return "all-to-all";
    case WorkloadChakraCollective::BROADCAST:
        return "broadcast";
    default:
        return "all-reduce";
    }
}

} // namespace

WorkloadChakraStreams::WorkloadChakraStreams(
    WorkloadPost& post,
    const WorkloadAstraSystem& system,
    uint32_t ranks,
    uint32_t dimensions,
    const std::vector<WorkloadChakraCommunicator>& communicators,
    Ended ended)
    : m_post(post),
      m_system(system),
      m_dimensions(dimensions),
      m_communicators(communicators),
      m_ended(std::move(ended)),
      m_members(communicators.size()),
      m_counts(communicators.size()),
      m_queues(size_t{ranks} * dimensions * 2)
{
    for (size_t c = 0; c < communicators.size(); ++c)
    {
        m_counts[c].resize(communicators[c].size, 0);
        for (uint32_t i = 0; i < communicators[c].ranks.size(); ++i)
        {
            m_members[c][communicators[c].ranks[i]] = i;
        }
    }
}

uint32_t
WorkloadChakraStreams::MemberOf(uint32_t communicator, uint32_t rank) const
{
    const std::map<uint32_t, uint32_t>& members = m_members[communicator];
    return members.empty() ? rank : members.at(rank);
}

uint32_t
WorkloadChakraStreams::RankOf(uint32_t communicator, uint32_t member) const
{
    const std::vector<uint32_t>& ranks = m_communicators[communicator].ranks;
    return ranks.empty() ? member : ranks[member];
}

const WorkloadChakraPhase&
WorkloadChakraStreams::PhaseOf(const Stream& stream) const
{
    return m_parts[stream.part].phases[stream.phase];
}

WorkloadChakraStreams::Queue&
WorkloadChakraStreams::QueueOf(const Stream& stream)
{
    // The way back has a queue of its own: otherwise a rank could wait for a chunk going up, and
    // its neighbour for one coming back.
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    const size_t rank = m_parts[stream.part].collective.rank;
    return m_queues[(rank * m_dimensions + phase.dimension) * 2 + (phase.backwards ? 1 : 0)];
}

bool
WorkloadChakraStreams::Meet(const Collective& collective, uint32_t part)
{
    const uint32_t c = collective.communicator;
    const uint32_t member = MemberOf(c, collective.rank);
    const uint64_t number = m_counts[c][member]++;
    const auto [open, isNew] = m_open.try_emplace({c, number}, 0);
    if (isNew)
    {
        open->second = TakeSlot(m_meetings, m_freeMeetings);
        Meeting& meeting = m_meetings[open->second];
        meeting.number = number;
        meeting.first = collective;
        meeting.parts.assign(m_communicators[c].size, NOBODY);
        meeting.left = m_communicators[c].size;
    }
    Meeting& meeting = m_meetings[open->second];
    m_parts[part].meeting = open->second;
    meeting.parts[member] = part;
    if (meeting.first.kind != collective.kind || meeting.first.bytes != collective.bytes)
    {
        const Collective& first = meeting.first;
        m_post.Fail("collective " + std::to_string(number) + " of " + m_communicators[c].name +
                    " is " + NameOf(first.kind) + " of " + std::to_string(first.bytes) +
                    " bytes for rank " + std::to_string(first.rank) + ", but " +
                    NameOf(collective.kind) + " of " + std::to_string(collective.bytes) +
                    " bytes for rank " + std::to_string(collective.rank) +
                    ": all must take part in the same order");
        return false;
    }
    if (++meeting.present == m_communicators[c].size)
    {
        m_open.erase(open);
    }
    return true;
}

void
WorkloadChakraStreams::Begin(const Collective& collective, const WorkloadChakraPlan& plan)
{
    const uint32_t rank = collective.rank;
    const uint32_t operation = collective.operation;
    if (plan.phases.empty() || plan.chunks == 0)
    {
        ++m_counts[collective.communicator][MemberOf(collective.communicator, rank)];
        m_post.After({rank, operation}, 0, [this, rank, operation] { m_ended(rank, operation); });
        return;
    }
    const uint32_t p = TakeSlot(m_parts, m_freeParts);
    Part& part = m_parts[p];
    part.collective = collective;
    part.order = m_begun++;
    part.phases = plan.phases;
    part.admitted.assign(plan.phases.size(), 0);
    part.left = plan.chunks;
    if (!Meet(collective, p))
    {
        return;
    }
    std::map<std::pair<uint32_t, uint64_t>, std::vector<Early>>& early =
        m_meetings[part.meeting].early;
    const uint32_t member = MemberOf(collective.communicator, rank);
    for (uint64_t chunk = 0; chunk < plan.chunks; ++chunk)
    {
        const uint32_t s = TakeSlot(m_streams, m_freeStreams);
        m_streams[s].part = p;
        m_streams[s].chunk = static_cast<uint32_t>(chunk);
        part.streams.push_back(s);
        const auto found = early.find({member, chunk});
        if (found != early.end())
        {
            m_streams[s].early = std::move(found->second);
            early.erase(found);
        }
    }
    for (const uint32_t stream : part.streams)
    {
        Enter(stream);
        StartWaiting(QueueOf(m_streams[stream]));
    }
}

void
WorkloadChakraStreams::Enter(uint32_t stream)
{
    const Stream& entering = m_streams[stream];
    QueueOf(entering).waiting.emplace(m_parts[entering.part].order, entering.chunk, stream);
}

void
WorkloadChakraStreams::StartWaiting(Queue& queue)
{
    while (queue.running < m_system.activeChunks && !queue.waiting.empty())
    {
        const uint32_t s = std::get<2>(*queue.waiting.begin());
        const Stream& stream = m_streams[s];
        uint32_t& admitted = m_parts[stream.part].admitted[stream.phase];
        if (stream.chunk != admitted)
        {
            return; // an earlier chunk is still to come
        }
        ++admitted;
        queue.waiting.erase(queue.waiting.begin());
        ++queue.running;
        StartPhase(s);
    }
}

void
WorkloadChakraStreams::StartPhase(uint32_t s)
{
    Stream& stream = m_streams[s];
    const WorkloadChakraPhase& phase = PhaseOf(stream);
    stream.active = true;
    stream.tokens = 0;
    stream.sent = 0;
    stream.received = 0;
    stream.arrived = 0;
    const bool ring = phase.implementation.algorithm == WorkloadAstraAlgorithm::RING;
    stream.here.assign(ring ? 0 : phase.Steps(), false);
    if (phase.implementation.algorithm != WorkloadAstraAlgorithm::DOUBLE_BINARY_TREE)
    {
        m_post.After(OwnerOf(s), phase.endpointNs, [this, s] {
            Advance(s, PhaseOf(m_streams[s]).Window());
        });
    }
    else if (PlaceOf(stream).children[0] == WORKLOAD_CHAKRA_NOBODY)
    {
        m_post.After(OwnerOf(s), phase.endpointNs, [this, s] { AdvanceTree(s, LEAF_START); });
    }
    std::vector<Early> early;
    early.swap(stream.early);
    for (const Early& message : early)
    {
        if (message.phase == stream.phase)
        {
            Take(s, message.step);
        }
        else
        {
            stream.early.push_back(message);
        }
    }
}

void
WorkloadChakraStreams::EndPhase(uint32_t s)
{
    Stream& stream = m_streams[s];
    Queue& before = QueueOf(stream);
    stream.active = false;
    if (stream.phase + 1 == m_parts[stream.part].phases.size())
    {
        // What the end of a collective sets off is queued before a waiting stream gets the place.
        EndStream(s);
        --before.running;
        StartWaiting(before);
        return;
    }
    ++stream.phase;
    Enter(s);
    Queue& next = QueueOf(stream);
    --before.running;
    StartWaiting(before);
    StartWaiting(next);
}

void
WorkloadChakraStreams::EndStream(uint32_t s)
{
    const uint32_t p = m_streams[s].part;
    Part& part = m_parts[p];
    m_freeStreams.push_back(s);
    if (--part.left > 0)
    {
        return;
    }
    if (--m_meetings[part.meeting].left == 0)
    {
        m_freeMeetings.push_back(part.meeting);
    }
    const uint32_t rank = part.collective.rank;
    const uint32_t operation = part.collective.operation;
    part = {};
    m_freeParts.push_back(p);
    m_ended(rank, operation);
}

std::string
WorkloadChakraStreams::Explain(uint32_t rank, uint32_t operation) const
{
    for (const Part& part : m_parts)
    {
        if (part.left == 0 || part.collective.rank != rank ||
            part.collective.operation != operation)
        {
            continue;
        }
        const Collective& own = part.collective;
        const Meeting& meeting = m_meetings[part.meeting];
        std::string text = NameOf(own.kind) + ", collective " + std::to_string(meeting.number) +
                           " of " + m_communicators[own.communicator].name + ": ";
        if (meeting.present == meeting.parts.size())
        {
            return text + std::to_string(part.left) + " of its chunks are under way";
        }
        text += "waits for rank";
        uint32_t shown = 0;
        for (uint32_t member = 0; member < meeting.parts.size() && shown < 8; ++member)
        {
            if (meeting.parts[member] == NOBODY)
            {
                text +=
                    (shown++ > 0 ? ", " : " ") + std::to_string(RankOf(own.communicator, member));
            }
        }
        const auto missing = static_cast<uint32_t>(meeting.parts.size()) - meeting.present;
        return text + (missing > shown ? " and others" : "") + ", which did not begin it";
    }
    return "collective that has not begun";
}

} // namespace ns3
