/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORMHOLE_CLI_UNITS_TEXT_H
#define WORMHOLE_CLI_UNITS_TEXT_H

#include <cstdint>
#include <string>

namespace wormhole
{

/** \return a number with so many digits after the point: "3.20" */
std::string FixedText(double value, int digits);

/** \return a time in a unit that suits it: "1.84 ms" */
std::string TimeText(double ns);

/** \return a share, not negative, in percent: "1.84 %" */
std::string PercentText(double share);

/** \return a count with commas: "1,234,567" */
std::string CountText(uint64_t count);

} // namespace wormhole

#endif // WORMHOLE_CLI_UNITS_TEXT_H
