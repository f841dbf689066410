/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_RATE_SERIES_H
#define WORMHOLE_RATE_SERIES_H

#include "wormhole/units.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace wormhole::test
{

/** Draws that are the same with every standard library. */
class Draws
{
  public:
    explicit Draws(std::uint64_t seed)
        : m_bits(seed)
    {
    }

    /** \return uniform in [least, most) */
    double Uniform(double least, double most);

    /** \return as likely in each decade between \p least and \p most, which are positive */
    double Decades(double least, double most);

    /** \return uniform in least ... most */
    std::size_t Whole(std::size_t least, std::size_t most);

    /** \return mean 0, standard deviation 1 (sum of twelve uniform draws) */
    double Normal();

  private:
    std::mt19937_64 m_bits;
};

/** Samples of a rate, bytes/s. */
using RateSeries = std::vector<double>;

/** Always \p level. */
RateSeries Constant(std::size_t samples, double level);

/** From \p start towards \p limit, by 1 - 1/e of the rest in \p timeConstant samples. */
RateSeries Converging(std::size_t samples, double start, double limit, double timeConstant);

/** Grows by \p perSample, relative to the first sample. */
RateSeries AdditiveDrift(std::size_t samples, double level, double perSample);

/** DCTCP: rises linearly for \p period samples, then falls back at once; \p amplitude is the fall,
 *  relative to the peak. \p phase in [0, 1) */
RateSeries DctcpSawtooth(std::size_t samples,
                         double peak,
                         double period,
                         double amplitude,
                         double phase);

/** What a DCQCN sender does. */
struct DcqcnShape
{
    double line;       //!< rate at which a cut comes
    double alpha;      //!< estimate of congestion when the first cut comes; a cut takes alpha / 2
    double gain;       //!< g: weight of a cut's mark in alpha, which decays by 1 - g per stage
    std::size_t stage; //!< samples between increases
    double step;       //!< additive increase, relative to the line rate
};

/** DCQCN from a cut on: five stages of fast recovery towards the rate before it, then additive
 *  increase up to the line rate plus one step, and again. */
RateSeries DcqcnSawtooth(std::size_t samples, const DcqcnShape& shape);

/** TIMELY: a sine of \p amplitude, relative to its mean. \p phase in [0, 1) */
RateSeries Sine(std::size_t samples, double mean, double period, double amplitude, double phase);

/** Normal noise, relative to its mean \p level; \p memory is the correlation of neighbours. */
RateSeries Noise(std::size_t samples, double level, double deviation, double memory, Draws& draws);

/** What is measured of a flow that sends evenly: whole packets per sample. \p phase in [0, 1) */
RateSeries WholePackets(std::size_t samples, double packetsPerSample, double phase);

/** \p before up to sample \p at, then \p after. */
RateSeries Step(std::size_t samples, double before, double after, std::size_t at);

} // namespace wormhole::test

#endif // WORMHOLE_RATE_SERIES_H
