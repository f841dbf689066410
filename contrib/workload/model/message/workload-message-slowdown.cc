/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-message-slowdown.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr int64_t FULL = 1000; //!< thousandths

/** \return ps * factor / divisor, rounded up, without overflow for ps below 2^63 / factor times
 * divisor */
int64_t
Share(int64_t ps, int64_t factor, int64_t divisor)
{
    return ps / divisor * factor + (ps % divisor * factor + divisor - 1) / divisor;
}

} // namespace

WorkloadMessageSlowdown::WorkloadMessageSlowdown(const WorkloadJobs& jobs)
    : m_jobs(jobs)
{
    for (const WorkloadJob& job : jobs.GetJobs())
    {
        m_any = m_any || job.schedule.HasSlowdowns();
    }
    m_states.resize(m_any ? jobs.GetProcessCount() : 0);
}

void
WorkloadMessageSlowdown::Advance(State& state, int64_t now)
{
    const int64_t elapsed = now - state.sincePs;
    const int64_t done = state.kernels == 0 ? elapsed
                                            : elapsed / (FULL + state.thousandths) * FULL +
                                                  elapsed % (FULL + state.thousandths) * FULL /
                                                      (FULL + state.thousandths);
    state.workPs -= std::min(state.workPs, done);
    state.sincePs = now;
}

int64_t
WorkloadMessageSlowdown::Begin(WorkloadStep step, int64_t now)
{
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    State& state = m_states[step.process];
    state.thousandths = operation.peer;
    state.workPs = static_cast<int64_t>(operation.size) * 1000;
    state.sincePs = now;
    state.operation = step.operation;
    ++state.generation;
    return GetRest(step.process);
}

int64_t
WorkloadMessageSlowdown::GetRest(uint32_t process) const
{
    const State& state = m_states[process];
    return state.kernels == 0 ? state.workPs : Share(state.workPs, FULL + state.thousandths, FULL);
}

bool
WorkloadMessageSlowdown::Over(WorkloadStep step, int64_t now)
{
    const WorkloadOperation& operation = m_jobs.GetOperation(step);
    if (!m_any || operation.kind != WorkloadKind::CALC || operation.tag == WORKLOAD_NO_MARK)
    {
        return false;
    }
    State& state = m_states[step.process];
    const bool begins = operation.tag == WORKLOAD_COMMUNICATION_BEGINS;
    const bool changes = begins ? state.kernels == 0 : state.kernels == 1;
    if (changes && state.thousandths > 0)
    {
        Advance(state, now);
    }
    state.kernels += begins ? 1 : -1;
    if (!changes || state.thousandths == 0)
    {
        return false;
    }
    ++state.generation;
    return true;
}

} // namespace ns3
