/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/loggopsim.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

using namespace ns3;

namespace harness
{

namespace
{

using Time = int64_t;

struct Event
{
    Time time;
    uint32_t rank; ///< of the operation; of an arrival, the sender
    uint32_t operation;
    bool arrival;
    uint64_t number{0}; ///< order of insertion; putting back keeps it
};

struct Early
{
    uint32_t operation;
    Time time;
};

using Key = std::tuple<uint32_t, uint32_t, uint32_t>; // rank, source, tag

class LogGopsim
{
  public:
    LogGopsim(const WorkloadJob& job, const WorkloadLogGops& parameters)
        : m_schedule(job.schedule),
          m_nodes(job.nodes),
          m_p(parameters)
    {
    }

    LogGopsimResult Run()
    {
        const size_t ranks = m_schedule.ranks.size();
        m_missing.resize(ranks);
        m_stamps.resize(ranks);
        m_ready.resize(ranks);
        m_cpu.assign(ranks, std::vector<Time>(m_schedule.HighestCpu() + 1));
        m_out.assign(ranks, std::vector<Time>(m_schedule.HighestNic() + 1));
        m_in = m_out;
        for (uint32_t r = 0; r < ranks; ++r)
        {
            const auto& operations = m_schedule.ranks[r].operations;
            m_stamps[r].resize(operations.size());
            for (uint32_t i = 0; i < operations.size(); ++i)
            {
                m_missing[r].push_back(operations[i].dependencies);
                if (operations[i].dependencies == 0)
                {
                    Insert({0, r, i, false});
                    ++m_result.ready;
                }
            }
        }
        while (!m_events.empty() && !m_result.aborts)
        {
            const auto first =
                std::min_element(m_events.begin(),
                                 m_events.end(),
                                 [](const auto& a, const auto& b) {
                                     return std::tie(a.time, a.number) < std::tie(b.time, b.number);
                                 });
            const Event event = *first;
            m_events.erase(first);
            Handle(event);
            PutReady();
        }
        for (const auto& cpus : m_cpu)
        {
            m_result.finish.push_back(*std::max_element(cpus.begin(), cpus.end()));
        }
        if (m_result.aborts)
        {
            m_result.finish.clear();
        }
        return m_result;
    }

  private:
    const WorkloadOperation& Op(uint32_t rank, uint32_t i) const
    {
        return m_schedule.ranks[rank].operations[i];
    }

    static uint64_t Size(const WorkloadOperation& op)
    {
        return std::max<uint64_t>(op.size, 1);
    }

    void Insert(Event event)
    {
        event.number = m_inserted++;
        m_events.push_back(event);
    }

    Time B(const WorkloadOperation& op) const
    {
        return static_cast<Time>(std::floor(static_cast<double>(Size(op) - 1) * m_p.G));
    }

    Time Bytes(const WorkloadOperation& op) const
    {
        return static_cast<Time>((Size(op) - 1) * m_p.O);
    }

    void Touch(uint32_t rank)
    {
        if (std::find(m_touched.begin(), m_touched.end(), rank) == m_touched.end())
        {
            m_touched.push_back(rank);
        }
    }

    void Release(uint32_t rank, uint32_t i, bool start, Time stamp)
    {
        Touch(rank);
        const WorkloadRank& graph = m_schedule.ranks[rank];
        for (const auto* w = graph.BeginWaiters(i); w != graph.EndWaiters(i); ++w)
        {
            if (w->OnStart() != start)
            {
                continue;
            }
            const uint32_t next = w->Operation();
            if (!start)
            {
                m_stamps[rank][next] = std::max(m_stamps[rank][next], stamp);
            }
            if (--m_missing[rank][next] == 0)
            {
                m_ready[rank].push_back({start ? 0 : m_stamps[rank][next], rank, next, false});
            }
        }
    }

    void PutReady()
    {
        for (size_t k = m_touched.size(); k-- > 0;)
        {
            const uint32_t rank = m_touched[k];
            for (Event event : m_ready[rank])
            {
                const WorkloadOperation& op = Op(rank, event.operation);
                if (op.kind == WorkloadKind::CALC)
                {
                    event.time = std::max(event.time, m_cpu[rank][op.cpu]);
                }
                if (op.kind == WorkloadKind::SEND)
                {
                    event.time = std::max(event.time, m_out[m_nodes[rank]][op.nic]);
                }
                Insert(event);
                ++m_result.ready;
            }
            m_ready[rank].clear();
        }
        m_touched.clear();
    }

    void Handle(Event event)
    {
        const WorkloadOperation& op = Op(event.rank, event.operation);
        if (event.arrival)
        {
            Arrive(event, op);
        }
        else if (op.kind == WorkloadKind::CALC)
        {
            Calc(event, op);
        }
        else if (op.kind == WorkloadKind::SEND)
        {
            Send(event, op);
        }
        else
        {
            Recv(event, op);
        }
    }

    void Calc(Event event, const WorkloadOperation& op)
    {
        Time& cpu = m_cpu[event.rank][op.cpu];
        if (cpu > event.time)
        {
            event.time = cpu;
            m_events.push_back(event);
            return;
        }
        cpu = event.time + static_cast<Time>(op.size);
        Release(event.rank, event.operation, true, 0);
        Release(event.rank, event.operation, false, cpu);
    }

    void Send(Event event, const WorkloadOperation& op)
    {
        Time& cpu = m_cpu[event.rank][op.cpu];
        Time& out = m_out[m_nodes[event.rank]][op.nic];
        if (std::max(cpu, out) > event.time)
        {
            event.time = std::max(cpu, out);
            m_events.push_back(event);
            return;
        }
        Release(event.rank, event.operation, true, 0);
        cpu = event.time + static_cast<Time>(m_p.o) + Bytes(op);
        out = event.time + static_cast<Time>(m_p.g) + B(op);
        event.time = cpu + static_cast<Time>(m_p.L) + B(op);
        event.arrival = true;
        Insert(event);
        if (Size(op) <= m_p.S)
        {
            Release(event.rank, event.operation, false, cpu);
        }
    }

    void Recv(const Event& event, const WorkloadOperation& op)
    {
        Release(event.rank, event.operation, true, 0);
        const Key key{event.rank, op.peer, op.tag};
        if (m_early[key].empty())
        {
            m_posted[key].push_back(event.operation);
            return;
        }
        const Early message = m_early[key].front();
        m_early[key].pop_front();
        if (message.time > event.time)
        {
            m_result.aborts = true;
            return;
        }
        const Time e =
            std::max(m_out[m_nodes[event.rank]][op.nic], event.time) + static_cast<Time>(m_p.g);
        const Time end = e + static_cast<Time>(m_p.o) + Bytes(op);
        m_cpu[event.rank][op.cpu] = end;
        m_in[m_nodes[event.rank]][op.nic] = e;
        if (Size(op) > m_p.S)
        {
            Release(op.peer, message.operation, false, end);
            m_cpu[op.peer][op.cpu] = std::max(m_cpu[op.peer][op.cpu], end);
            m_out[m_nodes[op.peer]][op.nic] = std::max(m_out[m_nodes[op.peer]][op.nic], e);
        }
        Release(event.rank, event.operation, false, end);
    }

    void Arrive(Event event, const WorkloadOperation& op)
    {
        const Key key{op.peer, event.rank, op.tag};
        std::deque<uint32_t>& posted = m_posted[key];
        if (posted.empty())
        {
            m_early[key].push_back({event.operation, event.time});
            return;
        }
        const uint32_t recv = posted.front();
        posted.pop_front();
        Time& cpu = m_cpu[op.peer][Op(op.peer, recv).cpu];
        Time& in = m_in[m_nodes[op.peer]][op.nic];
        if (std::max(cpu, in) > event.time)
        {
            posted.push_back(recv);
            event.time = std::max(cpu, in);
            m_events.push_back(event);
            return;
        }
        const Time e = std::max(in, event.time) + static_cast<Time>(m_p.g);
        const Time end = e + static_cast<Time>(m_p.o) + Bytes(op);
        cpu = end;
        in = e;
        if (Size(op) > m_p.S)
        {
            Release(event.rank, event.operation, false, end);
            m_cpu[event.rank][op.cpu] = std::max(m_cpu[event.rank][op.cpu], end);
            m_out[m_nodes[event.rank]][op.nic] = std::max(m_out[m_nodes[event.rank]][op.nic], e);
        }
        Release(op.peer, recv, false, end);
    }

    const WorkloadSchedule& m_schedule;
    const std::vector<uint32_t>& m_nodes; //!< of each rank
    const WorkloadLogGops m_p;
    std::vector<Event> m_events;
    uint64_t m_inserted{0};
    std::vector<std::vector<uint32_t>> m_missing;
    std::vector<std::vector<Time>> m_stamps;
    std::vector<std::vector<Event>> m_ready; //!< by rank
    std::vector<uint32_t> m_touched;
    std::vector<std::vector<Time>> m_cpu;
    std::vector<std::vector<Time>> m_out;
    std::vector<std::vector<Time>> m_in;
    std::map<Key, std::deque<uint32_t>> m_posted;
    std::map<Key, std::deque<Early>> m_early;
    LogGopsimResult m_result;
};

} // namespace

LogGopsimResult
RunLogGopsim(const WorkloadJob& job, const WorkloadLogGops& parameters)
{
    return LogGopsim(job, parameters).Run();
}

} // namespace harness
