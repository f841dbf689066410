/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PROGRESS_H
#define WORMHOLE_CLI_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace wormhole
{

/** How far a simulation is. */
struct ProgressState
{
    double simulatedSeconds{0};
    const char* items{"flows"};
    uint64_t itemsEnded{0};
    uint64_t itemCount{0};
    const char* measure{"bytes"}; ///< of what remains to be done
    double done{0};               ///< of that
    double whole{0};              ///< of that; 0 if unknown
    uint64_t events{0};
};

/**
 * Shows on standard error how far the simulation is: one line that is written over on a terminal, a
 * line every ten seconds elsewhere.
 */
class Progress
{
  public:
    /** \param enabled whether to show anything */
    explicit Progress(bool enabled);

    /** The simulation begins to run. */
    void Begin();

    /** \return whether it is time for the next line */
    bool IsDue() const;

    /** Shows the state. */
    void Show(const ProgressState& state);

    /** Leaves an empty line on a terminal for what comes after. */
    void Clear();

  private:
    using Clock = std::chrono::steady_clock;

    std::string Line(const ProgressState& state) const;

    bool m_enabled;
    bool m_terminal;
    bool m_shown{false};
    Clock::time_point m_start;
    Clock::time_point m_next; //!< when to show the next line
    Clock::duration m_period;
};

} // namespace wormhole

#endif // WORMHOLE_CLI_PROGRESS_H
