/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-collective-algorithms.h"

namespace ns3
{

namespace
{

/** Adds what one member sends to another one, or receives from it: part \p part of a vector. */
class PairOfMembers
{
  public:
    PairOfMembers(WorkloadCollectiveMember& member, const WorkloadCollectiveLayout& layout)
        : m_member(member),
          m_layout(layout)
    {
    }

    void Send(uint32_t peer, uint32_t part)
    {
        ForEachMessage(peer,
                       part,
                       [&](WorkloadCollectiveLink& link, WorkloadRange range, uint64_t tag) {
                           m_member.Send(link, range, tag, m_member.Begin());
                       });
    }

    void Receive(uint32_t peer, uint32_t part)
    {
        ForEachMessage(peer,
                       part,
                       [&](WorkloadCollectiveLink& link, WorkloadRange range, uint64_t tag) {
                           m_member.Finish(m_member.Receive(link, range, tag, false));
                       });
    }

  private:
    template <typename Function>
    void ForEachMessage(uint32_t peer, uint32_t part, Function function)
    {
        for (uint32_t channel = 0; channel < m_layout.GetChannels(); ++channel)
        {
            WorkloadCollectiveLink link = m_member.Link(peer);
            const uint64_t first = m_layout.GetFirstRound(channel);
            for (uint64_t round = 0; round < m_layout.GetRounds(channel); ++round)
            {
                const WorkloadRange range = m_layout.Part(channel, round, part);
                if (range.Length() != 0)
                {
                    function(link, range, first + round);
                }
            }
        }
    }

    WorkloadCollectiveMember& m_member;
    const WorkloadCollectiveLayout& m_layout;
};

} // namespace

void
AddWorkloadAllToAll(WorkloadCollectiveJob& job)
{
    const auto count = static_cast<uint32_t>(job.members.size());
    const WorkloadCollectiveLayout layout = job.Layout(WorkloadParts::OWNED);
    job.ReserveTags(layout.GetFirstRound(layout.GetChannels()), uint64_t{count} * (count - 1));
    job.ForEachMember([&](uint32_t index) {
        WorkloadCollectiveMember member(job, index);
        PairOfMembers pair(member, layout);
        for (uint32_t distance = 1; distance < count; ++distance)
        {
            const uint32_t to = (index + distance) % count;
            pair.Send(to, to);
            pair.Receive((index + count - distance) % count, index);
        }
        member.End();
    });
}

void
AddWorkloadShift(WorkloadCollectiveJob& job)
{
    const auto count = static_cast<uint32_t>(job.members.size());
    const WorkloadCollectiveLayout layout = job.Layout(WorkloadParts::WHOLE);
    job.ReserveTags(layout.GetFirstRound(layout.GetChannels()), count);
    job.ForEachMember([&](uint32_t index) {
        WorkloadCollectiveMember member(job, index);
        PairOfMembers pair(member, layout);
        pair.Send((index + 1) % count, 0);
        pair.Receive((index + count - 1) % count, 0);
        member.End();
    });
}

} // namespace ns3
