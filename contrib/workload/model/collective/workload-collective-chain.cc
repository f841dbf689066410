/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-algorithms.h"
#include "workload-collective-servers.h"

namespace ns3
{

namespace
{

/** The chains of a broadcast or reduce. */
class ChainAlgorithm
{
  public:
    explicit ChainAlgorithm(WorkloadCollectiveJob& job)
        : m_job(job),
          m_reduces(job.collective.kind == WorkloadCollectiveKind::REDUCE),
          m_count(static_cast<uint32_t>(job.members.size())),
          m_layout(job.Layout(WorkloadParts::WHOLE)),
          m_rings(MakeWorkloadRings(job.members,
                                    job.collective.ranksPerServer,
                                    m_layout.GetChannels(),
                                    job.collective.rotateChannels))
    {
        job.ReserveTags(m_layout.GetFirstRound(m_layout.GetChannels()), m_count);
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
    void AddChannel(WorkloadCollectiveMember& member, uint32_t index, uint32_t channel)
    {
        const WorkloadRing& ring = m_rings[channel % m_rings.size()];
        const uint32_t place = ring.place[index];
        const uint32_t root = ring.place[m_job.collective.root];
        const uint32_t start = m_reduces ? (root + 1) % m_count : root;
        const bool first = place == start;
        const bool last = (place + 1) % m_count == start;
        WorkloadCollectiveLink in = member.Link(ring.order[(place + m_count - 1) % m_count]);
        WorkloadCollectiveLink out = member.Link(ring.order[(place + 1) % m_count]);
        for (uint64_t round = 0; round < m_layout.GetRounds(channel); ++round)
        {
            const uint64_t tag = m_layout.GetFirstRound(channel) + round;
            const WorkloadRange range = m_layout.Part(channel, round, 0);
            uint32_t ready = member.Begin();
            if (!first)
            {
                ready = member.Receive(in, range, tag, m_reduces);
            }
            if (!last)
            {
                member.Send(out, range, tag, ready);
            }
            else
            {
                member.Finish(ready);
            }
        }
    }

    WorkloadCollectiveJob& m_job;
    bool m_reduces;
    uint32_t m_count; //!< members
    WorkloadCollectiveLayout m_layout;
    std::vector<WorkloadRing> m_rings;
};

} // namespace

void
AddWorkloadChain(WorkloadCollectiveJob& job)
{
    ChainAlgorithm chain(job);
    job.ForEachMember([&](uint32_t index) { chain.AddMember(index); });
}

} // namespace ns3
