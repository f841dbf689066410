/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "signals.h"

#include <atomic>
#include <ctime>
#include <pthread.h>

namespace wormhole
{

namespace
{

constexpr int ENDING[] = {SIGHUP, SIGINT, SIGTERM};

std::atomic<bool> g_taken{false}; //!< any of them
std::atomic<bool> g_kept{false};  //!< Signals::Keep

} // namespace

sigset_t
EndingSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : ENDING)
    {
        struct sigaction action
        {
        };

        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
        {
            sigaddset(&signals, signal);
        }
    }
    return signals;
}

Signals::Signals()
    : m_signals(EndingSignals())
{
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_maskBefore); // threads made later inherit this
}

Signals::~Signals()
{
    pthread_sigmask(SIG_SETMASK, &m_maskBefore, nullptr);
}

bool
Signals::Take()
{
    const timespec now{0, 0};
    bool any = false;
    while (sigtimedwait(&m_signals, nullptr, &now) >= 0)
    {
        any = true;
    }
    g_taken = g_taken || any;
    return any;
}

bool
Signals::WasTaken()
{
    return g_taken;
}

void
Signals::Keep()
{
    g_kept = true;
}

bool
Signals::TakeKept()
{
    return g_kept.exchange(false);
}

void
Signals::LetGo()
{
    pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
}

} // namespace wormhole
