/*
 * SPDX-License-Identifier: MIT
 */
#ifndef WORMHOLE_UNITS_H
#define WORMHOLE_UNITS_H

#include <chrono>
#include <cstdint>
#include <ratio>

namespace wormhole
{

/** A stretch of simulated time: whole picoseconds, so that 400 Gb/s is right; up to 106 days. */
using Duration = std::chrono::duration<std::int64_t, std::pico>;

/** The clock of simulated time. It cannot be asked for the time: only a simulator knows. */
struct SimulationClock
{
    using duration = Duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<SimulationClock, Duration>;
    static constexpr bool is_steady = true;
};

/** A point in simulated time, counted from the start of the simulation. */
using Time = SimulationClock::time_point;

/** An amount of payload. Whole bytes, so that what is delivered and what is left always add up. */
using Bytes = std::uint64_t;

/**
 * \brief Bytes per time.
 *
 * A double underneath, for rates are measured and averaged; amounts that must add up are Bytes. Any
 * double is accepted; who uses it says what makes sense. 0 unless given.
 */
class Rate
{
  public:
    constexpr Rate() = default;

    static constexpr Rate BytesPerSecond(double value)
    {
        return Rate(value);
    }

    static constexpr Rate BitsPerSecond(double value)
    {
        return Rate(value / 8);
    }

    constexpr double InBytesPerSecond() const
    {
        return m_bytesPerSecond;
    }

    constexpr double InBitsPerSecond() const
    {
        return m_bytesPerSecond * 8;
    }

    friend constexpr bool operator==(Rate a, Rate b)
    {
        return a.m_bytesPerSecond == b.m_bytesPerSecond;
    }

    friend constexpr bool operator!=(Rate a, Rate b)
    {
        return !(a == b);
    }

    friend constexpr bool operator<(Rate a, Rate b)
    {
        return a.m_bytesPerSecond < b.m_bytesPerSecond;
    }

  private:
    constexpr explicit Rate(double bytesPerSecond)
        : m_bytesPerSecond(bytesPerSecond)
    {
    }

    double m_bytesPerSecond{0};
};

/** \return \p bytes over \p duration, which must be positive */
constexpr Rate
RateOf(Bytes bytes, Duration duration)
{
    return Rate::BytesPerSecond(static_cast<double>(bytes) * 1e12 /
                                static_cast<double>(duration.count()));
}

/** \return the whole bytes that \p rate moves in \p duration, rounded down; 0 if either is not
 *          positive */
constexpr Bytes
BytesIn(Rate rate, Duration duration)
{
    // Divided, so that whole results are whole: 1e-12 is not a double.
    const double bytes = rate.InBytesPerSecond() * static_cast<double>(duration.count()) / 1e12;
    return bytes > 0 ? static_cast<Bytes>(bytes) : 0;
}

/** \return \p duration times \p factor, rounded down to whole picoseconds; Duration::max() if that
 * is longer than a Duration holds; neither may be negative */
constexpr Duration
Scale(Duration duration, double factor)
{
    const double picoseconds = static_cast<double>(duration.count()) * factor;
    return picoseconds < 9e18 ? Duration{static_cast<std::int64_t>(picoseconds)} : Duration::max();
}

/** \return \p time plus \p span, or the end of time */
constexpr Time
Later(Time time, Duration span)
{
    return span < Time::max() - time ? time + span : Time::max();
}

/** \return the time that \p rate needs for \p bytes, rounded up to whole picoseconds;
 *          Duration::max() if that is longer than a Duration holds, or the rate is not positive */
constexpr Duration
TimeFor(Bytes bytes, Rate rate)
{
    if (!(rate.InBytesPerSecond() > 0))
    {
        return Duration::max();
    }
    const double picoseconds = static_cast<double>(bytes) * 1e12 / rate.InBytesPerSecond();
    if (picoseconds >= 9e18)
    {
        return Duration::max();
    }
    const Duration rounded{static_cast<std::int64_t>(picoseconds)};
    return static_cast<double>(rounded.count()) < picoseconds ? rounded + Duration{1} : rounded;
}

} // namespace wormhole

#endif // WORMHOLE_UNITS_H
