/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_PICOSECONDS_H
#define HARNESS_PICOSECONDS_H

#include "ns3/nstime.h"

namespace harness
{

/** Including this header makes picoseconds ns-3's time resolution before a test runs. */
inline const bool PICOSECONDS = [] {
    ns3::Time::SetResolution(ns3::Time::PS);
    return true;
}();

} // namespace harness

#endif // HARNESS_PICOSECONDS_H
