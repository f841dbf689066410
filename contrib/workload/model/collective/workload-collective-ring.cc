/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-algorithms.h"
#include "workload-collective-servers.h"

namespace ns3
{

namespace
{

/** All rings, and the steps that they take. */
class RingAlgorithm
{
  public:
    explicit RingAlgorithm(WorkloadCollectiveJob& job)
        : m_job(job),
          m_kind(job.collective.kind),
          m_count(static_cast<uint32_t>(job.members.size())),
          m_steps((m_kind == WorkloadCollectiveKind::ALL_REDUCE ? 2 : 1) * (m_count - 1)),
          m_layout(job.Layout(m_kind == WorkloadCollectiveKind::ALL_REDUCE ? WorkloadParts::SPLIT
                                                                           : WorkloadParts::OWNED)),
          m_rings(MakeWorkloadRings(job.members,
                                    job.collective.ranksPerServer,
                                    m_layout.GetChannels(),
                                    job.collective.rotateChannels))
    {
        const uint64_t rounds = m_layout.GetFirstRound(m_layout.GetChannels());
        job.ReserveTags(rounds * m_steps * m_layout.GetSlices(), m_count);
    }

    void AddMember(uint32_t index)
    {
        WorkloadCollectiveMember member(m_job, index);
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            AddChannel(member, index, channel);
        }
        member.End();
    }

  private:
    /** Ahead in a ring without a window: as many messages as NCCL's buffer has steps. */
    static constexpr uint32_t POSTED_AHEAD = 8;

    void AddChannel(WorkloadCollectiveMember& member, uint32_t index, uint32_t channel)
    {
        const WorkloadRing& ring = RingOf(channel);
        const uint32_t place = ring.place[index];
        const uint32_t next = ring.order[(place + 1) % m_count];
        const uint32_t previous = ring.order[(place + m_count - 1) % m_count];
        WorkloadCollectiveLink out = member.Link(next);
        WorkloadCollectiveLink in = member.Link(previous, POSTED_AHEAD);
        for (uint64_t round = 0; round < m_layout.GetRounds(channel); ++round)
        {
            if (m_job.chunking.window == 0)
            {
                in = member.Link(previous, POSTED_AHEAD); // rounds are free of each other
            }
            AddRound(member, {channel, round, place}, out, in);
        }
    }

    /** Where a member is. */
    struct Turn
    {
        uint32_t channel;
        uint64_t round;
        uint32_t place;
    };

    void AddRound(WorkloadCollectiveMember& member,
                  const Turn& turn,
                  WorkloadCollectiveLink& out,
                  WorkloadCollectiveLink& in)
    {
        const uint32_t slices = m_layout.GetSlices();
        std::vector<uint32_t> ready(slices, member.Begin());
        uint64_t tag = (m_layout.GetFirstRound(turn.channel) + turn.round) * m_steps * slices;
        WorkloadRange send = Part(turn, 0);
        for (uint32_t step = 0; step < m_steps; ++step)
        {
            const WorkloadRange receive = Part(turn, step + 1); // and sent in the next step
            for (uint32_t slice = 0; slice < slices; ++slice, ++tag)
            {
                const WorkloadRange outgoing = m_layout.Slice(send, slice);
                if (outgoing.Length() != 0)
                {
                    member.Send(out, outgoing, tag, ready[slice]);
                }
                const WorkloadRange incoming = m_layout.Slice(receive, slice);
                ready[slice] = member.Begin();
                if (incoming.Length() != 0)
                {
                    ready[slice] = member.Receive(in, incoming, tag, Reduces(step));
                    if (step + 1 == m_steps)
                    {
                        member.Finish(ready[slice]);
                    }
                }
            }
            send = receive;
        }
    }

    const WorkloadRing& RingOf(uint32_t channel) const
    {
        return m_rings[channel % m_rings.size()];
    }

    /** \return whether what comes in a step is added */
    bool Reduces(uint32_t step) const
    {
        return m_kind != WorkloadCollectiveKind::ALL_GATHER && step + 1 < m_count;
    }

    /** \return the bytes that a member sends in a step, or would if there were one more */
    WorkloadRange Part(const Turn& turn, uint32_t step) const
    {
        const uint32_t back = m_kind == WorkloadCollectiveKind::ALL_GATHER ? step : step + 1;
        const uint32_t place = (turn.place + 2 * m_count - back % m_count) % m_count;
        const bool split = m_kind == WorkloadCollectiveKind::ALL_REDUCE;
        return m_layout.Part(turn.channel,
                             turn.round,
                             split ? place : RingOf(turn.channel).order[place]);
    }

    WorkloadCollectiveJob& m_job;
    WorkloadCollectiveKind m_kind;
    uint32_t m_count; //!< members
    uint32_t m_steps;
    WorkloadCollectiveLayout m_layout;
    std::vector<WorkloadRing> m_rings;
};

} // namespace

void
AddWorkloadRing(WorkloadCollectiveJob& job)
{
    RingAlgorithm ring(job);
    job.ForEachMember([&](uint32_t index) { ring.AddMember(index); });
}

} // namespace ns3
