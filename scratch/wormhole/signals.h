/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SIGNALS_H
#define WORMHOLE_CLI_SIGNALS_H

#include <csignal>

namespace wormhole
{

/**
 * Holds SIGINT and SIGTERM back for as long as it lives, so that who runs something long can look
 * for them when it suits. The second one ends the program at once.
 */
class Signals
{
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /** Looks for a signal; any thread may. \return whether one came */
    bool Take();

    /** After the first one: the next one ends the program, whether or not anybody looks. */
    void LetGo();

  private:
    sigset_t m_signals;
    sigset_t m_maskBefore;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SIGNALS_H
