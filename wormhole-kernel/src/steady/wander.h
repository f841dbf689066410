/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_WANDER_H
#define WORMHOLE_WANDER_H

#include "wormhole/units.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace wormhole
{

/**
 * \brief How the shares that flows have of a full port wander about the fair one: an
 * Ornstein-Uhlenbeck process (Uhlenbeck and Ornstein 1930).
 *
 * Where many flows that are alike share a port, what each gets depends on which of its packets meet
 * which others: the shares never settle, but their sum does.
 */
struct Wander
{
    double deviation{0}; //!< standard, of a share, relative to the fair one
    Duration memory{1};  //!< within which a deviation falls to a part of 1/e, on average; positive
    double skewness{0};  //!< of deviations, -2 to 2: positive if few have much more than others

    /** \return whether \p looked is enough to find that in: shares that go their way, or follow a
     * pattern, look like others that have a long memory */
    bool IsSeenIn(Duration looked) const;

    /** \return whether that, found in \p looked, is all that there is to know: what is not seen may
     * do no harm, either */
    bool IsKnown(Duration looked) const;

    /** \return the standard deviation of a share's mean over \p span, positive */
    double OfMean(Duration span) const;

    /**
     * Lets \p deviations, relative to the fair share and 0 in sum, wander for \p span, positive.
     * \param draw gives as many numbers as there are flows, of mean 0, variance 1 and skewness
     * \return their means meanwhile, 0 in sum
     */
    std::vector<double> Go(std::vector<double>& deviations,
                           Duration span,
                           const std::function<std::vector<double>()>& draw) const;
};

/**
 * \param time that a look lasts
 * \param count looks
 * \param product of deviations that are one look apart: its mean
 * \param kept of deviations that are one look apart, the part that is left when they are so many
 *             more looks apart
 * \return how shares wander
 */
Wander WanderOf(Duration time,
                std::size_t count,
                double product,
                const std::function<double(std::size_t)>& kept);

class WanderPool;

/** Measures how the shares of flows that are alike wander. */
class WanderWatch
{
  public:
    /** Looks that a Wander is found from, at least. */
    static constexpr std::size_t LEAST_LOOKS = 16;

    /** Looks that tell where shares are lately. */
    static constexpr std::size_t LATELY = 4;

    /** \param steady by how much the sum of the rates may move, relative, while it is looked at */
    explicit WanderWatch(double steady)
        : m_steady(steady)
    {
    }

    /** For \p time, the same at each look, the flows had the mean rates \p rates. */
    void Look(Duration time, const std::vector<Rate>& rates);

    /** \return how the shares wander; nullopt if the sum of the rates was not steady for so many
     * looks */
    std::optional<Wander> Find() const;

    /** \return the sum of the rates, on average; there was a look */
    Rate MeanSum() const
    {
        return MeanSum(0);
    }

    /** \return whether the sum of the rates was steady lately */
    bool IsSteadyLately() const
    {
        return m_looks.size() >= LATELY && IsSteady(m_looks.size() - LATELY);
    }

    /** \return the sum of the rates, lately */
    Rate LatelySum() const
    {
        return MeanSum(m_looks.size() - LATELY);
    }

    /** \return by how much shares have moved lately: standard deviation, relative to the fair one
     */
    double LatelyMoved() const;

    /** \return for how long "lately" is */
    Duration LatelyLooked() const
    {
        return m_time * static_cast<Duration::rep>(LATELY);
    }

    /** \return by how much the share of each flow, some of which it was found for, differs from the
     * fair one all along: 0 in sum, and the same for all whose shares differ by chance; empty if
     * that are all */
    std::vector<double> Lasting() const;

    /** \return by how much the share of each flow differs from the fair one, on average over the
     * looks; 0 in sum */
    std::vector<double> MeanDeviations() const;

    /** Adds what the latest look says of how shares wander about \p lasting ones to \p pool. */
    void Tell(WanderPool& pool, const std::vector<double>& lasting) const;

    /** \return for how long it has looked while their sum was steady, or has just begun to be */
    Duration Looked() const
    {
        return m_time * static_cast<Duration::rep>(m_looks.size());
    }

    /** \return by how much the rates of the latest look, if any, differed from the fair one */
    const std::vector<double>& Deviations() const
    {
        return m_looks.back().deviations;
    }

  private:
    struct OneLook
    {
        double sum; //!< of the rates, bytes/s
        std::vector<double> deviations;
    };

    bool IsSteady(std::size_t first = 0) const;
    Rate MeanSum(std::size_t first) const;
    double Product(std::size_t end, std::size_t lag, const std::vector<bool>& counts) const;
    Wander WanderOfThose(const std::vector<bool>& counts) const;
    double Skewness() const;

    double m_steady;
    Duration m_time{0}; //!< of a look
    std::deque<OneLook> m_looks;
};

} // namespace wormhole

#endif // WORMHOLE_WANDER_H
