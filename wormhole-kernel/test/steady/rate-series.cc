/*
 * SPDX-License-Identifier: MIT
 */
#include "steady/rate-series.h"

#include <cmath>

namespace wormhole::test
{
namespace
{

/** \return at(0), at(1), ... */
template <class At>
RateSeries
Tabulated(std::size_t samples, At&& at)
{
    RateSeries series(samples);
    for (std::size_t i = 0; i < samples; ++i)
    {
        series[i] = at(static_cast<double>(i));
    }
    return series;
}

/** \return the integral of x - floor(x) from 0 */
double
IntegralOfFraction(double x)
{
    const double fraction = x - std::floor(x);
    return (std::floor(x) + fraction * fraction) / 2;
}

} // namespace

double
Draws::Uniform(double least, double most)
{
    const double unit = static_cast<double>(m_bits() >> 11) * 0x1p-53;
    return least + unit * (most - least);
}

double
Draws::Decades(double least, double most)
{
    return std::exp(Uniform(std::log(least), std::log(most)));
}

std::size_t
Draws::Whole(std::size_t least, std::size_t most)
{
    return least + m_bits() % (most - least + 1);
}

double
Draws::Normal()
{
    double sum = -6;
    for (int i = 0; i < 12; ++i)
    {
        sum += Uniform(0, 1);
    }
    return sum;
}

RateSeries
Constant(std::size_t samples, double level)
{
    return RateSeries(samples, level);
}

RateSeries
Converging(std::size_t samples, double start, double limit, double timeConstant)
{
    return Tabulated(samples, [=](double i) {
        return limit + (start - limit) * std::exp(-i / timeConstant);
    });
}

RateSeries
AdditiveDrift(std::size_t samples, double level, double perSample)
{
    return Tabulated(samples, [=](double i) { return level * (1 + perSample * i); });
}

RateSeries
DctcpSawtooth(std::size_t samples, double peak, double period, double amplitude, double phase)
{
    // A sample is the mean of its interval, which may hold a fall.
    const auto until = [=](double i) { return period * IntegralOfFraction(i / period + phase); };
    return Tabulated(samples, [=](double i) {
        return peak * (1 - amplitude * (1 - (until(i + 1) - until(i))));
    });
}

RateSeries
DcqcnSawtooth(std::size_t samples, const DcqcnShape& shape)
{
    RateSeries series;
    double target = shape.line;
    double rate = shape.line;
    double alpha = shape.alpha;
    std::size_t stage = 0;
    while (series.size() < samples)
    {
        if (rate > shape.line * (1 + shape.step / 4) || series.empty())
        {
            target = rate;
            rate *= 1 - alpha / 2;
            alpha = (1 - shape.gain) * alpha + shape.gain;
            stage = 0;
        }
        series.insert(series.end(), shape.stage, rate);
        target += stage < 5 ? 0 : shape.step * shape.line;
        rate = (rate + target) / 2;
        alpha *= 1 - shape.gain;
        ++stage;
    }
    series.resize(samples);
    return series;
}

RateSeries
Sine(std::size_t samples, double mean, double period, double amplitude, double phase)
{
    return Tabulated(samples, [=](double i) {
        return mean * (1 + amplitude * std::sin(2 * M_PI * (i / period + phase)));
    });
}

RateSeries
Noise(std::size_t samples, double level, double deviation, double memory, Draws& draws)
{
    double state = draws.Normal();
    return Tabulated(samples, [&](double) {
        state = memory * state + std::sqrt(1 - memory * memory) * draws.Normal();
        return std::max(0.0, level * (1 + deviation * state));
    });
}

RateSeries
WholePackets(std::size_t samples, double packetsPerSample, double phase)
{
    return Tabulated(samples, [=](double i) {
        return std::floor((i + 1) * packetsPerSample + phase) -
               std::floor(i * packetsPerSample + phase);
    });
}

RateSeries
Step(std::size_t samples, double before, double after, std::size_t at)
{
    return Tabulated(samples,
                     [=](double i) { return i < static_cast<double>(at) ? before : after; });
}

} // namespace wormhole::test
