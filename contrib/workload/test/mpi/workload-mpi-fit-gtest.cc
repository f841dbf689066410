/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Lines through measured times, as wormhole-loggops fits them.

#include "ns3/workload-mpi-fit.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** Two ways of sending: 200 ns + 0.1 ns a byte, and from 4096 bytes on 2000 ns + 0.05 ns a byte. */
double
TwoWays(uint64_t bytes)
{
    const auto more = static_cast<double>(bytes - 1);
    return bytes < 4096 ? 200 + 0.1 * more : 2000 + 0.05 * more;
}

std::vector<WorkloadMpiTime>
Measured(double noise)
{
    std::vector<WorkloadMpiTime> times;
    double sign = noise;
    for (uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 2)
    {
        times.push_back({bytes, TwoWays(bytes) * (1 + sign)});
        sign = -sign;
    }
    return times;
}

} // namespace

TEST(MpiFit, FindsTheLinesThatThereAre)
{
    const auto lines = FitWorkloadMpiLines(Measured(0), 100, 0.01);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].from, 1U);
    EXPECT_NEAR(lines[0].base, 200, 1e-6);
    EXPECT_NEAR(lines[0].perByte, 0.1, 1e-9);
    EXPECT_EQ(lines[1].from, 4096U);
    EXPECT_NEAR(lines[1].base, 2000, 1e-6);
    EXPECT_NEAR(lines[1].perByte, 0.05, 1e-9);
    // between what was measured, and beyond it
    EXPECT_NEAR(WorkloadMpiTimeOf(lines, 3000), 200 + 0.1 * 2999, 1e-6);
    EXPECT_NEAR(WorkloadMpiTimeOf(lines, 1 << 22), 2000 + 0.05 * ((1 << 22) - 1), 1e-3);
    EXPECT_NEAR(WorkloadMpiTimeOf(lines, 0), 200, 1e-6); // as one byte
}

TEST(MpiFit, IsWithinItsTolerance)
{
    const auto times = Measured(0.02);
    const auto lines = FitWorkloadMpiLines(times, 100, 0.05);
    EXPECT_EQ(lines.size(), 2U);
    for (const WorkloadMpiTime& time : times)
    {
        EXPECT_LE(std::abs(WorkloadMpiTimeOf(lines, time.bytes) - time.ns), 0.05 * time.ns);
    }
    // where none is near, each size has its own
    EXPECT_EQ(FitWorkloadMpiLines(times, 100, 0).size(), times.size());
}

TEST(MpiFit, NeverFallsOrLeavesTooLittle)
{
    // 1 byte 300 ns, 1001 bytes 250 ns: a flat line, weighted by 1 / ns^2
    const auto flat = FitWorkloadMpiLines({{1, 300}, {1001, 250}}, 100, 0.2);
    ASSERT_EQ(flat.size(), 1U);
    EXPECT_EQ(flat[0].perByte, 0);
    // through 100 and 1100 ns, but no less than 200 ns: off by as much as 100 ns of 100 ns
    const auto least = FitWorkloadMpiLines({{1, 100}, {1001, 1100}}, 200, 1);
    ASSERT_EQ(least.size(), 1U);
    EXPECT_EQ(least[0].base, 200);
    EXPECT_NEAR(WorkloadMpiTimeOf(least, 1001), 1100, 1e-6);
}

TEST(MpiFit, LinesHaveTheBaseThatIsAskedFor)
{
    const WorkloadMpiLine line{100, 300, 0.5};
    EXPECT_EQ(WorkloadMpiLineFrom(line, 300, 1001).base, 300); // it has
    // 300 + 0.5 * 1000 = 800 ns at 1001 bytes, with 600 ns of base: 200 / 1000 ns a byte
    const WorkloadMpiLine steep = WorkloadMpiLineFrom(line, 600, 1001);
    EXPECT_EQ(steep.from, 100U);
    EXPECT_EQ(steep.base, 600);
    EXPECT_NEAR(steep.perByte, 0.2, 1e-12);
    // less than the base alone cannot be said, nor anything of the bytes of one
    EXPECT_EQ(WorkloadMpiLineFrom(line, 900, 1001).perByte, 0);
    EXPECT_EQ(WorkloadMpiLineFrom(line, 900, 1).perByte, 0);
}
