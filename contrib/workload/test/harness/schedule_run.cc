/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "schedule_run.h"

#include <algorithm>
#include <array>

namespace harness
{

namespace
{

using ns3::WorkloadKind;
using ns3::WorkloadOperation;
using ns3::WorkloadRank;
using ns3::WorkloadSchedule;

struct Place
{
    uint32_t rank;
    uint32_t operation;
};

/** One end of a message that waits for the other. */
struct Waiting
{
    Place place;
    uint64_t ns;
};

class Runner
{
  public:
    Runner(const WorkloadSchedule& schedule, bool rendezvous)
        : m_schedule(schedule),
          m_rendezvous(rendezvous)
    {
        for (const WorkloadRank& rank : schedule.ranks)
        {
            m_missing.emplace_back();
            m_readyNs.emplace_back(rank.operations.size(), 0);
            m_result.endNs.emplace_back(rank.operations.size(), 0);
            for (const WorkloadOperation& operation : rank.operations)
            {
                m_missing.back().push_back(operation.dependencies);
            }
        }
    }

    ScheduleRun Run()
    {
        uint64_t total = 0;
        for (uint32_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
        {
            for (uint32_t i = 0; i < m_missing[rank].size(); ++i, ++total)
            {
                if (m_missing[rank][i] == 0)
                {
                    m_ready.push_back({rank, i});
                }
            }
        }
        while (!m_ready.empty() && m_result.fault.empty())
        {
            const Place place = m_ready.back();
            m_ready.pop_back();
            Start(place);
        }
        if (m_result.fault.empty() && m_done != total)
        {
            m_result.fault = std::to_string(total - m_done) + " operations never ran";
        }
        return m_result;
    }

  private:
    const WorkloadOperation& At(Place place) const
    {
        return m_schedule.ranks[place.rank].operations[place.operation];
    }

    void Start(Place place)
    {
        const WorkloadOperation& operation = At(place);
        const uint64_t ns = m_readyNs[place.rank][place.operation];
        Release(place, ns, true);
        if (operation.kind == WorkloadKind::CALC)
        {
            Complete(place, ns + operation.size);
            return;
        }
        const bool sends = operation.kind == WorkloadKind::SEND;
        const std::array<uint32_t, 3> key =
            sends ? std::array<uint32_t, 3>{place.rank, operation.peer, operation.tag}
                  : std::array<uint32_t, 3>{operation.peer, place.rank, operation.tag};
        if (!(sends ? m_sent : m_posted).emplace(key, Waiting{place, ns}).second)
        {
            m_result.fault = "two messages from " + std::to_string(key[0]) + " to " +
                             std::to_string(key[1]) + " with tag " + std::to_string(key[2]);
            return;
        }
        if (sends && !m_rendezvous)
        {
            Complete(place, ns);
        }
        const auto send = m_sent.find(key);
        const auto receive = m_posted.find(key);
        if (send != m_sent.end() && receive != m_posted.end())
        {
            Match(send->second, receive->second);
        }
    }

    void Match(const Waiting& send, const Waiting& receive)
    {
        if (At(send.place).size != At(receive.place).size)
        {
            m_result.fault = "a message whose ends differ in size";
            return;
        }
        const uint64_t ns = std::max(send.ns, receive.ns);
        Complete(receive.place, ns);
        if (m_rendezvous)
        {
            Complete(send.place, ns);
        }
    }

    void Complete(Place place, uint64_t ns)
    {
        ++m_done;
        m_result.endNs[place.rank][place.operation] = ns;
        m_result.finishNs = std::max(m_result.finishNs, ns);
        Release(place, ns, false);
    }

    void Release(Place place, uint64_t ns, bool start)
    {
        const WorkloadRank& rank = m_schedule.ranks[place.rank];
        for (const auto* waiter = rank.BeginWaiters(place.operation);
             waiter != rank.EndWaiters(place.operation);
             ++waiter)
        {
            if (waiter->OnStart() != start)
            {
                continue;
            }
            const uint32_t next = waiter->Operation();
            m_readyNs[place.rank][next] = std::max(m_readyNs[place.rank][next], ns);
            if (--m_missing[place.rank][next] == 0)
            {
                m_ready.push_back({place.rank, next});
            }
        }
    }

    const WorkloadSchedule& m_schedule;
    bool m_rendezvous;
    std::vector<std::vector<uint32_t>> m_missing; //!< dependencies
    std::vector<std::vector<uint64_t>> m_readyNs;
    std::vector<Place> m_ready;
    std::map<std::array<uint32_t, 3>, Waiting> m_sent; //!< by source, destination, tag
    std::map<std::array<uint32_t, 3>, Waiting> m_posted;
    uint64_t m_done{0};
    ScheduleRun m_result;
};

} // namespace

ScheduleRun
RunSchedule(const WorkloadSchedule& schedule, bool rendezvous)
{
    return Runner(schedule, rendezvous).Run();
}

std::map<std::string, ScheduleTraffic>
CountTraffic(const WorkloadSchedule& schedule)
{
    std::map<std::string, ScheduleTraffic> traffic;
    for (const WorkloadRank& rank : schedule.ranks)
    {
        for (const WorkloadOperation& operation : rank.operations)
        {
            if (operation.kind == WorkloadKind::SEND)
            {
                ScheduleTraffic& kind = traffic[schedule.categories[operation.category]];
                kind.bytes += operation.size;
                ++kind.messages;
            }
        }
    }
    return traffic;
}

} // namespace harness
