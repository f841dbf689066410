/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_NUMBER_H
#define INPUT_NUMBER_H

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
