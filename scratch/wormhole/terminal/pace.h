/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_PACE_H
#define WORMHOLE_CLI_PACE_H

namespace wormhole
{

/**
 * How fast something grows lately, per second of wall clock: what was done some seconds ago counts
 * less, by a factor of e every #MEMORY seconds.
 */
class Pace
{
  public:
    static constexpr double MEMORY = 10; ///< s

    /**
     * \param wallSeconds clock, which only goes forward
     * \param done how much there is now
     */
    void Look(double wallSeconds, double done);

    /** \return growth per second; 0 before the second look */
    double PerSecond() const;

    /** \return what was done since the look before the last one */
    double LastGrowth() const
    {
        return m_lastGrowth;
    }

    /** \return how long that took, s */
    double LastSeconds() const
    {
        return m_lastSeconds;
    }

  private:
    bool m_begun{false};
    double m_wall{0};
    double m_done{0};
    double m_growth{0};  //!< weighted
    double m_seconds{0}; //!< weighted alike
    double m_lastGrowth{0};
    double m_lastSeconds{0};
};

} // namespace wormhole

#endif // WORMHOLE_CLI_PACE_H
