/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "signals.h"

#include <ctime>
#include <pthread.h>

namespace wormhole
{

Signals::Signals()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
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
    return sigtimedwait(&m_signals, nullptr, &now) >= 0;
}

void
Signals::LetGo()
{
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
}

} // namespace wormhole
