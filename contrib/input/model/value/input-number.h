/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_NUMBER_H
#define INPUT_NUMBER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 * \param text a whole number, digits only
 * \param value set to it
 * \return false if the text is anything else or does not fit
 */
bool ParseInteger(const std::string& text, uint64_t& value);

/**
 * \ingroup input
 *
 * For files of hundreds of megabytes: nothing is copied.
 * \param at digits, behind which something else must stand; set to there
 * \param exact set to false if the number may not fit 64 bits, else left alone
 * \return the number, modulo 2^64
 */
inline uint64_t
TakeDigits(const char*& at, bool& exact)
{
    constexpr std::ptrdiff_t SAFE_DIGITS = 19; // a number of so many digits fits
    while (*at == '0')
    {
        ++at;
    }
    const char* const first = at;
    uint64_t value = 0;
    for (; *at >= '0' && *at <= '9'; ++at)
    {
        value = 10 * value + static_cast<uint64_t>(*at - '0');
    }
    exact &= at - first <= SAFE_DIGITS;
    return value;
}

/**
 * \ingroup input
 * \param text a finite decimal number, with a point whatever the locale: "0.5", "-3", "1e-6"
 * \param value set to the nearest double
 * \return false if the text is anything else or does not fit
 */
bool ParseNumber(const std::string& text, double& value);

/**
 * \ingroup input
 * \param value a finite number
 * \return the shortest decimal text without exponent that reads back the same: "0.1", "1000", "0"
 */
std::string NumberText(double value);

/**
 * \ingroup input
 * \param text what the user wrote, whatever bytes it holds
 * \return it for a message: at most 40 characters, with "?" for what a terminal may not show
 */
std::string ShownText(const std::string& text);

} // namespace ns3

#endif // INPUT_NUMBER_H
