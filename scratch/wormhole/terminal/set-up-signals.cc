/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "set-up-signals.h"

#include <chrono>
#include <iostream>

namespace wormhole
{

namespace
{

constexpr std::chrono::milliseconds WAITING_PERIOD{100}; // several signals within mean one

} // namespace

SetUpSignals::SetUpSignals()
    : m_thread(&SetUpSignals::Wait, this)
{
}

SetUpSignals::~SetUpSignals()
{
    HandOver();
}

void
SetUpSignals::HandOver()
{
    if (!m_thread.joinable())
    {
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_over = true;
    }
    m_wake.notify_one();
    m_thread.join();
}

void
SetUpSignals::Wait()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    bool taken = false;
    while (!m_wake.wait_for(lock, WAITING_PERIOD, [this] { return m_over; }))
    {
        if (taken)
        {
            m_signals.LetGo();
        }
        else if (m_signals.Take())
        {
            taken = true;
            Signals::Keep();
            std::cerr << "wormhole: interrupted while the simulation is set up; it ends as it "
                         "begins, and the next signal ends the program at once"
                      << std::endl;
        }
    }
}

} // namespace wormhole
