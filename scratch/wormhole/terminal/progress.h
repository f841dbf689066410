/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PROGRESS_H
#define WORMHOLE_CLI_PROGRESS_H

#include "pace.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace wormhole
{

/** How far a simulation is. */
struct ProgressState
{
    double simulatedSeconds{0};
    const char* items{"flows"}; ///< or "operations"
    uint64_t itemsEnded{0};
    uint64_t itemCount{0}; ///< 0 if unknown
    double done{0};        ///< of what is to be done: bytes, or operations
    double whole{0};       ///< of that; 0 if unknown
    uint64_t events{0};
    double delivered{0}; ///< bytes; grows as long as anything moves
    uint64_t waiting{0}; ///< flows under way, of which bytes may be expected

    // packet level and fast-forward only
    bool packets{false};
    bool fast{false};
    double packetHopsRun{0};   ///< links crossed by frames, simulated
    double packetHopsSaved{0}; ///< skipped and replayed
};

/**
 * The line that shows how far a simulation is. Its fields keep their places and widths.
 *
 * Time left is what remains over the pace of the last seconds. Under fast-forward, the speed-up is
 * the crossings of links covered per second lately (simulated, skipped and replayed) over those
 * that packet level manages in this run: the most that were simulated per second of any look so
 * far.
 */
class ProgressLine
{
  public:
    /** Looks at the simulation. \param wallSeconds since it began */
    void Look(double wallSeconds, const ProgressState& state);

    /** \return the line as of the last look; no line end */
    std::string Text() const;

    /** \return how much faster than packet level it is lately; 0 if not known */
    double GetSpeedup() const;

    /** \return wall-clock time left, s; negative if not known */
    double GetSecondsLeft() const;

  private:
    std::string SpeedText() const;

    ProgressState m_state;
    Pace m_done;
    Pace m_run;
    Pace m_covered; //!< crossings; events where there are no packets
    double m_packetPace{0};
};

/** \return a text of at most \p width characters; an ellipsis stands for what is cut off */
std::string CutToWidth(const std::string& text, size_t width);

/** Writes to standard error: a line that is written over on a terminal, lines elsewhere. Any thread
 * may. */
class ProgressOutput
{
  public:
    ProgressOutput();

    /** \return whether standard error is a terminal */
    bool IsTerminal() const
    {
        return m_terminal;
    }

    /** Shows the line; on a terminal, cut to its width, in place of the one before. */
    void Show(const std::string& line);

    /** Writes lines for good. */
    void Say(const std::vector<std::string>& lines);

    /** Leaves an empty line on a terminal for what comes after. */
    void Clear();

  private:
    void ClearLine();

    const bool m_terminal;
    std::mutex m_mutex;
    bool m_shown{false};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_PROGRESS_H
