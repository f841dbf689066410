/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "watch.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <chrono>
#include <pthread.h>

namespace wormhole
{

namespace
{
constexpr std::chrono::milliseconds PERIOD{100};
} // namespace

Watch::Watch(std::function<void()> onLook)
    : m_onLook(std::move(onLook))
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_maskBefore); // the thread inherits this
}

Watch::~Watch()
{
    Stop();
    pthread_sigmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

void
Watch::Start()
{
    // from inside the simulation, when ns-3 no longer keeps books of Time objects
    ns3::Simulator::ScheduleNow([this]() { m_thread = std::thread(&Watch::Wait, this); });
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
    const timespec now{0, 0};
    const int signal = sigtimedwait(&m_signals, nullptr, &now);
    if (signal < 0)
    {
        return;
    }
    if (m_interrupted)
    {
        std::signal(signal, SIG_DFL);
        pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
        std::raise(signal);
    }
    m_interrupted = true;
}

void
Watch::Look()
{
    m_asked = false;
    m_onLook();
}

} // namespace wormhole
