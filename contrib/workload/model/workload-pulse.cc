/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-pulse.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <atomic>
#include <chrono>

namespace ns3
{

namespace
{
constexpr std::chrono::milliseconds PERIOD{100};
} // namespace

/** What an event in the simulator refers to. */
struct WorkloadPulse::Shared
{
    std::function<void()> pulse; //!< touched by the simulation's thread only
    std::atomic<bool> asked{false};
};

WorkloadPulse::WorkloadPulse(std::function<void()> pulse)
    : m_shared(std::make_shared<Shared>())
{
    m_shared->pulse = std::move(pulse);
    m_thread = std::thread(&WorkloadPulse::Wait, this);
}

WorkloadPulse::~WorkloadPulse()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_over = true;
    }
    m_wake.notify_one();
    m_thread.join();
    m_shared->pulse = nullptr;
}

void
WorkloadPulse::Wait()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_wake.wait_for(lock, PERIOD, [this] { return m_over; }))
    {
        if (!m_shared->asked.exchange(true))
        {
            Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, Time(0), [shared = m_shared]() {
                shared->asked = false;
                if (shared->pulse)
                {
                    shared->pulse();
                }
            });
        }
    }
}

} // namespace ns3
