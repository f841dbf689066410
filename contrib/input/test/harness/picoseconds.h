/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HARNESS_PICOSECONDS_H
#define HARNESS_PICOSECONDS_H

#include "ns3/nstime.h"

#include <gtest/gtest.h>

namespace harness
{

/** A test, in a process of its own, that runs with picoseconds as ns-3's time resolution. */
class InPicoseconds : public testing::Test
{
  protected:
    InPicoseconds()
    {
        ns3::Time::SetResolution(ns3::Time::PS);
    }
};

} // namespace harness

#endif // HARNESS_PICOSECONDS_H
