/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "harness/picoseconds.h"

#include "ns3/input-number.h"
#include "ns3/input-units.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

using TimeSteps = harness::InPicoseconds;

uint64_t
RateOf(const std::string& text)
{
    uint64_t rate = 0;
    EXPECT_TRUE(ParseRate(text, rate)) << text;
    return rate;
}

double
NsOf(const std::string& text)
{
    double ns = -1;
    EXPECT_TRUE(ParseTime(text, ns)) << text;
    return ns;
}

} // namespace

TEST(Rate, HasTheUnitsOfNs3sDataRate)
{
    EXPECT_EQ(RateOf("5bps"), 5u);
    EXPECT_EQ(RateOf("5b/s"), 5u);
    EXPECT_EQ(RateOf("5Bps"), 5u * 8);
    for (const char* unit : {"kbps", "kb/s", "Kbps", "Kb/s"})
    {
        EXPECT_EQ(RateOf(std::string("3") + unit), 3000u) << unit;
    }
    EXPECT_EQ(RateOf("40Mb/s"), 40'000'000u);
    EXPECT_EQ(RateOf("100Gbps"), 100'000'000'000u);
    EXPECT_EQ(RateOf("2Tb/s"), 2'000'000'000'000u);
    EXPECT_EQ(RateOf("7KBps"), 7u * 8 * 1000);
    EXPECT_EQ(RateOf("7MB/s"), 7u * 8 * 1'000'000);
    EXPECT_EQ(RateOf("7GBps"), 7ull * 8 * 1'000'000'000);
    EXPECT_EQ(RateOf("1Kib/s"), 1024u);
    EXPECT_EQ(RateOf("1GiB/s"), 8ull * 1024 * 1024 * 1024);
}

TEST(Rate, IsAnExactDecimalOfWholeBits)
{
    EXPECT_EQ(RateOf("1.1Gbps"), 1'100'000'000u);
    EXPECT_EQ(RateOf("1e11bps"), 100'000'000'000u);
    EXPECT_EQ(RateOf("0.0000000019Gbps"), 1u); // 1.9 bit/s
    EXPECT_EQ(RateOf("0.5bps"), 0u);
    EXPECT_EQ(RateOf("0.125Bps"), 1u);
    EXPECT_EQ(RateOf("18446744073709551615bps"), UINT64_MAX);
    EXPECT_EQ(RateOf("0000000000000000000000000000000001bps"), 1u);
}

TEST(Rate, RejectsWhatIsNoRateAndLeavesTheValue)
{
    for (const char* text : {"",
                             "100",
                             "Gbps",
                             ".Gbps",
                             "1..0Gbps",
                             "-1Gbps",
                             "+1Gbps",
                             "1 Gbps",
                             "1gbps",
                             "1Gbpss",
                             "1Gbp",
                             "nanGbps",
                             "infGbps",
                             "0x10Gbps",
                             "1e",
                             "1ebps",
                             "1e99999999999999999999bps",
                             "18446744073709551616bps",
                             "2305843009213693952Bps", // 2^61 bytes are 2^64 bits
                             "18446744074Gbps",
                             "1,5Gbps"})
    {
        uint64_t rate = 42;
        EXPECT_FALSE(ParseRate(text, rate)) << text;
        EXPECT_EQ(rate, 42u) << text;
    }
}

TEST(Time, IsTheDoubleNearestToTheDecimal)
{
    EXPECT_EQ(NsOf("0.001ms"), 1000.0);
    EXPECT_EQ(NsOf("0.0005ms"), 500.0);
    EXPECT_EQ(NsOf("0.000025ms"), 25.0);
    EXPECT_EQ(NsOf("1us"), 1000.0);
    EXPECT_EQ(NsOf("2s"), 2e9);
    EXPECT_EQ(NsOf("500ps"), 0.5);
    EXPECT_EQ(NsOf("3fs"), 3e-6);
    EXPECT_EQ(NsOf("1.5min"), 90e9);
    EXPECT_EQ(NsOf("0.5h"), 1800e9);
    EXPECT_EQ(NsOf("0ns"), 0.0);
    EXPECT_EQ(NsOf("1.e3ns"), 1000.0);
    EXPECT_EQ(NsOf(".5ns"), 0.5);
    // 0.0000043 ms are 4.3 ns; the product of two doubles is not, which is why digits are moved.
    EXPECT_EQ(NsOf("0.0000043ms"), 4.3);
    EXPECT_NE(0.0000043 * 1e6, 4.3);
}

TEST(Time, RejectsWhatIsNoTimeAndLeavesTheValue)
{
    for (const char* text :
         {"", "5", "ns", "-1ns", "-0ns", "1 ns", "1NS", "1nss", "1e400s", "1e-400s", "infs"})
    {
        double ns = 42;
        EXPECT_FALSE(ParseTime(text, ns)) << text;
        EXPECT_EQ(ns, 42.0) << text;
    }
}

TEST_F(TimeSteps, AreTheNearestToTheDecimal)
{
    const std::pair<const char*, int64_t> cases[] = {
        {"1ps", 1},
        {"0ns", 0},
        {"499fs", 0},
        {"500fs", 1},
        {"0.0003ms", 300'000},
        {"1.5min", 90'000'000'000'000},
        {"123456.789012345678s", 123'456'789'012'345'678}, // a double ends 7 steps away
        {"9223372036854775807ps", 9'223'372'036'854'775'807},
    };
    for (const auto& [text, steps] : cases)
    {
        Time time;
        EXPECT_TRUE(ParseTime(text, time)) << text;
        EXPECT_EQ(time.GetTimeStep(), steps) << text;
    }
}

TEST_F(TimeSteps, TellTheUnitTheyAreWrittenIn)
{
    for (const auto& [text, expected] : {std::pair("3fs", Time::FS),
                                         std::pair("5ns", Time::NS),
                                         std::pair("0us", Time::US),
                                         std::pair("0.0003ms", Time::MS),
                                         std::pair("1h", Time::H)})
    {
        Time time;
        Time::Unit unit = Time::D;
        EXPECT_TRUE(ParseTime(text, time, &unit)) << text;
        EXPECT_EQ(unit, expected) << text;
    }
}

TEST_F(TimeSteps, LeaveTheValueWhereTheTextIsNoTimeOrDoesNotFit)
{
    for (const char* text : {"", "5", "-1ns", "1NS", "9223372036854775808ps", "2563h", "1e300s"})
    {
        Time time = PicoSeconds(42);
        EXPECT_FALSE(ParseTime(text, time)) << text;
        EXPECT_EQ(time, PicoSeconds(42)) << text;
    }
}

TEST_F(TimeSteps, InAUnitAreTheNearestDouble)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i)
    {
        const uint64_t ps = random() >> (11 + random() % 50); // below 2^53, which a double holds
        // the compiler's and the library's conversion of the decimal is the nearest one, too
        const std::string decimal = std::to_string(ps) + "e-12";
        ASSERT_EQ(RdmaTimeIn(PicoSeconds(ps), Time::S), std::stod(decimal));
    }
}

TEST(Units, AreWrittenShort)
{
    EXPECT_EQ(RateText(100'000'000'000), "100Gbps");
    EXPECT_EQ(RateText(2'880'000'000'000), "2880Gbps");
    EXPECT_EQ(RateText(2'500'000'000), "2500Mbps");
    EXPECT_EQ(RateText(7), "7bps");
    EXPECT_EQ(NsText(1000), "1000ns");
    EXPECT_EQ(NsText(1e12), "1000000000000ns");
    EXPECT_EQ(MsText(500), "0.0005ms");
    EXPECT_EQ(MsText(25), "0.000025ms");
    EXPECT_EQ(MsText(0), "0ms");
    EXPECT_EQ(MsText(1e6), "1ms");
    EXPECT_EQ(MsText(12'500'000), "12.5ms");
    EXPECT_EQ(MsText(0.5), "0.0000005ms");
    EXPECT_EQ(NumberText(0), "0");
    EXPECT_EQ(NumberText(1e-7), "0.0000001");
}

TEST(Units, ReadBackWhatTheyWrite)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 10000; ++i)
    {
        const uint64_t rate = random() >> (random() % 64);
        const double ns = double(random() >> (random() % 64)) / double(1 + random() % 100000);
        ASSERT_EQ(RateOf(RateText(rate)), rate);
        ASSERT_EQ(NsOf(NsText(ns)), ns);
        ASSERT_EQ(NsOf(MsText(ns)), ns);
    }
}

TEST(Number, IsTheWholeText)
{
    double value = 42;
    EXPECT_TRUE(ParseNumber("-0", value));
    EXPECT_FALSE(std::signbit(value));
    for (const char* text : {"", " 1", "1 ", "1x", "nan", "inf", "1e999", "+1"})
    {
        EXPECT_FALSE(ParseNumber(text, value)) << text;
    }
    uint64_t whole = 42;
    for (const char* text : {"", "-1", "1.0", "18446744073709551616", "0x1"})
    {
        EXPECT_FALSE(ParseInteger(text, whole)) << text;
    }
    EXPECT_EQ(whole, 42u);
}

TEST(Number, IsShownWithoutWhatATerminalMayNotShow)
{
    EXPECT_EQ(ShownText("a\x1b[31m\xff"), "a?[31m?");
    EXPECT_EQ(ShownText(std::string(100, 'x')), std::string(37, 'x') + "...");
}
