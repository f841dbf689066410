/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "watch.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <chrono>
#include <stdexcept>
#include <system_error>

namespace wormhole
{

namespace
{
constexpr std::chrono::milliseconds PERIOD{100};
} // namespace

Watch::Watch(std::function<void()> onLook)
    : m_onLook(std::move(onLook))
{
}

Watch::~Watch()
{
    Stop();
}

void
Watch::Start()
{
    // from inside the simulation, when ns-3 no longer keeps books of Time objects
    ns3::Simulator::ScheduleNow([this]() { StartThread(); });
}

void
Watch::StartThread()
{
    try
    {
        m_thread = std::thread(&Watch::Wait, this);
    }
    catch (const std::system_error& error)
    {
        throw std::runtime_error(std::string("no thread can be started that looks for Ctrl-C (") +
                                 error.what() +
                                 "); allow more memory or processes, as by ulimit -v and -u");
    }
}

void
Watch::Stop()
{
    if (m_thread.joinable())
    {
        {
            std::lock_guard<std::mutex> lock(m_mutex);
            m_over = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
}

void
Watch::Wait()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    while (!m_wake.wait_for(lock, PERIOD, [this] { return m_over; }))
    {
        TakeSignal();
        if (!m_asked.exchange(true))
        {
            ns3::Simulator::ScheduleWithContext(ns3::Simulator::NO_CONTEXT, ns3::Time(0), [this]() {
                Look();
            });
        }
    }
}

void
Watch::TakeSignal()
{
    if (!m_signals.Take())
    {
        return;
    }
    m_signals.LetGo();
    m_interrupted = true;
}

void
Watch::Look()
{
    m_asked = false;
    m_onLook();
}

} // namespace wormhole
