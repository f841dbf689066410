/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// As fast_forward_random_test.cc, on many more scenarios.

#include "harness/fast_random.h"

#include <gtest/gtest.h>

namespace
{

class FastForwardRandomMany : public testing::TestWithParam<uint64_t>
{
};

TEST_P(FastForwardRandomMany, AsPacketLevel)
{
    harness::ExpectAsPacketLevel(75 + GetParam() * 216, 216);
}

INSTANTIATE_TEST_SUITE_P(Shard, FastForwardRandomMany, testing::Range(uint64_t{0}, uint64_t{8}));

} // namespace
