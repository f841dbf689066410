/*
 * SPDX-License-Identifier: MIT
 */
#include "wormhole/conflict-graph.h"
#include "wormhole/error.h"

#include <array>
#include <limits>
#include <string>

namespace wormhole
{
namespace
{

// Comparisons, products and quotients of such numbers are the same on every machine.
static_assert(std::numeric_limits<double>::is_iec559);

constexpr double INFINITE = std::numeric_limits<double>::infinity();

/** step, step^2, step^4, ...: 30 suffice, as 1.000001^(2^30) is more than a double holds. */
class Powers
{
  public:
    explicit Powers(double step)
    {
        m_powers[0] = step;
    }

    /** \return how many of the powers are finite and at most \p bound */
    std::size_t CountUpTo(double bound)
    {
        std::size_t count = 0;
        while (count < m_powers.size() && m_powers[count] <= bound && m_powers[count] < INFINITE)
        {
            ++count;
            if (count < m_powers.size())
            {
                m_powers[count] = m_powers[count - 1] * m_powers[count - 1];
            }
        }
        return count;
    }

    double operator[](std::size_t index) const
    {
        return m_powers[index];
    }

  private:
    std::array<double, 31> m_powers;
};

} // namespace

std::int32_t
QuantiseLog(double value, double step)
{
    if (!(step >= 1.000001 && step < INFINITE))
    {
        throw UsageError("a logarithmic scale with the step " + std::to_string(step) +
                         ", but it must be at least 1.000001 and finite");
    }
    if (!(value > 0))
    {
        return std::numeric_limits<std::int32_t>::min();
    }
    if (value == INFINITE)
    {
        return std::numeric_limits<std::int32_t>::max();
    }

    // The class bit by bit from the highest. Each step keeps the order of the values that come to
    // it, for rounding does; so a larger value never gets a smaller class.
    Powers powers(step);
    std::int32_t steps = 0;
    if (value >= 1)
    {
        for (std::size_t bit = powers.CountUpTo(value); bit-- > 0;)
        {
            if (value >= powers[bit])
            {
                value /= powers[bit];
                steps += std::int32_t{1} << bit;
            }
        }
        return steps;
    }
    // The largest number of steps up that still stays below 1: it takes one more to reach class 0.
    const std::size_t count = powers.CountUpTo(1 / value);
    for (std::size_t bit = count; bit-- > 0;)
    {
        // The highest more than once for the smallest doubles: there is no larger power.
        for (bool again = true; again && value * powers[bit] < 1; again = bit + 1 == count)
        {
            value *= powers[bit];
            steps += std::int32_t{1} << bit;
        }
    }
    return -1 - steps;
}

} // namespace wormhole
