/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_SIGNALS_H
#define WORMHOLE_CLI_SIGNALS_H

#include <csignal>
#include <exception>

namespace wormhole
{

/** \return the signals that end a run early: SIGHUP, SIGINT and SIGTERM, except those that were
 * ignored when the program began, as under nohup or in the background of a script */
sigset_t EndingSignals();

/** One of EndingSignals() came before there was anything to keep. */
class Interrupted : public std::exception
{
  public:
    const char* what() const noexcept override
    {
        return "interrupted before the simulation began; nothing was computed";
    }
};

/**
 * Holds EndingSignals() back for as long as it lives, so that who runs something long can look for
 * them when it suits.
 */
class Signals
{
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /** Looks for signals, and takes all that came; any thread may. \return whether any did */
    bool Take();

    /** \return whether Take() has found any, of whoever holds them back; any thread may ask */
    static bool WasTaken();

    /** One that Take() has found is for who looks next. */
    static void Keep();

    /** \return whether one was kept, once */
    static bool TakeKept();

    /** After the first one: the next one ends the program, whether or not anybody looks. */
    void LetGo();

  private:
    sigset_t m_signals;
    sigset_t m_maskBefore;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_SIGNALS_H
