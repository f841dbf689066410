/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INPUT_UNITS_H
#define INPUT_UNITS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup input
 *
 * Units as in ns-3's DataRate: bps or b/s, with k or K, M, G, T (powers of 1000) or Ki, Mi, Gi (of
 * 1024) before it, and Bps or B/s for bytes. The decimal is exact, and what is less than a whole
 * bit/s is cut off, as ns-3 does. There is no default unit.
 * \param text a number with a unit of rate: "100Gbps", "40Mb/s", "1000Kbps", "5bps"
 * \param rate set to bit/s
 * \return false, with \p rate as it was, if the text is not a rate that fits; 0 is one
 */
bool ParseRate(const std::string& text, uint64_t& rate);

/**
 * \ingroup input
 *
 * Units: fs, ps, ns, us, ms, s, min, h. "0.001ms" is 1000.0 ns exactly: the result is the double
 * nearest to the decimal. There is no default unit.
 * \param text a number with a unit of time: "1000ns", "0.001ms", "1us", "2s", "500ps"
 * \param ns set to nanoseconds
 * \return false, with \p ns as it was, if the text is not a time or is negative
 */
bool ParseTime(const std::string& text, double& ns);

/**
 * \ingroup input
 *
 * As above, to the time step nearest to the decimal; half a step is rounded up.
 * \param text a number with a unit of time
 * \param time set to it
 * \param unit set to the unit, unless null
 * \return false, with \p time as it was, if the text is not a time, is negative, or does not fit
 */
bool ParseTime(const std::string& text, Time& time, Time::Unit* unit = nullptr);

/**
 * \ingroup input
 * \param text that ParseTime has read as \p time
 * \return what it must be instead, where it is more than 0, but so short that \p time is 0; empty
 * otherwise
 */
std::string TooShortText(const std::string& text, const Time& time);

/** \ingroup input \return the time in a unit not finer than ns-3's resolution, as the nearest
 * double
 */
double RdmaTimeIn(const Time& time, Time::Unit unit);

/**
 * \ingroup input
 * \param rate bit/s
 * \return in the largest unit up to Gbps that needs no fraction: "100Gbps", "2500Mbps", "7bps"
 */
std::string RateText(uint64_t rate);

/** \ingroup input \return a time in nanoseconds, 0 or more, that reads back the same: "1000ns",
 * "0.5ns" */
std::string NsText(double ns);

/** \ingroup input \return a time in nanoseconds, 0 or more, in milliseconds as SimAI's files have
 * it: "0.0005ms" */
std::string MsText(double ns);

} // namespace ns3

#endif // INPUT_UNITS_H
