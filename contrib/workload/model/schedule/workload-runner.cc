/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-runner.h"

#include "workload-stall-report.h"

#include "ns3/input-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkloadRunner");

namespace
{

// Of an operation that waits for one other (or none, before Begin() has come to it), and those that
// have been handed over. All other values are gates.
constexpr uint32_t WAITING = UINT32_MAX;
constexpr uint32_t ISSUED = UINT32_MAX - 1;
constexpr uint32_t STARTED = UINT32_MAX - 2;
constexpr uint32_t COMPLETED = UINT32_MAX - 3;

} // namespace

WorkloadRunner::WorkloadRunner(const WorkloadJobs& jobs,
                               WorkloadNetwork& network,
                               WorkloadObserver* observer)
    : m_jobs(jobs),
      m_network(network),
      m_observer(observer),
      m_startsCarryTime(network.StartsCarryTime())
{
    size_t operations = 0;
    size_t gates = 0;
    for (uint32_t process = 0; process < jobs.GetProcessCount(); ++process)
    {
        m_first.push_back(operations);
        for (const WorkloadOperation& operation : jobs.GetRank(process).operations)
        {
            ++operations;
            gates += operation.dependencies > 1;
        }
    }
    if (gates >= COMPLETED)
    {
        throw InputError(std::to_string(gates) +
                         " operations have several dependencies, more than a run can have: "
                         "split the jobs");
    }
    m_state.assign(operations, WAITING);
    m_gates.reserve(gates);
    for (uint32_t process = 0; process < jobs.GetProcessCount(); ++process)
    {
        const std::vector<WorkloadOperation>& all = jobs.GetRank(process).operations;
        for (size_t i = 0; i < all.size(); ++i)
        {
            if (all[i].dependencies > 1)
            {
                m_state[m_first[process] + i] = static_cast<uint32_t>(m_gates.size());
                m_gates.push_back({all[i].dependencies, 0});
            }
        }
    }
    if (observer)
    {
        m_begins.resize(operations);
    }
}

bool
WorkloadRunner::Run()
{
    if (!m_begun)
    {
        m_begun = true;
        NS_LOG_INFO("runs " << m_jobs.GetProcessCount() << " ranks with " << m_state.size()
                            << " operations");
        m_network.Begin(m_jobs, *this);
        Begin();
    }
    m_network.Run();
    const bool all = m_completed == m_state.size();
    NS_LOG(all ? LOG_INFO : LOG_WARN,
           "stops at " << m_network.Now() << " ps: " << m_completed << " of " << m_state.size()
                       << " operations have completed");
    Observe(all ? std::numeric_limits<int64_t>::max() : m_network.Now());
    return all;
}

void
WorkloadRunner::Begin()
{
    for (uint32_t process = 0; process < m_jobs.GetProcessCount(); ++process)
    {
        const std::vector<WorkloadOperation>& operations = m_jobs.GetRank(process).operations;
        for (uint32_t i = 0; i < operations.size(); ++i)
        {
            if (operations[i].dependencies == 0)
            {
                Issue({process, i}, 0);
            }
        }
    }
}

void
WorkloadRunner::Started(WorkloadStep step, int64_t ps)
{
    m_state[Index(step)] = STARTED;
    if (m_observer)
    {
        m_begins[Index(step)] = ps;
    }
    Release(step, true, m_startsCarryTime ? ps : 0);
}

void
WorkloadRunner::Completed(WorkloadStep step, int64_t ps)
{
    uint32_t& state = m_state[Index(step)];
    if (state != COMPLETED) // LogGOPSim's rules can complete a send twice
    {
        state = COMPLETED;
        ++m_completed;
        if (m_observer)
        {
            AddSpan(step, ps);
        }
    }
    Release(step, false, ps);
}

void
WorkloadRunner::Release(WorkloadStep step, bool start, int64_t ps)
{
    const WorkloadRank& rank = m_jobs.GetRank(step.process);
    const WorkloadWaiter* end = rank.EndWaiters(step.operation);
    for (const WorkloadWaiter* waiter = rank.BeginWaiters(step.operation); waiter != end; ++waiter)
    {
        if (waiter->OnStart() != start)
        {
            continue;
        }
        const WorkloadStep next{step.process, waiter->Operation()};
        const uint32_t state = m_state[Index(next)];
        if (state == WAITING)
        {
            Issue(next, ps);
        }
        else if (state < COMPLETED)
        {
            Gate& gate = m_gates[state];
            gate.latestPs = std::max(gate.latestPs, ps);
            if (--gate.missing == 0)
            {
                Issue(next, gate.latestPs);
            }
        }
    }
}

void
WorkloadRunner::Issue(WorkloadStep step, int64_t ps)
{
    m_state[Index(step)] = ISSUED;
    switch (m_jobs.GetOperation(step).kind)
    {
    case WorkloadKind::SEND:
        m_network.Send(step, ps);
        break;
    case WorkloadKind::RECV:
        m_network.Receive(step, ps);
        break;
    case WorkloadKind::CALC:
        m_network.Compute(step, ps);
        break;
    }
}

void
WorkloadRunner::AddSpan(WorkloadStep step, int64_t ps)
{
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    WorkloadSpan span;
    span.process = step.process;
    span.category = operation.category;
    span.cpu = operation.cpu;
    span.communication = operation.kind != WorkloadKind::CALC;
    span.beginPs = m_begins[Index(step)];
    span.endPs = ps;
    span.size = operation.size;
    m_spans.push({span, m_spanCount++});
    Observe(m_network.Now());
}

void
WorkloadRunner::Observe(int64_t ps)
{
    while (!m_spans.empty() && m_spans.top().span.endPs <= ps)
    {
        const WorkloadSpan span = m_spans.top().span;
        m_spans.pop();
        m_observer->Done(span);
    }
}

WorkloadRunner::State
WorkloadRunner::GetState(WorkloadStep step) const
{
    switch (m_state[Index(step)])
    {
    case ISSUED:
        return State::ISSUED;
    case STARTED:
        return State::STARTED;
    case COMPLETED:
        return State::COMPLETED;
    default:
        return State::WAITING;
    }
}

std::vector<std::string>
WorkloadRunner::ExplainStall(size_t max) const
{
    return m_completed == m_state.size()
               ? std::vector<std::string>()
               : WorkloadStallReport(m_jobs, m_network, *this).Explain(max);
}

} // namespace ns3
