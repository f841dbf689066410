/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_STALL_H
#define WORMHOLE_CLI_STALL_H

#include "progress.h"

#include <string>
#include <vector>

namespace wormhole
{

/** Notices that a simulation gets nowhere: once, and again only when it has moved in between. */
class StallDetector
{
  public:
    /** How a simulation gets nowhere. */
    enum class Kind
    {
        NONE,
        INSTANT, ///< simulated time stands still
        BYTES    ///< it goes on, but of the flows under way none delivers a byte
    };

    /** Simulated time without a byte that is a stall, s: more than the largest time-outs, round
     * trips and pauses that recover, less than people have patience for. */
    static constexpr double LEAST_SIMULATED = 0.01;

    /** \param wallSeconds for so long nothing moves before it is a stall; 0: it never is */
    explicit StallDetector(double wallSeconds)
        : m_limit(wallSeconds)
    {
    }

    /**
     * Looks at the simulation.
     * \param wallSeconds clock, which only goes forward
     * \param state of the simulation
     * \return the stall that has begun; NONE if there is none, or it has been told
     */
    Kind Look(double wallSeconds, const ProgressState& state);

    /** \return what is the matter, as of the last look; and what one may do */
    std::vector<std::string> Describe(Kind kind, const std::vector<std::string>& reasons) const;

  private:
    struct Mark
    {
        double wall{0};
        double simulated{0};
        uint64_t events{0};
        bool told{false};
    };

    bool IsNew(Mark& mark, bool stalls) const;

    double m_limit; //!< s of wall clock; 0 for none
    bool m_begun{false};
    double m_wall{0};
    ProgressState m_state;
    Mark m_instant;
    Mark m_bytes;
    double m_delivered{0}; //!< the most so far
    uint64_t m_ended{0};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_STALL_H
