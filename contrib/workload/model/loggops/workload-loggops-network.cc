/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-loggops-network.h"

#include "workload-loggops-exact.h"
#include "workload-loggops-streaming.h"

namespace ns3
{

namespace
{

/** \return whole nanoseconds, rounded up: nothing starts early */
int64_t
ToNs(int64_t ps)
{
    return ps / 1000 + (ps % 1000 > 0 ? 1 : 0);
}

} // namespace

WorkloadLogGopsNetwork::WorkloadLogGopsNetwork(const WorkloadLogGops& parameters)
    : m_exact(parameters.exact)
{
    if (parameters.exact)
    {
        m_engine = std::make_unique<WorkloadLogGopsExact>(parameters);
    }
    else
    {
        m_engine = std::make_unique<WorkloadLogGopsStreaming>(parameters);
    }
}

WorkloadLogGopsNetwork::~WorkloadLogGopsNetwork() = default;

void
WorkloadLogGopsNetwork::Begin(const WorkloadJobs& jobs, Listener& listener)
{
    m_engine->Begin(jobs, listener);
}

void
WorkloadLogGopsNetwork::Send(WorkloadStep step, int64_t ps)
{
    m_engine->HandOver(step, ToNs(ps));
}

void
WorkloadLogGopsNetwork::Receive(WorkloadStep step, int64_t ps)
{
    m_engine->HandOver(step, ToNs(ps));
}

void
WorkloadLogGopsNetwork::Compute(WorkloadStep step, int64_t ps)
{
    m_engine->HandOver(step, ToNs(ps));
}

int64_t
WorkloadLogGopsNetwork::Now() const
{
    return m_engine->Now() * 1000;
}

void
WorkloadLogGopsNetwork::Run()
{
    m_engine->Run();
}

void
WorkloadLogGopsNetwork::Stop()
{
    m_engine->Stop();
}

void
WorkloadLogGopsNetwork::SetPulse(std::function<void()> pulse)
{
    m_engine->SetPulse(std::move(pulse));
}

bool
WorkloadLogGopsNetwork::StartsCarryTime() const
{
    return !m_exact;
}

int64_t
WorkloadLogGopsNetwork::GetFinish(uint32_t process) const
{
    return m_engine->GetFinish(process) * 1000;
}

std::string
WorkloadLogGopsNetwork::Explain(WorkloadStep step) const
{
    return m_engine->Explain(step);
}

uint64_t
WorkloadLogGopsNetwork::GetEventCount() const
{
    return m_engine->GetEventCount();
}

} // namespace ns3
