/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-engine.h"

#include "ns3/input-error.h"
#include "ns3/workload-units.h"

#include <cmath>

namespace ns3
{

namespace
{

/** Checks one of the integer parameters. */
void
CheckTime(const char* name, uint64_t value)
{
    if (value > static_cast<uint64_t>(WorkloadLogGopsEngine::LATEST))
    {
        throw InputError(std::string("LogGOPS parameter ") + name + "=" + std::to_string(value) +
                         " ns: give at most " + std::to_string(WorkloadLogGopsEngine::LATEST) +
                         " (104 days)");
    }
}

/** \return the rows, or one for all sizes */
std::vector<WorkloadLogGopsRow>
RowsOf(const WorkloadLogGops& p)
{
    return p.rows.empty() ? std::vector<WorkloadLogGopsRow>{{0, p.L, p.o, p.g, p.G, true, 0}}
                          : p.rows;
}

} // namespace

WorkloadLogGopsEngine::WorkloadLogGopsEngine(const WorkloadLogGops& parameters)
    : m_parameters(parameters),
      m_rows(RowsOf(parameters))
{
    CheckTime("O", parameters.O);
    for (const WorkloadLogGopsRow& row : m_rows)
    {
        CheckTime("L", row.L);
        CheckTime("o", row.o);
        CheckTime("g", row.g);
        CheckTime("self", row.self);
        if (!(row.G >= 0 && std::isfinite(row.G)))
        {
            throw InputError("LogGOPS parameter G=" + std::to_string(row.G) +
                             " ns per byte: give a finite number, 0 or more");
        }
    }
}

void
WorkloadLogGopsEngine::Begin(const WorkloadJobs& jobs, WorkloadNetwork::Listener& listener)
{
    m_jobs = &jobs;
    m_listener = &listener;
    m_waiting.resize(jobs.GetProcessCount());
    DoBegin();
}

void
WorkloadLogGopsEngine::Run()
{
    constexpr uint64_t PULSE_EVENTS = 4096;
    m_stop = false;
    while (!m_stop && RunFirst())
    {
        if (++m_events % PULSE_EVENTS == 0 && m_pulse)
        {
            m_pulse();
        }
    }
}

int64_t
WorkloadLogGopsEngine::BytesTime(const WorkloadOperation& operation) const
{
    const double ns = static_cast<double>(SizeOf(operation) - 1) * RowOf(operation).G;
    if (!(ns < static_cast<double>(LATEST)))
    {
        FailLate(operation);
    }
    return static_cast<int64_t>(ns);
}

int64_t
WorkloadLogGopsEngine::Overhead(const WorkloadOperation& operation) const
{
    const uint64_t more = SizeOf(operation) - 1;
    if (m_parameters.O > 0 && more > static_cast<uint64_t>(LATEST) / m_parameters.O)
    {
        FailLate(operation);
    }
    return static_cast<int64_t>(RowOf(operation).o + more * m_parameters.O);
}

int64_t
WorkloadLogGopsEngine::Duration(const WorkloadOperation& operation) const
{
    if (operation.size > static_cast<uint64_t>(LATEST))
    {
        FailLate(operation);
    }
    return static_cast<int64_t>(operation.size);
}

void
WorkloadLogGopsEngine::FailLate(const WorkloadOperation& operation) const
{
    FailWorkloadLate(m_jobs->Describe(operation));
}

std::string
WorkloadLogGopsEngine::Explain(WorkloadStep step) const
{
    const WorkloadOperation& operation = Operation(step);
    const std::string tag =
        operation.tag == WORKLOAD_ANY ? "any tag" : "tag " + std::to_string(operation.tag);
    if (operation.kind == WorkloadKind::CALC)
    {
        return "waits for its stream, " + std::to_string(operation.cpu) + ", to become free";
    }
    const uint32_t peer = GetPeer(step.process, operation);
    if (operation.kind == WorkloadKind::SEND)
    {
        return "waits for " + m_jobs->GetProcessName(peer) + " to receive it (" + tag + ")";
    }
    uint64_t others = 0;
    for (const WorkloadMatchTable::List& list : m_waiting[step.process].GetLists())
    {
        others += !list.IsEmpty() && list.HoldsMessages() && (list.source == peer);
    }
    return "waits for a message from " +
           (peer == WORKLOAD_ANY ? std::string("anyone") : m_jobs->GetProcessName(peer)) + " (" +
           tag + ")" +
           (others > 0 ? "; from there have come messages with " + std::to_string(others) +
                             " other tag" + (others > 1 ? "s" : "")
                       : "");
}

} // namespace ns3
