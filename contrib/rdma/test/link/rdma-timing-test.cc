/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rdma-test-case.h"

#include "ns3/nstime.h"
#include "ns3/rdma-timing.h"

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000;

struct Transmission
{
    uint32_t bytes;
    uint64_t rate; // Gb/s
    int64_t ns;
};

RDMA_TEST(RdmaTimingHpcc, "HPCC's truncation through a double, 1-ns shortfalls included")
{
    const RdmaClock clock(RdmaTiming::HPCC_NS);
    // 1250 B at 100 Gb/s take 1e-7 s, but the nearest double is a little below, so 99 ns
    for (const Transmission& t : {Transmission{1250, 100, 99},
                                  {1000, 100, 79},
                                  {1056, 4, 2111},
                                  {1000, 25, 319},
                                  {500, 400, 9},
                                  {1048, 100, 83},
                                  {1090, 100, 87},
                                  {1056, 100, 84},
                                  {60, 100, 4},
                                  {88, 100, 7},
                                  {43, 100, 3},
                                  {1048, 25, 335},
                                  {1048, 50, 167},
                                  {1048, 400, 20}})
    {
        NS_TEST_EXPECT_MSG_EQ(clock.TransmissionTime(t.bytes, t.rate * GBPS),
                              t.ns * clock.StepsPerNs(),
                              t.bytes << " B at " << t.rate << " Gb/s");
    }
}

RDMA_TEST(RdmaTimingRound, "ASTRA-sim's rounding")
{
    const RdmaClock clock(RdmaTiming::ROUND_NS);
    // 1036 * 8 / 100 = 82.88; 1078: 86.24; 1044: 83.52; 48: 3.84; 76: 6.08; 31: 2.48
    for (const Transmission& t :
         {Transmission{1036, 100, 83},
          {1078, 100, 86},
          {1044, 100, 84},
          {48, 100, 4},
          {76, 100, 6},
          {31, 100, 2},
          {1250, 100, 100},
          // its full frames at 200 and 400 Gb/s: 41.44 and 20.72; 1048 B: 41.92 and 20.96
          {1036, 200, 41},
          {1048, 200, 42},
          {1036, 400, 21},
          {1075, 400, 21}}) // 21.5, from a fraction that is cut off
    {
        NS_TEST_EXPECT_MSG_EQ(clock.TransmissionTime(t.bytes, t.rate * GBPS),
                              t.ns * clock.StepsPerNs(),
                              t.bytes << " B at " << t.rate << " Gb/s");
    }
}

RDMA_TEST(RdmaTimingTruncate, "SimAI's integer division, without the shortfall")
{
    const RdmaClock clock(RdmaTiming::TRUNCATE_NS);
    // 1250 * 8 / 100 = 100; 1048: 83.84; 1000 at 25: 320; 1 MiB at 1 Gb/s: 8388608
    for (const Transmission& t : {Transmission{1250, 100, 100},
                                  {1048, 100, 83},
                                  {1000, 25, 320},
                                  {500, 400, 10},
                                  {1048576, 1, 8388608}})
    {
        NS_TEST_EXPECT_MSG_EQ(clock.TransmissionTime(t.bytes, t.rate * GBPS),
                              t.ns * clock.StepsPerNs(),
                              t.bytes << " B at " << t.rate << " Gb/s");
    }
}

RDMA_TEST(RdmaTimingExact, "the nearest time step of ns-3's resolution")
{
    const RdmaClock clock;
    const int64_t steps = clock.StepsPerNs(); // 1 with ns-3's default resolution
    NS_TEST_EXPECT_MSG_EQ(steps, NanoSeconds(1).GetTimeStep(), "steps per ns");
    NS_TEST_EXPECT_MSG_EQ(clock.TransmissionTime(1250, 100 * GBPS), 100 * steps, "whole ns");
    // 83.84 ns: 84 steps of 1 ns, 83840 of 1 ps
    NS_TEST_EXPECT_MSG_EQ(clock.TransmissionTime(1048, 100 * GBPS),
                          (8384 * steps + 50) / 100,
                          "nearest step");
}

RDMA_TEST(RdmaTimingDuration, "durations read from files")
{
    const RdmaClock hpcc(RdmaTiming::HPCC_NS);
    const RdmaClock round(RdmaTiming::ROUND_NS);
    const RdmaClock truncate(RdmaTiming::TRUNCATE_NS);
    const RdmaClock exact;
    const int64_t ns = hpcc.StepsPerNs();
    // the double nearest to 0.0001 s is a little below; where a step is a ns, nothing is cut
    NS_TEST_EXPECT_MSG_EQ(hpcc.Duration(MicroSeconds(100), Time::S),
                          (ns > 1 ? 99999 * ns : 100000),
                          "a flow's start in seconds");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Duration(NanoSeconds(300), Time::MS),
                          (ns > 1 ? 299 * ns : 300),
                          "0.0003ms");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Duration(NanoSeconds(300)), 300 * ns, "300ns");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Duration(Seconds(2.5), Time::S), 2500000000 * ns, "2.5 s");
    const Time quarters = TimeStep(static_cast<uint64_t>(175 * ns / 100)); // 1.75 ns, if there are
    const int64_t whole = quarters.GetTimeStep() / ns;
    NS_TEST_EXPECT_MSG_EQ(truncate.Duration(quarters), whole * ns, "truncated");
    NS_TEST_EXPECT_MSG_EQ(hpcc.Duration(quarters, Time::FS), whole * ns, "finer units count as ns");
    NS_TEST_EXPECT_MSG_EQ(round.Duration(MicroSeconds(100), Time::S), 100000 * ns, "rounded");
    NS_TEST_EXPECT_MSG_EQ(round.Duration(quarters), (ns > 1 ? 2 * ns : 1), "rounded");
    NS_TEST_EXPECT_MSG_EQ(exact.Duration(quarters), quarters.GetTimeStep(), "as it is");
}

RDMA_TEST(RdmaTimingNames, "every rule has the name of the command line")
{
    NS_TEST_EXPECT_MSG_EQ(RdmaTimingName(RdmaTiming::EXACT), "exact", "exact");
    NS_TEST_EXPECT_MSG_EQ(RdmaTimingName(RdmaTiming::HPCC_NS), "hpcc", "hpcc");
    NS_TEST_EXPECT_MSG_EQ(RdmaTimingName(RdmaTiming::ROUND_NS), "round", "round");
    NS_TEST_EXPECT_MSG_EQ(RdmaTimingName(RdmaTiming::TRUNCATE_NS), "truncate", "truncate");
}

RdmaTestSuite<RdmaTimingHpcc,
              RdmaTimingRound,
              RdmaTimingTruncate,
              RdmaTimingExact,
              RdmaTimingDuration,
              RdmaTimingNames>
    g_rdmaTimingSuite("rdma-timing");

} // namespace
