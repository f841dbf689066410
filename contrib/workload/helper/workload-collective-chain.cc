/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-algorithms.h"
#include "workload-collective-servers.h"

#include <algorithm>

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
          m_layout(job.Layout(WorkloadParts::WHOLE))
    {
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            m_chains.push_back(Chain(channel));
        }
        job.ReserveTags(m_layout.GetFirstRound(m_layout.GetChannels()), m_count);
    }

    void AddMember(uint32_t index)
    {
        WorkloadCollectiveMember member(m_job, index);
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            const std::vector<uint32_t>& chain = m_chains[channel];
            const auto place =
                static_cast<uint32_t>(std::find(chain.begin(), chain.end(), index) - chain.begin());
            AddChannel(member, channel, place);
        }
        member.End();
    }

  private:
    /** \return members in the order in which the data passes them */
    std::vector<uint32_t> Chain(uint32_t channel) const
    {
        const WorkloadCollective& collective = m_job.collective;
        std::vector<uint32_t> chain = MakeWorkloadRing(m_job.members,
                                                       collective.ranksPerServer,
                                                       collective.rotateChannels ? channel : 0);
        const auto root = std::find(chain.begin(), chain.end(), collective.root);
        std::rotate(chain.begin(), m_reduces ? root + 1 : root, chain.end());
        return chain;
    }

    void AddChannel(WorkloadCollectiveMember& member, uint32_t channel, uint32_t place)
    {
        const std::vector<uint32_t>& chain = m_chains[channel];
        const bool first = place == 0;
        const bool last = place + 1 == m_count;
        WorkloadCollectiveLink in = member.Link(first ? 0 : chain[place - 1]);
        WorkloadCollectiveLink out = member.Link(last ? 0 : chain[place + 1]);
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
    std::vector<std::vector<uint32_t>> m_chains; //!< by channel
};

} // namespace

void
AddWorkloadChain(WorkloadCollectiveJob& job)
{
    ChainAlgorithm chain(job);
    for (uint32_t index = 0; index < job.members.size(); ++index)
    {
        chain.AddMember(index);
    }
}

} // namespace ns3
